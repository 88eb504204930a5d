#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "feed.h"
#include "grammar/convert.h"
#include "grammar/match.h"

/* What a line became: "rule field=value …", "-" if nobody took it; "!" in front: after repair. */
static void describe(struct strbuf *out, int rc, const struct record *record,
		     const struct match_result *result)
{
	if (out->len)
		strbuf_addc(out, '\n');
	if (!rc) {
		strbuf_addc(out, '-');
		return;
	}
	strbuf_addf(out, "%s%s", result->repaired ? "!" : "", record->rule);
	for (int f = 0; f < FIELD_COUNT; f++) {
		if (record->value[f].state == VALUE_ABSENT)
			continue;
		strbuf_addf(out, " %s=", field_names[f]);
		convert_back(&record->value[f], (enum field)f, out);
	}
}

/* Feeds the lines of `log` to the one dialect "d", or to all if `all`. */
static void match_log(struct strbuf *out, const char *grammar, const char *log, const char *columns,
		      bool all)
{
	struct match_options options = { ZONE_UTC, all ? NULL : "d", columns };
	struct record *record = calloc(1, sizeof(*record));
	struct grammars *g = feed_grammars();
	struct span rest = span_of(log);
	struct match_result result;
	struct matcher *m;
	int64_t number = 0;

	cr_assert_eq(grammars_add(g, "d.grammar", span_of(grammar)), 0, "%s", error_text());
	cr_assert_eq(matcher_open(&m, g, &options), 0, "%s", error_text());
	while (rest.ptr) {
		struct line line = { span_split(rest, '\n', &rest), ++number };
		int rc = matcher_line(m, &line, record, &result);

		cr_assert_geq(rc, 0, "%s", error_text());
		describe(out, rc, record, &result);
	}
	matcher_close(m);
	grammars_free(g);
	free(record);
}

static const struct {
	const char *what, *grammar, *log, *expect;
} cases[] = {
	{ "the first rule that fits takes the line, also with blanks at its end",
	  "name d\nrule a\nmatch ^x (?<step>\\d)$\nis point\nrule b\nmatch ^x (?<label>.*)$\nis point\n",
	  "x 1\nx 12\nx 1 \t\ny", "a step=1\nb label=12\na step=1\n-" },
	{ "dispatch by the first byte loses no rule",
	  "name d\nrule a\nmatch ^(?i)at$\nis ignore\nrule b\nmatch ^[+-]$\nis ignore\n"
	  "rule c\nmatch ^↳$\nis ignore\nrule e\nmatch ^x?y$\nis ignore\n",
	  "AT\nat\n+\n-\n↳\ny\nxy\nz", "a\na\nb\nb\nc\ne\ne\n-" },
	{ "a carried field holds until set again or forgotten",
	  "name d\nrule gpu\nmatch ^gpu (?<device>\\d)$\nis context\ncarry device\n"
	  "rule used\nmatch ^used (?<device_used>\\d+)$\nis measure\nunit device_used MiB\n"
	  "rule end\nmatch ^end$\nis context\nforget device\n",
	  "used 1\ngpu 0\nused 1\ngpu 1\nused 2\nend\nused 3",
	  "used device_used=1048576\ngpu device=0\nused device=0 device_used=1048576\ngpu device=1\n"
	  "used device=1 device_used=2097152\nend\nused device_used=3145728" },
	{ "the line's own value wins over the carried one",
	  "name d\nrule a\nmatch ^a (?<step>\\d)$\nis context\ncarry step\n"
	  "rule b\nmatch ^b(?: (?<step>\\d))?$\nis point\n",
	  "a 1\nb 2\nb", "a step=1\nb step=2\nb step=1" },
	{ "sections keep rules apart",
	  "name d\nrule open\nmatch ^open$\nis context\nsection body\n"
	  "rule row\nmatch ^row$\nis ignore\nin body\nrule out\nmatch ^row$\nis ignore\nin -\n"
	  "rule close\nmatch ^close$\nis context\nsection -\nrule both\nmatch ^any$\nis ignore\nin - body\n",
	  "row\nany\nopen\nrow\nany\nclose\nrow",
	  "out\nboth\nopen\nrow\nboth\nclose\nout" },
	{ "a label is the last line that nobody knew and that has words",
	  "name d\nrule p\nmatch ^at (?<step>\\d)$\nis point\nlabel previous\n",
	  "at 0\nbefore\n----\nat 1\nat 2\nnext one\nat 3",
	  "p step=0\n-\n-\np label=before step=1\np label=before step=2\n-\np label=next one step=3" },
	{ "previous! ends a label",
	  "name d\nrule p\nmatch ^at (?<step>\\d)$\nis point\nlabel previous!\n", "once\nat 1\nat 2",
	  "-\np label=once step=1\np step=2" },
	{ "entities, full-width signs and special blanks are repaired when nothing fits",
	  "name d\nrule a\nmatch ^<(?<class>[^>]+)> \\| (?<count>\\d+)$\nis tensor\n",
	  "<A> | 1\n&lt;A&gt; | 1\n<A> ｜ 1\n<A>\u00a0| 1",
	  "a count=1 class=A\n!a count=1 class=A\n!a count=1 class=A\n!a count=1 class=A" },
	{ "what fits as it stands is not repaired",
	  "name d\nrule a\nmatch ^(?<label>.*)$\nis point\n", "&lt;", "a label=&lt;" },
	{ "prefixes are cut off when nothing fits",
	  "name d\nprefix ^[>#\\s]+\nprefix ^\\[\\d+\\]\\s\nrule a\nmatch ^x$\nis ignore\n",
	  "x\n> x\n# > x\n  x\n[3] x\n[3]x\n>", "a\n!a\n!a\n!a\n!a\n-\n-" },
	{ "a prefix is no way around a section",
	  "name d\nprefix ^>\\s\nrule a\nmatch ^x$\nis ignore\nin s\n"
	  "rule b\nmatch ^s$\nis context\nsection s\n",
	  "> x\ns\n> x", "-\nb\n!a" },
	{ "units come from the capture, then the rule",
	  "name d\nrule a\nmatch ^(?<allocated>[\\d.]+)(?<allocated_unit>[KM]i?B)?$\nis point\n"
	  "unit allocated GB\n",
	  "1.5\n1.5MiB\n2KB", "a allocated=1500000000\na allocated=1572864\na allocated=2000" },
	{ "none is not absent and not zero",
	  "name d\nnone N/A\nrule a\nmatch ^(?<device_used>\\S+) ?(?<device_free>\\S+)?$\nis measure\n"
	  "unit device_used B\nunit device_free B\n",
	  "N/A 3\n0\nabc", "a device_used=none device_free=3\na device_used=0\na device_used=bad" },
};

