/* The ledger of overhead.h: what the bytes of one point are. */
#include <stdlib.h>

#include "analysis/context_size.h"
#include "analysis/overhead.h"

const char *const ledger_how_names[LEDGER_HOWS] = {
	[LEDGER_MEASURED] = "measured",
	[LEDGER_INFERRED] = "inferred",
	[LEDGER_BOUNDED] = "bounded",
};

static bool has(const struct series *s, size_t i)
{
	return s->value && !s->percent && quantity_known(s->value[i]);
}

/* A sum and how far the print may be off. */
struct sum {
	int64_t bytes, tolerance;
};

/* A joined log may be off by a point: then by as much as it changes from one to the next. */
static int64_t misplaced(const struct series *s, size_t point, size_t points)
{
	int64_t most = 0;

	for (size_t i = point ? point - 1 : 0; s->joined && i + 1 < points && i <= point; i++) {
		int64_t step;

		if (!quantity_known(s->value[i]) || !quantity_known(s->value[i + 1]))
			continue;
		step = s->value[i + 1] - s->value[i];
		step = step < 0 ? -step : step;
		most = step > most ? step : most;
	}
	return most;
}

static struct sum series_at(const struct timeline *t, const struct series *s, size_t point)
{
	return (struct sum){ s->value[point],
			     series_rounding(s) + misplaced(s, point, t->points) };
}

static struct sum sum_at(const struct timeline *t, enum level level, size_t point)
{
	return series_at(t, &t->level[level], point);
}

static void add(struct ledger *out, struct ledger_part part)
{
	out->part[out->parts++] = part;
}

/* ---- what the history of a device's total tells ---- */

enum bucket { BUCKET_BEFORE, BUCKET_CONTEXT, BUCKET_CACHED, BUCKET_REST, BUCKETS };

static const enum bucket bucket_of[OVERHEAD_KINDS] = {
	[OVERHEAD_QUIET] = BUCKET_REST,        [OVERHEAD_TENSORS] = BUCKET_REST,
	[OVERHEAD_FIRST_USE] = BUCKET_CONTEXT, [OVERHEAD_KEPT] = BUCKET_CACHED,
	[OVERHEAD_RETURNED] = BUCKET_CACHED,   [OVERHEAD_REUSED] = BUCKET_CACHED,
	[OVERHEAD_VIEWS] = BUCKET_REST,        [OVERHEAD_OTHER] = BUCKET_REST,
};

static const struct {
	const char *part, *meaning;
	enum ledger_how how;
} buckets[BUCKETS] = {
	[BUCKET_BEFORE] = { "before",
			    "on the device before the first tensor: other processes, the driver, a "
			    "context made earlier",
			    LEDGER_MEASURED },
	[BUCKET_CONTEXT] = { "context",
			     "came with the first use of the device: CUDA context, kernels, "
			     "libraries",
			     LEDGER_INFERRED },
	[BUCKET_CACHED] = { "cached",
			    "stayed when tensors were freed: kept by the allocator for reuse, not "
			    "leaked",
			    LEDGER_BOUNDED },
	[BUCKET_REST] = { "hidden + cached + others",
			  "came later without a tensor: workspaces, graph buffers, rounding, other "
			  "processes; this log does not tell them apart",
			  LEDGER_INFERRED },
};

/* A cache cannot be less than empty: what was given back beyond it was something else. */
static void settle(struct sum bucket[BUCKETS])
{
	static const enum bucket order[] = { BUCKET_CACHED, BUCKET_REST, BUCKET_CONTEXT };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		enum bucket from = order[i];
		enum bucket into =
			i + 1 < sizeof(order) / sizeof(*order) ? order[i + 1] : BUCKET_BEFORE;

		if (bucket[from].bytes >= 0)
			continue;
		bucket[into].bytes += bucket[from].bytes;
		bucket[from].bytes = 0;
	}
}

/* Splits what the device holds beside the tensors at `point`; false: the history says nothing. */
static bool split_by_history(const struct timeline *t, size_t point, struct sum bucket[BUCKETS])
{
	const struct series *total = overhead_total(t);
	struct overhead_interval in;
	enum bucket last = BUCKETS;
	size_t at;

	if (!overhead_first(t, &at) || overhead_visible(t, at) != 0 || at >= point)
		return false;
	bucket[BUCKET_BEFORE] = (struct sum){ total->value[at], series_rounding(total) };
	while (at < point && overhead_next(t, at, &in)) {
		enum bucket b = bucket_of[in.kind];

		/* The ends of neighbours cancel out. */
		bucket[b].tolerance += b != last ? in.tolerance : 0;
		bucket[b].bytes += in.unexplained_change;
		last = b;
		at = in.to;
	}
	settle(bucket);
	return true;
}

/* A remainder that the print's steps explain is no part of its own. */
static void fold_rounding(struct sum bucket[BUCKETS])
{
	struct sum *rest = &bucket[BUCKET_REST];
	enum bucket into = bucket[BUCKET_CONTEXT].bytes ? BUCKET_CONTEXT : BUCKET_BEFORE;

	if (rest->bytes > rest->tolerance)
		return;
	bucket[into].bytes += rest->bytes;
	bucket[into].tolerance += rest->tolerance;
	*rest = (struct sum){ 0, 0 };
}

