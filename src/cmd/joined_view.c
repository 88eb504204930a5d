#include "cmd/joined_view.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/common.h"

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct subject *own_process(const struct timeline *t)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].own)
			return &t->subject[i];
	return NULL;
}

static void add_part(struct view *view, const struct timeline_part *p)
{
	char error[TIME_TEXT];

	if (!p->how) {
		view_text(view, TONE_WARN, "%s", file_of(p->source));
		view_text(view, TONE_DIM,
			  " (left out: it shares neither time stamps, nor a curve, nor steps)");
		return;
	}
	view_text(view, TONE_DIM, "%s (%s", file_of(p->source), p->how);
	if (p->error)
		view_text(view, TONE_DIM, ", typically ± %s", duration_format(error, p->error));
	view_text(view, TONE_DIM, ")");
}

/* The age of what is known of the card, by the logs' own times. */
static void add_learned(struct view *view, const struct timeline *t)
{
	const struct learned_context *l = &t->learned;
	char size[SIZE_TEXT], age[TIME_TEXT];

	if (!l->run)
		return;
	view_text(view, TONE_DIM,
		  "; on such a card a process took %s before any tensor, as %s showed",
		  size_format(size, l->bytes, view->units), l->run);
	if (l->started == TIME_UNKNOWN || t->started == TIME_UNKNOWN)
		return;
	view_text(view, TONE_DIM, ", %s %s this run",
		  duration_format(age, l->started < t->started ? t->started - l->started
							       : l->started - t->started),
		  l->started < t->started ? "before" : "after");
}

void joined_text(struct view *view, const struct timeline *t)
{
	const struct subject *own = own_process(t);

	if (!t->parts)
		return;
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_DIM, "read together with ");
	for (size_t i = 0; i < t->parts; i++) {
		if (i)
			view_text(view, TONE_DIM, ", ");
		add_part(view, &t->part[i]);
	}
	if (own && own->pid >= 0)
		view_text(view, TONE_DIM, "; the run's own process is %" PRId64, own->pid);
	if (own && t->own_device >= 0)
		view_text(view, TONE_DIM, " on device %" PRId64, t->own_device);
	add_learned(view, t);
}

void joined_doc(struct doc *run, const struct timeline *t)
{
	const struct subject *own = own_process(t);
	struct doc *list;

	if (!t->parts) {
		doc_set_null(run, "joined");
		return;
	}
	list = doc_set(run, "joined", doc_array(run->arena));
	for (size_t i = 0; i < t->parts; i++) {
		struct doc *part = doc_add(list, doc_object(list->arena));

		doc_set_text(part, "source", t->part[i].source);
		doc_set_text(part, "dialect", t->part[i].dialect);
		doc_set_text(part, "aligned", t->part[i].how);
		doc_set_int(part, "error_milliseconds",
			    t->part[i].how ? t->part[i].error / 1000000 : QUANTITY_UNKNOWN);
	}
	doc_set_int(run, "own_pid", own && own->pid >= 0 ? own->pid : QUANTITY_UNKNOWN);
	doc_set_int(run, "learned_context", t->learned.run ? t->learned.bytes : QUANTITY_UNKNOWN);
	doc_set_text(run, "learned_from", t->learned.run);
	doc_set_int(run, "own_device", t->own_device >= 0 ? t->own_device : QUANTITY_UNKNOWN);
}
