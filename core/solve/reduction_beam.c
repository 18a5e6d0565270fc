/* core/solve/reduction_beam.c: the centres of one or two orbits, in few turns.
 *
 * Iterative deepening: three stages, each of which looks for the shortest ways to its goal by
 * depth- first search, past all cubes of which one orbit alone needs more turns than are left. Each
 * begins with several ends of the one before. Where the wings are odd permutations the second ends
 * only when they are even: each quarter turn of a block changes that for all wings within it but
 * the outermost layer's.
 *
 * The cube is looked at along each of its axes. Even sizes have no middle centres, so that any pair
 * of colours may go to any axis, and either way round, as long as it is a rotation of the whole. */
#include "core/solve/reduction_centers.h"

#include "core/hold.h"

#include <string.h>

#define ORBITS_MAX 2
#define MOVES_MAX 36
#define LONGEST 30
#define STARTS_MAX 64
#define ENDS_ENOUGH 60
#define NODES_FACE 1000000 /* after which `face` is done in two parts */
#define NODES_MORE 200000  /* that may be looked at for more ends of the same length */

struct node {
	uint32_t bits[ORBITS_MAX]; /* of the stage */
	/* The colours: whether of U or D, whether of F or B, whether of D, L or B. */
	uint32_t plane[3][ORBITS_MAX];
	uint8_t view, parity, pairs, length;
	uint8_t move[3 * LONGEST];
};

struct move {
	struct cube_turn turn;
	uint8_t of[ORBITS_MAX]; /* center_move of each orbit */
	bool parity;            /* the wings of the deepest layer become odd where they were even */
	bool allowed[CENTER_STAGES + 1];
};

struct beam {
	struct node start[STARTS_MAX], end[STARTS_MAX];
	struct move move[MOVES_MAX];
	uint32_t start_count, end_count;
	struct reduction *reduction;
	const struct centers *centers;
	const struct node *from;
	int orbits, moves, depth;
	bool open;
	uint64_t nodes, nodes_max;
	enum center_stage stage;
	uint8_t kind[ORBITS_MAX], row[ORBITS_MAX], column[ORBITS_MAX];
	uint8_t path[LONGEST];
};

size_t beam_bytes(void)
{
	return (sizeof(struct beam) + CUBE_SOLVE_ALIGN - 1) / CUBE_SOLVE_ALIGN * CUBE_SOLVE_ALIGN;
}

/* ---- orbits and moves ---- */

static void find_orbits(struct beam *beam, int size, const struct orbits *orbits)
{
	beam->orbits = orbits->count;
	beam->open = orbits->open;
	beam->depth = orbits->row[0] < orbits->column[0] ? orbits->row[0] : orbits->column[0];
	for (int i = 0; i < orbits->count; i++) {
		int row = beam->row[i] = orbits->row[i],
		    column = beam->column[i] = orbits->column[i];
		beam->kind[i] = 2 * column + 1 == size ? CENTER_T
				: row == column        ? CENTER_X
				: row < column         ? CENTER_LEFT
						       : CENTER_RIGHT;
	}
}

static int lines_held(const struct beam *beam, int orbit, int layers)
{
	int one = beam->row[orbit], other = beam->column[orbit];
	return (one < layers) + (beam->kind[orbit] != CENTER_T && other < layers);
}

/* Outer layers, and blocks that hold the nearer line of the orbits; of halves of the cube one of
 * two suffices. */
static void find_moves(struct beam *beam, int size)
{
	beam->moves = 0;
	for (int i = 0; i < CUBE_FACES * 2 * 3; i++) {
		int face = i / 3 % CUBE_FACES, layers = i < 18 ? 1 : beam->depth + 1;
		int quarters = i % 3 + 1;
		struct move *move = &beam->move[beam->moves];
		if (2 * layers == size && face >= CUBE_D)
			continue;
		move->turn = cube_turn_make(size, face, 1, layers, quarters);
		move->parity = layers > 1 && quarters != 2;
		for (int stage = 0; stage <= CENTER_STAGES; stage++)
			move->allowed[stage] =
				center_allowed((enum center_stage)stage, face, layers > 1 ? 1 : 0, quarters);
		for (int k = 0; k < beam->orbits; k++)
			move->of[k] =
				(uint8_t)center_move(face, lines_held(beam, k, layers), quarters);
		beam->moves++;
	}
}

/* ---- a stage ---- */

/* What the stage looks at. pairs: which pair of colours (U and D 0, R and L 1, F and B 2) goes to R
 * and L, and which to F and B: 3 * first + second; and above these, which pairs the other way
 * round. */
