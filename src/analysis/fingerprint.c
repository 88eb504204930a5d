#include "analysis/fingerprint.h"

#include <ctype.h>
#include <string.h>

#include "model/site.h"

const struct tensor_row *finding_main_row(const struct finding *finding)
{
	return finding->handle ? finding->handle : finding->rows ? finding->row[0].row : NULL;
}

const char *finding_main_shape(const struct finding *finding)
{
	if (finding->handle)
		return finding->handle->shape;
	if (!finding->rows)
		return NULL;
	return finding->row[0].shape ? finding->row[0].shape : finding->row[0].row->shape;
}

const char *shape_without_batch(struct arena *arena, const char *shape)
{
	const char *digits = shape + 1, *rest = digits;

	if (shape[0] != '(' || !isdigit((unsigned char)*digits))
		return shape;
	while (isdigit((unsigned char)*rest))
		rest++;
	return arena_printf(arena, "(*%s", rest);
}

/* "Epoch 3, loss 0.71" and "Epoch 4, loss 0.69" are printed by one line of code. */
static const char *without_numbers(struct arena *arena, const char *label)
{
	char *out = arena_text(arena, span_of(label)), *to = out;

	for (const char *from = label; *from;) {
		if (!isdigit((unsigned char)*from)) {
			*to++ = *from++;
			continue;
		}
		while (isdigit((unsigned char)*from) ||
		       (*from == '.' && isdigit((unsigned char)from[1])))
			from++;
		*to++ = '#';
	}
	*to = '\0';
	return out;
}

void fingerprint_of(struct fingerprint *out, struct arena *arena, const struct finding *finding)
{
	const struct tensor_row *row = finding_main_row(finding);
	const char *shape = finding_main_shape(finding);
	const struct site *site = finding->site;

	*out = (struct fingerprint){ .part = { [FINGERPRINT_CAUSE] = finding->cause } };
	if (row) {
		out->part[FINGERPRINT_SHAPE] =
			row->parameter ? shape : shape_without_batch(arena, shape);
		out->part[FINGERPRINT_DTYPE] = row->dtype;
	}
	if (!site)
		return;
	out->part[FINGERPRINT_FILE] = site->file     ? site_base_name(site->file)
				      : site->module ? site->module
				      : site->label  ? without_numbers(arena, site->label)
						     : NULL;
	out->part[FINGERPRINT_FUNCTION] = site->function;
}

void fingerprint_escape(struct strbuf *out, const char *text)
{
	size_t last = text && *text ? strlen(text) - 1 : 0;

	if (!text) {
		strbuf_addc(out, '-');
		return;
	}
	for (size_t i = 0; text[i]; i++) {
		unsigned char c = (unsigned char)text[i];
		bool edge = c == ' ' && (i == 0 || i == last);

		if (c < ' ' || c == 0x7f || c == '|' || c == '\\' || edge)
			strbuf_addf(out, "\\x%02x", c);
		else
			strbuf_addc(out, (char)c);
	}
}

const char *fingerprint_text(struct arena *arena, const struct fingerprint *fingerprint)
{
	struct strbuf sb = STRBUF_INIT;
	const char *text;

	for (int i = 0; i < FINGERPRINT_PARTS; i++) {
		strbuf_adds(&sb, i ? " | " : "");
		fingerprint_escape(&sb, fingerprint->part[i]);
	}
	text = arena_text(arena, strbuf_span(&sb));
	strbuf_release(&sb);
	return text;
}
