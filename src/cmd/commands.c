#include "cmd/command.h"

#include <string.h>

/* In the order of a person's day; memlog help prints it. */
const struct command commands[] = {
	{ "import", cmd_import, "FILE|DIR|- ...", "read logs into the database",
	  "Dialects are recognised by content: tracker reports, nvidia-smi, GPUtil, gpustat, nvitop, rocm-smi, job output, "
	  "also "
	  "mixed in one file, compressed, in any encoding. Importing the same bytes again changes "
	  "nothing. A folder is read recursively; what is no log there is skipped." },
	{ "runs", cmd_runs, "[rename|tag|untag|remove ...]", "list runs; rename, tag, remove",
	  "memlog runs rename RUN NAME\nmemlog runs tag RUN TAG\nmemlog runs untag RUN TAG\n"
	  "memlog runs remove RUN ..." },
	{ "show", cmd_show, "[RUN]", "the timeline; the live tensors at one point", NULL },
	{ "leaks", cmd_leaks, "[RUN...]", "what grows, where, how fast, and what to change",
	  "RUN is a run's id, name or glob; without it, the runs of the latest import." },
	{ "overhead", cmd_overhead, "[RUN...]", "where the bytes are that no tensor explains",
	  "A ledger of the peak that closes exactly, and what changed from point to point. Of several "
	  "runs it tells whether the tensors or the first use of the device made the difference." },
	{ "diff", cmd_diff, "RUN RUN", "two runs side by side: what came, went and grew",
	  "Levels, positions, tensors and findings. The runs may come from different tools: sizes are "
	  "bytes, and totals that mean different things are said to." },
	{ "scale", cmd_scale, "RUN...", "does memory follow the samples or the batch size?",
	  "Fits peak = a + b x samples over runs with different counts. The count of a run is that of "
	  "--samples RUN=N, of its tag samples=N (--by NAME for another tag), or the first dimension "
	  "that its tensors share." },
	{ "plot", cmd_plot, "[RUN...]", "draw runs: to .png, .svg, .pdf, or in the terminal",
	  "The kind that suits is chosen: compare for several runs, devices for a monitor's log, "
	  "growth or tensors where something grows, else timeline." },
	{ "report", cmd_report, "[RUN...]", "one page with all of it, for a browser or a printer",
	  "The page needs nothing else: no network, no other file." },
	{ "gate", cmd_gate, "[RUN...]", "pass or fail against limits, for CI",
	  "Exit 0: passed, 1: failed, 5: too little data to decide." },
	{ "query", cmd_query, "SQL", "read-only SQL on the database",
	  "Views: runs, allocator_memory, device_memory, process_memory, tensor_changes, notes." },
	{ "export", cmd_export, "VIEW [RUN...]", "rows as csv or json lines",
	  "VIEW is one of the views of memlog query; without RUN, of all runs. csv, or with --format json "
	  "an object a line. Rows are not held in memory, however many there are." },
	{ "formats", cmd_formats, "[check FILE|explain LOG|fields]",
	  "dialects: list, check, explain", NULL },
	{ "help", cmd_help, "[COMMAND]", "this list, or a command's options", NULL },
	{ "version", cmd_version, NULL, "print the version", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}
