#include "analysis/overhead.h"

static bool has(const struct series *s, size_t i)
{
	return s->value && quantity_known(s->value[i]);
}

const struct series *overhead_total(const struct timeline *t)
{
	static const enum level order[] = { LEVEL_DEVICE, LEVEL_PROCESS, LEVEL_RESERVED,
					    LEVEL_ALLOCATED };

	const struct series *joined = NULL;

	/* What stands in the same report as the tensors is compared with them, point by point. */
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const struct series *s = &t->level[order[i]];

		if (!s->value || s->percent)
			continue;
		if (!s->joined)
			return s;
		joined = joined ? joined : s;
	}
	return joined;
}

bool overhead_is_device(const struct timeline *t)
{
	return overhead_total(t) == &t->level[LEVEL_DEVICE];
}

int64_t overhead_visible(const struct timeline *t, size_t i)
{
	return has(&t->level[LEVEL_VISIBLE], i) ? t->level[LEVEL_VISIBLE].value[i] : 0;
}

static bool find_from(const struct timeline *t, size_t from, size_t *point)
{
	const struct series *total = overhead_total(t);

	for (size_t i = from; total && i < t->points; i++) {
		if (!has(total, i))
			continue;
		*point = i;
		return true;
	}
	return false;
}

bool overhead_first(const struct timeline *t, size_t *point)
{
	return find_from(t, 0, point);
}

/* What the rows below look at. */
struct look {
	int64_t total, visible, unexplained, tolerance;
	int64_t others; /* change of the other processes on the device, where a joined log lists
			   them */
	bool device;    /* the total is the whole device's */
	bool first;     /* no tensor was visible before */
};

/* A context is hundreds of megabytes on any card since Pascal; libraries' workspaces are not. */
static const int64_t smallest_context = 64 * MIB;
/* The allocator takes small blocks from 2 MiB and larger ones from 20 MiB. */
static const int64_t largest_rounding = 32 * MIB;

static bool fits_tensors(const struct look *l)
{
	return l->unexplained <= l->tolerance && l->unexplained >= -l->tolerance;
}

static bool is_quiet(const struct look *l)
{
	return fits_tensors(l) && l->visible == 0;
}

static bool is_first_use(const struct look *l)
{
	return l->device && l->first && l->unexplained > smallest_context;
}

static bool is_kept(const struct look *l)
{
	return l->device && l->visible < -l->tolerance && l->unexplained > l->tolerance;
}

static bool is_returned(const struct look *l)
{
	return l->device && l->total < -l->tolerance && l->unexplained < -l->tolerance;
}

static bool is_reused(const struct look *l)
{
	return l->device && l->visible > 0 && l->unexplained < -l->tolerance;
}

static bool is_views(const struct look *l)
{
	return !l->device && l->visible > 0 && l->unexplained < -l->tolerance;
}

static bool is_any(const struct look *l)
{
	(void)l;
	return true;
}

static const struct {
	bool (*fits)(const struct look *look);
	enum overhead_kind kind;
} kinds[] = {
	{ is_quiet, OVERHEAD_QUIET },         { fits_tensors, OVERHEAD_TENSORS },
	{ is_first_use, OVERHEAD_FIRST_USE }, { is_kept, OVERHEAD_KEPT },
	{ is_returned, OVERHEAD_RETURNED },   { is_reused, OVERHEAD_REUSED },
	{ is_views, OVERHEAD_VIEWS },         { is_any, OVERHEAD_OTHER },
};

static bool small_rise(const struct look *l)
{
	return l->unexplained > 0 && l->unexplained <= largest_rounding;
}

static bool large_rise(const struct look *l)
{
	return l->unexplained > largest_rounding;
}

/* Most of a rise is what other processes took. */
static bool others_rise(const struct look *l)
{
	return l->unexplained > 0 && l->others > l->unexplained / 2;
}

/* A large rise of the device without a tensor: whatever it is, it need not be this run's. */
static bool rise_without_tensors(const struct look *l)
{
	return l->device && l->visible == 0 && l->unexplained > largest_rounding;
}

static bool device_rise(const struct look *l)
{
	return l->device && l->unexplained > 0;
}

static bool inside_rise(const struct look *l)
{
	return !l->device && l->unexplained > 0;
}

static bool device_fall(const struct look *l)
{
	return l->device && l->unexplained < 0;
}

static bool inside_fall(const struct look *l)
{
	return !l->device && l->unexplained < 0;
}

/*
 * Likeliest first, within each kind.  `also` NULL: every interval of the kind.  The order for rises
 * is that of how often each is met at such a size.
 */
