#include "analysis/trend.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/stats.h"
#include "base/alloc.h"

/* Values for any verdict, for a leak by levels, for a suspicion: chance orders 6 once in 720. */
enum { MIN_VALUES = 4, MIN_LEVELS = 6, MIN_WEAK = 5 };

/* A fall of at least this share of the range ends a tooth. */
static const double tooth_fall = 0.3;

/*
 * A floor must rise by so many deviations of the noise: the floors of blocks of noise themselves
 * scatter by half a deviation, and a plateau among records must not pass for a rise.
 */
static const double clear_rise = 2;

/* Growth must persist at no less than this share of the earlier rate. */
static const double persistence = 1.0 / 3;

struct judged {
	const double *t, *v;
	size_t n;
	struct trend_rules rules;
	double *ft,
		*fv; /* floors of teeth, or floors of equal stretches; at most STATS_MAX_FLOORS */
	size_t floors, teeth;
	double block[TREND_BLOCKS];
	size_t blocks;
	double range;
	struct waits {
		size_t rises, first, last; /* indices of the first and the last rise */
		size_t longest;            /* between two rises */
		size_t tail;               /* after the last */
		bool alike;                /* all waits are equal, and all rises */
		double highest;            /* rise */
	} waits;
};

/*
 * A count that has waited so many times its longest wait is in doubt, or done; fewer values than
 * these are no wait.
 */
enum { DOUBTFUL_WAIT = 3, FINAL_WAIT = 5, NO_WAIT = 3, REGULAR_RISES = 4 };

static double high_of(const double *v, size_t n)
{
	double high = v[0];

	for (size_t i = 1; i < n; i++)
		high = fmax(high, v[i]);
	return high;
}

