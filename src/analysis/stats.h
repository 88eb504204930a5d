#ifndef ANALYSIS_STATS_H
#define ANALYSIS_STATS_H

#include <stddef.h>

/*
 * The few statistics that analysis needs, robust against outliers: pure functions over arrays.
 *
 * Where `scratch` is asked for it is room for as many numbers as come in; its contents are lost.
 */

/* Theil-Sen looks at every pair: callers thin a longer series out first. */
enum { STATS_MAX_FLOORS = 500 };

/* The k-th smallest (from 0) of n numbers, which get reordered.  Hoare's FIND, CACM 4 (1961) 321.
 */
double stats_select(double *values, size_t n, size_t k);

/*
 * Quantile p of n > 0 numbers, which get reordered: definition 7 of Hyndman and Fan, "Sample
 * Quantiles in Statistical Packages", The American Statistician 50 (1996) 361, as in R and NumPy.
 */
double stats_quantile(double *values, size_t n, double p);

/* The quantile at one half. */
double stats_median(double *values, size_t n);

/*
 * Median absolute deviation from the median × 1.4826, which estimates the standard deviation of
 * normal noise: Hampel, J. Amer. Stat. Assoc. 69 (1974) 383.  The values get reordered.
 */
double stats_mad(double *values, size_t n);

/*
 * Slope of y over x: the median of the slopes of all pairs with different x.  Sen, "Estimates of
 * the Regression Coefficient Based on Kendall's Tau", J. Amer. Stat. Assoc. 63 (1968) 1379.
 * 0 for fewer than two points; n at most STATS_MAX_FLOORS.
 */
double stats_theil_sen(const double *x, const double *y, size_t n);

/* Autocorrelation of neighbours; 0 for a constant.  Box and Jenkins, Time Series Analysis, 2.1.5.
 */
double stats_lag1(const double *values, size_t n);

/* A slope with the range that holds it. */
struct slope {
	double estimate, low, high;
	double noise; /* standard deviation around the line, robust */
};

/*
 * Theil-Sen with an interval of two standard errors plus what rounding to `quantum` can hide.
 *
 * The standard error is that of least squares, noise / sqrt(sum of (x - mean)^2) (Theil-Sen is
 * within 5 % of it for normal noise, Sen 1968), widened for noise that remembers its past by
 * sqrt((1 + r) / (1 - r)) with r the autocorrelation of neighbours: the effective sample size of
 * Bayley and Hammersley, J. Roy. Stat. Soc. Suppl. 8 (1946) 184, as in Santer et al., J. Geophys.
 * Res. 105 (2000) 7337.  The noise is never below quantum / sqrt(12), the deviation of rounding
 * (Widrow, 1956); and both ends of the series may be off by half a quantum, which tilts the line by
 * quantum / (last x - first x).
 */
struct slope stats_slope(const double *x, const double *y, size_t n, double quantum);

/*
 * The smallest value of each of `want` equal stretches of y, with its x; returns how many came out
 * (n, if that is less).  What stays allocated at the quietest moment is what nobody freed.
 */
size_t stats_floors(const double *x, const double *y, size_t n, size_t want, double *floor_x,
		    double *floor_y);

#endif
