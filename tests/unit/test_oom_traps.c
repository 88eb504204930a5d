/* Out-of-memory texts, allocator summaries, and lines that two processes wrote at once. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "monitor_feed.h"

/* 7.79 GiB = 8364448808.96 B, 6.51 GiB = 6990059274.24 B, 31.19 MiB = 32705085.44 B, 6.60 GiB =
 * 7086696038.4 B. */
#define OLD_OOM \
	"! out-of-memory gpu1 requested 48 of 8364448809B free 32705085B allocated 6990059274B " \
	"reserved 7086696038B\n"

Test(oom_traps, trap_83_a_text_wrapped_over_lines_is_one_event)
{
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 7.79 GiB\n"
		       "    total capacity; 6.51 GiB already allocated; 31.19 MiB free; 6.60 GiB reserved\n"
		       "    in total by PyTorch)\n",
		       OLD_OOM);
	/* A terminal cuts anywhere. */
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 48.00 Mi\n"
		       "B (GPU 1; 7.79 GiB total capacity; 6.51 GiB already alloc\n"
		       "ated; 31.19 MiB free; 6.60 GiB reserved in total by PyTorch)\n",
		       OLD_OOM);
	expect_monitor("[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU "
		       "2 has a total\n"
		       "[rank2]: capacity of 44.00 GiB of which 151.00 MiB is free. Including non-PyTorch "
		       "memory, this process\n"
		       "[rank2]: has 32.00 GiB memory in use. Of the allocated memory 31.00 GiB is allocated "
		       "by PyTorch, and\n"
		       "[rank2]: 38.00 MiB is reserved by PyTorch but unallocated.\n",
		       "! out-of-memory gpu2 requested 512 of 45056 free 151 allocated 31744 reserved 31782 "
		       "process 32768\n");
}

Test(oom_traps, a_text_that_does_not_go_on_is_read_line_by_line)
{
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 7.79 GiB tot\n"
		       "step 3 allocated 437.0 MiB reserved 514.0 MiB\n",
		       "! out-of-memory requested 48\n"
		       "@2 step 3 allocated 437 reserved 514\n");
	/* A blank line ends it, and so does the end of the log. */
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 7.79 GiB\n"
		       "\n"
		       "    total capacity; 6.51 GiB already allocated; 31.19 MiB free; 6.60 GiB reserved\n",
		       "! out-of-memory requested 48\n");
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 7.79 GiB\n",
		       "! out-of-memory requested 48\n");
}

Test(oom_traps, trap_84_printed_twice_is_once)
{
	static const char text[] =
		"RuntimeError: CUDA out of memory. Tried to allocate 48.00 MiB (GPU 1; 7.79 GiB total "
		"capacity; 6.51 GiB already allocated; 31.19 MiB free; 6.60 GiB reserved in total by "
		"PyTorch)";
	char log[2 * sizeof(text) + 64];

	snprintf(log, sizeof(log), "%s\ncaught by the trainer:\n%s\n", text, text);
	expect_monitor(log, OLD_OOM);
}

Test(oom_traps, trap_85_a_share_that_means_unknown)
{
	expect_monitor("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 "
		       "has a total capacty of 44.00 GiB of which 0 bytes is free. Including non-PyTorch "
		       "memory, this process has 17179869184.00 GiB memory in use. Of the allocated memory "
		       "31.00 GiB is allocated by PyTorch, and 38.00 MiB is reserved by PyTorch but "
		       "unallocated.\n",
		       "! out-of-memory gpu0 requested 512 of 45056 free 0 allocated 31744 reserved 31782\n");
}

Test(oom_traps, traps_86_87_89_and_90_odd_but_legal)
{
	/* A huge request; more allocated than the card has; "allowed"; 512 bytes free. */
	expect_monitor("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 130206.00 GiB (GPU 0; "
		       "23.00 GiB total capacity; 28.00 GiB already allocated; 512 bytes free; 23.00 GiB "
		       "allowed; 29.00 GiB reserved in total by PyTorch)\n",
		       "! out-of-memory gpu0 requested 133330944 of 23552 free 512B limit 23552 allocated "
		       "28672 reserved 29696\n");
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 4.00 GiB total "
		       "capacity; 3.25 GiB already allocated; 0 bytes free; 4.25 MiB cached)\n",
		       "! out-of-memory gpu0 requested 20 of 4096 free 0 allocated 3328 reserved 4456448B\n");
}

Test(oom_traps, trap_88_a_template_is_no_event)
{
	expect_monitor("RuntimeError: CUDA out of memory. Tried to allocate X.XX GiB (GPU 0; xxx GiB total "
		       "capacity; xxx GiB already allocated; xxx MiB free; xxx GiB reserved in total by "
		       "PyTorch)\n",
		       "");
}

Test(oom_traps, traps_91_92_and_103_summary_rows)
{
	/* Current usage only: not the peak, not what was allocated in total. */
	expect_monitor("|                  PyTorch CUDA memory summary, device ID 0                 |\n"
		       "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"
		       "| Allocated memory      | 184576 KiB |   1656 MiB |   2926 MiB |   1282 MiB |\n"
		       "|       from large pool |   1626 MiB |   1639 MiB |   2907 MiB |   1281 MiB |\n"
		       "| GPU reserved memory   |   1704 MiB |   1704 MiB |   1736 MiB |  32768 KiB |\n",
		       "@1 allocated 189005824B reserved 1704\n");
}

Test(oom_traps, two_records_on_one_line_are_two_points)
{
	expect_monitor("rank 0 step 10 loss 0.0090 allocated 784.0MiBrank 1 step 10 loss 0.0090 allocated "
		       "640.0MiB\n",
		       "@1 label 'rank 0' step 10 allocated 784\n"
		       "@1 label 'rank 1' step 10 allocated 640\n");
}

Test(oom_traps, ranks_of_a_launcher_are_places_of_their_own)
{
	expect_monitor("[rank0]: step 1 allocated 784.0 MiB\n"
		       "[rank1]: step 1 allocated 640.0 MiB\n",
		       "@1 label 'rank 0' step 1 allocated 784\n"
		       "@2 label 'rank 1' step 1 allocated 640\n");
	expect_monitor("[rank0]: At /srv/train.py line 88: step                   Total Tensor Used Memory:48.0"
		       "   Mb Total Allocated Memory:51.0   Mb\n"
		       "[rank1]: At /srv/train.py line 88: step                   Total Tensor Used Memory:40.0"
		       "   Mb Total Allocated Memory:41.0   Mb\n",
		       "@1 label 'rank 0' at /srv/train.py:88 visible 48 allocated 51\n"
		       "@2 label 'rank 1' at /srv/train.py:88 visible 40 allocated 41\n");
}