static void look(const struct beam *beam, struct node *node)
{
	static const uint32_t bytes[3] = {0x0000ff, 0xff0000, 0x00ff00};
	for (int k = 0; k < beam->orbits; k++) {
		uint32_t of[3] = {node->plane[0][k], 0, node->plane[1][k]};
		of[1] = CENTER_ALL & ~(of[0] | of[2]);
		if (beam->stage == CENTER_HALF) {
			node->bits[k] = of[node->pairs % 9 / 3] & ~node->plane[2][k];
		} else if (beam->stage == CENTER_AXIS) {
			node->bits[k] = of[node->pairs % 9 / 3];
		} else if (beam->stage == CENTER_SPLIT) {
			node->bits[k] = of[node->pairs % 3];
		} else {
			node->bits[k] = CENTER_ALL & ~node->plane[2][k];
			for (int axis = 0; axis < 3; axis++)
				if (node->pairs / 9 >> axis & 1)
					node->bits[k] ^= bytes[axis];
		}
	}
}

/* A turn brings at most four stickers of an orbit to R and L, two of those in the middle of sides.
 */
static int distance_of(const struct beam *beam, int k, uint32_t bits)
{
	int most = beam->kind[k] == CENTER_X ? 4 : 2;
	if (beam->stage == CENTER_HALF)
		return (center_count(bits & 0xffff) + most - 1) / most;
	return center_distance(beam->centers, beam->stage, beam->kind[k], bits);
}

static void apply(const struct beam *beam, struct node *node, int m)
{
	const struct move *move = &beam->move[m];
	for (int k = 0; k < beam->orbits; k++)
		for (int p = 0; p < 3; p++)
			node->plane[p][k] =
				center_moved(beam->centers->moved[beam->kind[k]][move->of[k]],
					     node->plane[p][k]);
	node->parity ^= move->parity;
	node->move[node->length++] = (uint8_t)m;
}

static void add_end(struct beam *beam, int length)
{
	if (beam->end_count == STARTS_MAX)
		return;
	struct node *end = &beam->end[beam->end_count++];
	*end = *beam->from;
	for (int i = 0; i < length; i++)
		apply(beam, end, beam->path[i]);
}

static bool enough(const struct beam *beam)
{
	return beam->reduction->stopped ||
	       beam->end_count >= (beam->stage == CENTER_FACE ? 1 : ENDS_ENOUGH) ||
	       (beam->end_count > 0 && beam->nodes > NODES_MORE) || beam->nodes > beam->nodes_max;
}

/* All ways to the goal by `left` more turns behind `at`. */
static void deepen(struct beam *beam, const uint32_t bits[ORBITS_MAX], uint8_t parity, int at,
		   int left)
{
	if (left == 0) {
		if (beam->stage != CENTER_SPLIT || parity == 0)
			add_end(beam, at);
		return;
	}
	const struct cube_turn *last = at > 0 ? &beam->move[beam->path[at - 1]].turn : NULL;
	for (int m = 0; m < beam->moves && !enough(beam); m++) {
		const struct move *move = &beam->move[m];
		uint32_t next[ORBITS_MAX];
		int most = 0;
		/* Turns about one axis in one order only. */
		if (!move->allowed[beam->stage] ||
		    (last && last->face % 3 == move->turn.face % 3 &&
		     (last->to > move->turn.to ||
		      (last->to == move->turn.to && last->face >= move->turn.face))))
			continue;
		for (int k = 0; k < beam->orbits && most < left; k++) {
			int kind = beam->kind[k];
			next[k] = center_moved(beam->centers->moved[kind][move->of[k]], bits[k]);
			int distance = distance_of(beam, k, next[k]);
			most = distance > most ? distance : most;
		}
		if (most >= left)
			continue;
		beam->path[at] = (uint8_t)m;
		if (++beam->nodes % 1024 == 0)
			reduction_go_on(beam->reduction, 1024);
		deepen(beam, next, parity ^ move->parity, at + 1, left - 1);
	}
}

/* From `start` to `end`: the shortest in all. */
static void run_stage(struct beam *beam, uint64_t nodes_max)
{
	beam->end_count = 0;
	beam->nodes = 0;
	beam->nodes_max = nodes_max;
	for (int length = 0; !enough(beam); length++) {
		for (uint32_t i = 0; i < beam->start_count && !enough(beam); i++) {
			struct node *start = &beam->start[i];
			int left = length - start->length, most = 0;
			look(beam, start);
			for (int k = 0; k < beam->orbits; k++) {
				int distance = distance_of(beam, k, start->bits[k]);
				most = distance > most ? distance : most;
			}
			beam->from = start;
			if (left >= most && left < LONGEST)
				deepen(beam, start->bits, start->parity, 0, left);
		}
		if (length > 3 * LONGEST - 1)
			return;
	}
}

/* ---- the whole ---- */

