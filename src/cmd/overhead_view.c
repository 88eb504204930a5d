#include "cmd/overhead_view.h"

#include <string.h>

#include "cmd/common.h"

static const char *place(struct arena *arena, const struct timeline *t, size_t point)
{
	return site_text(arena, timeline_site(t, point));
}

void overhead_interval_doc(struct doc *intervals, const struct timeline *t,
			   const struct overhead_interval *in)
{
	struct doc *doc = doc_add(intervals, doc_object(intervals->arena)), *reasons;

	doc_set(doc, "from", site_doc(intervals->arena, timeline_site(t, in->from)));
	doc_set(doc, "to", site_doc(intervals->arena, timeline_site(t, in->to)));
	doc_set_int(doc, "from_log_line", t->line[in->from]);
	doc_set_int(doc, "to_log_line", t->line[in->to]);
	doc_set_int(doc, "total_change", in->total_change);
	doc_set_int(doc, "visible_change", in->visible_change);
	doc_set_int(doc, "unexplained_change", in->unexplained_change);
	doc_set_int(doc, "tolerance", in->tolerance);
	doc_set_text(doc, "why", in->why);
	reasons = doc_set(doc, "reasons", doc_array(intervals->arena));
	for (size_t i = 0; i < in->reasons; i++)
		doc_add_text(reasons, in->reason[i]);
}

void overhead_interval_row(struct table *table, const struct timeline *t,
			   const struct overhead_interval *in)
{
	table_row(table);
	cell_text(table, t->name);
	cell_text(table, place(table->arena, t, in->from));
	cell_text(table, place(table->arena, t, in->to));
	cell_int(table, in->total_change);
	cell_int(table, in->visible_change);
	cell_int(table, in->unexplained_change);
	cell_int(table, in->tolerance);
	cell_text(table, in->why);
}

static bool is_explained(const struct overhead_interval *in)
{
	return in->kind == OVERHEAD_QUIET || in->kind == OVERHEAD_TENSORS;
}

void overhead_interval_text(struct view *view, const struct timeline *t,
			    const struct overhead_interval *in, size_t times, bool ranked)
{
	char total[SIZE_TEXT], visible[SIZE_TEXT], unexplained[SIZE_TEXT], tolerance[SIZE_TEXT];
	struct block *block = view_paragraph(view, 2);

	block->hang = 4;
	view_text(view, TONE_STRONG, "%s → %s", place(&view->arena, t, in->from),
		  place(&view->arena, t, in->to));
	if (times > 1)
		view_text(view, TONE_PLAIN, "  %s, together",
			  plural(&view->arena, (int64_t)times, "time"));
	view_text(view, TONE_PLAIN, "  total %s = tensors %s, unexplained ",
		  size_format_change(total, in->total_change, view->units),
		  size_format_change(visible, in->visible_change, view->units));
	view_text(view, is_explained(in) ? TONE_PLAIN : TONE_WARN, "%s",
		  size_format_change(unexplained, in->unexplained_change, view->units));
	view_text(view, TONE_DIM, " (± %s)", size_format(tolerance, in->tolerance, view->units));
	for (size_t i = 0; i < in->reasons && (i == 0 || ranked); i++) {
		block = view_paragraph(view, 6);
		block->tight = true;
		block->hang = 2;
		view_text(view, TONE_PLAIN, "%s%s",
			  !ranked || in->reasons == 1 ? ""
			  : i == 0                    ? "likeliest: "
						      : "or: ",
			  in->reason[i]);
	}
}

/* How a total is called in a sentence, by the level's name. */
static const char *where_total(const char *level)
{
	static const struct {
		const char *level, *words;
	} words[] = { { "device", "used on the device" },
		      { "process", "held by the process" },
		      { "reserved", "reserved by the allocator" },
		      { "allocated", "allocated" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].level, level))
			return words[i].words;
	return level;
}

void overhead_headline(struct view *view, const struct timeline *t, const struct ledger *ledger,
		       bool peak)
{
	char size[SIZE_TEXT];

	view_paragraph(view, 0)->hang = 2;
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN,
		  "  %s %s %s, %s:", size_format(size, ledger->total, view->units),
		  where_total(ledger->total_name),
		  peak ? "at the peak"
		       : arena_printf(&view->arena, "at point %zu", ledger->point + 1),
		  place(&view->arena, t, ledger->point));
	for (size_t i = 0; i < ledger->parts; i++)
		view_text(view, TONE_PLAIN, "%s %s %s", i ? "," : "",
			  size_format(size, ledger->part[i].bytes, view->units),
			  ledger->part[i].part);
}

void overhead_ledger_doc(struct doc *run, const struct ledger *ledger)
{
	struct doc *parts = doc_set(run, "ledger", doc_array(run->arena));

	for (size_t i = 0; i < ledger->parts; i++) {
		const struct ledger_part *p = &ledger->part[i];
		struct doc *doc = doc_add(parts, doc_object(parts->arena));

		doc_set_text(doc, "part", p->part);
		doc_set_int(doc, "bytes", p->bytes);
		doc_set_text(doc, "how", ledger_how_names[p->how]);
		doc_set_int(doc, "tolerance", p->tolerance);
		doc_set_text(doc, "meaning", p->meaning);
	}
}

