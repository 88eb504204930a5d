#include <criterion/criterion.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/whole_file.h"
#include "render/html.h"

#define HOSTILE "</title><script>document.title = 'hacked'</script>\" onload='x' %s \033[31m\xe2\x80\xae&amp;"

static char *page_text_of(const struct page *page)
{
	struct strbuf out = STRBUF_INIT;

	setlocale(LC_CTYPE, "C.UTF-8");
	html_page(&out, page);
	return strbuf_detach(&out);
}

/* A page in which every text is hostile. */
static void hostile_page(struct page *page, const struct plot *plot)
{
	struct table *t;

	page->title = HOSTILE;
	page_heading(page, 1, NULL, HOSTILE);
	page_text(page, TONE_BAD, HOSTILE);
	page_link(page, HOSTILE, "run-1", TONE_WARN, HOSTILE);
	page_card(page, TONE_BAD);
	page_fact(page, HOSTILE, TONE_PLAIN, HOSTILE);
	t = page_table(page, HOSTILE);
	table_column(t, HOSTILE, CELL_TEXT);
	table_column(t, "bytes", CELL_BYTES);
	for (int i = 0; i < 3; i++) {
		table_row(t);
		cell_text(t, HOSTILE);
		cell_int(t, i == 1 ? 5000 : i * 100);
	}
	page_end(page);
	page_code(page, HOSTILE);
	if (plot)
		page_plot(page, HOSTILE, plot);
}

Test(html, escapes_text_for_elements_and_attributes)
{
	struct strbuf out = STRBUF_INIT;

	setlocale(LC_CTYPE, "C.UTF-8");
	html_text(&out, "<a href=\"x\">'&\033\xff 内存");
	cr_assert_str_eq(out.buf, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\x1b\\xff 内存");
	strbuf_release(&out);
}

Test(html, lets_no_text_become_markup)
{
	struct page page = PAGE_INIT;
	char *html;

	hostile_page(&page, NULL);
	html = page_text_of(&page);
	/* The only script is the page's own. */
	cr_assert_not_null(strstr(html, "<script>\n"));
	cr_assert_null(strstr(html, "<script>document"));
	cr_assert_null(strstr(html, "' onload"));
	cr_assert_null(strchr(html, '\033'));
	cr_assert_null(strstr(html, "\xe2\x80\xae"));
	free(html);
	page_release(&page);
}

Test(html, is_the_same_twice_and_needs_no_network)
{
	struct page page = PAGE_INIT;
	char *one, *two;

	hostile_page(&page, NULL);
	one = page_text_of(&page);
	two = page_text_of(&page);
	cr_assert_str_eq(one, two);
	cr_assert_null(strstr(one, "src="));
	cr_assert_null(strstr(one, "<link"));
	cr_assert_null(strstr(one, "http://"));
	cr_assert_null(strstr(one, "https://"));
	cr_assert_not_null(strstr(one, "default-src 'none'"));
	free(one);
	free(two);
	page_release(&page);
}

Test(html, gathers_facts_in_one_list)
{
	struct page page = PAGE_INIT;
	char *html, *list;

	page.title = "t";
	page_fact(&page, "a", TONE_PLAIN, "1");
	page_fact(&page, "none", TONE_PLAIN, NULL);
	page_fact(&page, "b", TONE_GOOD, "2");
	page_text(&page, TONE_PLAIN, "end");
	html = page_text_of(&page);
	list = strstr(html, "<dl>");
	cr_assert_eq(strncmp(list,
			     "<dl>\n<dt>a</dt><dd>1</dd>\n<dt>b</dt><dd class=\"good\">2</dd>\n"
			     "</dl>\n<p>end</p>\n",
			     70),
		     0, "%.200s", list);
	free(html);
	page_release(&page);
}

static const struct plot_point point[] = { { 1, 1e6, 0 }, { 2, 3e6, 0 }, { 3, 2e6, 0 } };

Test(html, draws_in_characters_where_gnuplot_is_missing)
{
	struct plot_series series = { "<memory>", PLOT_LINE, point, 3, PLOT_COLOR_AUTO };
	struct plot plot = { .title = "<title>", .series = &series, .nseries = 1 };
	struct page page = PAGE_INIT;
	char *html;

	setenv("PATH", "/nowhere", 1);
	page.title = "t";
	page_plot(&page, "caption", &plot);
	html = page_text_of(&page);
	cr_assert_not_null(strstr(html, "gnuplot-nox"));
	cr_assert_null(strstr(html, "Without --out"));
	cr_assert_not_null(strstr(html, "<pre>&lt;title&gt;"));
	cr_assert_not_null(strstr(html, "&lt;memory&gt;\n"));
	free(html);
	page_release(&page);
}

static char *output_of(const char *command)
{
	struct strbuf out = STRBUF_INIT;
	FILE *in = popen(command, "r");
	char chunk[4096];
	size_t n;

	cr_assert_not_null(in);
	while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		strbuf_add(&out, chunk, n);
	pclose(in);
	return strbuf_detach(&out);
}

/* In a real browser: nothing of a log runs, the page's script does. */
Test(html, is_read_by_a_browser_as_it_was_meant, .timeout = 120)
{
	struct plot_series series = { HOSTILE, PLOT_LINE, point, 3, PLOT_COLOR_AUTO };
	struct plot plot = { .title = HOSTILE, .series = &series, .nseries = 1 };
	struct page page = PAGE_INIT;
	char folder[] = "/tmp/memlog-test-XXXXXX", *html, *dom;

	if (access("/usr/bin/chromium", X_OK) != 0)
		cr_skip_test("no chromium");
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	hostile_page(&page, &plot);
	html = page_text_of(&page);
	cr_assert_eq(whole_file_write("page.html", span_of(html)), 0);
	dom = output_of("timeout 100 chromium --headless --no-sandbox --disable-gpu --no-first-run "
			"--disable-background-networking --disable-component-update --disable-sync "
			"--user-data-dir=$PWD/profile --dump-dom file://$PWD/page.html 2>/dev/null");
	if (!*dom)
		cr_skip_test("chromium does not run here");
	cr_assert_not_null(strstr(dom, "<title>&lt;/title&gt;&lt;script&gt;"), "%.300s", dom);
	cr_assert_null(strstr(dom, "<title>hacked"));
	cr_assert_not_null(strstr(dom, "<th scope=\"col\" class=\"number\"><button>bytes</button>"));
	cr_assert_null(strstr(dom, "<script>document"));
	free(dom);
	free(html);
	page_release(&page);
	free(output_of("rm -rf profile page.html"));
}
