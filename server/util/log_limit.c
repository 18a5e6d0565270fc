/* log_limit.c: counts lines by kind and minute. */
#include "server/util/log_limit.h"

bool log_limit_admits(struct log_limit *limit, unsigned kind, int64_t now_ms)
{
	lock_acquire(&limit->lock);
	if (limit->kinds[kind].lines == 0 || now_ms - limit->kinds[kind].begin_ms >= LOG_LIMIT_MS) {
		limit->kinds[kind].begin_ms = now_ms;
		limit->kinds[kind].before += limit->kinds[kind].left_out;
		limit->kinds[kind].left_out = 0;
		limit->kinds[kind].lines = 0;
	}
	const bool admitted = limit->kinds[kind].lines < LOG_LIMIT_LINES;
	if (admitted) {
		limit->kinds[kind].lines++;
	} else {
		limit->kinds[kind].left_out++;
		atomic_store_explicit(&limit->has_left_out, true, memory_order_relaxed);
	}
	lock_release(&limit->lock);
	return admitted;
}

uint64_t log_limit_take(struct log_limit *limit, unsigned kind, int64_t now_ms)
{
	bool any = false;
	lock_acquire(&limit->lock);
	uint64_t taken = limit->kinds[kind].before;
	limit->kinds[kind].before = 0;
	if (now_ms - limit->kinds[kind].begin_ms >= LOG_LIMIT_MS) {
		taken += limit->kinds[kind].left_out;
		limit->kinds[kind].left_out = 0;
	}
	for (unsigned i = 0; i < LOG_LIMIT_KINDS; i++)
		any |= limit->kinds[i].left_out > 0 || limit->kinds[i].before > 0;
	atomic_store_explicit(&limit->has_left_out, any, memory_order_relaxed);
	lock_release(&limit->lock);
	return taken;
}
