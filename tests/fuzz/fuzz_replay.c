#include <string.h>

#include "analysis/analysis.h"
#include "analysis/gate.h"
#include "analysis/overhead.h"
#include "base/error.h"
#include "feed_log.h"
#include "replay/replay.h"
#include "store/store.h"

/*
 * A log of any bytes is recorded, read back and judged: points neither come nor go on the way, the
 * parts of the ledger sum to its total, and every verdict says why.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(void *context, int what, int64_t line, const struct record *record)
{
	(void)line;
	if (what == FEED_BLANK)
		replay_blank(context);
	else if (what == FEED_RECORD)
		assert(replay_record(context, record) == 0);
}

static void check_ledger(const struct timeline *t)
{
	struct overhead_interval interval;
	struct ledger ledger;
	size_t at;

	if (overhead_ledger(t, &ledger)) {
		int64_t sum = 0;

		for (size_t i = 0; i < ledger.parts; i++)
			sum = quantity_add(sum, ledger.part[i].bytes);
		assert(!quantity_known(sum) || sum == ledger.total);
	}
	if (!overhead_first(t, &at))
		return;
	while (overhead_next(t, at, &interval)) {
		assert(interval.from == at && interval.to > at && interval.to < t->points);
		at = interval.to;
	}
}

static void check_run(struct store *store, const struct run_row *run)
{
	struct analysis analysis;
	struct timeline t;

	assert(store_read_timeline(store, run->id, &t) == 0);
	assert((int64_t)t.points <= run->points);
	for (size_t i = 0; i < t.points; i++)
		assert(t.position[i] >= -1 && t.position[i] < (int32_t)t.sites);
	assert(analyse(&analysis, &t, &ANALYSIS_OPTIONS_DEFAULT) == 0);
	assert(analysis.verdict < VERDICTS);
	assert(analysis.why && *analysis.why);
	check_ledger(&t);
	analysis_release(&analysis);
	timeline_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source_info info = { .path = "fuzz", .run_name = "fuzz", .hash = "h" };
	struct point_sink sink;
	struct replay *replay;
	struct run_list runs;
	struct store *store;
	int64_t known, points = 0;

	assert(store_open(&store, ":memory:", STORE_WRITE) == 0);
	assert(store_begin_import(store) == 0 && store_begin_source(store, &info) == 0);
	sink = store_sink(store);
	replay_open(&replay, &sink);
	feed_log(data, size, take, replay);
	assert(replay_finish(replay) == 0);
	assert(store_end_source(store, &info, &known) == 0);
	assert(store_commit(store) == 0);
	assert(store_all_runs(store, &runs) == 0);
	for (size_t i = 0; i < runs.len; i++) {
		points += runs.at[i].points;
		check_run(store, &runs.at[i]);
	}
	assert(points == replay_points(replay));
	run_list_release(&runs);
	replay_close(replay);
	store_close(store);
	return 0;
}
