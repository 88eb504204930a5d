#include "cmd/import_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/strbuf.h"
#include "cli/progress.h"
#include "cmd/import_tally.h"
#include "grammar/match.h"
#include "ingest/lines.h"
#include "ingest/source.h"
#include "replay/replay.h"

/* Lines that are looked at before the import begins, to tell which dialects the log speaks. */
enum { DETECT_LINES = 400, DETECT_BYTES = 256 * 1024 };
/* Lines between two looks at the clock and at whether to stop. */
enum { LOOK = 256 };

const char *const import_status_names[IMPORT_STATUSES] = {
	[IMPORT_IMPORTED] = "imported",
	[IMPORT_KNOWN] = "known",
	[IMPORT_SKIPPED] = "skipped",
	[IMPORT_FAILED] = "failed",
};

/* Everything open while one log passes. */
struct passage {
	struct source *source;
	struct lines *lines;
	struct matcher *matcher;
	struct replay *replay;
	struct tally tally;
	struct record *record;
	struct import_result *result;
	struct store *store;
	bool gave_up;      /* a pattern passed its limits: told once */
	bool store_failed; /* the error is of the database, not of the log */
};

int import_interrupted(void)
{
	return error_interrupted("interrupted; nothing was changed");
}

void import_result_release(struct import_result *r)
{
	vec_release(&r->dialects);
	vec_release(&r->runs);
	vec_release(&r->notes);
	vec_release(&r->note_counts);
	vec_release(&r->dialect_lines);
	arena_release(&r->arena);
}

/* Which dialects took lines: contexts and rulers count as well. */
static void count_dialect(struct import_result *r, const struct record *record)
{
	size_t i = (size_t)record->dialect_index;

	while (r->dialect_lines.len <= i)
		*vec_push(&r->dialect_lines) = (struct dialect_lines){ NULL, 0, 0 };
	r->dialect_lines.at[i].name = record->dialect;
	r->dialect_lines.at[i].lines++;
	r->dialect_lines.at[i].telling += record->kind != RECORD_IGNORE;
}

/* What the matcher made of a line: 1 a record, 0 nothing more, -1 a pattern gave up. */
static int pass_record(struct passage *p, int64_t line, int taken)
{
	/* A hostile line or pattern costs this line, not the log. */
	if (taken < 0 && !p->gave_up) {
		p->gave_up = true;
		taken = replay_note(p->replay, line, "pattern-limit", "%s; the line is left out",
				    error_text());
		p->store_failed |= taken < 0;
		return taken;
	}
	if (taken <= 0)
		return 0;
	count_dialect(p->result, p->record);
	if (replay_record(p->replay, p->record) == 0)
		return 0;
	p->store_failed = true;
	return -1;
}

static int pass_rest(struct passage *p, int64_t line, int taken)
{
	int rc = pass_record(p, line, taken);

	while (!rc && (taken = matcher_more(p->matcher, p->record, NULL)) != 0)
		rc = pass_record(p, line, taken);
	return rc;
}

/* Nothing goes on below a blank line. */
static int pass_blank(struct passage *p, int64_t line)
{
	int rc;

	p->result->blank++;
	matcher_end(p->matcher);
	rc = pass_rest(p, line, 0);
	replay_blank(p->replay);
	return rc;
}

static int pass_line(struct passage *p, const struct line *line)
{
	if (!span_trim(line->text).len)
		return pass_blank(p, line->number);
	return pass_rest(p, line->number, matcher_line(p->matcher, line, p->record, NULL));
}

/* Reads the first lines, asks the dialects who knows them, then passes them on. */
static int pass_beginning(struct passage *p)
{
	struct arena text = ARENA_INIT;
	struct line line;
	VEC(struct line) first = VEC_INIT;
	struct span spans[DETECT_LINES];
	size_t bytes = 0;
	int rc = 1;

	while (first.len < DETECT_LINES && bytes < DETECT_BYTES &&
	       (rc = lines_next(p->lines, &line)) > 0) {
		bytes += line.text.len;
		line.text.ptr = arena_text(&text, line.text);
		spans[first.len] = line.text;
		*vec_push(&first) = line;
	}
	if (rc >= 0)
		rc = matcher_detect(p->matcher, spans, first.len);
	for (size_t i = 0; i < first.len && rc >= 0; i++)
		rc = pass_line(p, &first.at[i]);
	vec_release(&first);
	arena_release(&text);
	return rc;
}

