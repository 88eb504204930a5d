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
		view_text(view, TONE_DIM, ", ± %s", duration_format(error, p->error));
	view_text(view, TONE_DIM, ")");
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
	doc_set_int(run, "own_device", t->own_device >= 0 ? t->own_device : QUANTITY_UNKNOWN);
}
