#include "grammar/convert.h"

#include <inttypes.h>

#include "base/strbuf.h"

static bool is_none(const struct dialect *d, struct span text)
{
	if (!text.len || !d->none_first[(unsigned char)text.ptr[0]])
		return false;
	for (size_t i = 0; i < d->none.len; i++)
		if (span_is(text, d->none.at[i]))
			return true;
	return false;
}

static enum field_state to_text(const struct conversion *c, struct value *v, int64_t unit)
{
	(void)c;
	(void)unit;
	return v->text.len ? VALUE_OK : VALUE_ABSENT;
}

static enum field_state to_int(const struct conversion *c, struct value *v, int64_t unit)
{
	struct decimal number;
	struct span rest;

	(void)c;
	(void)unit;
	if (!decimal_parse(v->text, &number, &rest) || rest.len || number.decimals)
		return VALUE_BAD;
	v->number = number.mantissa;
	return VALUE_OK;
}

static enum field_state to_time(const struct conversion *c, struct value *v, int64_t unit)
{
	const struct texts *list[] = { &c->rule->time, &c->dialect->time };

	(void)unit;
	for (int l = 0; l < 2; l++)
		for (size_t i = 0; i < list[l]->len; i++)
			if (time_parse(v->text, list[l]->at[i], c->zone, &v->number, &v->quantum))
				return VALUE_OK;
	return VALUE_BAD;
}

static enum field_state to_quantity(const struct conversion *c, struct value *v, int64_t unit)
{
	struct span rest;

	if (!decimal_parse(v->text, &v->size, &rest))
		return VALUE_BAD;
	rest = span_trim(rest);
	/* "1.2e-05" and "1.024,5" are not sizes with odd units. */
	if (rest.len && !unit_bytes(rest))
		return VALUE_BAD;
	v->unit_measured = false;
	for (size_t i = 0; !unit && i < c->rule->units; i++) {
		if (c->rule->unit[i].field != (enum field)v->number)
			continue;
		unit = c->rule->unit[i].bytes;
		v->unit_measured = c->rule->unit[i].measured;
	}
	/* What the grammar says goes before the label in the cell: GPUtil's MB are MiB. */
	if (!unit && rest.len)
		unit = unit_bytes(rest);
	v->unit = unit ? unit : 1;
	/* No memory is less than none: -1, like 2^64 - 1 bytes, is how drivers say "not available". */
	if (v->size.mantissa < 0)
		return VALUE_NONE;
	/* A small number needs no division to tell. */
	if (v->size.mantissa < INT32_MAX && v->unit <= GIB)
		return VALUE_OK;
	return quantity_known(decimal_bytes(v->size, v->unit)) ? VALUE_OK : VALUE_NONE;
}

static enum field_state to_percent(const struct conversion *c, struct value *v, int64_t unit)
{
	struct span rest;

	(void)c;
	(void)unit;
	v->unit = 0;
	if (!decimal_parse(v->text, &v->size, &rest))
		return VALUE_BAD;
	rest = span_trim(rest);
	if (rest.len && !span_is(rest, "%"))
		return VALUE_BAD;
	return v->size.mantissa < 0 ? VALUE_NONE : VALUE_OK;
}

static enum field_state (*const converters[FIELD_TYPES])(const struct conversion *, struct value *,
							 int64_t unit) = {
	[FIELD_TEXT] = to_text,         [FIELD_INT] = to_int,         [FIELD_TIME] = to_time,
	[FIELD_QUANTITY] = to_quantity, [FIELD_PERCENT] = to_percent,
};

void convert(const struct conversion *c, struct record *record, enum field field, struct span text,
	     int64_t unit)
{
	struct value *v = &record->value[field];

	v->text = span_trim(text);
	v->carried = false;
	v->number = field; /* to_quantity looks its unit up */
	if (is_none(c->dialect, v->text))
		v->state = VALUE_NONE;
	else
		v->state = converters[field_types[field]](c, v, unit);
	if (v->state != VALUE_ABSENT)
		record->set |= UINT64_C(1) << field;
}

void convert_back(const struct value *v, enum field field, struct strbuf *out)
{
	char text[TIME_TEXT];

	if (v->state == VALUE_ABSENT) {
		strbuf_adds(out, "absent");
	} else if (v->state == VALUE_NONE) {
		strbuf_adds(out, "none");
	} else if (v->state == VALUE_BAD) {
		strbuf_adds(out, "bad");
	} else if (field_types[field] == FIELD_INT) {
		strbuf_addf(out, "%" PRId64, v->number);
	} else if (field_types[field] == FIELD_TIME) {
		strbuf_adds(out, time_format(text, v->number, v->quantum));
	} else if (field_types[field] == FIELD_QUANTITY) {
		strbuf_addf(out, "%" PRId64, decimal_bytes(v->size, v->unit));
	} else {
		strbuf_addspan(out, v->text);
	}
}