static int pass_lines(struct passage *p, struct progress *progress)
{
	struct line line;
	int rc = pass_beginning(p);

	for (int64_t n = 0; rc >= 0 && (rc = lines_next(p->lines, &line)) > 0; n++) {
		rc = pass_line(p, &line);
		if (n % LOOK)
			continue;
		if (interrupt_pending())
			return import_interrupted();
		if (progress)
			progress_update(progress, p->result->path, source_bytes(p->source), -1);
	}
	if (rc < 0)
		return rc;
	matcher_end(p->matcher);
	rc = pass_rest(p, lines_health(p->lines)->lines, 0);
	matcher_counts(p->matcher, &p->result->matched, &p->result->unmatched);
	return rc;
}

/* What the text itself was like, as notes of the log. */
static int note_health(struct passage *p)
{
	const struct lines_health *h = lines_health(p->lines);
	const char *damage = source_damage(p->source);
	int rc = 0;

	if (h->invalid_lines)
		rc = replay_note(p->replay, h->first_invalid_line, "bad-encoding",
				 "%lld lines have bytes that are not %s; they were kept as \\x.. "
				 "escapes. If you know "
				 "the encoding, import again with --encoding, such as GB18030",
				 (long long)h->invalid_lines, h->encoding);
	if (!rc && h->long_lines)
		rc = replay_note(
			p->replay, h->first_long_line, "long-line",
			"%lld lines are longer than %d bytes; the rest of each was left out",
			(long long)h->long_lines, LINES_MAX_LINE);
	if (!rc && h->nul_lines)
		rc = replay_note(
			p->replay, h->first_nul_line, "nul-bytes",
			"%lld lines have NUL bytes, which were left out: the file system may have "
			"lost what stood there",
			(long long)h->nul_lines);
	if (!rc && damage)
		rc = replay_note(p->replay, h->lines, "damaged-archive",
				 "%s; what came before was read", damage);
	if (!rc && !lines_ended_cleanly(p->lines) && p->result->unmatched && h->lines > 1)
		rc = replay_note(p->replay, h->lines, "no-line-end",
				 "the log ends without a line end: its last line may be cut");
	if (!rc && p->result->matched && !p->result->samples && !p->result->values)
		rc = replay_note(p->replay, 1, "no-data",
				 "the lines are known, but none holds a memory value: nothing to "
				 "analyse");
	p->store_failed |= rc < 0;
	return rc;
}

/* "runs/a/run.txt.gz" names its runs "run"; a file all runs of a tool share is told apart by "~2".
 */
static char *name_of(const char *path, const char *given)
{
	const char *base = strrchr(path, '/');
	size_t n;

	if (given)
		return xstrdup(given);
	if (!strcmp(path, "-"))
		return xstrdup("stdin");
	base = base ? base + 1 : path;
	n = strcspn(base[0] == '.' ? base + 1 : base, ".") + (base[0] == '.');
	return n ? xstrndup(base, n) : xstrdup("run");
}

static int open_passage(struct passage *p, const struct grammars *grammars, const char *path,
			const struct import_options *options)
{
	struct source_limits limits = { options->max_bytes };
	struct lines_options line_options = { options->encoding, 0 };
	struct match_options match = { .zone = options->zone,
				       .only = options->dialect,
				       .columns = options->columns };

	if (source_open(&p->source, path, &limits) < 0 ||
	    lines_open(&p->lines, p->source, &line_options) < 0 ||
	    matcher_open(&p->matcher, grammars, &match) < 0)
		return -1;
	return 0;
}

static void close_passage(struct passage *p)
{
	replay_close(p->replay);
	matcher_close(p->matcher);
	lines_close(p->lines);
	source_close(p->source);
	tally_release(&p->tally);
	free(p->record);
}

