#include <criterion/criterion.h>

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/units.h"
#include "render/axes.h"
#include "render/gnuplot.h"
#include "render/layout.h"
#include "render/plot.h"

enum { POINTS = 100 };

/* What a hostile log might put into names, labels and titles. */
#define HOSTILE \
	"\"; system(\"touch hacked\"); \" `touch hacked` ''' 'x \\ %s {/Bold} <script>\n" \
	"system('touch hacked')\033[31m\xff @a $(touch hacked) EOD"

struct sample {
	struct plot_point point[POINTS];
	struct plot_series series[2];
	struct plot_mark mark;
	struct plot_level level;
	struct plot plot;
};

static void sample_init(struct sample *s, const char *text)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (int i = 0; i < POINTS; i++)
		s->point[i] = (struct plot_point){ i, i == 50 ? NAN : (double)i * MIB, 0 };
	s->series[0] = (struct plot_series){ text, PLOT_AREA, s->point, POINTS, PLOT_COLOR_AUTO };
	s->series[1] = (struct plot_series){ text, PLOT_STEP, s->point, POINTS, PLOT_COLOR_AUTO };
	s->mark = (struct plot_mark){ 60, text, true };
	s->level = (struct plot_level){ 120.0 * MIB, text };
	s->plot = (struct plot){ .title = text,
				 .subtitle = text,
				 .x_label = text,
				 .series = s->series,
				 .nseries = 2,
				 .mark = &s->mark,
				 .marks = 1,
				 .level = &s->level,
				 .levels = 1 };
}

static void in_scratch_folder(void)
{
	char folder[] = "/tmp/memlog-test-XXXXXX";

	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	char *bytes = xmalloc(1 << 22);

	cr_assert_not_null(in, "%s", path);
	*size = fread(bytes, 1, (1 << 22) - 1, in);
	bytes[*size] = '\0';
	fclose(in);
	return bytes;
}

static bool gnuplot_missing(void)
{
	return access("/usr/bin/gnuplot", X_OK) != 0;
}

Test(plot, draws_every_format_the_same_twice_and_runs_nothing)
{
	static const char *const paths[] = { "a.png", "a.svg", "a.pdf" };
	static const char *const magic[] = { "\x89PNG", "<?xml", "%PDF" };
	struct sample s;

	if (gnuplot_missing())
		cr_skip_test("no gnuplot");
	in_scratch_folder();
	sample_init(&s, HOSTILE);
	for (int i = 0; i < 3; i++) {
		size_t size, again;
		char *first, *second;

		cr_assert_eq(plot_to_file(&s.plot, paths[i], NULL), 0, "%s", error_text());
		first = read_file(paths[i], &size);
		cr_assert_eq(memcmp(first, magic[i], 4), 0);
		cr_assert_eq(plot_to_file(&s.plot, paths[i], NULL), 0);
		second = read_file(paths[i], &again);
		cr_assert(size == again && !memcmp(first, second, size), "%s", paths[i]);
		free(first);
		free(second);
	}
	cr_assert_neq(access("hacked", F_OK), 0);
}

Test(plot, draws_what_there_is)
{
	struct plot empty = { .title = NULL };
	struct plot_point one = { 5, 5, 0 }, gap = { 5, NAN, 0 };
	struct plot_series series[] = { { "one", PLOT_AREA, &one, 1, PLOT_COLOR_AUTO },
					{ "gap", PLOT_LINE, &gap, 1, PLOT_COLOR_AUTO },
					{ "none", PLOT_POINTS, NULL, 0, PLOT_COLOR_AUTO } };

	if (gnuplot_missing())
		cr_skip_test("no gnuplot");
	in_scratch_folder();
	cr_assert_eq(plot_to_file(&empty, "a.svg", NULL), 0, "%s", error_text());
	empty.series = series;
	empty.nseries = 3;
	cr_assert_eq(plot_to_file(&empty, "a.svg", NULL), 0, "%s", error_text());
	cr_assert_eq(plot_to_file(&empty, "a.PNG", &(struct plot_size){ 100, 80, 0 }), 0, "%s",
		     error_text());
}

Test(plot, thins_out_long_series)
{
	enum { MANY = 200000 };
	struct plot_point *point = xcalloc(MANY, sizeof(*point));
	struct plot_series series = { "long", PLOT_LINE, point, MANY, PLOT_COLOR_AUTO };
	struct plot plot = { .title = "long", .series = &series, .nseries = 1 };
	struct stat st;

	if (gnuplot_missing())
		cr_skip_test("no gnuplot");
	in_scratch_folder();
	for (int i = 0; i < MANY; i++)
		point[i] = (struct plot_point){ i, i % 1000, 0 };
	cr_assert_eq(plot_to_file(&plot, "a.svg", NULL), 0, "%s", error_text());
	cr_assert_eq(stat("a.svg", &st), 0);
	cr_assert_lt(st.st_size, 300000);
	free(point);
}

