#include "cmd/plot_kind.h"

#include <string.h>

#include "base/error.h"

/* From the special to the general: the first that suits is drawn. */
const struct plot_kind plot_kinds[] = {
	{ "compare", "several runs over each other", true, plot_compare_suits, plot_compare },
	{ "devices", "each GPU with its processes", false, plot_devices_suits, plot_devices },
	{ "growth", "what grows, its fit and when the card is full", false, plot_growth_suits,
	  plot_growth },
	{ "tensors", "the tensor rows that grow", false, plot_tensors_suits, plot_tensors },
	{ "timeline", "where the bytes are, point by point", false, plot_timeline_suits,
	  plot_timeline },
	{ 0 },
};

const char *plot_kind_names(struct arena *arena)
{
	const char *names = plot_kinds[0].name;

	for (const struct plot_kind *k = plot_kinds + 1; k->name; k++)
		names = arena_printf(arena, "%s, %s", names, k->name);
	return names;
}

const struct plot_kind *plot_kind_find(const char *name, const struct plot_input *in)
{
	for (const struct plot_kind *k = plot_kinds; k->name; k++) {
		if (name ? !strcmp(k->name, name) : k->suits(in))
			return k;
	}
	error_usage("memlog plot: there is no kind '%s'; use %s", name ? name : "",
		    plot_kind_names(in->arena));
	return NULL;
}