Test(match, rules)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strbuf got = STRBUF_INIT;

		match_log(&got, cases[i].grammar, cases[i].log, NULL, false);
		cr_expect_str_eq(got.buf, cases[i].expect, "%s: got\n%s", cases[i].what, got.buf);
		strbuf_release(&got);
	}
}

#define TABLE \
	"name d\nnone N/A\ntable t\nheader ^id,\nis measure\nsplit ,\\s*\ncolumn device id\n" \
	"column process name\nwide process\ncolumn device_used used \\[(MiB|KiB)\\]\n" \
	"column device_total MiB total\n"

static const struct {
	const char *what, *grammar, *log, *columns, *expect;
} tables[] = {
	{ "columns go by name, not by place", TABLE,
	  "id, used [MiB], other\n0, 5, x\nid, other, used [KiB]\n1, y, 6", NULL,
	  "t\nt device=0 device_used=5242880\nt\nt device=1 device_used=6144" },
	{ "a header may come again, and rows before it are none", TABLE,
	  "0, 5\nid, total\n0, 5\nid, total\n1, 6", NULL,
	  "-\nt\nt device=0 device_total=5242880\nt\nt device=1 device_total=6291456" },
	{ "a wide column may hold the separator", TABLE, "id, name, total\n0, a, b, c, 5\n0, a, 5", NULL,
	  "t\nt device=0 device_total=5242880 process=a, b, c\nt device=0 device_total=5242880 process=a" },
	{ "a row with too many cells or too few is none", TABLE, "id, total\n0, 5, 6\n0\n0, 5", NULL,
	  "t\n-\n-\nt device=0 device_total=5242880" },
	{ "a row may miss its last cell where the table tells its rows", TABLE "row ^\\d\n",
	  "id, total, name\n0, 5\nx, 5, y\n0", NULL, "t\nt device=0 device_total=5242880\n-\n-" },
	{ "none in a cell", TABLE, "id, total\n0, N/A", NULL, "t\nt device=0 device_total=none" },
	{ "skipped lines are known, an end closes, other lines do neither",
	  TABLE "row ^\\d\nskip ^-+$\nend ^end$\n", "id, total\n---\nloss 3\n0, 5\nend\n0, 5", NULL,
	  "t\nt\n-\nt device=0 device_total=5242880\nt\n-" },
	{ "a header that names no column of use is none",
	  "name d\ntable t\nheader ^id\nis measure\nsplit ,\\s*\ncolumn device id\n",
	  "idle, x\n0, x\nid, x\n0, x", NULL, "-\n-\nt\nt device=0" },
	{ "columns given by the user", TABLE "columns id, total\n", "0, 5", "id, total",
	  "t device=0 device_total=5242880" },
	{ "borders are stripped",
	  "name d\ntable t\nheader ^\\| id\nis measure\nstrip ^\\||\\|$\nsplit \\|\ncolumn device id\n"
	  "column device_used MiB used\n",
	  "| id | used |\n|  0 |    5 |", NULL, "t\nt device=0 device_used=5242880" },
	{ "two columns of one field are read as one text",
	  "name d\ntable t\nheader ^#\nis measure\nstrip ^#\nsplit \\s+\ntime %Y%m%d %H:%M:%S\n"
	  "column time Date|Time\ncolumn device gpu\n",
	  "#Date Time gpu\n20261129 16:22:51 0", NULL, "t\nt time=2026-11-29T16:22:51Z device=0" },
};