void overhead_ledger_rows(struct table *table, const struct timeline *t,
			  const struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->parts; i++) {
		const struct ledger_part *p = &ledger->part[i];

		table_row(table);
		cell_text(table, t->name);
		cell_text(table, p->part);
		cell_int(table, p->bytes);
		cell_int(table, p->tolerance);
		cell_text(table, ledger_how_names[p->how]);
		cell_text(table, p->meaning);
	}
}

static void add_part(struct table *table, const struct ledger_part *p, enum size_style units)
{
	char tolerance[SIZE_TEXT];

	table_row(table);
	cell_text(table, p->part);
	cell_int(table, p->bytes);
	cell_text(table, p->tolerance ? arena_printf(table->arena, "± %s",
						     size_format(tolerance, p->tolerance, units))
				      : "exact");
	cell_text(table, ledger_how_names[p->how]);
}

void overhead_ledger_text(struct view *view, const struct ledger *ledger)
{
	struct table *table = view_table(view, "ledger");

	table->indent = 4;
	table_column(table, "part", CELL_TEXT);
	table_column(table, "size", CELL_BYTES);
	table_column(table, "known to", CELL_TEXT);
	table_column(table, "how", CELL_TEXT);
	for (size_t i = 0; i < ledger->parts; i++)
		add_part(table, &ledger->part[i], view->units);
	table_row(table);
	cell_text(table, arena_printf(table->arena, "= %s", ledger->total_name));
	cell_int(table, ledger->total);
	cell_null(table);
	cell_null(table);
	for (size_t i = 0; i < ledger->parts; i++) {
		struct block *block = view_paragraph(view, 4);

		block->tight = i > 0;
		block->hang = 2;
		view_text(view, TONE_DIM, "%s: %s", ledger->part[i].part, ledger->part[i].meaning);
	}
}

void overhead_device_text(struct view *view, const struct timeline *t, const struct subject *device,
			  const struct ledger *ledger)
{
	char size[SIZE_TEXT], part[SIZE_TEXT];
	bool first = true;

	view_paragraph(view, 0)->hang = 2;
	view_text(view, TONE_STRONG, "%s", t->name);
	view_text(view, TONE_PLAIN, "  %s used on device %lld at its peak, log line %lld",
		  size_format(size, ledger->total, view->units), (long long)device->device,
		  (long long)t->line[ledger->point]);
	for (size_t i = 0; i < ledger->parts; i++) {
		view_text(view, TONE_PLAIN, "%s %s %s", first ? ":" : ",",
			  size_format(part, ledger->part[i].bytes, view->units),
			  ledger->part[i].part);
		first = false;
	}
	overhead_ledger_text(view, ledger);
}

void overhead_roles_doc(struct doc *run, const struct roles *roles)
{
	struct doc *list = doc_set(run, "visible_by_role", doc_array(run->arena));

	for (int r = 0; r < ROLES; r++) {
		struct doc *doc;

		if (!roles->role[r].tensors)
			continue;
		doc = doc_add(list, doc_object(list->arena));
		doc_set_text(doc, "role", role_names[r]);
		doc_set_int(doc, "bytes", roles->role[r].bytes);
		doc_set_int(doc, "tensors", roles->role[r].tensors);
		doc_set_text(doc, "how", "guessed");
	}
}

void overhead_roles_text(struct view *view, const struct roles *roles)
{
	static const char *const words[ROLES] = {
		[ROLE_PARAMETERS] = "parameters",     [ROLE_GRADIENTS] = "gradients",
		[ROLE_OPTIMIZER] = "optimizer state", [ROLE_ACTIVATIONS] = "activations and inputs",
		[ROLE_SCALARS] = "scalars",           [ROLE_OTHER] = "others",
	};
	bool first = true;
	char size[SIZE_TEXT];

	for (int r = 0; r < ROLES; r++) {
		if (!roles->role[r].tensors)
			continue;
		if (first)
			view_paragraph(view, 2)->hang = 2;
		view_text(view, TONE_PLAIN, "%s ",
			  first ? "Of the tensors, by a guess from shapes and counts:" : ",");
		view_text(view, TONE_STRONG, "%s", words[r]);
		view_text(view, TONE_PLAIN, " %s (%s%s)",
			  size_format(size, roles->role[r].bytes, view->units),
			  plural(&view->arena, roles->role[r].tensors, "tensor"),
			  r == ROLE_ACTIVATIONS
				  ? arena_printf(&view->arena, " of first dimension %lld",
						 (long long)roles->batch)
				  : "");
		first = false;
	}
	if (!first)
		view_text(view, TONE_PLAIN, ".");
}