static double range_of(const double *v, size_t n)
{
	double low = v[0], high = v[0];

	for (size_t i = 1; i < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	return high - low;
}

/*
 * A sawtooth rises over several iterations and falls at once, again and again: all falls but a few
 * are big, at least two of them follow a rise, and a tooth is three iterations long or more.  Noise
 * falls as often as it rises.
 */
static size_t count_teeth(const struct judged *j)
{
	size_t teeth = 0, small = 0;
	double low = j->v[0];

	for (size_t i = 1; i < j->n; i++) {
		double fall = j->v[i - 1] - j->v[i];

		if (fall >= tooth_fall * j->range && fall > 0) {
			teeth += j->v[i - 1] - low >= tooth_fall * j->range;
			low = j->v[i];
		} else if (fall > j->rules.quantum) {
			small++;
		}
		low = fmin(low, j->v[i]);
	}
	return teeth >= 2 && teeth * 3 <= j->n && small * 10 <= j->n ? teeth : 0;
}

/* The lowest value of each tooth. */
static void tooth_floors(struct judged *j)
{
	size_t start = 0;

	for (size_t i = 1; i <= j->n && j->floors < STATS_MAX_FLOORS; i++) {
		size_t best = start;

		if (i < j->n && j->v[i - 1] - j->v[i] < tooth_fall * j->range)
			continue;
		for (size_t k = start; k < i; k++)
			if (j->v[k] < j->v[best])
				best = k;
		j->ft[j->floors] = j->t[best];
		j->fv[j->floors++] = j->v[best];
		start = i;
	}
}

/*
 * The noise, seen in what falls: for white noise the upper quartile of the falls is 0.954 standard
 * deviations (0.6745 × sqrt 2); a series that hardly ever falls has none.
 */
static double falling_noise(const struct judged *j)
{
	double *fall, noise;

	if (j->rules.exact || j->n <= 2 * TREND_BLOCKS)
		return 0;
	fall = xmalloc(j->n * sizeof(*fall));
	for (size_t i = 1; i < j->n; i++)
		fall[i - 1] = fmax(j->v[i - 1] - j->v[i], 0);
	noise = stats_quantile(fall, j->n - 1, 0.75) / 0.954;
	free(fall);
	return noise;
}

static size_t count_rises(const struct judged *j)
{
	double noise = j->teeth ? 0 : clear_rise * falling_noise(j);
	size_t rises = 0;

	for (size_t k = 1; k < j->blocks; k++)
		rises += j->block[k] - j->block[k - 1] > noise;
	return rises;
}

/*
 * The last third of the blocks grows at no less than a third of the rate before: of its median, so
 * that one step early in the run does not hide what goes on after it.
 */
static bool persists(const struct judged *j)
{
	size_t end = j->blocks - 1, late = j->blocks / 3 ? j->blocks / 3 : 1, split = end - late;
	double rise[TREND_BLOCKS], earlier, last;

	if (end < 2)
		return false;
	for (size_t k = 0; k < split; k++)
		rise[k] = j->block[k + 1] - j->block[k];
	earlier = stats_median(rise, split);
	last = (j->block[end] - j->block[split]) / (double)late;
	return earlier > 0 && last >= persistence * earlier;
}

static bool equal_rises(const struct judged *j)
{
	double first = j->block[1] - j->block[0];

	for (size_t k = 2; k < j->blocks; k++)
		if (j->block[k] - j->block[k - 1] != first)
			return false;
	return first > 0;
}

static bool monotone(const struct judged *j)
{
	for (size_t i = 1; i < j->n; i++)
		if (j->v[i] < j->v[i - 1])
			return false;
	return true;
}

static void find_waits(struct judged *j)
{
	struct waits *w = &j->waits;
	size_t shortest = SIZE_MAX;
	double lowest = INFINITY;

	*w = (struct waits){ 0 };
	for (size_t i = 1; i < j->n; i++) {
		double rise = j->v[i] - j->v[i - 1];

		if (rise <= 0)
			continue;
		if (w->rises++) {
			w->longest = i - w->last > w->longest ? i - w->last : w->longest;
			shortest = i - w->last < shortest ? i - w->last : shortest;
		} else {
			w->first = i;
		}
		w->last = i;
		w->highest = fmax(w->highest, rise);
		lowest = fmin(lowest, rise);
	}
	w->tail = w->rises ? j->n - 1 - w->last : 0;
	w->alike = w->rises > 1 && w->longest == shortest && w->highest == lowest;
}

/* It stands still for `times` its longest wait, or more. */
static bool stands_still(const struct judged *j, size_t times)
{
	const struct waits *w = &j->waits;

	return !j->rules.samples && w->rises >= REGULAR_RISES && w->tail >= NO_WAIT &&
	       w->tail >= times * w->longest && monotone(j);
}

/* Equal rises at equal distances over a third of the run or more, up to its end. */
static bool is_regular(const struct judged *j)
{
	const struct waits *w = &j->waits;

	return j->rules.exact && w->alike && w->rises >= REGULAR_RISES && w->tail <= w->longest &&
	       3 * (w->last - w->first) >= j->n && monotone(j);
}

/*
 * A level printed in steps that rises step by step, again and again to the end: the log is too
 * coarse for blocks, and yet this is no level at rest.
 */
static bool is_staircase(const struct judged *j)
{
	const struct waits *w = &j->waits;

	return !j->rules.exact && !j->rules.coarse && w->rises >= REGULAR_RISES &&
	       w->highest < 1.5 * j->rules.quantum && w->tail <= 2 * w->longest &&
	       2 * (w->last - w->first) >= j->n && monotone(j);
}

/* From the first step to the last one; each end may be off by one. */
static void measure_staircase(struct trend *out, const struct judged *j)
{
	const struct waits *w = &j->waits;
	double span = j->t[w->last] - j->t[w->first], steps = (double)w->rises - 1;

	out->estimate = steps * j->rules.quantum / span;
	out->low = (steps - 1) * j->rules.quantum / span;
	out->high = (steps + 1) * j->rules.quantum / span;
}

/* Iterations of the value before the first rise, and of the last rise. */
static void find_ends(struct trend *out, const struct judged *j)
{
	size_t first = 0, last = j->n - 1;

	while (first + 1 < last && j->v[first + 1] <= j->v[first])
		first++;
	while (last > first + 1 && j->v[last] <= j->v[last - 1])
		last--;
	out->first = j->t[first];
	out->last = j->t[last];
	out->begin = j->t[0];
	out->end = j->t[j->n - 1];
}

/*
 * An exact count that never falls is a renewal process: from its first rise to its last one, so the
 * wait before the first and after the last does not dilute the rate.
 */
static bool exact_rate(struct trend *out, const struct judged *j)
{
	size_t first = 1, last = j->n - 1;

	if (!j->rules.exact || !monotone(j))
		return false;
	while (first < last && j->v[first] == j->v[first - 1])
		first++;
	while (last > first && j->v[last] == j->v[last - 1])
		last--;
	if (last == first)
		return false;
	out->estimate = (j->v[last] - j->v[first]) / (j->t[last] - j->t[first]);
	out->low = out->high = out->estimate;
	return true;
}

static void measure(struct trend *out, const struct judged *j, bool end_only)
{
	size_t skip = end_only ? j->floors * 2 / 3 : 0;
	struct slope slope;

	while (end_only && stands_still(j, FINAL_WAIT) && skip < j->floors &&
	       j->ft[skip] < j->t[j->waits.last])
		skip++;
	if (j->floors - skip < 3)
		skip = j->floors > 3 ? j->floors - 3 : 0;
	slope = stats_slope(j->ft + skip, j->fv + skip, j->floors - skip, j->rules.quantum);
	out->estimate = slope.estimate;
	out->low = slope.low;
	out->high = slope.high;
	out->noise = slope.noise;
}

/* What has risen but does not grow: how did it rise? */
static enum trend_shape stopped(const struct judged *j)
{
	double most = 0, early, rise = j->block[j->blocks - 1] - j->block[0];
	size_t start = j->n / 10 > 2 ? j->n / 10 : 2;

	for (size_t i = 1; i < j->n; i++)
		most = fmax(most, j->v[i] - j->v[i - 1]);
	early = start < j->n ? j->v[start] - j->v[0] : 0;
	if (early >= 0.9 * j->range)
		return TREND_WARM_UP;
	return most >= 0.8 * fmax(rise, 0) ? TREND_STEP : TREND_PLATEAU;
}

static enum trend_shape resting_shape(const struct trend *out, const struct judged *j)
{
	/* a rise of two quanta is as good as none; the half is for bytes made of decimals */
	double level = fmax(2 * out->noise, 2.5 * j->rules.quantum);

	if (out->teeth)
		return TREND_SAWTOOTH;
	if (j->n < MIN_WEAK && out->total > level)
		return TREND_TOO_SHORT;
	if (out->total > level)
		return stopped(j);
	if (-out->total > level)
		return TREND_FALLS;
	/* the rise may hide inside the first block, whose floor is its first value or later */
	if (j->range > level && j->v[0] + 0.9 * j->range < j->block[j->blocks - 1])
		return TREND_WARM_UP;
	return TREND_FLAT;
}

static bool is_steady(const struct trend *out, const struct judged *j)
{
	if (is_regular(j))
		return true;
	if (out->rises + 1 < j->blocks || !persists(j) || stands_still(j, DOUBTFUL_WAIT))
		return false;
	if (j->rules.exact)
		return j->blocks > MIN_VALUES || equal_rises(j);
	return j->blocks >= MIN_LEVELS && out->low > 0 &&
	       out->total > (j->rules.coarse ? 2 : 1) * j->rules.quantum;
}

static bool is_weak(const struct trend *out, const struct judged *j)
{
	if (stands_still(j, FINAL_WAIT))
		return false;
	if (j->blocks < MIN_WEAK || out->total <= j->rules.quantum || !persists(j))
		return false;
	if (j->rules.coarse && out->total <= 2 * j->rules.quantum)
		return false;
	if (j->rules.exact)
		return out->rises >= 3 && monotone(j);
	return out->rises + 2 >= j->blocks && out->low > 0;
}

static bool has_stopped(enum trend_shape shape)
{
	return shape == TREND_PLATEAU || shape == TREND_STEP || shape == TREND_WARM_UP;
}

static void cut_blocks(struct trend *out, struct judged *j)
{
	double t[TREND_BLOCKS];

	j->range = range_of(j->v, j->n);
	out->teeth = j->teeth = count_teeth(j);
	if (out->teeth)
		tooth_floors(j);
	else
		j->floors = stats_floors(j->t, j->v, j->n, STATS_MAX_FLOORS, j->ft, j->fv);
	if (out->teeth >= MIN_VALUES)
		j->blocks = stats_floors(j->ft, j->fv, j->floors, TREND_BLOCKS, t, j->block);
	else
		j->blocks = stats_floors(j->t, j->v, j->n, TREND_BLOCKS, t, j->block);
	out->blocks = j->blocks;
	out->rises = count_rises(j);
	out->total = j->block[j->blocks - 1] - j->block[0];
	if (j->v[j->n - 1] > high_of(j->v, j->n / 2))
		out->rise = j->v[j->n - 1] - j->v[0];
}

static void judge(struct trend *out, struct judged *j)
{
	cut_blocks(out, j);
	find_ends(out, j);
	find_waits(j);
	measure(out, j, false);
	if (j->n < MIN_VALUES)
		return;
	out->wait = is_regular(j) ? (double)j->waits.longest : 0;
	if (is_steady(out, j))
		out->shape = TREND_STEADY;
	else if (is_weak(out, j) || is_staircase(j))
		out->shape = TREND_WEAK;
	else
		out->shape = resting_shape(out, j);
	if (out->shape == TREND_WEAK && is_staircase(j))
		measure_staircase(out, j);
	else if (trend_grows(out))
		exact_rate(out, j);
	else if (has_stopped(out->shape) || out->low > 0)
		measure(out, j, true);
}

void trend_judge(struct trend *out, const double *t, const double *v, size_t n,
		 struct trend_rules rules)
{
	struct judged j = { .t = t, .v = v, .n = n, .rules = rules };

	*out = (struct trend){ .shape = TREND_TOO_SHORT, .n = n };
	if (n < 2)
		return;
	j.ft = xmalloc(2 * STATS_MAX_FLOORS * sizeof(*j.ft));
	j.fv = j.ft + STATS_MAX_FLOORS;
	judge(out, &j);
	free(j.ft);
}
