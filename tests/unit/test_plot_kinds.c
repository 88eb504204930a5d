#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "build_timeline.h"
#include "cmd/answer.h"
#include "cmd/plot_kind.h"

enum { ITERATIONS = 20, STEP = 1 << 20 };

/* A run, its analysis and a plot of it. */
struct drawn {
	struct build build;
	struct loaded_run run;
	struct arena arena;
	struct plot_scope scope;
	struct plot plot;
};

static struct plot_input input_of(struct drawn *d)
{
	return (struct plot_input){ &d->run, 1, &d->scope, &d->arena };
}

static void judge(struct drawn *d, int64_t capacity)
{
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;

	options.capacity = capacity;
	d->scope = PLOT_SCOPE_ALL;
	d->arena = (struct arena)ARENA_INIT;
	d->run.timeline = *build_done(&d->build);
	d->run.timeline.name = "run";
	d->run.timeline.dialect = "test";
	analyse(&d->run.analysis, &d->run.timeline, &options);
}

static void release(struct drawn *d)
{
	analysis_release(&d->run.analysis);
	arena_release(&d->arena);
	build_release(&d->build);
}

static const struct plot_kind *chosen(struct drawn *d)
{
	struct plot_input in = input_of(d);
	const struct plot_kind *kind = plot_kind_find(NULL, &in);

	cr_assert_not_null(kind);
	return kind;
}

static void draw(struct drawn *d, const char *name)
{
	struct plot_input in = input_of(d);
	const struct plot_kind *kind = plot_kind_find(name, &in);

	cr_assert_not_null(kind, "%s", name);
	cr_assert_eq(kind->draw(&d->plot, &in), 0, "%s", error_text());
}

static const struct plot_series *named(const struct plot *plot, const char *start)
{
	for (size_t i = 0; i < plot->nseries; i++) {
		const char *name = plot->series[i].name;

		if (name && !strncmp(name, start, strlen(start)))
			return &plot->series[i];
	}
	cr_assert_fail("no series %s", start);
	return NULL;
}

static double last_y(const struct plot_series *series)
{
	return series->point[series->points - 1].y;
}

/* Allocated memory grows by STEP an iteration; what Python sees does not. */
static void build_hidden_leak(struct drawn *d)
{
	int site = build_site(&d->build, "/job/train.py", 10);

	d->build.quantum = 1;
	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d->build, site);
		build_level(&d->build, LEVEL_VISIBLE, 100 * STEP);
		build_level(&d->build, LEVEL_ALLOCATED, (100 + i) * STEP);
		build_level(&d->build, LEVEL_RESERVED, (120 + i) * STEP);
	}
}

/* A row of tensors grows by one an iteration, and another is a model's. */
static void build_row_leak(struct drawn *d)
{
	int site = build_site(&d->build, "/job/train.py", 10);
	int kept = build_row(&d->build, "(256, 1024)", "torch.Tensor");
	int model = build_row(&d->build, "(512, 1024)", "torch.nn.parameter.Parameter");

	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d->build, site);
		build_count(&d->build, model, 3);
		build_count(&d->build, kept, i);
	}
}

Test(answer, says_what_where_since_when_and_until)
{
	struct drawn d = { 0 };

	build_hidden_leak(&d);
	judge(&d, 140 * STEP);
	cr_assert_str_eq(answer_text(&d.arena, &d.run.timeline, &d.run.analysis, SIZE_IEC),
			 "+1.0 MiB an iteration at train.py:10, from the 1st on, 140.0 MiB full "
			 "in 20 iterations");
	release(&d);
}

Test(answer, shortens_what_a_log_made_long)
{
	char file[600] = "/job/";
	struct drawn d = { 0 };
	int site;

	memset(file + 5, 'x', sizeof(file) - 6);
	site = build_site(&d.build, file, 10);
	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d.build, site);
		build_level(&d.build, LEVEL_ALLOCATED, 5);
	}
	judge(&d, QUANTITY_UNKNOWN);
	cr_assert_lt(strlen(answer_text(&d.arena, &d.run.timeline, &d.run.analysis, SIZE_IEC)),
		     120);
	release(&d);
}

