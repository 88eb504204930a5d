#include "replay/block.h"

void block_init(struct block *b)
{
	*b = (struct block){ .line = 0 };
	block_clear(b);
}

void block_release(struct block *b)
{
	vec_release(&b->rows);
	vec_release(&b->samples);
}

void block_clear(struct block *b)
{
	b->used = b->placed = b->listing = b->titled = false;
	b->line = 0;
	b->time = TIME_UNKNOWN;
	b->time_resolution = SECOND;
	b->step = -1;
	b->position = NULL;
	b->visible.state = b->allocated.state = b->reserved.state = VALUE_ABSENT;
	vec_clear(&b->rows);
	vec_clear(&b->samples);
}

/* What the rows of a table carry from lines above is theirs; a line that only names a place has
 * not measured what was carried to it. */
static enum field_state own_state(const struct record *r, enum field f)
{
	if (r->value[f].carried && r->kind != RECORD_MEASURE)
		return VALUE_ABSENT;
	return r->value[f].state;
}

static bool is_none(const struct record *r, enum field f)
{
	enum field_state state = own_state(r, f);

	return state == VALUE_NONE || state == VALUE_BAD;
}

/* A process's row where the tool printed "-" for the process tells of none. */
static bool names_a_process(const struct record *r)
{
	return record_has(r, FIELD_pid) || record_has(r, FIELD_process);
}

bool block_has_none(const struct record *r)
{
	if (names_a_process(r))
		return is_none(r, FIELD_process_used);
	return (is_none(r, FIELD_device_used) && !record_has(r, FIELD_device_percent)) ||
	       (is_none(r, FIELD_device_percent) && !record_has(r, FIELD_device_used));
}

/* A size, a share of a total that may only be known later, or the word that there is none. */
static bool has_sample(const struct record *r)
{
	static const enum field fields[] = { FIELD_device_used,    FIELD_device_total,
					     FIELD_device_free,    FIELD_device_reserved,
					     FIELD_device_percent, FIELD_process_used };

	if (r->kind == RECORD_EVENT)
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (own_state(r, fields[i]) == VALUE_OK)
			return true;
	return block_has_none(r);
}

static struct sample *find_sample(const struct block *b, const struct device *device,
				  const struct process *process)
{
	for (size_t i = 0; i < b->samples.len; i++)
		if (b->samples.at[i].device == device && b->samples.at[i].process == process)
			return &b->samples.at[i];
	return NULL;
}

static int64_t percent_of(const struct value *v, int64_t total)
{
	/* hundredths of a percent, so that "22.3 %" keeps its digit */
	int64_t hundredths = decimal_bytes(v->size, 100);

	return quantity_known(total) ? share_bytes(hundredths, total) : hundredths;
}

static void read_sample(const struct record *r, const struct process *process, struct sample *s)
{
	const struct value *percent = &r->value[FIELD_device_percent];
	enum field used = process ? FIELD_process_used : FIELD_device_used;

	*s = (struct sample){
		.process = process,
		.line = r->line,
		.time = record_has(r, FIELD_time) ? r->value[FIELD_time].number : TIME_UNKNOWN,
		.used = record_bytes(r, used),
		.total = process ? QUANTITY_UNKNOWN : record_bytes(r, FIELD_device_total),
		.free = process ? QUANTITY_UNKNOWN : record_bytes(r, FIELD_device_free),
		.reserved = process ? QUANTITY_UNKNOWN : record_bytes(r, FIELD_device_reserved),
		.quantum = 1,
		.none = block_has_none(r),
	};
	if (record_has(r, used)) {
		s->quantum = decimal_quantum(r->value[used].size, r->value[used].unit);
	} else if (!process && record_has(r, FIELD_device_percent)) {
		s->used = percent_of(percent, s->total);
		s->quantum = decimal_quantum(percent->size, 100);
		s->percent_only = !quantity_known(s->total);
		if (!s->percent_only)
			s->quantum = share_bytes(s->quantum, s->total);
	}
}

/* Does `more` have bytes where `s` has but a share, as a tool prints that tells both? */
static bool is_finer(const struct sample *s, const struct sample *more)
{
	return s->percent_only && !more->percent_only && quantity_known(more->used);
}

/* Known fields of `more` fill the unknown ones of `s`; true if any is said twice with other words.
 */
static bool merge_sample(struct sample *s, const struct sample *more)
{
	const int64_t from[] = { more->used, more->total, more->free, more->reserved };
	int64_t *to[] = { &s->used, &s->total, &s->free, &s->reserved };

	if (is_finer(s, more))
		s->used = QUANTITY_UNKNOWN;
	for (int i = 0; i < 4; i++)
		if (quantity_known(from[i]) && quantity_known(*to[i]))
			return true;
	if ((s->none || quantity_known(s->used)) && (more->none || quantity_known(more->used)))
		return true;
	s->none |= more->none;
	for (int i = 0; i < 4; i++)
		if (quantity_known(from[i]))
			*to[i] = from[i];
	if (quantity_known(more->used)) {
		s->quantum = more->quantum;
		s->percent_only = more->percent_only;
	}
	return false;
}

static bool same_moment(const struct sample *a, const struct sample *b)
{
	return a->time != TIME_UNKNOWN && a->time == b->time;
}

