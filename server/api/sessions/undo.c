/* undo.c: POST .../undo, .../redo and .../reset: entries that bring back an earlier cube. */
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/append.h"
#include "server/api/steps/authorize.h"

/* The entries in force that are undone (or redone), read in ascending order. */
struct collected {
	const struct history *history;
	enum entry_kind kind;     /* of the new entry */
	uint64_t total;           /* entries wanted */
	uint64_t left;            /* of these, not yet read */
	uint32_t next;            /* the revision of the next one */
	uint64_t limit;           /* maximum number of turns */
	struct buffer turns;      /* struct cube_turn after struct cube_turn */
	bool whole;               /* false: too many turns, or an entry has none */
	bool custom_pattern_only; /* only the actor's own entries may be undone */
	uint32_t actor;           /* who asks */
	uint32_t foreign_revision,
		foreign_actor; /* of the newest entry of another actor; 0: none */
};

static void undo_handle(struct context *ctx, enum entry_kind kind);
static bool undo_target(struct context *ctx, const struct history *now, struct entry *entry,
			uint64_t *total);
static bool check_available(struct context *ctx, uint64_t available);
static bool collect(struct context *ctx, struct store_reader *reader, struct collected *collected);
static uint32_t wanted(const struct collected *collected);
static bool collect_visit(void *context, const struct entry *entry);
static size_t collected_count(const struct collected *collected);
static bool foreign_problem(struct context *ctx, const struct collected *collected);
static void reverse(struct cube_turn *turns, size_t count);
static void plan_restore(struct context *ctx, struct store_reader *reader, struct entry *entry);

void session_undo_handle(struct context *ctx)
{
	undo_handle(ctx, ENTRY_UNDO);
}

static void undo_handle(struct context *ctx, enum entry_kind kind)
{
	struct append *append = ctx_alloc(ctx, sizeof *append);
	if (!append) {
		ctx_answer(ctx);
		return;
	}
	*append = (struct append){.kind = kind, .revision = -1, .count = 1};
	const struct json_member members[] = {
		{"revision", JSON_INT64, &append->revision, 0, UINT32_MAX},
		{"count", JSON_INT64, &append->count, 1, UINT32_MAX},
	};
	if (append_read(ctx, append, members, kind == ENTRY_RESET ? 1 : 2))
		append_start(ctx, append);
	else
		ctx_answer(ctx);
}

void session_redo_handle(struct context *ctx)
{
	undo_handle(ctx, ENTRY_REDO);
}

void session_reset_handle(struct context *ctx)
{
	undo_handle(ctx, ENTRY_RESET);
}

void undo_plan(struct context *ctx, struct store_reader *reader)
{
	struct append *append = ctx->data;
	const struct history *now = ctx->visit.snapshot;
	struct entry entry = {.kind = append->kind};
	struct collected collected = {.history = now,
				      .kind = append->kind,
				      .whole = true,
				      .custom_pattern_only =
					      append->kind == ENTRY_UNDO && !authorize_owns(ctx),
				      .actor = authorize_actor(ctx),
				      .limit = ctx->service->config.limits.moves};
	append->reader = reader;
	if (!undo_target(ctx, now, &entry, &collected.total))
		return;
	if (collect(ctx, reader, &collected)) {
		if (collected.whole) {
			entry.turns = (const struct cube_turn *)(const void *)collected.turns.bytes;
			entry.turn_count = collected_count(&collected);
			entry.has_turns = true;
			append_plan(ctx, &entry);
		} else {
			plan_restore(ctx, reader, &entry);
		}
	}
	buffer_free(&collected.turns);
}

/* Finds how many entries to undo or redo, and what that restores. False with a problem. */
static bool undo_target(struct context *ctx, const struct history *now, struct entry *entry,
			uint64_t *total)
{
	const struct append *append = ctx->data;
	bool undo = entry->kind == ENTRY_UNDO;
	*total = history_undoable(now);
	if (entry->kind == ENTRY_RESET) {
		entry->restores = 0;
		return true;
	}
	if (!check_available(ctx, undo ? *total : history_redoable(now)))
		return false;
	*total = (uint64_t)append->count;
	entry->restores =
		undo ? history_undo_target(now, *total) : history_redo_target(now, *total);
	return true;
}