Test(plot_kind, follows_from_what_is_found)
{
	struct drawn hidden = { 0 }, rows = { 0 };
	struct loaded_run two[2] = { { .analysis = { .verdict = VERDICT_CLEAN } } };
	struct plot_input in = { two, 2, NULL, NULL };

	build_hidden_leak(&hidden);
	judge(&hidden, QUANTITY_UNKNOWN);
	cr_assert_str_eq(chosen(&hidden)->name, "growth");
	build_row_leak(&rows);
	judge(&rows, QUANTITY_UNKNOWN);
	cr_assert_str_eq(chosen(&rows)->name, "tensors");
	cr_assert_str_eq(plot_kind_find(NULL, &in)->name, "compare");
	release(&hidden);
	release(&rows);
}

Test(plot_kind, is_refused_when_unknown)
{
	struct arena arena = ARENA_INIT;
	struct plot_input in = { NULL, 1, NULL, &arena };

	cr_assert_null(plot_kind_find("pie", &in));
	cr_assert_eq(error_kind(), ERROR_USAGE);
	cr_assert_not_null(strstr(error_text(), "timeline"));
	arena_release(&arena);
}

Test(plot_growth, draws_the_growth_that_is_told)
{
	struct drawn d = { 0 };
	const struct plot_series *fit;

	build_hidden_leak(&d);
	judge(&d, 130 * STEP);
	draw(&d, "growth");
	fit = named(&d.plot, "fit: +1.0 MiB an iteration");
	cr_assert_float_eq((fit->point[1].y - fit->point[0].y) /
				   (fit->point[1].x - fit->point[0].x),
			   d.run.analysis.finding[0].bytes_per_iteration, 1e-6);
	/* From 120 MiB at the 20th to 130 at the 30th. */
	cr_assert_float_eq(named(&d.plot, "forecast")->point[1].x, 30, 1e-6);
	cr_assert_float_eq(last_y(named(&d.plot, "forecast")), 130.0 * STEP, 1);
	cr_assert_eq(d.plot.level[0].y, 130.0 * STEP);
	release(&d);
}

Test(plot_growth, meets_out_of_memory)
{
	struct drawn d = { 0 };

	build_hidden_leak(&d);
	*vec_push(&d.build.event) = (struct timeline_event){
		.point = ITERATIONS - 2, /* the last point was open when memory ran out */
		.line = ITERATIONS + 1,
		.code = "out-of-memory",
		.limit = QUANTITY_UNKNOWN,
		.capacity = QUANTITY_UNKNOWN,
		.requested = QUANTITY_UNKNOWN,
	};
	judge(&d, 120 * STEP + STEP / 2);
	draw(&d, "growth");
	cr_assert_eq(d.plot.marks, 1);
	cr_assert(d.plot.mark[0].bad);
	cr_assert_str_eq(d.plot.mark[0].label, "out of memory");
	cr_assert_float_eq(d.plot.mark[0].x, named(&d.plot, "forecast")->point[1].x, 1e-6);
	/* Not in a picture of what was before. */
	d.scope.to = ITERATIONS / 2;
	draw(&d, "growth");
	cr_assert_eq(d.plot.marks, 0);
	release(&d);
}

/* One process grows, by about STEP, and the device with it. */
static void build_process_leak(struct drawn *d)
{
	int site = build_site(&d->build, "/job/train.py", 10);

	build_subject(&d->build, 0, 0, -1);
	build_subject(&d->build, 1, 0, 7);
	d->build.subject[1].is_process = true;
	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d->build, site);
		build_used(&d->build, 0, (200 + i + i % 3) * (int64_t)STEP);
		build_used(&d->build, 1, (100 + i + i % 3) * (int64_t)STEP);
	}
}

Test(plot_growth, draws_what_was_asked_for)
{
	struct drawn d = { 0 };

	build_process_leak(&d);
	judge(&d, QUANTITY_UNKNOWN);
	d.scope.pid = 7;
	draw(&d, "growth");
	/* The 20th, 20 % 3 = 2. */
	cr_assert_eq(last_y(named(&d.plot, "process 7 on GPU 0")), 122.0 * STEP);
	release(&d);
}

Test(plot_growth, shows_how_well_the_fit_is_known)
{
	struct drawn d = { 0 };
	const struct plot_series *band;
	const struct finding *f;

	build_process_leak(&d);
	judge(&d, QUANTITY_UNKNOWN);
	f = answer_finding(&d.run.analysis);
	cr_assert_not_null(f);
	draw(&d, "growth");
	band = named(&d.plot, "range of the fit");
	cr_assert_eq(band->style, PLOT_BAND);
	cr_assert_eq(band->points, 3);
	/* It is narrow in the middle, and at its end as wide as the rates are apart. */
	cr_assert_float_eq(band->point[1].y, band->point[1].low, 1);
	cr_assert_float_eq(band->point[2].y - band->point[2].low,
			   (f->high - f->low) * (band->point[2].x - band->point[1].x), 1);
	release(&d);
}

