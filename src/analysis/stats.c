#include "analysis/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

double stats_select(double *values, size_t n, size_t k)
{
	size_t left = 0, right = n - 1;

	while (left < right) {
		double pivot = values[left + (right - left) / 2];
		size_t i = left, j = right;

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i > j)
				break;
			swap(&values[i++], &values[j]);
			if (j == 0)
				break;
			j--;
		}
		if (k <= j)
			right = j;
		else if (k >= i)
			left = i;
		else
			break;
	}
	return values[k];
}

double stats_quantile(double *values, size_t n, double p)
{
	double h = (double)(n - 1) * p;
	size_t below = (size_t)h;
	double low = stats_select(values, n, below);

	if (below + 1 >= n)
		return low;
	return low + (h - (double)below) * (stats_select(values, n, below + 1) - low);
}

double stats_median(double *values, size_t n)
{
	return stats_quantile(values, n, 0.5);
}

double stats_mad(double *values, size_t n)
{
	double centre = stats_median(values, n);

	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - centre);
	return 1.4826 * stats_median(values, n);
}

double stats_theil_sen(const double *x, const double *y, size_t n)
{
	double *slope, median;
	size_t pairs = 0;

	if (n < 2)
		return 0;
	slope = xmalloc(n * (n - 1) / 2 * sizeof(*slope));
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (x[j] != x[i])
				slope[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
	median = pairs ? stats_median(slope, pairs) : 0;
	free(slope);
	return median;
}

static double mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : 0;
}

double stats_lag1(const double *values, size_t n)
{
	double centre = mean(values, n), own = 0, shifted = 0;

	for (size_t i = 0; i < n; i++) {
		double d = values[i] - centre;

		own += d * d;
		if (i > 0)
			shifted += d * (values[i - 1] - centre);
	}
	return own > 0 ? shifted / own : 0;
}

struct slope stats_slope(const double *x, const double *y, size_t n, double quantum)
{
	struct slope out = { 0, 0, 0, 0 };
	double *rest, centre, spread = 0, memory, error;

	if (n < 2 || x[n - 1] <= x[0])
		return out;
	out.estimate = stats_theil_sen(x, y, n);
	rest = xmalloc(n * sizeof(*rest));
	centre = mean(x, n);
	for (size_t i = 0; i < n; i++) {
		rest[i] = y[i] - out.estimate * x[i];
		spread += (x[i] - centre) * (x[i] - centre);
	}
	memory = stats_lag1(rest, n);
	/* beyond 0.95 a finite series says nothing about its own memory any more */
	memory = memory < 0 ? 0 : memory > 0.95 ? 0.95 : memory;
	out.noise = fmax(stats_mad(rest, n), quantum > 1 ? quantum / sqrt(12) : 0);
	free(rest);
	error = out.noise / sqrt(spread) * sqrt((1 + memory) / (1 - memory));
	error = 2 * error + (quantum > 1 ? quantum / (x[n - 1] - x[0]) : 0);
	out.low = out.estimate - error;
	out.high = out.estimate + error;
	return out;
}

size_t stats_floors(const double *x, const double *y, size_t n, size_t want, double *floor_x,
		    double *floor_y)
{
	if (want > n)
		want = n;
	for (size_t k = 0; k < want; k++) {
		size_t best = n * k / want;

		for (size_t i = best + 1; i < n * (k + 1) / want; i++)
			if (y[i] < y[best])
				best = i;
		floor_x[k] = x[best];
		floor_y[k] = y[best];
	}
	return want;
}
