#include "cmd/leaks_history.h"

#include <string.h>

#include "analysis/analysis.h"
#include "analysis/fingerprint.h"

/* The findings that are still looked for. */
struct search {
	struct arena *arena;
	const struct analysis *analysis;
	const char **print; /* by finding; NULL: settled, or never looked for */
	struct leak_since *since;
	size_t open;
};

static const char *print_of(struct arena *arena, const struct finding *f)
{
	struct fingerprint print;

	fingerprint_of(&print, arena, f);
	return fingerprint_text(arena, &print);
}

/* Was the run where the finding is?  Line numbers move; file and function stay. */
static bool was_there(struct arena *arena, const struct timeline *t, const struct finding *f)
{
	struct finding here = { .cause = f->cause };
	struct fingerprint wanted, print;

	fingerprint_of(&wanted, arena, f);
	for (size_t i = 0; i < t->sites; i++) {
		here.site = &t->site[i];
		fingerprint_of(&print, arena, &here);
		if (text_equal(print.part[FINGERPRINT_FILE], wanted.part[FINGERPRINT_FILE]) &&
		    text_equal(print.part[FINGERPRINT_FUNCTION], wanted.part[FINGERPRINT_FUNCTION]))
			return true;
	}
	return false;
}

static bool has(struct arena *arena, const struct analysis *a, const char *print)
{
	for (size_t i = 0; i < a->findings; i++)
		if (a->finding[i].kind != FINDING_NOTE &&
		    !strcmp(print_of(arena, &a->finding[i]), print))
			return true;
	return false;
}

static void look(struct search *s, const struct run_row *run, const struct timeline *t)
{
	struct arena scratch = ARENA_INIT;
	struct analysis before;

	analyse(&before, t, &ANALYSIS_OPTIONS_DEFAULT);
	for (size_t i = 0; i < s->analysis->findings; i++) {
		struct leak_since *since = &s->since[i];

		if (!s->print[i])
			continue;
		if (has(&scratch, &before, s->print[i])) {
			since->run = run->id;
			since->run_name = arena_text(s->arena, span_of(run->name));
			since->runs++;
		} else if (before.verdict != VERDICT_UNDECIDED &&
			   was_there(&scratch, t, &s->analysis->finding[i])) {
			since->run_before = arena_text(s->arena, span_of(run->name));
			s->print[i] = NULL;
			s->open--;
		}
	}
	analysis_release(&before);
	arena_release(&scratch);
}

static int look_back(struct search *s, struct store *store, int64_t run,
		     const struct run_list *runs)
{
	int64_t points = 0;
	size_t looked = 0;

	for (size_t i = runs->len; i-- > 0 && s->open && looked < HISTORY_RUNS;) {
		struct timeline timeline;

		points += runs->at[i].id < run ? runs->at[i].points : 0;
		if (runs->at[i].id >= run || points > HISTORY_POINTS)
			continue;
		if (store_read_timeline(store, runs->at[i].id, &timeline) < 0)
			return -1;
		look(s, &runs->at[i], &timeline);
		timeline_release(&timeline);
		looked++;
	}
	return 0;
}

const struct leak_since *leaks_since(struct arena *arena, struct store *store,
				     const struct timeline *timeline,
				     const struct analysis *analysis)
{
	size_t n = analysis->findings;
	struct run_list runs = { .arena = ARENA_INIT };
	struct search s = { .arena = arena, .analysis = analysis };
	int rc = 0;

	s.print = arena_alloc(arena, (n + 1) * sizeof(*s.print));
	s.since = arena_alloc(arena, (n + 1) * sizeof(*s.since));
	for (size_t i = 0; i < n; i++) {
		s.since[i].run = QUANTITY_UNKNOWN;
		if (analysis->finding[i].kind == FINDING_NOTE)
			continue;
		s.print[i] = print_of(arena, &analysis->finding[i]);
		s.open++;
	}
	if (s.open) {
		rc = store_all_runs(store, &runs);
		if (!rc)
			rc = look_back(&s, store, timeline->run, &runs);
		run_list_release(&runs);
	}
	return rc < 0 ? NULL : s.since;
}