Test(plot_growth, needs_a_loop)
{
	struct drawn d = { 0 };
	struct plot_input in;

	build_point(&d.build, build_site(&d.build, "a.py", 1));
	build_level(&d.build, LEVEL_ALLOCATED, STEP);
	judge(&d, QUANTITY_UNKNOWN);
	in = input_of(&d);
	cr_assert_eq(plot_growth(&d.plot, &in), -1);
	cr_assert_not_null(strstr(error_text(), "--kind timeline"));
	release(&d);
}

Test(plot_timeline, stacks_levels_with_the_widest_at_the_back)
{
	struct drawn d = { 0 };

	build_hidden_leak(&d);
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "timeline");
	cr_assert_eq(d.plot.nseries, 3);
	cr_assert_str_eq(d.plot.series[0].name, "cached by the allocator");
	cr_assert_str_eq(d.plot.series[1].name, "hidden from Python");
	cr_assert_str_eq(d.plot.series[2].name, "visible tensors");
	cr_assert_eq(last_y(&d.plot.series[0]), 140.0 * STEP);
	cr_assert_eq(last_y(&d.plot.series[1]), 120.0 * STEP);
	/* A loop is one mark, however often it comes. */
	cr_assert_eq(d.plot.marks, 1);
	cr_assert_str_eq(d.plot.mark[0].label, "train.py:10, 20 iterations");
	release(&d);
}

Test(plot_timeline, names_what_the_log_cannot_tell_apart)
{
	struct drawn d = { 0 };
	int site = build_site(&d.build, "a.py", 1);

	for (int i = 0; i < 3; i++) {
		build_point(&d.build, site);
		build_level(&d.build, LEVEL_VISIBLE, 5 * STEP);
		build_level(&d.build, LEVEL_DEVICE, 9 * STEP);
	}
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "timeline");
	cr_assert_str_eq(d.plot.series[0].name, "hidden, cached, outside or others");
	release(&d);
}

Test(plot_timeline, shows_a_part_of_the_run)
{
	struct drawn d = { 0 };
	struct plot_input in;

	build_hidden_leak(&d);
	judge(&d, QUANTITY_UNKNOWN);
	d.scope.from = 5;
	d.scope.to = 8;
	d.scope.position = "train.py:10";
	draw(&d, "timeline");
	cr_assert_eq(d.plot.series[0].points, 4);
	cr_assert_eq(d.plot.series[0].point[0].x, 5);
	d.scope.position = "elsewhere.py";
	in = input_of(&d);
	cr_assert_eq(plot_timeline(&d.plot, &in), -1);
	release(&d);
}

/* Shares of a card of unknown size beside bytes of another; 10000 are 100 %. */
static void build_shares(struct drawn *d)
{
	build_subject(&d->build, 0, 0, -1);
	build_subject(&d->build, 1, 1, -1);
	d->build.subject[0].used.percent = true;
	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d->build, -1);
		build_used(&d->build, 0, i * 100);
		build_used(&d->build, 1, i * (int64_t)STEP);
	}
}

Test(plot_timeline, keeps_shares_off_an_axis_of_bytes)
{
	struct drawn d = { 0 };

	build_shares(&d);
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "timeline");
	cr_assert_eq(d.plot.unit, PLOT_BYTES);
	cr_assert_eq(d.plot.nseries, 1);
	cr_assert_eq(last_y(named(&d.plot, "GPU 1")), (double)ITERATIONS * STEP);
	/* Alone they are drawn, as percents. */
	d.scope.device = 0;
	draw(&d, "timeline");
	cr_assert_eq(d.plot.unit, PLOT_PERCENT);
	cr_assert_eq(d.plot.nseries, 1);
	cr_assert_eq(last_y(named(&d.plot, "GPU 0")), ITERATIONS);
	release(&d);
}

/* Views of one storage: the tracker adds up more than is allocated. */
Test(plot_timeline, draws_allocated_where_views_hide_it)
{
	struct drawn d = { 0 };
	int site = build_site(&d.build, "a.py", 1);

	for (int i = 0; i < 3; i++) {
		build_point(&d.build, site);
		build_level(&d.build, LEVEL_VISIBLE, 9 * STEP);
		build_level(&d.build, LEVEL_ALLOCATED, 5 * STEP);
	}
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "timeline");
	cr_assert_eq(named(&d.plot, "allocated (views")->style, PLOT_DASHED);
	cr_assert_eq(last_y(named(&d.plot, "allocated (views")), 5.0 * STEP);
	release(&d);
}

