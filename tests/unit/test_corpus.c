#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/overhead.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cmd/import_log.h"
#include "feed.h"
#include "grammar/grammar.h"
#include "ingest/lines.h"
#include "ingest/source.h"

/*
 * The recorded and re-created logs in tests/fixtures/logs, whose truth is known: what the programs
 * did, and what they printed.
 */
#define LOGS "tests/fixtures/logs/"
#define V(verdict) (1 << VERDICT_##verdict)

/*
 * Reports recorded from programs with known leaks.  `places`: grep -c '^At '.  `cause`: one that must
 * be among the findings; NULL: any.
 */
static const struct {
	const char *file;
	size_t places;
	bool totals; /* 2021-04: each place prints the sum of all tensors */
	unsigned verdicts;
	const char *cause;
} reports[] = {
	{ "cat_metric.txt", 42, true, V(LEAK), "tensor-size" },
	{ "kfold_freed_v1.txt.gz", 42, false, V(CLEAN), NULL },
	{ "kfold_keep.txt.gz", 42, true, V(LEAK), "model-copies" },
	{ "loss_append.txt", 42, true, V(LEAK), "tensor-count" },
	{ "loss_sum_eval.txt.gz", 42, true, V(LEAK), "graph-retained" },
	{ "noisy_slow.txt.gz", 202, true, V(LEAK), "tensor-count" },
	{ "output_append.txt.gz", 42, true, V(LEAK), "graph-retained" },
	{ "output_append_v2.txt.gz", 42, false, V(LEAK), "graph-retained" },
	{ "predict_bug_1.txt", 4, true, V(UNDECIDED), NULL },
	{ "predict_bug_10.txt", 4, true, V(UNDECIDED), NULL },
	{ "predict_bug_20.txt", 4, true, V(UNDECIDED), NULL },
	{ "predict_bug_3.txt", 4, true, V(UNDECIDED), NULL },
	{ "predict_fixed_10.txt", 7, true, V(UNDECIDED) | V(CLEAN), NULL },
	{ "predict_fixed_20.txt", 10, true, V(CLEAN), NULL },
	{ "replay_buffer.txt", 42, true, V(CLEAN), NULL },
	{ "sawtooth.txt", 62, true, V(CLEAN), NULL },
	{ "smi_other_grows.txt", 26, false, V(SUSPECT) | V(LEAK), NULL },
	{ "smi_output_append.txt.gz", 26, true, V(LEAK), "graph-retained" },
	{ "smi_train_ok.txt", 26, true, V(CLEAN), NULL },
	{ "train_ok.txt", 42, true, V(CLEAN), NULL },
	{ "train_ok_v1.txt", 42, false, V(CLEAN), NULL },
	{ "until_oom.txt.gz", 18, true, V(LEAK), "graph-retained" },
	{ "var_len.txt.gz", 102, true, V(CLEAN), NULL },
	{ "vgg_article_v1.txt", 6, false, V(UNDECIDED), NULL },
	{ "vgg_article_v2.txt", 6, false, V(UNDECIDED), NULL },
	{ "vgg_article_v3.txt", 6, true, V(UNDECIDED), NULL },
	{ "vgg_features_v1.txt", 10, false, V(UNDECIDED), NULL },
	{ "vgg_features_v3.txt", 10, true, V(UNDECIDED), NULL },
};
enum { REPORTS = sizeof(reports) / sizeof(*reports) };

static void path_of(struct strbuf *path, const char *file)
{
	strbuf_clear(path);
	strbuf_addf(path, LOGS "%s", file);
}

