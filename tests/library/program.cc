/* program.cc: the library as a program in C++ uses it: cubes in vectors, moves, a search that another thread may end. */
#include <cube/libcube.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace
{

struct released {
	void operator()(void *memory) const
	{
		std::free(memory);
	}
};
using cube_pointer = std::unique_ptr<struct cube, released>;

cube_pointer new_cube(int size)
{
	cube_pointer made(static_cast<struct cube *>(std::malloc(cube_bytes(size))));
	cube_init(made.get(), size);
	return made;
}

bool turn(struct cube *cube, const std::string &moves)
{
	std::vector<struct cube_node> nodes(cube_parse_nodes(moves.data(), moves.size()));
	struct cube_error error;
	struct cube_alg alg;
	if (cube_parse(moves.data(), moves.size(), cube->size, CUBE_DIALECT_SIGN, nodes.data(),
		       &alg, &error) != CUBE_OK)
		return false;
	std::vector<char> scratch(cube_alg_scratch_bytes(&alg) + 1);
	cube_alg_apply(cube, &alg, scratch.data());
	return true;
}

std::string facelets(const struct cube *cube)
{
	std::string letters(cube_facelets(cube->size), ' ');
	cube_facelets_print(cube, letters.data());
	return letters;
}

/* Solves the cube, and returns whether the answer does. */
bool solved_by_search(struct cube *cube)
{
	const struct cube_solver *solver = cube_solver_find("two_phase", 9, cube->size);
	std::unique_ptr<void, released> tables(
		std::aligned_alloc(CUBE_SOLVE_ALIGN, CUBE_SOLVE_ALIGNED(solver->tables[0].bytes)));
	cube_solver_make(&solver->tables[0], tables.get());
	struct cube_turn turns[CUBE_SOLUTION_MAX];
	std::atomic<bool> stop(false);
	struct cube_solution solution = {};
	solution.turns = turns;
	solution.room = CUBE_SOLUTION_MAX;
	struct cube_solve_task task = {};
	task.cube = cube;
	task.length_enough = 21;
	task.stop = &stop;
	if (solver->solve(tables.get(), &task, &solution) != CUBE_SOLVE_ENOUGH ||
	    solution.length > 21)
		return false;
	cube_turn_all(cube, turns, solution.count);
	return cube_is_solved(cube);
}

} // namespace

int main()
{
	cube_pointer cube = new_cube(3), large = new_cube(100);
	if (!turn(cube.get(), "[R, U]2 (F R)105") ||
	    facelets(cube.get()) != "LFBUUUUUFUBURRRFRRFFRFFUFFDDDRDDDDDDBLLLLLLLLRRUBBBBBB") {
		std::cerr << "moves: " << facelets(cube.get()) << "\n";
		return 1;
	}
	/* Rows behind the first are where C has them, too. */
	if (!turn(large.get(), "R") || large->sticker[99] != 2 * 100 * 100 + 99) {
		std::cerr << "a large cube: " << large->sticker[99] << "\n";
		return 1;
	}
	if (cube_face_letters[CUBE_B] != 'B' || cube_state3_solved.piece[1] != 1 ||
	    alignof(cube_state3) != 32)
		return 1;
	return solved_by_search(cube.get()) ? 0 : 1;
}
