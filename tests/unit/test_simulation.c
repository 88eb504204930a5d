/*
 * False alarms and power of the verdict on simulated levels.
 *
 * 1,000 series of each kind, 200 iterations, one level (allocated, exact bytes), no tensor rows, so
 * that nothing but the level can decide.  The generator is xorshift64* (Vigna, ACM TOMS 42 (2016)
 * 30) with seed 20180612, normal numbers by Box and Muller; the unit of noise is 1 MiB.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/analysis.h"

enum { SERIES = 1000, ITERATIONS = 200 };

static const double unit = 1024 * 1024;

struct random {
	uint64_t state;
};

static double uniform(struct random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (double)((r->state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static double between(struct random *r, double low, double high)
{
	return low + (high - low) * uniform(r);
}

static double normal(struct random *r)
{
	double u = 1 - uniform(r), v = uniform(r);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void white(struct random *r, double *v)
{
	for (size_t i = 0; i < ITERATIONS; i++)
		v[i] = normal(r);
}

/* Marginal deviation 1: the innovations have sqrt(1 - 0.81). */
static void ar1(struct random *r, double *v)
{
	double x = normal(r);

	for (size_t i = 0; i < ITERATIONS; i++) {
		v[i] = x;
		x = 0.9 * x + sqrt(1 - 0.81) * normal(r);
	}
}

/* Deviation 1: a tooth of height h has h / sqrt(12). */
static void sawtooth(struct random *r, double *v)
{
	double period = floor(between(r, 5, 25)), phase = floor(between(r, 0, period));

	for (size_t i = 0; i < ITERATIONS; i++)
		v[i] = sqrt(12) * fmod((double)i + phase, period) / period + 0.02 * normal(r);
}

static void warm_up(struct random *r, double *v)
{
	double height = between(r, 10, 100), tau = between(r, 0.5, 12);

	for (size_t i = 0; i < ITERATIONS; i++)
		v[i] = height * (1 - exp(-(double)i / tau)) + normal(r);
}

static void one_step(struct random *r, double *v)
{
	double height = between(r, 1, 100), when = between(r, 0, ITERATIONS);

	for (size_t i = 0; i < ITERATIONS; i++)
		v[i] = ((double)i >= when ? height : 0) + normal(r);
}

/* Requests of log-normal size, held in segments of 2 MiB that are never given back. */
static void cache_ratchet(struct random *r, double *v)
{
	double held = 0;

	for (size_t i = 0; i < ITERATIONS; i++) {
		held = fmax(held, 2 * ceil(20 * exp(0.5 * normal(r)) / 2));
		v[i] = held;
	}
}

/* Memory follows the biggest batch so far: a running maximum, with noise. */
static void biggest_batch(struct random *r, double *v)
{
	double most = 0;

	for (size_t i = 0; i < ITERATIONS; i++) {
		most = fmax(most, 16 - 8 * log(1 - uniform(r)));
		v[i] = most + 0.1 * normal(r);
	}
}

struct rate {
	double leak, shown; /* shares of the series: leak; leak or suspect */
};

static enum verdict judge(const double *v, double slope)
{
	static const struct site site = { "train.py", 10, "train", NULL, NULL };
	int32_t position[ITERATIONS];
	int64_t line[ITERATIONS], level[ITERATIONS];
	struct timeline timeline = { .arena = ARENA_INIT, .capacity = QUANTITY_UNKNOWN };
	struct analysis_options options = ANALYSIS_OPTIONS_DEFAULT;
	struct analysis analysis;
	enum verdict verdict;

	for (size_t i = 0; i < ITERATIONS; i++) {
		position[i] = 0;
		line[i] = (int64_t)i + 1;
		level[i] = (int64_t)llround((1000 + v[i] + slope * (double)i) * unit);
	}
	timeline.points = ITERATIONS;
	timeline.position = position;
	timeline.line = line;
	timeline.site = &site;
	timeline.sites = 1;
	timeline.level[LEVEL_ALLOCATED] = (struct series){ level, 1, false };
	analyse(&analysis, &timeline, &options);
	verdict = analysis.verdict;
	analysis_release(&analysis);
	return verdict;
}

static struct rate simulate(void (*make)(struct random *, double *), double slope)
{
	struct random random = { 20180612 };
	struct rate rate = { 0, 0 };
	double v[ITERATIONS];

	for (size_t i = 0; i < SERIES; i++) {
		enum verdict verdict;

		make(&random, v);
		verdict = judge(v, slope);
		rate.leak += verdict == VERDICT_LEAK;
		rate.shown += verdict == VERDICT_LEAK || verdict == VERDICT_SUSPECT;
	}
	rate.leak /= SERIES;
	rate.shown /= SERIES;
#ifdef SIMULATION_PRINT
	fprintf(stderr, "%5.1f %% leak %5.1f %% shown\n", 100 * rate.leak, 100 * rate.shown);
#endif
	return rate;
}

/* A macro: the failing assertion then names the case, and tests run side by side. */
#define HEALTHY(name) \
	Test(simulation, healthy_##name) \
	{ \
		cr_assert_lt(simulate(name, 0).leak, 0.01); \
	}

HEALTHY(white)
HEALTHY(ar1)
HEALTHY(sawtooth)
HEALTHY(warm_up)
HEALTHY(one_step)
HEALTHY(cache_ratchet)
HEALTHY(biggest_batch)

Test(simulation, leak_in_white_noise)
{
	cr_assert_geq(simulate(white, 0.5).leak, 0.9);
}

Test(simulation, leak_in_ar1)
{
	cr_assert_geq(simulate(ar1, 0.5).shown, 0.9);
}

Test(simulation, leak_in_sawtooth)
{
	cr_assert_geq(simulate(sawtooth, 0.5).shown, 0.9);
}