/* Compares each point with the total that its line prints; returns how many were compared. */
static size_t compare_totals(const struct feed *f, const char *path)
{
	static const char label[] = "Total Tensor Used Memory:";
	size_t i = 0;
	struct source *source;
	struct lines *lines;
	struct line line;

	cr_assert_eq(source_open(&source, path, NULL), 0);
	cr_assert_eq(lines_open(&lines, source, NULL), 0);
	while (lines_next(lines, &line) > 0) {
		char text[512];
		const char *at;
		double off;

		snprintf(text, sizeof(text), "%.*s", SPAN_ARG(line.text));
		at = strstr(text, label);
		if (strncmp(text, "At ", 3) || !at)
			continue;
		cr_assert_lt(i, f->points.len, "%s", path);
		cr_assert_eq(f->points.at[i].line, line.number, "%s", path);
		off = strtod(at + strlen(label), NULL) - (double)f->points.at[i].visible / MIB;
		/* Half a printed digit, and what a double cannot hold. */
		cr_expect(off <= 0.05 + 1e-9 && off >= -0.05 - 1e-9, "%s:%lld: off by %f MiB", path,
			  (long long)line.number, off);
		i++;
	}
	lines_close(lines);
	source_close(source);
	return i;
}

Test(corpus, every_line_of_a_recorded_report_is_known)
{
	struct strbuf path = STRBUF_INIT;
	struct feed f;

	for (size_t i = 0; i < REPORTS; i++) {
		path_of(&path, reports[i].file);
		feed_file(&f, path.buf, NULL);
		cr_expect_eq(f.unmatched, 0, "%s: %s", path.buf, f.first_unmatched);
		cr_expect_eq(f.points.len, reports[i].places, "%s", path.buf);
		cr_expect_eq(f.runs.len, 1, "%s", path.buf);
		cr_expect_null(f.runs.at[0].damage, "%s", path.buf);
		feed_release(&f);
	}
	strbuf_release(&path);
}

Test(corpus, every_block_of_2021_replays_to_its_printed_total)
{
	struct strbuf path = STRBUF_INIT;
	size_t compared = 0;
	struct feed f;

	for (size_t i = 0; i < REPORTS; i++) {
		if (!reports[i].totals)
			continue;
		path_of(&path, reports[i].file);
		feed_file(&f, path.buf, NULL);
		compared += compare_totals(&f, path.buf);
		feed_release(&f);
	}
	/* zgrep -hc '^At .*Total Tensor Used': seven reports of 42, four of 4, and the others. */
	cr_expect_eq(compared, 7 * 42 + 4 * 4 + 202 + 7 + 10 + 62 + 2 * 26 + 18 + 102 + 6 + 10);
	strbuf_release(&path);
}

/* ---- through the store to the verdict ---- */

struct judged {
	struct store *store;
	struct grammars *grammars;
	struct import_result import;
	struct run_list runs;
};

static void judged_open(struct judged *j, const char *file, const char *encoding)
{
	struct import_options options = { .encoding = encoding, .zone = ZONE_UTC };
	struct strbuf path = STRBUF_INIT;

	path_of(&path, file);
	j->grammars = feed_grammars();
	cr_assert_eq(store_open(&j->store, ":memory:", STORE_WRITE), 0, "%s", error_text());
	cr_assert_eq(store_begin_import(j->store), 0);
	cr_assert_eq(import_log(&j->import, j->store, j->grammars, path.buf, false, &options, NULL),
		     0, "%s", error_text());
	cr_assert_eq(j->import.status, IMPORT_IMPORTED, "%s: %s", file, j->import.error);
	cr_assert_eq(store_commit(j->store), 0, "%s", error_text());
	cr_assert_eq(store_all_runs(j->store, &j->runs), 0);
	strbuf_release(&path);
}

static void judged_close(struct judged *j)
{
	run_list_release(&j->runs);
	import_result_release(&j->import);
	store_close(j->store);
	grammars_free(j->grammars);
}

static void judge(const struct judged *j, size_t run, struct timeline *t, struct analysis *a)
{
	cr_assert_lt(run, j->runs.len);
	cr_assert_eq(store_read_timeline(j->store, j->runs.at[run].id, t), 0, "%s", error_text());
	cr_assert_eq(analyse(a, t, &ANALYSIS_OPTIONS_DEFAULT), 0);
}