/* One line that names a process twice, and no pid, tells of two processes of that name. */
static bool are_namesakes(const struct sample *a, const struct sample *b)
{
	return a->process && a->process->pid < 0 && a->line == b->line;
}

static bool repeats_sample(const struct block *b, const struct sample *more)
{
	struct sample copy, *s;

	if (!more)
		return false;
	s = find_sample(b, more->device, more->process);
	if (!s || are_namesakes(s, more))
		return false;
	copy = *s;
	/* One process may have two contexts, and so two rows, in one look. */
	return merge_sample(&copy, more) && !(more->process && same_moment(s, more));
}

/* A label names the point, then a line of its own says where in the code that was. */
static bool completes(const struct position *have, const struct position *more)
{
	return have->label && !have->code_line && more->code_line && !more->label;
}

/* The place that the record names.  A point that has its own time is known by it: a line of text that
 * happens to stand above one of its rows does not name it. */
static const struct position *place_of(const struct block *b, const struct record *r,
				       struct names *names)
{
	if (r->kind == RECORD_MEASURE && b->placed && b->time != TIME_UNKNOWN && !b->position)
		return NULL;
	return names_position(names, r);
}

bool block_repeats(const struct block *b, const struct record *r, struct names *names,
		   const struct sample *sample)
{
	const struct position *position;

	if (!b->used)
		return false;
	if (record_has(r, FIELD_time) && !r->value[FIELD_time].carried && b->time != TIME_UNKNOWN &&
	    r->value[FIELD_time].number - b->time >= SECOND)
		return true;
	if (record_has(r, FIELD_step) && b->step >= 0 && b->step != r->value[FIELD_step].number)
		return true;
	position = place_of(b, r, names);
	if (position && b->position && position != b->position && !completes(b->position, position))
		return true;
	if ((record_has(r, FIELD_allocated) && b->allocated.state == VALUE_OK) ||
	    (record_has(r, FIELD_reserved) && b->reserved.state == VALUE_OK) ||
	    (record_has(r, FIELD_visible) && b->visible.state == VALUE_OK))
		return true;
	return repeats_sample(b, sample);
}

bool block_sample(struct sample *out, const struct record *r, struct names *names)
{
	const struct process *process;

	if (!has_sample(r))
		return false;
	process = names_process(names, r);
	read_sample(r, process, out);
	out->device = names_device(names, r);
	return true;
}

/* What they use together is unknown if one of them is. */
static void add_namesake(struct sample *s, const struct sample *more)
{
	s->none |= more->none;
	s->used = quantity_add(s->used, more->used);
}

static void add_sample(struct block *b, const struct sample *more)
{
	struct sample *s;

	if (more->process && !quantity_known(more->used) && !more->none)
		return;
	s = find_sample(b, more->device, more->process);
	if (!s)
		*vec_push(&b->samples) = *more;
	else if (are_namesakes(s, more))
		add_namesake(s, more);
	else if (merge_sample(s, more) && more->used > s->used)
		s->used = more->used;
}

void block_add_row(struct block *b, const struct record *r, const struct tensor *tensor)
{
	static const enum row_op ops[256] = {
		['+'] = ROW_PLUS,   ['-'] = ROW_MINUS, ['~'] = ROW_STATE,
		['='] = ROW_LISTED, ['o'] = ROW_THERE,
	};
	struct span text = record_text(r, FIELD_op);
	struct row row = {
		.tensor = tensor,
		.op = text.len ? ops[(unsigned char)text.ptr[0]] : ROW_PLUS,
		.count = record_has(r, FIELD_count) ? r->value[FIELD_count].number : 1,
		.line = r->line,
	};

	if (!b->used)
		b->line = r->line;
	b->used = true;
	b->listing |= row.op == ROW_LISTED;
	*vec_push(&b->rows) = row;
}

static void take(struct value *to, const struct record *r, enum field f)
{
	if (record_has(r, f))
		*to = r->value[f];
}

void block_add(struct block *b, const struct record *r, struct names *names,
	       const struct sample *sample)
{
	const struct position *position = place_of(b, r, names);

	if (!b->used || (r->kind == RECORD_POINT && !b->placed))
		b->line = r->line;
	b->used = true;
	b->placed |= r->kind == RECORD_POINT;
	b->titled |= r->kind == RECORD_POINT && r->titles;
	if (record_has(r, FIELD_time) && b->time == TIME_UNKNOWN) {
		b->time = r->value[FIELD_time].number;
		b->time_resolution = r->value[FIELD_time].quantum;
	}
	if (record_has(r, FIELD_step))
		b->step = r->value[FIELD_step].number;
	/* The label is the better name: the code position is often that of the tracker itself. */
	if (position && (!b->position || !completes(b->position, position)))
		b->position = position;
	take(&b->visible, r, FIELD_visible);
	take(&b->allocated, r, FIELD_allocated);
	take(&b->reserved, r, FIELD_reserved);
	if (sample)
		add_sample(b, sample);
}

void block_move_rows(struct block *to, struct block *from)
{
	for (size_t i = 0; i < from->rows.len; i++)
		*vec_push(&to->rows) = from->rows.at[i];
	to->used |= from->rows.len > 0;
	to->listing |= from->listing;
	vec_clear(&from->rows);
	from->listing = false;
	from->used = from->placed || from->samples.len;
}