static int keep_runs(struct passage *p, int64_t source)
{
	struct run_list runs;

	if (store_source_runs(p->store, source, &runs) < 0)
		return -1;
	for (size_t i = 0; i < runs.len; i++)
		*vec_push(&p->result->runs) =
			arena_text(&p->result->arena, span_of(runs.at[i].name));
	run_list_release(&runs);
	return 0;
}

static const char *why_nothing(const struct passage *p)
{
	struct import_result *r = p->result;
	const char *damage = source_damage(p->source);

	if (r->matched)
		return arena_printf(&r->arena,
				    "%s: holds only rulers, titles and the like; name a log with "
				    "figures in it",
				    r->path);
	if (r->lines)
		return arena_printf(&r->arena,
				    "%s: no dialect knows any line of it (%lld in all); see memlog "
				    "formats for what is read, memlog formats explain %s for why",
				    r->path, (long long)r->lines, r->path);
	if (damage)
		return arena_printf(&r->arena, "%s: %s", r->path, damage);
	return arena_printf(&r->arena, "%s: is empty; name a log with something in it", r->path);
}

/* The log has passed: keep it, find it known, or find that it is none. */
static int conclude(struct passage *p, const struct source_info *begun, bool found_in_folder)
{
	struct source_info info = *begun;
	struct import_result *r = p->result;
	int64_t source;
	char hash[33];
	int known;

	r->lines = lines_health(p->lines)->lines;
	/* Of rulers and titles alone there is no run. */
	if (!r->dialects.len) {
		r->status = found_in_folder ? IMPORT_SKIPPED : IMPORT_FAILED;
		r->error = why_nothing(p);
		return store_drop_source(p->store);
	}
	source_hash(p->source, hash);
	info.hash = hash;
	info.bytes = source_bytes(p->source);
	info.lines = r->lines;
	info.matched = r->matched;
	info.blank = r->blank;
	info.unmatched = r->unmatched;
	known = store_end_source(p->store, &info, &source);
	if (known < 0)
		return -1;
	r->status = known ? IMPORT_KNOWN : IMPORT_IMPORTED;
	return keep_runs(p, source);
}

static int fail(struct passage *p, bool begun)
{
	struct import_result *r = p->result;

	r->status = IMPORT_FAILED;
	r->error = error_kind() == ERROR_USAGE || strstr(error_text(), r->path)
			   ? arena_text(&r->arena, span_of(error_text()))
			   : arena_printf(&r->arena, "%s: %s", r->path, error_text());
	return begun ? store_drop_source(p->store) : 0;
}

int import_log(struct import_result *result, struct store *store, const struct grammars *grammars,
	       const char *path, bool found_in_folder, const struct import_options *options,
	       struct progress *progress)
{
	struct passage p = { .result = result, .store = store };
	char *name = name_of(path, options->run);
	struct source_info info = { .path = path, .run_name = name };
	struct point_sink sink;
	int rc;

	*result = (struct import_result){ .arena = ARENA_INIT,
					  .first_time = TIME_UNKNOWN,
					  .last_time = TIME_UNKNOWN };
	result->path = arena_text(&result->arena, span_of(path));
	if (interrupt_pending()) {
		free(name);
		return import_interrupted();
	}
	if (open_passage(&p, grammars, path, options) < 0) {
		rc = error_kind() == ERROR_USAGE ? -1 : fail(&p, false);
		close_passage(&p);
		free(name);
		return rc;
	}
	p.record = xcalloc(1, sizeof(*p.record));
	tally_init(&p.tally, result, store_sink(store));
	sink = tally_sink(&p.tally);
	replay_open(&p.replay, &sink);
	rc = store_begin_source(store, &info);
	p.store_failed = rc < 0;
	if (!rc)
		rc = pass_lines(&p, progress);
	if (!rc && replay_finish(p.replay) < 0) {
		p.store_failed = true;
		rc = -1;
	}
	if (!rc)
		rc = note_health(&p);
	if (!rc) {
		tally_finish(&p.tally);
		rc = conclude(&p, &info, found_in_folder);
	} else if (!p.store_failed && error_kind() != ERROR_INTERRUPTED) {
		rc = fail(&p, true);
	}
	close_passage(&p);
	free(name);
	return rc;
}
