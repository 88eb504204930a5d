#include "model/gate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

const char *const gate_outcome_names[GATE_OUTCOMES] = {
	[GATE_PASS] = "pass",
	[GATE_WARN] = "warn",
	[GATE_UNDECIDED] = "undecided",
	[GATE_FAIL] = "fail",
};

struct gate_rule *gate_add(struct gate_result *result)
{
	if (result->rules == result->room) {
		result->room = result->room ? 2 * result->room : 8;
		result->rule = xrealloc(result->rule, result->room, sizeof(*result->rule));
	}
	result->rule[result->rules] = (struct gate_rule){ .limit = QUANTITY_UNKNOWN };
	return &result->rule[result->rules++];
}

void gate_note(struct gate_result *result, const char *fmt, ...)
{
	char *text;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	text = arena_alloc(&result->arena, (size_t)n + 1);
	va_start(args, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, args);
	va_end(args);
	if (result->notes == result->note_room) {
		result->note_room = result->note_room ? 2 * result->note_room : 8;
		result->note = xrealloc(result->note, result->note_room, sizeof(*result->note));
	}
	result->note[result->notes++] = text;
}

void gate_result_release(struct gate_result *result)
{
	free(result->rule);
	free(result->note);
	arena_release(&result->arena);
	*result = (struct gate_result)GATE_RESULT_INIT;
}

enum gate_outcome gate_settled(const struct gate_result *result, enum gate_outcome outcome)
{
	return outcome == GATE_UNDECIDED ? result->undecided_means : outcome;
}

enum gate_outcome gate_outcome(const struct gate_result *result)
{
	enum gate_outcome worst = GATE_PASS, one;

	for (size_t i = 0; i < result->rules; i++) {
		one = gate_settled(result, result->rule[i].outcome);
		worst = one > worst ? one : worst;
	}
	return result->rules ? worst : gate_settled(result, GATE_UNDECIDED);
}

size_t gate_count(const struct gate_result *result, enum gate_outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < result->rules; i++)
		n += gate_settled(result, result->rule[i].outcome) == outcome;
	return n;
}

const size_t *gate_by_weight(struct arena *arena, const struct gate_result *result)
{
	size_t *order = arena_alloc(arena, (result->rules + 1) * sizeof(*order)), n = 0;

	for (int outcome = GATE_FAIL; outcome >= GATE_PASS; outcome--)
		for (size_t i = 0; i < result->rules; i++)
			if ((int)result->rule[i].outcome == outcome)
				order[n++] = i;
	return order;
}