Test(plot, says_which_formats_there_are)
{
	struct sample s;

	sample_init(&s, "x");
	cr_assert_eq(plot_to_file(&s.plot, "dir.png/picture.gif", NULL), -1);
	cr_assert_eq(error_kind(), ERROR_USAGE);
	cr_assert_str_eq(error_text(),
			 "dir.png/picture.gif: cannot tell the format of the picture; end the name "
			 "in one of .png .svg .pdf");
	cr_assert_eq(plot_to_file(&s.plot, "dir.png/picture", NULL), -1);
	cr_assert_eq(error_kind(), ERROR_USAGE);
}

Test(plot, names_the_package_when_gnuplot_is_missing)
{
	struct sample s;

	sample_init(&s, "x");
	in_scratch_folder();
	setenv("PATH", "/nowhere", 1);
	cr_assert_eq(plot_to_file(&s.plot, "a.png", NULL), -1);
	cr_assert_eq(error_kind(), ERROR_TROUBLE);
	cr_assert_not_null(strstr(error_text(), "gnuplot-nox"));
	cr_assert_not_null(strstr(error_text(), "Without --out"));
	cr_assert_neq(access("a.png", F_OK), 0);
}

Test(plot, leaves_nothing_behind_where_it_cannot_write)
{
	struct sample s;

	if (gnuplot_missing())
		cr_skip_test("no gnuplot");
	in_scratch_folder();
	sample_init(&s, "x");
	cr_assert_eq(plot_to_file(&s.plot, "missing/a.png", NULL), -1);
	cr_assert_not_null(strstr(error_text(), "missing/a.png: cannot write"));
	cr_assert_eq(mkdir("a.png", 0700), 0);
	cr_assert_eq(plot_to_file(&s.plot, "a.png", NULL), -1);
	cr_assert_eq(rmdir("a.png"), 0);
	cr_assert_eq(rmdir(getcwd((char[4096]){ 0 }, 4096)), 0); /* it is empty */
}

Test(gnuplot, passes_on_what_went_wrong)
{
	struct strbuf script = STRBUF_INIT, picture = STRBUF_INIT;

	if (gnuplot_missing())
		cr_skip_test("no gnuplot");
	strbuf_adds(&script, "set terminal nonsense\n");
	cr_assert_eq(gnuplot_run(&script, &picture), -1);
	cr_assert_not_null(strstr(error_text(), "gnuplot failed: unknown or ambiguous terminal"),
			   "%s", error_text());
	strbuf_release(&script);
	strbuf_release(&picture);
}

Test(gnuplot, quotes_any_text)
{
	struct strbuf sb = STRBUF_INIT;

	gnuplot_quote(&sb, span_of("it's `x`\n\"y\"\033"));
	cr_assert_str_eq(sb.buf, "'it’s ’x’\"y\"'");
	strbuf_release(&sb);
}

static char *draw(const struct plot *plot, int width, bool color)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(plot_to_terminal(plot, out, width, 20, color), 0);
	fclose(out);
	return text;
}

Test(plot_text, fits_the_width_and_steers_no_terminal)
{
	struct sample s;
	char *text, *line, *rest;

	sample_init(&s, HOSTILE);
	text = draw(&s.plot, 70, false);
	cr_assert_null(strchr(text, '\033'));
	cr_assert_not_null(strstr(text, " 50 MiB ┤"));
	cr_assert_not_null(strstr(text, "┃"));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		cr_assert_leq(mbstowcs(NULL, line, 0), 70, "%s", line);
	free(text);
	text = draw(&s.plot, 70, true);
	cr_assert_not_null(strstr(text, "\033[1;31m┃\033[0m"));
	free(text);
}

Test(plot_text, draws_an_empty_plot)
{
	struct plot empty = { .title = "nothing" };
	char *text = draw(&empty, 10, false);

	cr_assert_not_null(strstr(text, "nothing"));
	free(text);
}