static bool check_available(struct context *ctx, uint64_t available)
{
	const struct append *append = ctx->data;
	if ((uint64_t)append->count <= available)
		return true;
	struct out out;
	problem_begin(ctx->request, PROBLEM_NOTHING_TO_UNDO, &out,
		      "count is %lld; entries available to %s: %llu.", (long long)append->count,
		      entry_kind_name(append->kind), (unsigned long long)available);
	out_member_integer(&out, "available", (int64_t)available);
	problem_end(ctx->request, &out);
	return false;
}

/* The turns from the snapshot's cube to the restored one. False with a problem. */
static bool collect(struct context *ctx, struct store_reader *reader, struct collected *collected)
{
	if (collected->total == 0)
		return true;
	collected->left = collected->total;
	collected->next = wanted(collected);
	enum store_status status = ctx->service->store->operations->entries(
		reader, ctx->visit.session->meta.key, collected->next - 1, collect_visit,
		collected);
	if (status != STORE_OK) {
		ctx_store_problem(ctx, status);
		return false;
	}
	if (collected->foreign_revision != 0)
		return foreign_problem(ctx, collected);
	if (collected->turns.failed)
		return ctx_no_memory(ctx);
	if (collected->whole && collected->kind != ENTRY_REDO)
		reverse((struct cube_turn *)(void *)collected->turns.bytes,
			collected_count(collected));
	return true;
}

/* The revision of the next wanted entry, the first of the `left` still to come. */
static uint32_t wanted(const struct collected *collected)
{
	return collected->kind == ENTRY_REDO
		       ? history_undone_at(collected->history, collected->total - collected->left)
		       : history_done_at(collected->history, collected->left - 1);
}

static bool collect_visit(void *context, const struct entry *entry)
{
	struct collected *collected = context;
	if (entry->revision != collected->next)
		return true;
	if (collected->custom_pattern_only && entry->actor != collected->actor) {
		collected->foreign_revision = entry->revision;
		collected->foreign_actor = entry->actor;
	}
	if (collected->kind == ENTRY_RESET && entry->kind == ENTRY_RESET) {
		/* The cube was that of revision 0 here: only entries after it count. */
		collected->turns.length = 0;
		collected->whole = true;
	} else if (!entry->has_turns ||
		   entry->turn_count > collected->limit - collected_count(collected)) {
		collected->whole = false;
	} else if (collected->whole) {
		buffer_add(&collected->turns, entry->turns,
			   entry->turn_count * sizeof *entry->turns);
	}
	if (--collected->left == 0 || (!collected->whole && collected->kind != ENTRY_RESET &&
				       !collected->custom_pattern_only))
		return false;
	collected->next = wanted(collected);
	return true;
}

static size_t collected_count(const struct collected *collected)
{
	return collected->turns.length / sizeof(struct cube_turn);
}

/* The newest entry of another actor. */
static bool foreign_problem(struct context *ctx, const struct collected *collected)
{
	struct out out;
	problem_begin(ctx->request, PROBLEM_NOT_YOUR_ENTRY, &out,
		      "Entry %lu was made by another actor; only an owner may undo it.",
		      (unsigned long)collected->foreign_revision);
	out_member_integer(&out, "revision", collected->foreign_revision);
	out_key(&out, "actor");
	actor_write(&out, roster_at(ctx->visit.roster, collected->foreign_actor));
	problem_end(ctx->request, &out);
	return false;
}

static void reverse(struct cube_turn *turns, size_t count)
{
	for (size_t i = 0, j = count; i < j--; i++) {
		struct cube_turn turn = cube_turn_inverse(turns[i]);
		turns[i] = cube_turn_inverse(turns[j]);
		turns[j] = turn;
	}
}

/* For entries with too many turns: restores the cube itself. */
static void plan_restore(struct context *ctx, struct store_reader *reader, struct entry *entry)
{
	struct history *then;
	enum store_status status = ctx->service->store->operations->at(
		reader, ctx->visit.session->meta.key, entry->restores, &then);
	if (status != STORE_OK) {
		ctx_store_problem(ctx, status);
		return;
	}
	entry->cube = then->cube;
	append_plan(ctx, entry);
	history_destroy(then);
}