/* The largest interval in which tensors went and the total stayed. */
static bool find_kept(const struct timeline *t, struct overhead_interval *kept,
		      struct overhead_interval *returned)
{
	struct overhead_interval in;
	bool found = false;
	size_t point;

	*returned = (struct overhead_interval){ .to = 0 };
	if (!overhead_first(t, &point))
		return false;
	while (overhead_next(t, point, &in)) {
		point = in.to;
		if (in.kind == OVERHEAD_KEPT &&
		    (!found || in.unexplained_change > kept->unexplained_change)) {
			*kept = in;
			*returned = (struct overhead_interval){ .to = 0 };
			found = true;
		} else if (found && in.kind == OVERHEAD_RETURNED && !returned->to) {
			*returned = in;
		}
	}
	return found;
}

void overhead_cache_text(struct view *view, struct doc *run, const struct timeline *t)
{
	struct overhead_interval kept, returned;
	char size[SIZE_TEXT], back[SIZE_TEXT];
	struct doc *doc;

	if (!find_kept(t, &kept, &returned)) {
		doc_set_null(run, "cache");
		return;
	}
	doc = doc_set(run, "cache", doc_object(run->arena));
	doc_set_int(doc, "kept", kept.unexplained_change);
	doc_set(doc, "kept_at", site_doc(run->arena, timeline_site(t, kept.to)));
	doc_set_int(doc, "returned", returned.to ? -returned.unexplained_change : QUANTITY_UNKNOWN);
	doc_set(doc, "returned_at",
		site_doc(run->arena, returned.to ? timeline_site(t, returned.to) : NULL));
	view_paragraph(view, 2)->hang = 2;
	size_format(size, kept.unexplained_change, view->units);
	view_text(view, TONE_STRONG, "%s", returned.to ? "cache, not a leak  " : "");
	view_text(view, TONE_PLAIN, "When tensors were freed before %s, %s stayed on the device",
		  place(&view->arena, t, kept.to), size);
	if (returned.to)
		view_text(
			view, TONE_PLAIN,
			"; %s went before %s, when the allocator gave its cache back. Memory that "
			"goes with the cache was never lost.",
			size_format(back, -returned.unexplained_change, view->units),
			place(&view->arena, t, returned.to));
	else
		view_text(view, TONE_PLAIN,
			  ": the allocator keeps freed blocks for reuse. To be sure that it is "
			  "cache, call torch.cuda.empty_cache() there and track() again.");
}

static void add_case(struct doc *list, const struct first_tensors *f)
{
	struct doc *doc = doc_add(list, doc_object(list->arena));

	doc_set_text(doc, "run", f->run);
	doc_set_int(doc, "visible_change", f->in.visible_change);
	doc_set_int(doc, "unexplained_change", f->in.unexplained_change);
}

static void tell_case(struct view *view, const struct first_tensors *f, const char *intro)
{
	char visible[SIZE_TEXT], unexplained[SIZE_TEXT];
	struct block *block = view_paragraph(view, 2);

	block->hang = 2;
	block->tight = true;
	view_text(view, TONE_STRONG, "%s", f->run);
	view_text(view, TONE_PLAIN, ": %s: tensors %s, and %s that none explains", intro,
		  size_format_change(visible, f->in.visible_change, view->units),
		  size_format_change(unexplained, f->in.unexplained_change, view->units));
}

void overhead_argument(struct view *view, struct doc *root, const struct first_use *use)
{
	char low[SIZE_TEXT], high[SIZE_TEXT], start[SIZE_TEXT];
	struct doc *doc = doc_set(root, "first_use", doc_object(root->arena)), *cases;
	const char *verdict;

	size_format(low, use->low, view->units);
	size_format(high, use->high, view->units);
	verdict = arena_printf(
		&view->arena,
		"It is the first use of the device, not %s: CUDA context, kernels and libraries "
		"take %s%s%s here, whatever the tensors, once a process.",
		use->jump ? "the tensors of the first run" : "the tensors", low,
		use->jumps > 1 ? " to " : "", use->jumps > 1 ? high : "");
	doc_set_int(doc, "low", use->low);
	doc_set_int(doc, "high", use->high);
	cases = doc_set(doc, "cases", doc_array(doc->arena));
	if (use->jump)
		add_case(cases, use->jump);
	add_case(cases, use->later);
	add_case(cases, use->alone);
	doc_set_text(doc, "why", verdict);
	view_paragraph(view, 0);
	view_text(view, TONE_STRONG, "The runs together");
	if (use->jump)
		tell_case(view, use->jump, "the first tensors on the device");
	tell_case(view, use->later,
		  use->jump ? arena_printf(&view->arena, "goes on where %s ended, at %s",
					   use->jump->run,
					   size_format(start, use->later->before, view->units))
			    : "something had used the device before");
	tell_case(view, use->alone, "the same bytes of tensors, but first on the device");
	view_paragraph(view, 2)->hang = 2;
	view_text(view, TONE_PLAIN, "%s", verdict);
}