static bool add_history(struct ledger *out, const struct timeline *t)
{
	struct sum bucket[BUCKETS] = { { 0, 0 } };

	if (!split_by_history(t, out->point, bucket))
		return false;
	fold_rounding(bucket);
	for (int b = BUCKETS - 1; b >= 0; b--)
		if (bucket[b].bytes)
			add(out, (struct ledger_part){ buckets[b].part, bucket[b].bytes,
						       bucket[b].tolerance, buckets[b].how,
						       buckets[b].meaning });
	return true;
}

/* ---- what stands between two known levels ---- */

/* Levels from the inside out; each adds the part between it and the one inside. */
static const struct {
	enum level level;
	const char *part, *meaning;
} shells[] = {
	{ LEVEL_VISIBLE, "visible", "tensors that Python sees" },
	{ LEVEL_ALLOCATED, "hidden",
	  "allocated for what Python does not see: graph buffers, workspaces, rounding" },
	{ LEVEL_RESERVED, "cached", "kept by the allocator for reuse" },
	{ LEVEL_PROCESS, "outside",
	  "the process's own beside the allocator: context, kernels, libraries" },
	{ LEVEL_DEVICE, "others", "other processes and the driver" },
};
enum { PROCESS_SHELL = 3, SHELLS = sizeof(shells) / sizeof(*shells) };

/* Joint names of the parts from the first level that is not known to the one that is. */
static const char *const joint[SHELLS][SHELLS] = {
	[1] = { [2] = "hidden + cached",
		[3] = "hidden + cached + outside",
		[4] = "hidden + cached + outside + others" },
	[2] = { [3] = "cached + outside", [4] = "cached + outside + others" },
	[3] = { [4] = "outside + others" },
};

static const char joint_meaning[] = "what this log does not tell apart is one sum";

static void add_shell(struct ledger *out, size_t first, size_t shell, int64_t bytes,
		      int64_t tolerance)
{
	struct ledger_part part = { shells[shell].part, bytes, tolerance, LEDGER_INFERRED,
				    shells[shell].meaning };

	if (shell == 0)
		part.how = LEDGER_MEASURED;
	if (first < shell) {
		part.part = joint[first][shell];
		part.meaning = joint_meaning;
	}
	if (bytes < 0 && shells[shell].level == LEVEL_ALLOCATED) {
		part.part = "views";
		part.how = LEDGER_BOUNDED;
		part.meaning = "counted twice: the tracker counts each view of a storage, the "
			       "allocator the storage";
	}
	add(out, part);
}

/* What other processes hold of the device, as far as the log lists them. */
static bool others_at(const struct timeline *t, size_t point, struct sum *out)
{
	bool found = false;

	*out = (struct sum){ 0, 0 };
	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];
		struct sum one;

		if (!s->is_process || s->own || !has(&s->used, point) ||
		    (t->own_device >= 0 && s->device != t->own_device))
			continue;
		one = series_at(t, &s->used, point);
		out->bytes += one.bytes;
		out->tolerance += one.tolerance;
		found = true;
	}
	return found;
}

/* Drivers hold up to a quarter of a gigabyte of a card that no process accounts for. */
static const int64_t most_of_driver = 300 * MIB;

static void add_driver(struct ledger *out, int64_t bytes, int64_t tolerance)
{
	bool explained = bytes <= most_of_driver + tolerance && bytes >= -tolerance;

	if (bytes)
		add(out, (struct ledger_part){ explained ? "driver" : "residual", bytes, tolerance,
					       LEDGER_INFERRED,
					       explained ? "on the device beside all processes"
							 : "what no process accounts for" });
}

static bool lists_own(const struct timeline *t)
{
	for (size_t i = 0; i < t->subjects; i++)
		if (t->subject[i].own)
			return true;
	return false;
}

/* Between the process and the device: other processes, what the driver keeps, what is left. */
static bool add_others(struct ledger *out, const struct timeline *t, int64_t bytes,
		       int64_t tolerance)
{
	struct sum others;

	if (!others_at(t, out->point, &others) && !lists_own(t))
		return false;
	if (others.bytes)
		add(out, (struct ledger_part){ "others", others.bytes, others.tolerance,
					       LEDGER_MEASURED, "other processes on the device" });
	bytes -= others.bytes;
	tolerance += others.tolerance;
	if (quantity_known(t->driver_reserved) && t->driver_in_device) {
		add(out, (struct ledger_part){ "driver-reserved", t->driver_reserved, MIB,
					       LEDGER_MEASURED,
					       "kept by the driver; the report's total counts it, "
					       "nvidia-smi's used does not" });
		bytes -= t->driver_reserved;
	}
	add_driver(out, bytes, tolerance);
	return true;
}

