#include "feed_log.h"

/*
 * A log of any bytes goes through all built-in dialects: each field of a record is one that its
 * kind of value allows, texts lie where they can be read, and no built-in pattern passes its
 * limits.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_value(const struct value *v, enum field f)
{
	volatile char sum = 0;

	if (v->state == VALUE_ABSENT)
		return;
	for (size_t i = 0; i < v->text.len; i++)
		sum = (char)(sum + v->text.ptr[i]);
	if (v->state != VALUE_OK)
		return;
	if (field_types[f] == FIELD_QUANTITY) {
		assert(v->unit > 0);
		assert(v->size.mantissa >= 0 && v->size.decimals >= 0 && v->size.decimals <= 18);
	}
	if (field_types[f] == FIELD_TEXT)
		assert(v->text.len);
}

static void take(void *context, int what, int64_t line, const struct record *record)
{
	int64_t *last = context;

	assert(line >= *last);
	*last = line;
	/* The built-in patterns are written so that no text is too much for them. */
	assert(what != FEED_GAVE_UP);
	if (what != FEED_RECORD)
		return;
	assert(record->line > 0 && record->line <= line);
	assert(record->dialect && record->rule);
	assert(record->kind < RECORD_KINDS && record->boundary < BOUNDARIES);
	assert(record->kind != RECORD_EVENT || record->code);
	for (int f = 0; f < FIELD_COUNT; f++)
		check_value(&record->value[f], (enum field)f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int64_t last = 0;

	feed_log(data, size, take, &last);
	return 0;
}
