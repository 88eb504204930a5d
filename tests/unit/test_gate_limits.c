#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/gate.h"
#include "base/error.h"

/* A run of one level, and what one limit makes of it. */
struct fixture {
	struct timeline timeline;
	struct analysis analysis;
	struct policy policy;
	struct gate_result result;
	struct arena arena;
};

static const struct site site = { .file = "/srv/job/train.py", .code_line = 9, .function = "f" };

static void begin(struct fixture *f, enum verdict verdict)
{
	*f = (struct fixture){
		.timeline = { .name = "run", .source = "run.txt" },
		.analysis = { .verdict = verdict,
			      .why = "because",
			      .unit = "iteration",
			      .site = &site,
			      .smallest = -1 },
		.policy = POLICY_INIT,
		.result = GATE_RESULT_INIT,
		.arena = ARENA_INIT,
	};
}

static void end(struct fixture *f)
{
	gate_result_release(&f->result);
	policy_release(&f->policy);
	arena_release(&f->arena);
}

static const struct gate_limit_type *type_of(const char *name)
{
	for (const struct gate_limit_type *t = gate_limit_types; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}

static const struct gate_rule *judge(struct fixture *f, const char *name, const char *text)
{
	struct gate_scene scene = { .timeline = &f->timeline,
				    .analysis = &f->analysis,
				    .policy = &f->policy,
				    .tolerance = TOLERANCE_DEFAULT,
				    .out = &f->result };
	struct gate_limit limit;

	cr_assert_eq(gate_limit_parse(&limit, &f->arena, type_of(name), text), 0, "%s",
		     error_text());
	gate_judge(&scene, &limit, 1);
	return &f->result.rule[0];
}

/* The lower end above the limit fails, the estimate alone warns, else it passes. */
Test(gate_limits, the_lower_end_decides)
{
	static const struct {
		double estimate, low, high;
		enum gate_outcome outcome; /* against 1024 */
	} cases[] = {
		{ 2048, 2048, 2048, GATE_FAIL }, { 2048, 1024.5, 3000, GATE_FAIL },
		{ 2048, 1024, 3000, GATE_WARN }, { 2048, -5000, 9000, GATE_WARN },
		{ 1024, 1024, 1024, GATE_PASS }, { 0, -3518, 3518, GATE_PASS },
		{ -10, -20, 0, GATE_PASS },      { 2048, 0, INFINITY, GATE_WARN },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;

		begin(&f, VERDICT_LEAK);
		f.analysis.growth[GROWTH_ALLOCATED] =
			(struct growth){ true, cases[i].estimate, cases[i].low, cases[i].high };
		cr_assert_eq(judge(&f, "max-growth", "1KiB")->outcome, cases[i].outcome, "%zu", i);
		end(&f);
	}
}

/* A log that prints bytes decides by a byte; one that prints steps, by half a step. */
Test(gate_limits, a_peak_is_as_exact_as_its_log)
{
	static const struct {
		int64_t peak, quantum;
		enum gate_outcome outcome; /* against 1024 */
	} cases[] = {
		{ 1024, 1, GATE_PASS },   { 1025, 1, GATE_FAIL },   { 1025, 0, GATE_FAIL },
		{ 1025, 100, GATE_WARN }, { 1074, 100, GATE_WARN }, { 1075, 100, GATE_FAIL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t peak[] = { cases[i].peak }, nothing[] = { 0 };
		struct fixture f;

		begin(&f, VERDICT_CLEAN);
		f.timeline.points = 1;
		f.timeline.level[LEVEL_VISIBLE] = (struct series){ .value = nothing, .quantum = 1 };
		f.timeline.level[LEVEL_ALLOCATED] =
			(struct series){ .value = peak, .quantum = cases[i].quantum };
		cr_expect_eq(judge(&f, "max-peak", "1KiB")->outcome, cases[i].outcome, "%zu", i);
		judge(&f, "max-hidden", "1KiB");
		cr_expect_eq(f.result.rule[1].outcome, cases[i].outcome, "%zu", i);
		end(&f);
	}
}

Test(gate_limits, any_level_or_one)
{
	static const struct {
		const char *limit;
		enum gate_outcome outcome;
	} cases[] = {
		{ "1KiB", GATE_FAIL },          { "visible:1KiB", GATE_PASS },
		{ "hidden:1KiB", GATE_FAIL },   { "hidden:4KiB/iter", GATE_PASS },
		{ "device:1", GATE_UNDECIDED }, { "cached:1/iteration", GATE_FAIL },
		{ "4KiB", GATE_PASS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;

		begin(&f, VERDICT_LEAK);
		f.analysis.growth[GROWTH_VISIBLE] = (struct growth){ true, 0, 0, 0 };
		f.analysis.growth[GROWTH_HIDDEN] = (struct growth){ true, 2048, 2048, 2048 };
		f.analysis.growth[GROWTH_CACHED] = (struct growth){ true, 8192, 8192, 8192 };
		cr_assert_eq(judge(&f, "max-growth", cases[i].limit)->outcome, cases[i].outcome,
			     "%s", cases[i].limit);
		end(&f);
	}
}

/* Another program on the device must not fail this one's pull request. */
Test(gate_limits, a_device_alone_proves_nothing)
{
	struct fixture f;

	begin(&f, VERDICT_SUSPECT);
	f.analysis.growth[GROWTH_VISIBLE] = (struct growth){ true, 0, 0, 0 };
	f.analysis.growth[GROWTH_DEVICE] = (struct growth){ true, 1e6, 1e6, 1e6 };
	cr_assert_eq(judge(&f, "max-growth", "1KiB")->outcome, GATE_WARN);
	judge(&f, "max-growth", "device:1KiB");
	cr_assert_eq(f.result.rule[1].outcome, GATE_FAIL);
	end(&f);
}

Test(gate_limits, too_little_data_is_an_outcome_of_its_own)
{
	static const char *const limits[][2] = {
		{ "max-growth", "1" }, { "max-growth-count", "0" }, { "max-peak", "1" },
		{ "max-hidden", "1" }, { "no-leaks", NULL },        { "cause", "hidden" },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct fixture f;

		begin(&f, VERDICT_UNDECIDED);
		cr_assert_eq(judge(&f, limits[i][0], limits[i][1])->outcome, GATE_UNDECIDED, "%s",
			     limits[i][0]);
		cr_assert_eq(gate_outcome(&f.result), GATE_UNDECIDED);
		f.result.undecided_means = GATE_WARN;
		cr_assert_eq(gate_outcome(&f.result), GATE_WARN);
		end(&f);
	}
}

Test(gate_limits, no_rule_at_all_is_no_pass)
{
	struct gate_result result = GATE_RESULT_INIT;

	cr_assert_eq(gate_outcome(&result), GATE_UNDECIDED);
}

static const struct tensor_row row = { .shape = "(64, 10)", .dtype = "torch.float32" };
static const struct finding_row grown = { &row, "(64, 10)", 2, 5120, NULL, 0 };
static const struct finding leak = {
	.kind = FINDING_LEAK,
	.cause = "tensor-count",
	.site = &site,
	.bytes_per_iteration = 5120,
	.low = 5120,
	.high = 5120,
	.row = &grown,
	.rows = 1,
	.unit = "iteration",
	.why = "kept",
	.advice = "drop it",
};

Test(gate_limits, findings_fail_with_their_reasons)
{
	static const struct {
		const char *name, *text;
		enum gate_outcome outcome;
	} cases[] = {
		{ "no-leaks", NULL, GATE_FAIL },        { "cause", "tensor-count", GATE_FAIL },
		{ "cause", "hidden", GATE_PASS },       { "max-growth-count", "0", GATE_FAIL },
		{ "max-growth-count", "1", GATE_FAIL }, { "max-growth-count", "2", GATE_PASS },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;
		const struct gate_rule *r;

		begin(&f, VERDICT_LEAK);
		f.timeline.rows = 1;
		f.analysis.finding = &leak;
		f.analysis.findings = 1;
		r = judge(&f, cases[i].name, cases[i].text);
		cr_assert_eq(r->outcome, cases[i].outcome, "%s %s", cases[i].name, cases[i].text);
		if (r->outcome == GATE_FAIL) {
			cr_assert_str_eq(r->cause, "tensor-count");
			cr_assert_str_eq(r->path, "/srv/job/train.py");
			cr_assert_str_eq(r->where, "train.py:9 in f");
			cr_assert_str_eq(r->advice, "drop it");
			cr_assert_eq(r->tensors, 1);
			cr_assert_str_eq(r->tensor[0].shape, "(64, 10)");
		}
		end(&f);
	}
}

static const char ignore[] = "ignore\n cause tensor-count\n reason known\n until 1970-01-31\n";

/* Ignored until its last day is over: then it counts, and the policy fails by itself. */
Test(gate_limits, what_is_ignored_does_not_count)
{
	struct fixture f;
	struct gate_scene scene = { .timeline = &f.timeline,
				    .analysis = &f.analysis,
				    .policy = &f.policy,
				    .out = &f.result };
	struct gate_limit limits[3];

	begin(&f, VERDICT_LEAK);
	f.timeline.rows = 1;
	f.analysis.finding = &leak;
	f.analysis.findings = 1;
	f.analysis.growth[GROWTH_VISIBLE] = (struct growth){ true, 5120, 5120, 5120 };
	f.analysis.growth[GROWTH_ALLOCATED] = (struct growth){ true, 6000, 5500, 6500 };
	cr_assert_eq(policy_parse(&f.policy, "p", span_of(ignore)), 0);
	gate_limit_parse(&limits[0], &f.arena, type_of("no-leaks"), NULL);
	gate_limit_parse(&limits[1], &f.arena, type_of("max-growth-count"), "0");
	gate_limit_parse(&limits[2], &f.arena, type_of("max-growth"), "1KiB");
	gate_judge(&scene, limits, 3);
	gate_expired(&f.result, &f.policy, scene.today);
	cr_assert_eq(f.result.rules, 3);
	cr_assert_eq(gate_outcome(&f.result), GATE_PASS);
	cr_assert_eq(f.result.notes, 1);
	scene.today = 31 * INT64_C(86400) * 1000000000; /* 1970-02-01 */
	gate_judge(&scene, limits, 3);
	gate_expired(&f.result, &f.policy, scene.today);
	for (size_t i = 3; i < 7; i++)
		cr_assert_eq(f.result.rule[i].outcome, GATE_FAIL, "%zu", i);
	cr_assert_not_null(strstr(f.result.rule[6].why, "known"));
	end(&f);
}

Test(gate_limits, a_baseline_fails_what_is_new_or_worse)
{
	static const struct {
		const char *entries;
		enum gate_outcome outcome;
	} cases[] = {
		{ "growth | visible | 0 | 0\n", GATE_FAIL }, /* the leak is new */
		{ "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 5120 | 5120\n",
		  GATE_PASS },
		/* 5120 is above 4876 + 5 % = 5119.8, and not above 4877 + 5 % = 5120.85. */
		{ "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 1 | 4876\n",
		  GATE_FAIL },
		{ "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 1 | 4877\n",
		  GATE_PASS },
		{ "leak | tensor-count | train.py | g | (*, 10) | torch.float32 | 9999 | 9999\n",
		  GATE_FAIL },
		{ "growth | visible | 10 | 5000\n"
		  "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 9999 | 9999\n",
		  GATE_PASS },
		{ "growth | visible | 10 | 4000\n"
		  "leak | tensor-count | train.py | f | (*, 10) | torch.float32 | 9999 | 9999\n",
		  GATE_FAIL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;
		struct baseline baseline;
		struct gate_scene scene = { .timeline = &f.timeline,
					    .analysis = &f.analysis,
					    .policy = &f.policy,
					    .baseline = &baseline,
					    .baseline_option = "--baseline b",
					    .tolerance = TOLERANCE_DEFAULT,
					    .out = &f.result };

		begin(&f, VERDICT_LEAK);
		f.analysis.finding = &leak;
		f.analysis.findings = 1;
		f.analysis.growth[GROWTH_VISIBLE] = (struct growth){ true, 5120, 5120, 5120 };
		cr_assert_eq(baseline_parse(&baseline, "b",
					    span_of(arena_printf(&f.arena, "memlog baseline 1\n%s",
								 cases[i].entries))),
			     0, "%s", error_text());
		gate_judge(&scene, NULL, 0);
		cr_assert_eq(gate_outcome(&f.result), cases[i].outcome, "%zu", i);
		baseline_release(&baseline);
		end(&f);
	}
}

Test(gate_limits, every_cause_of_a_finding_is_in_the_table)
{
	struct arena arena = ARENA_INIT;
	struct gate_limit limit;

	for (const struct cause *c = causes; c->name; c++)
		cr_assert_eq(gate_limit_parse(&limit, &arena, type_of("cause"), c->name), 0);
	cr_assert_eq(gate_limit_parse(&limit, &arena, type_of("cause"), "tensor-cuont"), -1);
	arena_release(&arena);
}

/* Hundredths of a percent are no bytes: 150 of them are neither below nor above any limit. */
Test(gate_limits, a_share_of_the_card_is_no_bytes)
{
	static const char *const limits[] = { "1KiB", "device:1KiB", "1" };

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		const struct gate_rule *r;
		struct fixture f;

		begin(&f, VERDICT_CLEAN);
		f.analysis.growth[GROWTH_DEVICE] =
			(struct growth){ true, 150, 140, 160, .percent = true };
		r = judge(&f, "max-growth", limits[i]);
		cr_expect_eq(r->outcome, GATE_UNDECIDED);
		cr_expect(strstr(r->why, "shares of a card"), "%s", r->why);
		cr_expect_not(r->measured_known);
		end(&f);
	}
}

/* Near miss: the same numbers as bytes, of another level beside the share. */
Test(gate_limits, bytes_beside_a_share_are_judged)
{
	const struct gate_rule *r;
	struct fixture f;

	begin(&f, VERDICT_CLEAN);
	f.analysis.growth[GROWTH_DEVICE] = (struct growth){ true, 15000, 14000, 16000, true };
	f.analysis.growth[GROWTH_PROCESS] = (struct growth){ .known = true };
	r = judge(&f, "max-growth", "1KiB");
	cr_expect_eq(r->outcome, GATE_PASS);
	cr_expect_str_eq(r->level, "process");
	end(&f);
}

/* A leak is one, whatever its unit; its rate is told as a share. */
Test(gate_limits, a_leak_in_percent_fails)
{
	struct finding share = { .kind = FINDING_LEAK,
				.cause = "device-growth",
				.bytes_per_iteration = 150,
				.percent = true,
				.unit = "sample" };
	const struct gate_rule *r;
	struct fixture f;

	begin(&f, VERDICT_LEAK);
	f.analysis.finding = &share;
	f.analysis.findings = 1;
	r = judge(&f, "no-leaks", NULL);
	cr_expect_eq(r->outcome, GATE_FAIL);
	cr_expect_not(r->measured_known);
	cr_expect_str_eq(r->why, "device-growth, 1.50 % of the card a sample");
	end(&f);
}
