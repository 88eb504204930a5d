#include "analysis/overhead.h"

const char *const ledger_how_names[LEDGER_HOWS] = {
	[LEDGER_MEASURED] = "measured",
	[LEDGER_INFERRED] = "inferred",
	[LEDGER_BOUNDED] = "bounded",
};

static bool has(const struct series *s, size_t i)
{
	return s->value && quantity_known(s->value[i]);
}

static const struct series *level(const struct timeline *t, enum level which)
{
	const struct series *s = &t->level[which];

	return s->value && !s->percent ? s : NULL;
}

const struct series *overhead_total(const struct timeline *t)
{
	static const enum level order[] = { LEVEL_DEVICE, LEVEL_PROCESS, LEVEL_RESERVED,
					    LEVEL_ALLOCATED };

	/* What stands in the same report as the tensors is compared with them, point by point. */
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (level(t, order[i]))
			return level(t, order[i]);
	return NULL;
}

/* An old report prints no tensor row before the first tensor: then none is visible. */
static int64_t visible_at(const struct timeline *t, size_t i)
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

/* What an interval looks like; the first row of the table that fits explains it. */
struct look {
	int64_t total, visible, unexplained, tolerance;
	bool device; /* the total is the whole device's */
	bool first;  /* no tensor was visible before */
};

static bool fits_tensors(const struct look *l)
{
	return l->unexplained <= l->tolerance && l->unexplained >= -l->tolerance;
}

static bool nothing_moves(const struct look *l)
{
	return fits_tensors(l) && l->visible == 0;
}

static bool first_use(const struct look *l)
{
	return l->device && l->first && l->unexplained > 64 * MIB;
}

static bool freed_but_kept(const struct look *l)
{
	return l->device && l->visible < -l->tolerance && l->total > l->visible + l->tolerance;
}

static bool given_back(const struct look *l)
{
	return l->device && l->total < -l->tolerance && l->visible >= -l->tolerance;
}

static bool from_cache(const struct look *l)
{
	return l->visible > 0 && l->unexplained < -l->tolerance;
}

static bool large_device(const struct look *l)
{
	return l->device && l->unexplained > 0;
}

static bool views(const struct look *l)
{
	return !l->device && l->unexplained < 0;
}

static bool anything(const struct look *l)
{
	(void)l;
	return true;
}

static const struct {
	bool (*fits)(const struct look *look);
	const char *why;
} reasons[] = {
	{ nothing_moves, "nothing changed" },
	{ fits_tensors, "the tensors explain it" },
	{ first_use,
	  "first use of the device: CUDA context, kernels and libraries load once, whatever the "
	  "tensors; then workspaces and the allocator's rounding" },
	{ freed_but_kept,
	  "tensors were freed, but the caching allocator keeps their blocks: cached, not "
	  "leaked; torch.cuda.empty_cache() gives them back" },
	{ given_back,
	  "memory went back to the driver: the allocator's cache was emptied, or another "
	  "process freed some" },
	{ from_cache, "new tensors took blocks that the caching allocator held already" },
	{ large_device,
	  "workspaces (cuDNN, cuBLAS), blocks the allocator keeps for reuse, buffers of the "
	  "autograd graph, or another process on the device" },
	{ views, "views of one storage are counted each by the tracker, or buffers were freed" },
	{ anything,
	  "buffers that Python does not see: tensors saved by the autograd graph, workspaces, the "
	  "allocator's rounding to 512 bytes" },
};

bool overhead_next(const struct timeline *t, size_t from, struct overhead_interval *out)
{
	const struct series *total = overhead_total(t);
	const struct series *visible = &t->level[LEVEL_VISIBLE];
	struct look look;
	size_t to;

	if (!find_from(t, from + 1, &to))
		return false;
	*out = (struct overhead_interval){
		.from = from,
		.to = to,
		.total_change = total->value[to] - total->value[from],
		.visible_change = visible_at(t, to) - visible_at(t, from),
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
		.device = total == &t->level[LEVEL_DEVICE],
		.first = visible_at(t, from) == 0,
	};
	for (size_t i = 0; !out->why; i++)
		if (reasons[i].fits(&look))
			out->why = reasons[i].why;
	return true;
}

/* Levels from the inside out; each adds the part between it and the one inside. */
static const struct {
	enum level level;
	const char *part, *joint, *meaning;
} shells[] = {
	{ LEVEL_VISIBLE, "visible", "visible", "tensors that Python sees" },
	{ LEVEL_ALLOCATED, "hidden", "hidden",
	  "allocated for what Python does not see: graph buffers, workspaces, rounding" },
	{ LEVEL_RESERVED, "cached", "hidden + cached", "kept by the allocator for reuse" },
	{ LEVEL_PROCESS, "outside", "hidden + cached + outside",
	  "the process's own beside the allocator: context, kernels, libraries" },
	{ LEVEL_DEVICE, "others", "hidden + cached + outside + others",
	  "other processes and the driver; what this log does not tell apart is one sum" },
};

static size_t peak_point(const struct timeline *t, const struct series *total)
{
	size_t best = 0;
	bool found = false;

	for (size_t i = 0; i < t->points; i++) {
		if (!has(total, i) || (found && series_peak(total, i) <= series_peak(total, best)))
			continue;
		best = i;
		found = true;
	}
	return best;
}

bool overhead_ledger(const struct timeline *t, struct ledger *out)
{
	const struct series *total = overhead_total(t);
	int64_t inside = 0, quantum = 0;
	size_t skipped = 0;

	if (!total)
		return false;
	*out = (struct ledger){ .point = peak_point(t, total) };
	out->total = total->value[out->point];
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		const struct series *s = level(t, shells[i].level);
		bool exact_visible = shells[i].level == LEVEL_VISIBLE && s && s->quantum == 1;

		if (!s || !has(s, out->point)) {
			skipped += i > 0;
			continue;
		}
		out->part[out->parts++] = (struct ledger_part){
			.part = skipped ? shells[i].joint : shells[i].part,
			.bytes = s->value[out->point] - inside,
			.tolerance = exact_visible ? 0 : (s->quantum + 1) / 2 + quantum,
			.how = i == 0 ? LEDGER_MEASURED : LEDGER_INFERRED,
			.meaning = shells[i].meaning,
		};
		inside = s->value[out->point];
		quantum = exact_visible ? 0 : (s->quantum + 1) / 2;
		skipped = 0;
		out->total_name = level_names[shells[i].level];
		if (s == total)
			break;
	}
	return true;
}