static const struct finding *finding_of(const struct analysis *a, const char *cause)
{
	for (size_t i = 0; i < a->findings; i++)
		if (!strcmp(a->finding[i].cause, cause))
			return &a->finding[i];
	return NULL;
}

Test(corpus, verdicts_and_causes_are_those_of_the_programs)
{
	for (size_t i = 0; i < REPORTS; i++) {
		struct timeline t;
		struct analysis a;
		struct judged j;

		judged_open(&j, reports[i].file, NULL);
		judge(&j, 0, &t, &a);
		cr_expect(reports[i].verdicts >> a.verdict & 1, "%s: %s: %s", reports[i].file,
			  verdict_names[a.verdict], a.why);
		if (reports[i].cause)
			cr_expect_not_null(finding_of(&a, reports[i].cause), "%s: no %s",
					   reports[i].file, reports[i].cause);
		cr_expect(a.verdict != VERDICT_UNDECIDED || (a.why && *a.why), "%s says no reason",
			  reports[i].file);
		analysis_release(&a);
		timeline_release(&t);
		judged_close(&j);
	}
}

Test(corpus, loss_append_is_one_scalar_an_iteration)
{
	const struct finding *f;
	struct timeline t;
	struct analysis a;
	struct judged j;

	judged_open(&j, "loss_append.txt", NULL);
	judge(&j, 0, &t, &a);
	f = finding_of(&a, "tensor-count");
	cr_assert_not_null(f);
	cr_expect_eq(f->kind, FINDING_LEAK);
	cr_assert_geq(f->rows, 1);
	cr_expect_str_eq(f->row[0].row->shape, "()");
	cr_expect_str_eq(f->row[0].row->dtype, "torch.float32");
	cr_expect_eq(f->count_per_iteration, 1);
	cr_expect_eq(f->bytes_per_iteration, 4, "although the column prints 3.8146 M");
	analysis_release(&a);
	timeline_release(&t);
	judged_close(&j);
}

/* ---- the reports of the article, and the sums that it explains ---- */

static const struct {
	const char *file;
	int64_t from, to;               /* lines of the log */
	double total, visible, hidden; /* changes in MB, each within 0.1 */
} sums[] = {
	{ "tour.txt", 13, 15, 445.5, 80.098, 365.4 },
	{ "tour.txt", 15, 21, 408.9, 408.945, 0 },
	{ "tour.txt", 21, 26, 629.2, 629.146, 0.1 },
	{ "tour.txt", 26, 32, -503.3, -503.316, 0 },
	{ "vgg19-weights.txt", 13, 15, 915.3, 553.43, 361.9 },
	{ "three-tensors-after-weights.txt", 15, 21, 419.5, 408.945, 10.6 },
	{ "three-tensors-only.txt", 13, 15, 0, 0, 0 },
	{ "three-tensors-only.txt", 15, 18, 0, 0, 0 },
	{ "three-tensors-only.txt", 18, 24, 758, 408.945, 349.1 },
	{ "vgg-features.txt", 33, 76, 618.7, 325.843, 292.9 },
};

static bool near(double mb, int64_t bytes)
{
	double off = mb - (double)bytes / 1e6;

	return off <= 0.1 && off >= -0.1;
}

static bool find_interval(const struct timeline *t, int64_t from, int64_t to,
			  struct overhead_interval *out)
{
	size_t at;

	if (!overhead_first(t, &at))
		return false;
	while (overhead_next(t, at, out)) {
		if (t->site[t->position[out->from]].code_line == from &&
		    t->site[t->position[out->to]].code_line == to)
			return true;
		at = out->to;
	}
	return false;
}