static const struct {
	enum overhead_kind kind;
	bool (*also)(const struct look *look);
	const char *text;
} reasons[] = {
	{ OVERHEAD_QUIET, NULL, "nothing changed" },
	{ OVERHEAD_TENSORS, NULL, "the tensors explain it" },
	{ OVERHEAD_FIRST_USE, NULL,
	  "first use of the device: CUDA context, kernels and libraries load once, whatever the "
	  "tensors" },
	{ OVERHEAD_FIRST_USE, NULL, "workspaces of cuDNN and cuBLAS, where an operation has run" },
	{ OVERHEAD_FIRST_USE, NULL, "the caching allocator's rounding to blocks of 2 and 20 MiB" },
	{ OVERHEAD_FIRST_USE, NULL, "another process that started on the device meanwhile" },
	{ OVERHEAD_KEPT, NULL,
	  "tensors were freed, but the caching allocator keeps their blocks: cached, not leaked; "
	  "torch.cuda.empty_cache() gives them back" },
	{ OVERHEAD_KEPT, NULL, "another process took as much at the same time" },
	{ OVERHEAD_RETURNED, NULL,
	  "memory went back to the driver: the allocator's cache was emptied" },
	{ OVERHEAD_RETURNED, NULL, "another process freed memory, or ended" },
	{ OVERHEAD_REUSED, NULL,
	  "new tensors took blocks that the caching allocator held already" },
	{ OVERHEAD_REUSED, NULL, "another process freed memory meanwhile" },
	{ OVERHEAD_VIEWS, NULL,
	  "views of one storage are counted each by the tracker: the tensors add up to more than "
	  "is allocated" },
	{ OVERHEAD_VIEWS, NULL, "buffers that Python does not see were freed" },
	{ OVERHEAD_OTHER, others_rise, "other processes on the device took most of it" },
	{ OVERHEAD_OTHER, rise_without_tensors,
	  "another process on the device grew, or memory that Python does not see: no tensor "
	  "came" },
	{ OVERHEAD_OTHER, small_rise,
	  "the allocator's rounding: tensors to 512 bytes, its blocks to 2 and 20 MiB" },
	{ OVERHEAD_OTHER, large_rise,
	  "tensors that the autograd graph keeps for the backward pass, which Python does not "
	  "see" },
	{ OVERHEAD_OTHER, device_rise,
	  "what ran in between and is cached now: temporary tensors, workspaces of cuDNN and "
	  "cuBLAS" },
	{ OVERHEAD_OTHER, inside_rise, "workspaces of cuBLAS, which PyTorch keeps a stream" },
	{ OVERHEAD_OTHER, small_rise,
	  "tensors that the autograd graph keeps for the backward pass, which Python does not "
	  "see" },
	{ OVERHEAD_OTHER, device_rise,
	  "kernels and libraries that load at their first use, or another process on the device" },
	{ OVERHEAD_OTHER, device_fall, "another process freed memory, or a cache was emptied" },
	{ OVERHEAD_OTHER, inside_fall,
	  "buffers of the autograd graph or workspaces were freed, which Python does not see" },
};

static void explain(struct overhead_interval *out, const struct look *look)
{
	size_t k = 0;

	while (!kinds[k].fits(look))
		k++;
	out->kind = kinds[k].kind;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].kind == out->kind && (!reasons[i].also || reasons[i].also(look)) &&
		    out->reasons < OVERHEAD_REASONS)
			out->reason[out->reasons++] = reasons[i].text;
	out->why = out->reason[0];
}

static int64_t others_change(const struct timeline *t, size_t from, size_t to)
{
	int64_t change = 0;

	for (size_t i = 0; i < t->subjects; i++) {
		const struct subject *s = &t->subject[i];

		if (s->is_process && !s->own && s->used.joined && !s->used.percent &&
		    s->device == t->own_device && has(&s->used, from) && has(&s->used, to))
			change += s->used.value[to] - s->used.value[from];
	}
	return change;
}

bool overhead_between(const struct timeline *t, size_t from, size_t to,
		      struct overhead_interval *out)
{
	const struct series *total = overhead_total(t);
	const struct series *visible = &t->level[LEVEL_VISIBLE];
	struct look look;

	if (!total || from >= t->points || to >= t->points || !has(total, from) || !has(total, to))
		return false;
	*out = (struct overhead_interval){
		.from = from,
		.to = to,
		.total_change = total->value[to] - total->value[from],
		.visible_change = overhead_visible(t, to) - overhead_visible(t, from),
		/* Both ends are rounded to half a step. */
		.tolerance = total->quantum +
			     (visible->value && visible->quantum > 1 ? visible->quantum : 0),
	};
	out->unexplained_change = out->total_change - out->visible_change;
	look = (struct look){
		.total = out->total_change,
		.visible = out->visible_change,
		.unexplained = out->unexplained_change,
		.tolerance = out->tolerance,
		.others = others_change(t, from, to),
		.device = overhead_is_device(t),
		.first = overhead_visible(t, from) == 0,
	};
	explain(out, &look);
	return true;
}

bool overhead_next(const struct timeline *t, size_t from, struct overhead_interval *out)
{
	size_t to;

	return find_from(t, from + 1, &to) && overhead_between(t, from, to, out);
}
