#include <criterion/criterion.h>
#include <math.h>

#include "analysis/stats.h"

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, example 9.1 (effect of cloud
 * seeding on rainfall, Smith 1967): the estimate of the slope is -0.056. */
Test(stats, theil_sen_of_hollander_and_wolfe)
{
	double year[] = { 1, 2, 3, 4, 5 }, ratio[] = { 1.26, 1.27, 1.12, 1.16, 1.03 };

	cr_assert(near(stats_theil_sen(year, ratio, 5), -0.05625));
}

Test(stats, theil_sen_ignores_an_outlier)
{
	double x[] = { 0, 1, 2, 3, 4, 5, 6 }, y[] = { 0, 2, 4, 600, 8, 10, 12 };

	cr_assert(near(stats_theil_sen(x, y, 7), 2));
	cr_assert_eq(stats_theil_sen(x, y, 1), 0);
}

/* R: quantile(1:10, 0.25) is 3.25 by type 7; the median of an even number is the mean of two. */
Test(stats, quantiles_of_type_7)
{
	double a[] = { 7, 3, 9, 1, 10, 2, 8, 4, 6, 5 };

	cr_assert(near(stats_quantile(a, 10, 0.25), 3.25));
	cr_assert(near(stats_quantile(a, 10, 0.5), 5.5));
	cr_assert(near(stats_quantile(a, 10, 1), 10));
	cr_assert(near(stats_median(a, 1), a[0]));
}

/* R's help page of mad(): mad(c(1:9)) is 2.9652, and so is mad(c(1:8, 100)). */
Test(stats, mad_of_the_r_manual)
{
	double a[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, b[] = { 1, 2, 3, 4, 5, 6, 7, 8, 100 };

	cr_assert(near(stats_mad(a, 9), 2.9652));
	cr_assert(near(stats_mad(b, 9), 2.9652));
}

/* Mean 0, sum of squares 4, sum of products of neighbours -3: -3/4.  A line of n = 4, 1 2 3 4:
 * deviations -1.5 -0.5 0.5 1.5, squares 5, products 0.75 - 0.25 + 0.75 = 1.25: 1/4. */
Test(stats, autocorrelation_of_neighbours)
{
	double flips[] = { 1, -1, 1, -1 }, line[] = { 1, 2, 3, 4 }, flat[] = { 5, 5, 5 };

	cr_assert(near(stats_lag1(flips, 4), -0.75));
	cr_assert(near(stats_lag1(line, 4), 0.25));
	cr_assert_eq(stats_lag1(flat, 3), 0);
}

/* Rounding to 100 over a span of 10 can tilt the line by 10; two standard errors come on top:
 * 2 × (100 / sqrt 12) / sqrt(110), the sum of squares of 0 … 10 around 5 being 110. */
Test(stats, interval_knows_the_quantum)
{
	double x[11], y[11];
	struct slope exact, rounded;

	for (int i = 0; i <= 10; i++) {
		x[i] = i;
		y[i] = 100.0 * i;
	}
	exact = stats_slope(x, y, 11, 0);
	rounded = stats_slope(x, y, 11, 100);
	cr_assert(near(exact.estimate, 100) && exact.low == exact.high);
	cr_assert(near(rounded.high - rounded.estimate, 10 + 2 * (100 / sqrt(12)) / sqrt(110)));
}

Test(stats, floors_are_block_minima)
{
	double x[] = { 1, 2, 3, 4, 5, 6 }, y[] = { 9, 7, 8, 3, 5, 4 }, fx[3], fy[3];

	cr_assert_eq(stats_floors(x, y, 6, 3, fx, fy), 3);
	cr_assert(fx[0] == 2 && fy[0] == 7 && fx[1] == 4 && fy[1] == 3 && fx[2] == 6 && fy[2] == 4);
	cr_assert_eq(stats_floors(x, y, 2, 3, fx, fy), 2);
}

Test(stats, selection_is_a_sort)
{
	for (size_t k = 0; k < 9; k++) {
		double a[] = { 5, 5, 1, 9, 5, 0, 9, 2, 5 };
		static const double sorted[] = { 0, 1, 2, 5, 5, 5, 5, 9, 9 };

		cr_assert_eq(stats_select(a, 9, k), sorted[k]);
	}
}