Test(plot_timeline, marks_out_of_memory)
{
	struct drawn d = { 0 };

	build_hidden_leak(&d);
	*vec_push(&d.build.event) = (struct timeline_event){
		.point = 6, .line = 8, .code = "out-of-memory", .limit = QUANTITY_UNKNOWN,
		.capacity = QUANTITY_UNKNOWN, .requested = QUANTITY_UNKNOWN,
	};
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "timeline");
	/* Beside the loop's: between the 7th point, on line 7, and the 8th. */
	cr_assert_eq(d.plot.marks, 2);
	cr_assert(d.plot.mark[1].bad);
	cr_assert_eq(d.plot.mark[1].x, 7.5);
	d.scope.to = 5;
	draw(&d, "timeline");
	cr_assert_eq(d.plot.marks, 1);
	release(&d);
}

Test(plot_tensors, stack_what_grows)
{
	struct drawn d = { 0 };

	build_row_leak(&d);
	judge(&d, QUANTITY_UNKNOWN);
	draw(&d, "tensors");
	/* The model does not grow. */
	cr_assert_eq(d.plot.nseries, 1);
	cr_assert_str_eq(d.plot.series[0].name, "(256, 1024) float32");
	cr_assert_eq(last_y(&d.plot.series[0]), (double)ITERATIONS * STEP);
	d.scope.counts = true;
	draw(&d, "tensors");
	cr_assert_eq(d.plot.unit, PLOT_COUNT);
	cr_assert_eq(last_y(&d.plot.series[0]), ITERATIONS);
	release(&d);
}

/* Two GPUs; process 7 works on both and holds a hundredth of what it holds on the first. */
static void build_devices(struct drawn *d)
{
	build_subject(&d->build, 0, 0, -1);
	build_subject(&d->build, 1, 0, 7);
	build_subject(&d->build, 2, 1, 7);
	build_subject(&d->build, 3, 0, 8);
	for (int s = 1; s < 4; s++)
		d->build.subject[s].is_process = true;
	for (int i = 1; i <= ITERATIONS; i++) {
		build_point(&d->build, -1);
		build_used(&d->build, 0, 9 * STEP);
		build_used(&d->build, 1, 4 * STEP);
		build_used(&d->build, 2, STEP / 25);
		if (i > 5)
			build_used(&d->build, 3, 3 * STEP);
	}
}

Test(plot_devices, have_a_panel_each)
{
	struct drawn d = { 0 };
	const struct plot *first, *second;

	build_devices(&d);
	judge(&d, QUANTITY_UNKNOWN);
	cr_assert_str_eq(chosen(&d)->name, "devices");
	draw(&d, "devices");
	cr_assert_eq(d.plot.panels, 2);
	first = &d.plot.panel[0];
	second = &d.plot.panel[1];
	cr_assert_str_eq(first->title, "GPU 0");
	cr_assert_eq(last_y(named(first, "process 8")), 7.0 * STEP);
	/* Before it began it held nothing. */
	cr_assert_eq(named(first, "process 8")->point[0].y, 4.0 * STEP);
	cr_assert_eq(last_y(named(first, "used on the device")), 9.0 * STEP);
	cr_assert_eq(named(first, "process 7")->color, named(second, "process 7")->color);
	cr_assert(first->x_low == second->x_low && first->x_high == second->x_high);
	release(&d);
}

Test(plot_compare, lays_runs_over_each_other_by_iteration)
{
	struct drawn a = { 0 }, b = { 0 };
	struct loaded_run runs[2];
	struct plot_input in = { runs, 2, &a.scope, &a.arena };

	build_hidden_leak(&a);
	judge(&a, QUANTITY_UNKNOWN);
	build_hidden_leak(&b);
	judge(&b, QUANTITY_UNKNOWN);
	runs[0] = a.run;
	runs[1] = b.run;
	cr_assert_eq(plot_compare(&a.plot, &in), 0, "%s", error_text());
	cr_assert_eq(a.plot.nseries, 2);
	cr_assert_str_eq(a.plot.x_label, "iteration");
	cr_assert_eq(a.plot.series[1].point[ITERATIONS - 1].x, ITERATIONS);
	cr_assert_not_null(strstr(a.plot.title, "2 of 2 runs grow"));
	release(&a);
	release(&b);
}