Test(corpus, overhead_reproduces_the_sums_of_the_article)
{
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		struct overhead_interval o;
		struct timeline t;
		struct judged j;

		judged_open(&j, sums[i].file, NULL);
		cr_assert_eq(store_read_timeline(j.store, j.runs.at[0].id, &t), 0);
		cr_assert(find_interval(&t, sums[i].from, sums[i].to, &o), "%s: no line %lld",
			  sums[i].file, (long long)sums[i].to);
		cr_expect(near(sums[i].total, o.total_change), "%s: total %lld", sums[i].file,
			  (long long)o.total_change);
		cr_expect(near(sums[i].visible, o.visible_change), "%s: visible %lld", sums[i].file,
			  (long long)o.visible_change);
		cr_expect(near(sums[i].hidden, o.unexplained_change), "%s: unexplained %lld",
			  sums[i].file, (long long)o.unexplained_change);
		timeline_release(&t);
		judged_close(&j);
	}
}

/* ---- re-created from public reports ---- */

static const struct {
	const char *file, *encoding;
	size_t points, unmatched; /* what is no line of a tracker: prints of the program */
	size_t runs;
	size_t run; /* that is judged */
	unsigned verdicts;
	double rate; /* MiB an iteration of allocated memory; 0: none is claimed */
} wild[] = {
	{ "C03.txt", NULL, 6, 0, 1, 0, V(CLEAN) | V(UNDECIDED), 0 },
	{ "C05.txt", NULL, 4, 0, 1, 0, V(CLEAN) | V(UNDECIDED), 0 },
	{ "C07.txt", NULL, 5, 0, 1, 0, V(CLEAN) | V(UNDECIDED), 0 },
	/* a comment, and a line for each of six frames */
	{ "C09.txt", "GB18030", 6, 7, 1, 0, V(LEAK), 312 },
	{ "C10.log", NULL, 3, 3, 1, 0, V(LEAK) | V(SUSPECT), 74 },
	/* The last line is cut inside its number. */
	{ "C12.txt", NULL, 8, 1, 2, 0, V(CLEAN) | V(UNDECIDED), 0 },
	{ "C12.txt", NULL, 8, 1, 2, 1, V(LEAK), 2 },
};

Test(corpus, wild_reports_are_read_and_judged)
{
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		struct timeline t;
		struct analysis a;
		struct judged j;

		judged_open(&j, wild[i].file, wild[i].encoding);
		cr_expect_eq(j.import.points, (int64_t)wild[i].points, "%s", wild[i].file);
		cr_expect_eq(j.import.unmatched, (int64_t)wild[i].unmatched, "%s", wild[i].file);
		cr_assert_eq(j.runs.len, wild[i].runs, "%s", wild[i].file);
		judge(&j, wild[i].run, &t, &a);
		cr_expect(wild[i].verdicts >> a.verdict & 1, "%s: %s", wild[i].file,
			  verdict_names[a.verdict]);
		if (wild[i].rate > 0) {
			double rate = a.growth[GROWTH_ALLOCATED].estimate / MIB;

			/* Printed with one digit. */
			cr_expect(rate > wild[i].rate - 0.1 && rate < wild[i].rate + 0.1, "%s: %f",
				  wild[i].file, rate);
		}
		analysis_release(&a);
		timeline_release(&t);
		judged_close(&j);
	}
}

/* Device total 302.9 -> 2511.9 while a tensor of 1207.96 MB came: 2209.0 - 1207.96 = 1001.04. */
Test(corpus, the_first_use_of_a_device_costs_a_context)
{
	struct overhead_interval o;
	struct timeline t;
	struct judged j;

	judged_open(&j, "C05.txt", NULL);
	cr_assert_eq(store_read_timeline(j.store, j.runs.at[0].id, &t), 0);
	cr_assert(find_interval(&t, 10, 13, &o));
	/* 6 · 12 · 2048 · 2048 · 4 */
	cr_expect_eq(o.visible_change, INT64_C(1207959552));
	cr_expect_eq(o.total_change, INT64_C(2209000000));
	cr_expect_eq(o.unexplained_change, INT64_C(1001040448));
	cr_expect_eq(o.tolerance, 100000, "two figures, each rounded to half of 0.1 MB");
	timeline_release(&t);
	judged_close(&j);
}