static void read_node(const struct beam *beam, int view, struct node *node)
{
	static const uint8_t up[3] = {CUBE_U, CUBE_R, CUBE_F};
	const struct cube *cube = beam->reduction->cube;
	const struct cube_hold *hold =
		&cube_hold_table.hold[cube_hold_table.of[up[view]][(up[view] + 1) % 3]];
	int n = cube->size;
	uint8_t color[CUBE_FACES];
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		color[hold->to[face]] = face;
	memset(node, 0, sizeof(*node));
	node->view = (uint8_t)view;
	for (int k = 0; k < beam->orbits; k++) {
		for (int place = 0; place < ORBIT; place++) {
			int at = (int)orbit_facelet(n, beam->row[k], beam->column[k], place);
			int here =
				color[cube_color_at(cube, cube_hold_facelet(hold, n, at / (n * n),
									    at / n % n, at % n))];
			node->plane[0][k] |= (uint32_t)(here % 3 == CUBE_U) << place;
			node->plane[1][k] |= (uint32_t)(here % 3 == CUBE_F) << place;
			node->plane[2][k] |= (uint32_t)(here / 3) << place;
		}
	}
	uint8_t wings[ORBIT];
	for (int place = 0; place < ORBIT; place++)
		wings[place] = (uint8_t)orbit_home(cube, 0, beam->depth, place);
	node->parity = orbit_odd(wings);
}

static void add_start(struct beam *beam, const struct node *node, int pairs)
{
	if (beam->start_count == STARTS_MAX)
		return;
	beam->start[beam->start_count] = *node;
	beam->start[beam->start_count++].pairs = (uint8_t)pairs;
}

/* The pair that is on neither axis. */
static int third(int first, int second)
{
	return 3 - first - second;
}

/* The ends of a stage begin the next one, with all the colours that even sizes leave open. */
static void next_stage(struct beam *beam)
{
	beam->start_count = 0;
	for (uint32_t i = 0; i < beam->end_count; i++) {
		const struct node *node = &beam->end[i];
		int first = node->pairs % 9 / 3, second = node->pairs % 3;
		if (beam->stage == CENTER_AXIS) {
			second = first == CUBE_F ? CUBE_R : CUBE_F;
			add_start(beam, node, 3 * first + second);
			if (beam->open)
				add_start(beam, node, 3 * first + third(first, second));
			continue;
		}
		/* An odd permutation of the axes needs an odd number of them turned round. */
		int zero = third(first, second);
		bool odd = (zero != CUBE_U) + (first != CUBE_R) + (second != CUBE_F) == 2;
		for (int flips = 0; flips < 8; flips++)
			if ((center_count((uint32_t)flips) & 1) == odd &&
			    (beam->open || flips == 0))
				add_start(beam, node, 9 * flips + 3 * first + second);
	}
}

static void tell(const struct beam *beam, const struct node *node, struct way *way)
{
	static const uint8_t up[3] = {CUBE_U, CUBE_R, CUBE_F};
	int face = up[node->view];
	const struct cube_hold *hold =
		&cube_hold_table.hold[cube_hold_table.of[face][(face + 1) % 3]];
	way->count = node->length;
	for (int i = 0; i < way->count; i++) {
		way->turn[i] = beam->move[node->move[i]].turn;
		way->turn[i].face = hold->to[way->turn[i].face];
	}
}

static void from_ends(struct beam *beam)
{
	memcpy(beam->start, beam->end, sizeof(beam->end));
	beam->start_count = beam->end_count;
}

bool beam_centers(struct reduction *reduction, const struct centers *centers, void *work,
		  const struct orbits *orbits, struct way *way)
{
	struct beam *beam = work;
	int size = reduction->cube->size;
	beam->reduction = reduction;
	beam->centers = centers;
	beam->start_count = 0;
	find_orbits(beam, size, orbits);
	find_moves(beam, size);
	for (int view = 0; view < 3; view++) {
		struct node node;
		read_node(beam, view, &node);
		for (int first = 0; first < 3; first++)
			if (first == CUBE_R || beam->open)
				add_start(beam, &node, 3 * first);
	}
	if (beam->orbits > 1) {
		beam->stage = CENTER_HALF;
		run_stage(beam, UINT64_MAX);
		from_ends(beam);
	}
	beam->stage = CENTER_AXIS;
	run_stage(beam, UINT64_MAX);
	next_stage(beam);
	beam->stage = CENTER_SPLIT;
	run_stage(beam, UINT64_MAX);
	next_stage(beam);
	beam->stage = CENTER_FACE;
	run_stage(beam, NODES_FACE);
	if (beam->end_count == 0) {
		beam->stage = CENTER_TWO;
		run_stage(beam, UINT64_MAX);
		from_ends(beam);
		beam->stage = CENTER_FACE;
		run_stage(beam, UINT64_MAX);
	}
	if (reduction->stopped || beam->end_count == 0)
		return false;
	tell(beam, &beam->end[0], way);
	return true;
}