Test(axes, choose_round_steps_and_units)
{
	struct plot_point low[] = { { 1, 0, 0 }, { 40, 1.9 * GIB, 0 } };
	struct plot_point high[] = { { 1, 10.0 * GIB, 0 }, { 40, 10.1 * GIB, 0 } };
	struct plot_series series = { "s", PLOT_LINE, low, 2, PLOT_COLOR_AUTO };
	struct plot plot = { .series = &series, .nseries = 1 };
	struct axes axes;
	char text[AXIS_TEXT];

	axes_init(&axes, &plot, 8, 4);
	cr_assert_eq(axes.y_low, 0);
	cr_assert_str_eq(axes_y_label(text, &axes, axes.y_step), "0.5 GiB");
	cr_assert_eq(axes.x_step, 5);
	series.point = high;
	axes_init(&axes, &plot, 8, 5);
	cr_assert_eq(axes.y_low, 10);
	series.style = PLOT_AREA;
	axes_init(&axes, &plot, 8, 5);
	cr_assert_eq(axes.y_low, 0);
}

Test(axes, leave_out_a_far_level)
{
	struct plot_point point[] = { { 1, 0, 0 }, { 40, (double)GIB, 0 } };
	struct plot_series series = { "s", PLOT_LINE, point, 2, PLOT_COLOR_AUTO };
	struct plot_level level[] = { { 2.0 * GIB, "near" }, { 80.0 * GIB, "far" } };
	struct plot plot = { .series = &series, .nseries = 1, .level = level, .levels = 2 };
	struct axes axes;

	axes_init(&axes, &plot, 8, 4);
	cr_assert(axes_shows(&axes, level[0].y));
	cr_assert_not(axes_shows(&axes, level[1].y));
}

Test(axes, label_time_by_its_step)
{
	static const struct {
		double seconds;
		const char *step, *title;
	} cases[] = {
		{ 8, "00:53:20", "time, 2026-11-30" },  { 3600, "00:53", "time, 2026-11-30" },
		{ 86400, "11-30 00:53", "time, 2026" }, { 864000, "11-30", "time, 2026" },
		{ 1e9, "2026-11-30", "time" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plot_point point[] = { { 1796000000, 1, 0 },
					      { 1796000000 + cases[i].seconds, 2, 0 } };
		struct plot_series series = { "s", PLOT_LINE, point, 2, PLOT_COLOR_AUTO };
		struct plot plot = {
			.series = &series, .nseries = 1, .x_is_time = true, .x_label = "time"
		};
		struct axes axes;
		char text[AXIS_TEXT], *title;

		axes_init(&axes, &plot, 8, 4);
		cr_assert_str_eq(axes_x_label(text, &axes, point[0].x), cases[i].step);
		title = axes_x_title(&axes, &plot);
		cr_assert_str_eq(title, cases[i].title);
		free(title);
	}
}

Test(layout, spreads_labels_in_order)
{
	struct place place[] = { { .wanted = 0 },
				 { .wanted = 50 },
				 { .wanted = 51 },
				 { .wanted = 52 },
				 { .wanted = 100 } };
	double last = -100;

	layout_places(place, 5, 10, 0, 100);
	for (int i = 0; i < 5; i++) {
		cr_assert(place[i].shown);
		cr_assert_geq(place[i].at, last + 10 - 1e-6);
		last = place[i].at;
	}
	cr_assert_float_eq(place[2].at, 51, 1e-6);
	cr_assert_float_eq(place[4].at, 100, 1e-6);
}

Test(layout, shows_the_important_ones_first)
{
	struct place place[30] = { { 0 } };
	double last = -100;

	for (int i = 0; i < 30; i++)
		place[i].wanted = i;
	place[29].first = true;
	layout_places(place, 30, 10, 0, 29);
	cr_assert(place[29].shown);
	for (int i = 0; i < 30; i++) {
		if (!place[i].shown)
			continue;
		cr_assert_geq(place[i].at, last + 10 - 1e-6);
		last = place[i].at;
	}
}

Test(layout, stacks_flags_downwards)
{
	/* The second stands under the first one's label, the third has room; the last one turns. */
	struct flag flag[] = { { .x = 0, .width = 30 },
			       { .x = 10, .width = 30 },
			       { .x = 50, .width = 20 },
			       { .x = 95, .width = 20 } };

	cr_assert_eq(layout_flags(flag, 3, 100), 2);
	cr_assert_eq(flag[0].row, 0);
	cr_assert_eq(flag[1].row, 1);
	cr_assert_eq(flag[2].row, 0);
	cr_assert_eq(layout_flags(flag, 4, 100), 3);
	cr_assert(flag[3].leftwards);
	cr_assert_eq(flag[3].row, 0);
	cr_assert_eq(flag[0].row, 1);
	cr_assert_eq(layout_flags(flag, 0, 100), 0);
}

Test(layout, gives_up_on_flags_that_would_cross)
{
	struct flag flag[] = { { .x = 90, .width = 20 }, { .x = 95, .width = 20 } };

	cr_assert_eq(layout_flags(flag, 2, 100), INT_MAX);
}
