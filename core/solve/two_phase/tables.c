/* core/solve/two_phase/tables.c: the tables of the two-phase method, made. */
#include "core/solve/two_phase/tables.h"

static void make_small(void *memory, unsigned step, unsigned part)
{
	struct small_tables *tables = memory;
	(void)step;
	(void)part;
	phases_make(&tables->phases);
}

static void make_corner_edge(struct large_tables *large)
{
	struct phases *p = &large->small.phases;
	struct cube_state3 state;
	for (uint32_t m = 0; m < MOVES_2; m++) {
		for (uint32_t edges = 0; edges < EDGES; edges++) {
			coordinate_edges.state(edges, &state);
			cube_state3_compose(&state, &state, &p->moves[phase2_moves[m]]);
			large->edge_move[m][edges] = (uint16_t)coordinate_edges.of(&state);
		}
	}
	coordinate_images(&coordinate_edges, &p->symmetries, large->edge_image[0]);
	const struct classes corners = {
		&coordinate_corners, CORNER_CLASSES,          SYMMETRIES_UD, p->corner_class,
		p->corner_fixed,     p->corner_class_move[0], NULL};
	const struct pair pair = {&corners, &coordinate_edges, large->edge_move[0],
				  large->edge_image[0], MOVES_2};
	prune_make(&pair, large->corner_edge[0]);
}

static void make_large(void *memory, unsigned step, unsigned part)
{
	struct large_tables *large = memory;
	struct phases *phases = &large->small.phases;
	if (step == 0 && part == 0)
		phases_make(phases);
	else if (step == 1 && part == 0)
		coset_make(&large->coset, &phases->symmetries, phases->moves,
			   phases->twist_move[0]);
	else if (step == 1)
		make_corner_edge(large);
}

const struct cube_solver_tables two_phase_tables[TWO_PHASE_TABLES] = {
	{.name = "small",
	 .magic = MAGIC_SMALL,
	 .bytes = sizeof(struct small_tables),
	 .steps = 1,
	 .parts = 1,
	 .make = make_small},
	{.name = "large",
	 .magic = MAGIC_LARGE,
	 .bytes = sizeof(struct large_tables),
	 .steps = 2,
	 .parts = 2,
	 .make = make_large}};