/*
 * What a process of this run, or of another on such a card, began with is an upper bound of its
 * context; what is beyond it is cached or hidden.
 */
static bool find_context(const struct timeline *t, struct sum *out, const char **meaning)
{
	struct context_size own;
	bool found = context_measure(&own, t);

	*out = (struct sum){ own.bytes, own.tolerance };
	*meaning = "CUDA context, kernels, libraries: at most, by what the process began with";
	if (!t->learned.run || (found && own.bytes <= t->learned.bytes))
		return found;
	*out = (struct sum){ t->learned.bytes, t->learned.tolerance };
	*meaning = "CUDA context, kernels, libraries: at most, by what a process began with in "
		   "another run on such a card";
	return true;
}

/* Takes the context out of a sum of the process's parts; `first` is the innermost one in it. */
static bool add_context(struct ledger *out, const struct timeline *t, size_t first, int64_t bytes,
			int64_t tolerance)
{
	struct sum context;
	const char *meaning;

	/* Where all else is told apart, what is outside the allocator is the context. */
	if (first == PROCESS_SHELL || !find_context(t, &context, &meaning) || context.bytes > bytes)
		return false;
	if (bytes > context.bytes)
		add_shell(out, first, PROCESS_SHELL - 1, bytes - context.bytes,
			  tolerance + context.tolerance);
	add(out, (struct ledger_part){ "context", context.bytes, context.tolerance, LEDGER_BOUNDED,
				       meaning });
	return true;
}

static bool is_known(const struct timeline *t, size_t shell, size_t point)
{
	return has(&t->level[shells[shell].level], point);
}

static void add_shells(struct ledger *out, const struct timeline *t)
{
	struct sum inside = { 0, 0 };
	size_t first = 1, top = SHELLS - 1;

	while (!is_known(t, top, out->point))
		top--;
	out->total_name = level_names[shells[top].level];
	out->total = t->level[shells[top].level].value[out->point];
	for (size_t i = 0; i <= top; i++) {
		struct sum now;
		int64_t bytes, tolerance;

		if (!is_known(t, i, out->point))
			continue;
		now = sum_at(t, shells[i].level, out->point);
		bytes = now.bytes - inside.bytes;
		tolerance = now.tolerance + inside.tolerance;
		inside = now;
		if (i == SHELLS - 1 && first == i && add_others(out, t, bytes, tolerance))
			break;
		if (i == SHELLS - 1 && first == 1 && add_history(out, t))
			break;
		if (i != PROCESS_SHELL || !add_context(out, t, first, bytes, tolerance))
			add_shell(out, i ? first : 0, i, bytes, tolerance);
		first = i + 1;
	}
}

bool overhead_peak(const struct timeline *t, bool last, size_t *point)
{
	const struct series *total = overhead_total(t);
	int64_t best = QUANTITY_UNKNOWN;

	for (size_t i = 0; total && i < t->points; i++) {
		if (!has(total, i) || series_peak(total, i) < best ||
		    (series_peak(total, i) == best && !last))
			continue;
		*point = i;
		best = series_peak(total, i);
	}
	return quantity_known(best);
}

bool overhead_ledger_at(const struct timeline *t, size_t point, struct ledger *out)
{
	const struct series *total = overhead_total(t);

	if (!total || point >= t->points || !has(total, point))
		return false;
	*out = (struct ledger){ .point = point };
	add_shells(out, t);
	return true;
}

static int by_used(const void *a, const void *b)
{
	const struct ledger_part *x = a, *y = b;

	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

bool overhead_device_ledger(const struct timeline *t, const struct subject *device,
			    struct arena *arena, struct ledger *out)
{
	int64_t left, tolerance = 0;
	bool found = false;

	*out = (struct ledger){ .total_name = level_names[LEVEL_DEVICE], .total = INT64_MIN };
	for (size_t i = 0; i < t->points; i++) {
		if (!has(&device->used, i) || device->used.value[i] < out->total)
			continue;
		out->point = i;
		out->total = device->used.value[i];
		found = true;
	}
	left = out->total;
	for (size_t i = 0; i < t->subjects && out->parts < LEDGER_PARTS - 2 && found; i++) {
		const struct subject *s = &t->subject[i];
		struct sum sum;

		if (!s->is_process || s->device != device->device || !has(&s->used, out->point))
			continue;
		sum = series_at(t, &s->used, out->point);
		left -= sum.bytes;
		tolerance += sum.tolerance;
		add(out, (struct ledger_part){
				 arena_printf(arena, "process %lld", (long long)s->pid), sum.bytes,
				 sum.tolerance, LEDGER_MEASURED,
				 s->process ? arena_text(arena, span_of(s->process)) : "" });
	}
	qsort(out->part, out->parts, sizeof(*out->part), by_used);
	if (found)
		add_driver(out, left,
			   tolerance + series_at(t, &device->used, out->point).tolerance);
	return found;
}

bool overhead_ledger(const struct timeline *t, struct ledger *out)
{
	size_t point = 0;

	return overhead_peak(t, false, &point) && overhead_ledger_at(t, point, out);
}