Test(match, tables)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct strbuf got = STRBUF_INIT;

		match_log(&got, tables[i].grammar, tables[i].log, tables[i].columns, false);
		cr_expect_str_eq(got.buf, tables[i].expect, "%s: got\n%s", tables[i].what, got.buf);
		strbuf_release(&got);
	}
}

Test(match, a_label_is_what_no_dialect_knew)
{
	struct strbuf got = STRBUF_INIT;

	/* The tracker's row is known to another dialect, so it names nothing. */
	match_log(&got, "name d\nrule p\nmatch ^my place (?<step>\\d)$\nis point\nlabel previous\n",
		  "my label\n" ROW("+", "1", "()", "3.8146", TENSOR, "float32") "my place 1", NULL,
		  true);
	cr_expect_not_null(strstr(got.buf, "p label=my label step=1"), "%s", got.buf);
	strbuf_release(&got);
}

Test(match, a_long_label_is_cut_between_characters)
{
	struct strbuf log = STRBUF_INIT, got = STRBUF_INIT;

	/* 512 bytes are 170 characters of three bytes, and two bytes over. */
	for (int i = 0; i < 400; i++)
		strbuf_adds(&log, "显");
	strbuf_adds(&log, "\nat");
	match_log(&got, "name d\nrule p\nmatch ^at$\nis point\nlabel previous\n", log.buf, NULL, false);
	cr_expect_eq(got.len, strlen("-\np label=") + 170 * 3);
	strbuf_release(&log);
	strbuf_release(&got);
}

Test(match, a_hostile_pattern_costs_its_line, .timeout = 60)
{
	static const char grammar[] = "name d\nrule evil\nmatch ^(a+)+$\nis ignore\nrule b\nmatch ^b$\nis ignore\n";
	struct match_options options = { .zone = ZONE_UTC, .only = "d" };
	struct record *record = calloc(1, sizeof(*record));
	struct line evil = { SPAN_LITERAL("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), 1 };
	struct line good = { SPAN_LITERAL("b"), 2 };
	struct grammars *g = feed_grammars();
	struct matcher *m;

	cr_assert_eq(grammars_add(g, "d.grammar", span_of(grammar)), 0);
	cr_assert_eq(matcher_open(&m, g, &options), 0);
	cr_expect_eq(matcher_line(m, &evil, record, NULL), -1);
	cr_expect_not_null(strstr(error_text(), "grammar d, rule evil: "), "%s", error_text());
	cr_expect_eq(error_kind(), ERROR_INPUT);
	cr_expect_eq(matcher_line(m, &good, record, NULL), 1);
	matcher_close(m);
	grammars_free(g);
	free(record);
}

Test(match, what_cannot_be_opened)
{
	struct grammars *g = feed_grammars();
	struct matcher *m = NULL;

	cr_expect_eq(matcher_open(&m, g, &(struct match_options){ .only = "nobody" }), -1);
	cr_expect_eq(error_kind(), ERROR_USAGE);
	cr_expect_not_null(strstr(error_text(), "'nobody'"));
	cr_expect_null(m);
	cr_expect_eq(matcher_open(&m, g, &(struct match_options){ .columns = "colour" }), -1);
	cr_expect_eq(error_kind(), ERROR_USAGE);
	cr_expect_not_null(strstr(error_text(), "'colour'"));
	cr_expect_null(m);
	grammars_free(g);
}

#define PLACE     "At __main__ <module>: line 13 Total Used Memory:696.5 Mb"
#define KNOWN_ROW "+ | 2 * Size:(96,) | Memory: 0.0007 M | " TENSOR

Test(match, detection_asks_first_who_knows_most)
{
	static const struct span lines[] = {
		{ PLACE, sizeof(PLACE) - 1 },
		{ KNOWN_ROW, sizeof(KNOWN_ROW) - 1 },
	};
	struct record *record = calloc(1, sizeof(*record));
	struct grammars *g = feed_grammars();
	struct matcher *m;

	/* gpu-mem-track-2018-06 has the same place and stands before it, but knows no such row. */
	cr_assert_eq(matcher_open(&m, g, &(struct match_options){ .zone = ZONE_UTC }), 0);
	cr_assert_eq(matcher_line(m, &(struct line){ lines[0], 1 }, record, NULL), 1);
	cr_expect_str_eq(record->dialect, "gpu-mem-track-2018-06");
	cr_assert_eq(matcher_detect(m, lines, 2), 0);
	cr_assert_eq(matcher_line(m, &(struct line){ lines[0], 1 }, record, NULL), 1);
	cr_expect_str_eq(record->dialect, "gpu-mem-track-2018");
	matcher_close(m);
	grammars_free(g);
	free(record);
}
