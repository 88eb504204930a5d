#include "analysis/advice.h"

#include <stddef.h>
#include <string.h>

#include "base/strbuf.h"

static const struct {
	const char *why, *advice;
} texts[ADVICE_CASES] = {
	[ADVICE_COUNT] = {
		"more tensors of this shape are alive after every iteration: something keeps a reference to each",
		"near @, find the list, dict or attribute that keeps these tensors; keep a copy off the GPU "
		"(.detach().cpu()) or bound the container (collections.deque(maxlen=...))",
	},
	[ADVICE_SCALAR] = {
		"one more scalar is alive after every iteration: a loss or metric is kept as a tensor",
		"near @, keep the number and not the tensor: losses.append(loss.item()) or "
		"total += loss.detach()",
	},
	[ADVICE_SIZE] = {
		"the number of tensors stays the same while one of them grows in one dimension",
		"near @, a tensor is extended at each iteration (torch.cat, a cache): collect the pieces on the "
		"CPU, or reset or bound it",
	},
	[ADVICE_GRAPH] = {
		"tensors of several shapes grow in step: the outputs of a forward pass are kept, and each keeps "
		"its graph's intermediates alive",
		"near @, keep output.detach().cpu(), or run this loop under torch.no_grad(); a forward hook that "
		"stores outputs must detach them too",
	},
	[ADVICE_GRAPH_SUM] = {
		"the intermediates of forward passes grow in step while no row of outputs does: a sum such as "
		"total += loss chains the graphs together",
		"near @, add loss.item() or loss.detach() to the sum; where nothing calls backward, run the loop "
		"under torch.no_grad()",
	},
	[ADVICE_GRAPH_HIDDEN] = {
		"each kept tensor holds far more memory than its own size: its graph's intermediates, which "
		"Python does not see",
		"near @, run this loop under torch.no_grad(), or keep output.detach().cpu()",
	},
	[ADVICE_MODEL] = {
		"whole sets of parameters grow in step: a model is kept from each pass, with its gradients and "
		"optimizer state where it was trained",
		"near @, drop the old model and its optimizer before the next pass: del model, optimizer; "
		"gc.collect(); keep results as numbers or a state_dict on the CPU",
	},
	[ADVICE_HIDDEN] = {
		"the allocator's live bytes grow while the tensors that Python sees do not: memory is held from "
		"C++, as saved autograd buffers or by an extension",
		"run the code before @ under torch.no_grad() where no backward follows; if that does not help, "
		"look at custom autograd functions and C++ extensions",
	},
	[ADVICE_VISIBLE_ONLY] = {
		"the sum of all tensors grows; this log does not list them",
		"log the tensor rows (MemTracker with detail=True) at @ to see which tensors stay",
	},
	[ADVICE_OUTSIDE] = {
		"the process grows while PyTorch's allocator does not: another library allocates on the device",
		"look for CUDA memory that PyTorch does not manage: cuDNN, NCCL, cuBLAS handles, CUDA graphs, "
		"CuPy, RAPIDS or TensorRT objects made again at each iteration",
	},
	[ADVICE_PROCESS] = {
		"the process holds more memory at the end of each cycle than before",
		"put MemTracker or torch.cuda.memory_allocated() into this process's loop to see which line "
		"keeps memory",
	},
	[ADVICE_DEVICE] = {
		"the device's used memory rises all through the log",
		"log nvidia-smi --query-compute-apps beside it to see which process grows, and track() inside "
		"that process",
	},
	[ADVICE_DEVICE_MIXED] = {
		"the device's used memory rises while the tensors of this run do not: another process grows, or "
		"this one grows where Python does not see it",
		"log nvidia-smi --query-compute-apps beside the run to see whose memory it is; "
		"torch.cuda.memory_allocated() at @ settles the rest",
	},
	[ADVICE_OTHER_PROCESS] = {
		"another process on the same device grows; this run does not",
		"stop or move the other process: it will take this run's memory in the end",
	},
	[ADVICE_WARM_UP] = {
		"memory rose in the first iterations only, as optimizer state and workspaces do",
		NULL,
	},
	[ADVICE_STEP] = {
		"memory rose once and stayed: a buffer made once is no leak",
		NULL,
	},
	[ADVICE_PLATEAU] = {
		"memory rose, then stopped: a bounded buffer or a cache that is full is no leak",
		NULL,
	},
	[ADVICE_VARIES] = {
		"memory goes up and down with the size of the inputs, between the same bounds",
		NULL,
	},
	[ADVICE_SAWTOOTH] = {
		"memory rises and falls back to the same floor: what is kept is freed again, by a list that is "
		"cleared or by the collector of reference cycles, which is no leak",
		"if the peaks hurt, clear the list earlier, break the cycles or call gc.collect() more often",
	},
	[ADVICE_RELEASED] = {
		"tensors were kept while this loop ran, all of them were freed after it, and the run went on: "
		"that is no leak",
		NULL,
	},
	[ADVICE_CACHE] = {
		"the allocator holds more than is alive and keeps it for reuse: that is its cache",
		NULL,
	},
	[ADVICE_CACHE_FREED] = {
		"memory went up, stayed after the tensors were deleted and fell back to where it began: the "
		"allocator had kept it in its cache",
		NULL,
	},
	[ADVICE_FRAGMENTATION] = {
		"the allocator holds ever more memory while what is alive does not grow: free blocks of the "
		"wrong size pile up",
		"set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or bring varying shapes to a few sizes",
	},
	[ADVICE_OUTLIVES] = {
		"a process left the list and the device kept its memory: it hangs while it ends, or children of it, "
		"such as data loaders, still hold the card",
		"find who has the card open with fuser -v /dev/nvidia*, and end those processes",
	},
	[ADVICE_CONTEXT] = {
		"a process that works on another device holds a small, constant amount here: its CUDA context, "
		"or a checkpoint loaded to this device",
		"load checkpoints with torch.load(..., map_location=device) and call torch.cuda.set_device "
		"before the first CUDA call",
	},
	[ADVICE_PEAK] = {
		"a peak counter rises; peaks only ever rise, so this is no evidence of growth",
		NULL,
	},
	[ADVICE_OOM] = {
		"the log ends with, or contains, an out-of-memory error",
		NULL,
	},
};

static const char *expand(struct arena *arena, const char *text, const char *place)
{
	struct strbuf out = STRBUF_INIT;
	const char *copy;

	for (; *text; text++) {
		if (*text == '@')
			strbuf_adds(&out, place);
		else
			strbuf_addc(&out, *text);
	}
	copy = arena_text(arena, strbuf_span(&out));
	strbuf_release(&out);
	return copy;
}

const char *advice_why(struct arena *arena, enum advice_case which, const char *place)
{
	return expand(arena, texts[which].why, place);
}

const char *advice_text(struct arena *arena, enum advice_case which, const char *place)
{
	return texts[which].advice ? expand(arena, texts[which].advice, place) : NULL;
}
