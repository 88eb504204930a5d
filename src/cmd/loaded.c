#include "cmd/loaded.h"

#include "base/alloc.h"
#include "cmd/common.h"

int loaded_read(struct loaded *out, const struct common *common, const struct arguments *names,
		const struct analysis_options *options)
{
	struct run_list runs = { .arena = ARENA_INIT };
	int rc = common_store(common, STORE_READ, &out->store);

	if (!rc)
		rc = store_find_runs(out->store, names->at, names->len, &runs);
	if (!rc)
		out->at = xcalloc(runs.len + 1, sizeof(*out->at));
	for (size_t i = 0; i < runs.len && !rc; i++) {
		struct loaded_run *run = &out->at[i];

		rc = store_read_timeline(out->store, runs.at[i].id, &run->timeline);
		if (rc)
			break;
		analyse(&run->analysis, &run->timeline, options);
		out->len++;
	}
	run_list_release(&runs);
	return rc;
}

void loaded_release(struct loaded *loaded)
{
	for (size_t i = 0; i < loaded->len; i++) {
		analysis_release(&loaded->at[i].analysis);
		timeline_release(&loaded->at[i].timeline);
	}
	free(loaded->at);
	store_close(loaded->store);
	*loaded = (struct loaded)LOADED_INIT;
}
