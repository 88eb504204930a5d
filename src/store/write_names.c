/* The end of a source: what its rows name by id, with all that the log has told of it. */
#include <string.h>

#include "store/writer.h"

/* The most that the driver kept of a device. */
void writer_see_reserved(struct writer *w, size_t index, int64_t reserved)
{
	while (w->device_reserved.len <= index)
		*vec_push(&w->device_reserved) = QUANTITY_UNKNOWN;
	if (quantity_known(reserved) && (!quantity_known(w->device_reserved.at[index]) ||
					 reserved > w->device_reserved.at[index]))
		w->device_reserved.at[index] = reserved;
}

/* What became known of a card after it was looked at: another name for it, its total. */
static int complete_subject(struct store *store, int64_t id, struct subject_key *key)
{
	struct writer *w = store->writer;
	const struct device *d;

	if (!quantity_known(key->device))
		return 0;
	d = w->device.at[key->device - w->first_device];
	if (d->same_as)
		d = d->same_as;
	key->device = w->first_device + (int64_t)d->index;
	if (!key->share || !quantity_known(d->total))
		return 0;
	key->share = 0;
	key->quantum = share_bytes(key->quantum, d->total);
	return RUN(store, SHARES_RESOLVE, SQL_ARG(d->total), SQL_ARG(w->first_sample),
		   SQL_ARG(w->next_sample), SQL_ARG(id));
}

static int write_subjects(struct store *store)
{
	struct writer *w = store->writer;
	struct subject_key key;
	int rc = 0;

	for (size_t i = 0; i < w->subjects.len && !rc; i++) {
		int64_t id = w->first_subject + (int64_t)i;

		memcpy(&key, w->subjects.text[i].ptr, sizeof(key));
		if (complete_subject(store, id, &key) < 0)
			return -1;
		rc = RUN(store, SUBJECT_ADD, SQL_ARG(id), SQL_ARG(w->source), SQL_ARG(key.device),
			 SQL_ARG(key.process), SQL_ARG(key.quantum), SQL_ARG(key.share),
			 SQL_ARG(w->subject_samples.at[i]));
	}
	return rc;
}

static int write_devices(struct store *store)
{
	struct writer *w = store->writer;
	int rc = 0;

	/* Backwards: a card's first name, which stays, has the lower index. */
	for (size_t i = w->device.len; i > 0 && !rc; i--) {
		const struct device *d = w->device.at[i - 1];

		if (d && d->same_as) {
			w->device.at[d->same_as->index] = d->same_as;
			writer_see_reserved(w, d->same_as->index, w->device_reserved.at[i - 1]);
		} else if (d) {
			rc = RUN(store, DEVICE_ADD, SQL_ARG(w->first_device + (int64_t)i - 1),
				 SQL_ARG(w->source),
				 SQL_ARG(d->number < 0 ? QUANTITY_UNKNOWN : d->number),
				 SQL_ARG(d->uuid), SQL_ARG(d->bus), SQL_ARG(d->name),
				 SQL_ARG(d->instance), SQL_ARG(d->total),
				 SQL_ARG(w->device_reserved.at[i - 1]));
		}
	}
	return rc;
}

int writer_write_names(struct store *store)
{
	struct writer *w = store->writer;
	int rc = 0;

	for (size_t i = 0; i < w->position.len && !rc; i++) {
		const struct position *p = w->position.at[i];

		if (p)
			rc = RUN(store, POSITION_ADD, SQL_ARG(w->first_position + (int64_t)i),
				 SQL_ARG(w->source), SQL_ARG(p->file),
				 SQL_ARG(p->code_line ? p->code_line : QUANTITY_UNKNOWN),
				 SQL_ARG(p->function), SQL_ARG(p->module), SQL_ARG(p->label));
	}
	for (size_t i = 0; i < w->tensor.len && !rc; i++) {
		const struct tensor *t = w->tensor.at[i];

		if (t)
			rc = RUN(store, TENSOR_ADD, SQL_ARG(w->first_tensor + (int64_t)i),
				 SQL_ARG(w->source), SQL_ARG(t->class_name), SQL_ARG(t->shape),
				 SQL_ARG(t->dtype), SQL_ARG(t->numel),
				 SQL_ARG((int64_t)t->itemsize));
	}
	if (!rc)
		rc = write_devices(store);
	for (size_t i = 0; i < w->process.len && !rc; i++) {
		const struct process *p = w->process.at[i];

		if (p)
			rc = RUN(store, PROCESS_ADD, SQL_ARG(w->first_process + (int64_t)i),
				 SQL_ARG(w->source),
				 SQL_ARG(p->pid < 0 ? QUANTITY_UNKNOWN : p->pid), SQL_ARG(p->name),
				 SQL_ARG(p->type));
	}
	return rc ? rc : write_subjects(store);
}
