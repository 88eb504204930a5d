#include "analysis/context_size.h"

static const char *card_of(const struct timeline *t)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (!t->subject[i].is_process && t->subject[i].device_name &&
		    t->subject[i].device == t->own_device)
			return t->subject[i].device_name;
	return NULL;
}

bool context_measure(struct context_size *out, const struct timeline *t)
{
	*out = (struct context_size){ .bytes = QUANTITY_UNKNOWN };
	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];

		if (!s->own || !quantity_known(s->start))
			continue;
		*out = (struct context_size){ .card = card_of(t),
					      .bytes = s->start,
					      .tolerance = (s->used.quantum + 1) / 2 };
		return true;
	}
	return false;
}
