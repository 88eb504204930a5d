#ifndef ANALYSIS_TREND_H
#define ANALYSIS_TREND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does one series of numbers, one an iteration, keep growing?
 *
 * Straight-line fits and rank tests alone are no evidence: they alarm on warm-up, steps and cache
 * ratchets.  Growth must be spread over the run and must persist:
 *
 *  1. cut the series into TREND_BLOCKS equal blocks and take the floor of each (of a sawtooth: the
 *     floors of its teeth);
 *  2. every floor lies above the one before, by more than the noise.  Chance does that for noise
 *     once in 7! = 5,040 orders, and for records ("new biggest batch") once in 6! = 720: the floor
 *     of a block that only rises is its first value, and the k-th stretch holds a record once in k;
 *  3. the last third grows at no less than a third of the rate before it;
 *  4. noisy series: the interval of the slope lies above zero;
 *  5. what never falls and has stood still for much longer than it ever did between two rises has
 *     stopped, however steadily it rose before: a buffer that is full;
 *  6. equal rises at equal distances, to the end, are steady though some blocks see none.
 */

enum { TREND_BLOCKS = 7 };

enum trend_shape {
	TREND_TOO_SHORT, /* too few values to say; the rate is known from two on */
	TREND_FLAT,      /* no growth beyond the noise */
	TREND_STEADY,    /* grows and keeps growing */
	TREND_WEAK,      /* seems to grow; the evidence does not suffice */
	TREND_PLATEAU,   /* grew in several rises, then stopped */
	TREND_STEP,      /* rose once */
	TREND_WARM_UP,   /* rose at the very start only */
	TREND_SAWTOOTH,  /* rises and falls back to the same floor */
	TREND_FALLS,
	TREND_SHAPES
};

/* What kind of numbers these are. */
struct trend_rules {
	double quantum; /* smallest step that the log can show; 0: exact */
	bool exact;     /* counts, or sums of exact sizes */
	bool samples;   /* a monitor's: a job that ends, or waits, stands still for a while */
	bool coarse;    /* whole percents of a card: nothing below two quanta is evidence */
};

struct trend {
	enum trend_shape shape;
	size_t n;                   /* values judged */
	double estimate, low, high; /* growth an iteration; of what has stopped: at the end */
	double noise;
	double total;       /* last floor minus first floor */
	double rise;        /* last value minus first, if the earlier half is lower; or 0 */
	double first, last; /* iterations between which it rises */
	double begin, end;  /* iterations of the first and the last value */
	double wait;        /* exact: iterations between rises, if all are alike; else 0 */
	size_t rises;       /* of the floors of the blocks, at most blocks - 1 */
	size_t blocks;
	size_t teeth; /* falls back to the floor */
};

/* t: iteration numbers, rising; v: values. */
void trend_judge(struct trend *out, const double *t, const double *v, size_t n,
		 struct trend_rules rules);

/* Rises from each block to the next: no verdict by itself, but support for one. */
static inline bool trend_rises(const struct trend *t)
{
	return t->blocks > 2 && t->rises + 1 == t->blocks && t->low > 0;
}

static inline bool trend_grows(const struct trend *t)
{
	return t->shape == TREND_STEADY || t->shape == TREND_WEAK;
}

#endif
