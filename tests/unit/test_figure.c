/* Where marks and levels go in a picture, by the script that gnuplot gets. */
#include <criterion/criterion.h>

#include <string.h>

#include "render/figure.h"

enum { POINTS = 40, MARKS = 60 };

struct drawing {
	struct plot_point point[POINTS];
	struct plot_series series;
	struct plot_mark mark[MARKS];
	struct plot_level level[2];
	struct plot plot;
	struct strbuf script;
};

static void start(struct drawing *d)
{
	*d = (struct drawing){ .script = STRBUF_INIT };
	for (int i = 0; i < POINTS; i++)
		d->point[i] = (struct plot_point){ i, (i + 1) * 1e6, 0 };
	d->series = (struct plot_series){ "used", PLOT_LINE, d->point, POINTS, PLOT_COLOR_AUTO };
	d->plot = (struct plot){ .title = "title",
				 .series = &d->series,
				 .nseries = 1,
				 .mark = d->mark,
				 .level = d->level };
}

static void draw(struct drawing *d)
{
	const struct plot_size size = { .width = 600, .height = 400 };

	strbuf_clear(&d->script);
	figure_script(&d->script, &d->plot, &size);
}

static size_t count(const struct drawing *d, const char *text)
{
	size_t n = 0;

	for (const char *at = d->script.buf; (at = strstr(at, text)) != NULL; at += strlen(text))
		n++;
	return n;
}

Test(figure, few_marks_are_flags_and_many_stand_upright)
{
	struct drawing d;

	start(&d);
	for (size_t i = 0; i < MARKS; i++)
		d.mark[i] = (struct plot_mark){ (double)i * (POINTS - 1) / MARKS,
						"a place with a long name", i == 30 };
	d.plot.marks = 2;
	draw(&d);
	cr_assert_eq(count(&d, "a place with"), 2);
	cr_assert_eq(count(&d, "rotate by 90 font SMALL_FONT textcolor rgb MARK_COLOR"), 0);
	/*
	 * 60 names of 24 letters do not fit into 3 rows of 600 pixels, and upright not all either:
	 * each mark has its line, what has no room no name, and the bad one is told in any case.
	 */
	d.plot.marks = MARKS;
	draw(&d);
	cr_assert_eq(count(&d, "rotate by 90 font SMALL_FONT textcolor rgb BAD_COLOR"), 1);
	cr_assert_gt(count(&d, "rotate by 90 font SMALL_FONT textcolor rgb MARK_COLOR"), 10);
	cr_assert_lt(count(&d, "rotate by 90 font SMALL_FONT textcolor rgb MARK_COLOR"), MARKS - 1);
	cr_assert_eq(count(&d, "arrowstyle 1 front"), MARKS - 1);
	cr_assert_eq(count(&d, "arrowstyle 2 front"), 1);
	strbuf_release(&d.script);
}

Test(figure, marks_without_a_name_are_lines)
{
	struct drawing d;

	start(&d);
	d.mark[0] = (struct plot_mark){ 10, "here", false };
	d.mark[1] = (struct plot_mark){ 20, NULL, false };
	d.plot.marks = 2;
	draw(&d);
	cr_assert_eq(count(&d, "arrowstyle 1 front"), 2);
	cr_assert_eq(count(&d, "'here'") + count(&d, "\"here\""), 1);
	strbuf_release(&d.script);
}

/* From above; one beyond the axis is named with an arrow. */
Test(figure, levels_are_named_from_above)
{
	struct drawing d;
	const char *high, *low;

	start(&d);
	d.level[0] = (struct plot_level){ 20e6, "soft limit" };
	d.level[1] = (struct plot_level){ 30e6, "hard limit" };
	d.plot.levels = 2;
	draw(&d);
	high = strstr(d.script.buf, "hard limit");
	low = strstr(d.script.buf, "soft limit");
	cr_assert(high && low && high < low);
	cr_assert_eq(count(&d, "arrowstyle 3 front"), 2);
	d.level[1].y = 30e12;
	draw(&d);
	cr_assert_eq(count(&d, "arrowstyle 3 front"), 1);
	cr_assert_eq(count(&d, "↑ hard limit"), 1);
	strbuf_release(&d.script);
}
