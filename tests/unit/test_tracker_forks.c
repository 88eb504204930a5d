#include <criterion/criterion.h>
#include <string.h>

#include "base/units.h"
#include "feed.h"

/*
 * The forks and copies of the tracker, a short report each in the form that the fork's code writes,
 * and what must come out.  Sizes: (1024, 256) float32 is 1 MiB, (1000, 250) float32 is 1 MB.
 */

enum { MB = 1000 * 1000 };

static void check_whole(const struct feed *f, const char *dialect, size_t points)
{
	cr_expect_eq(f->unmatched, 0, "%s: %s", dialect, f->first_unmatched);
	cr_assert_eq(f->runs.len, 1, "%s: %zu runs", dialect, f->runs.len);
	cr_expect_str_eq(f->runs.at[0].dialect, dialect);
	cr_assert_eq(f->points.len, points, "%s: %zu points", dialect, f->points.len);
	cr_expect_null(f->runs.at[0].damage, "%s: %s", dialect, f->runs.at[0].damage);
}

Test(trap, 35_mirrored_minus_rows_are_ignored)
{
	struct feed f;

	/* The minus rows copy the plus rows: taken at their word, everything would vanish. */
	feed_text(&f, "GPU Memory Tracker\n\n"
		      "before\n"
		      "190823141502 | @ __main__ <module>: line 21                          | Total Used "
		      "Memory: 1103.8MB\n"
		      "+ |  1 * Size:(1000, 250)         | Memory: 1.000MB | <class 'torch.Tensor'>, "
		      "torch.float32\n"
		      "+ |  2 * Size:(1000, 500)         | Memory: 4.000MB | <class 'torch.Tensor'>, "
		      "torch.float32\n"
		      "- |  2 * Size:(1000, 500)         | Memory: 4.000MB | <class 'torch.Tensor'>, "
		      "torch.float32\n"
		      "- |  1 * Size:(1000, 250)         | Memory: 1.000MB | <class 'torch.Tensor'>, "
		      "torch.float32\n\n"
		      "after\n"
		      "190823141507 | @ __main__ <module>: line 25                          | Total Used "
		      "Memory:12345.7MB\n"
		      "No change in tensor shapes, sizes and types\n");
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.unmatched, 2, "the two label lines, which name the places");
	cr_expect_str_eq(f.runs.at[0].dialect, "gpu-mem-track-fork-label");
	cr_expect_eq(f.points.at[0].visible, 5 * MB);
	cr_expect_str_eq(f.points.at[0].label, "before");
	cr_expect_eq(f.points.at[0].used, INT64_C(1103800000));
	cr_expect_str_eq(f.points.at[1].label, "after");
	cr_expect_eq(f.points.at[1].used, INT64_C(12345700000));
	cr_expect_eq(f.points.at[1].time - f.points.at[0].time, 5 * SECOND);
	feed_release(&f);
}

Test(trap, 36_no_change_does_not_prove_that_nothing_was_freed)
{
	struct feed f;

	/* The line proves nothing about what was freed: visible stays, and nothing is noted. */
	feed_text(&f, "GPU Memory Tracker\n\n"
		      "190823141502 | @ __main__ f: line 21 | Total Used Memory: 1103.8MB\n"
		      "+ |  1 * Size:(1000, 250) | Memory: 1.000MB | <class 'torch.Tensor'>, "
		      "torch.float32\n\n"
		      "190823141503 | @ __main__ f: line 22 | Total Used Memory: 1102.8MB\n"
		      "No change in tensor shapes, sizes and types\n\n");
	check_whole(&f, "gpu-mem-track-fork-label", 2);
	cr_expect_eq(f.points.at[1].visible, MB);
	cr_expect_eq(f.points.at[1].used, INT64_C(1102800000));
	cr_expect_eq(f.notes.len, 0);
	feed_release(&f);
}

#define LOGURU(what) "2023-05-11 10:22:31.124 | INFO     | pytorch_memory_utils.gpu_mem_track:" what " - "

Test(fork, loguru_spreads_a_record_over_lines)
{
	struct feed f;

	feed_text(&f, LOGURU("_log_delimiter:117") "\n"
		      "========== At /srv/app/train.py line 88: train_step                     [step 1]\n"
		      LOGURU("track:150")
		      "+ | 1 * Shape:(1024, 256)         | Memory: 1.0 MiB  | <class 'torch.Tensor'> | "
		      "torch.float32\n"
		      LOGURU("track:150")
		      "+ | 1 * Shape:(128,)              | Memory: 512 Bytes  | <class 'torch.Tensor'> | "
		      "torch.float32\n"
		      LOGURU("_log_summary:110")
		      "Tensor:1.0 MiB | Allocated:1.5 MiB | Reserved:20.0 MiB max=22.0 MiB\n"
		      LOGURU("_log_delimiter:117") "\n"
		      "========== At /srv/app/train.py line 90: train_step                     []\n"
		      LOGURU("track:150")
		      "- | 1 * Shape:(128,)              | Memory: 512 Bytes  | <class 'torch.Tensor'> | "
		      "torch.float32\n"
		      LOGURU("_log_summary:110")
		      "Tensor:1.0 MiB | Allocated:1.0 MiB | Reserved:20.0 MiB max=22.0 MiB\n");
	check_whole(&f, "gpu-mem-track-fork-loguru", 2);
	cr_expect_eq(f.points.at[0].visible, MIB + 512);
	cr_expect_eq(f.points.at[0].allocated, MIB * 3 / 2);
	cr_expect_eq(f.points.at[0].reserved, 20 * MIB);
	cr_expect_str_eq(f.points.at[0].label, "step #", "digits are masked: steps are one place");
	cr_expect_eq(f.points.at[1].visible, MIB);
	cr_expect_eq(f.points.at[1].code_line, 90);
	feed_release(&f);
}

Test(fork, arrow_stands_before_its_places)
{
	struct feed f;

	feed_text(&f, "\n↳At train.py line 8: f      Total Tensor Used Memory:0.0    Mb Total Allocated "
		      "Memory:1.0    Mb\n\n\n↳At train.py line 9: f      Total Tensor Used "
		      "Memory:1.0    Mb Total Allocated Memory:2.0    Mb\n\n");
	check_whole(&f, "gpu-mem-track-fork-arrow", 2);
	cr_expect_not(f.runs.at[0].rows, "its file copy has no rows");
	cr_expect_eq(f.points.at[1].visible, MIB);
	cr_expect_eq(f.points.at[1].allocated, 2 * MIB);
	feed_release(&f);
}

#define TASK(label, rows, tensors, allocated) \
	"========================================\nTask: " label "\n" rows \
	"\n@ /repo/memory.py line 31: track\n" \
	" Total Tensor Used Memory: " tensors "    Mb\n Total Allocated Memory  : " allocated \
	"    Mb\n Total Cached Memory     : 20.0   Mb\n Cache increase          : 0.0    Mb\n\n"

Test(trap, 37_totals_on_several_lines_are_one_point)
{
	struct feed f;

	feed_text(&f, TASK("load", ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32"), "1.0", "2.0")
			      TASK("eval",
				   ROW("+", "1", "(1024, 512)", "2.0", TENSOR, "float32")
					   ROW("o", "1", "(1024, 256)", "1.0", TENSOR, "float32"),
				   "3.0", "4.0"));
	check_whole(&f, "gpu-mem-track-fork-task", 2);
	cr_expect_eq(f.points.at[0].visible, MIB);
	cr_expect_eq(f.points.at[0].allocated, 2 * MIB);
	cr_expect_eq(f.points.at[0].reserved, 20 * MIB);
	cr_expect_eq(f.points.at[1].visible, 3 * MIB, "o rows are there already");
	cr_expect_eq(f.points.at[1].rows, 1);
	cr_expect_str_eq(f.points.at[1].label, "eval", "not the tracker's own file");
	feed_release(&f);
}

Test(trap, 37_rows_with_a_count_of_zero_are_discarded)
{
	struct feed f;

	feed_text(&f, "GPU Memory Track | 11-Feb-25-09:14:02 | Total Allocated Memory:0.0    Mb\n\n"
		      "At t.py line 88: f             Total Tensor Used Memory:1.0    Mb Total Allocated "
		      "Memory:2.0    Mb\n" ROW("+", "1", "(1024, 256)", "1.0", TENSOR, "float32") "\n"
		      "At t.py line 90: f             Total Allocated Memory:2.0    Mb\n"
		      "Name:weights    | Size:(1024, 4096)         | Memory: 16.0 M | " TENSOR
		      " | torch.float32\n\n"
		      "At t.py line 91: f             Total Tensor Used Memory:1.0    Mb Total Allocated "
		      "Memory:2.0    Mb\n"
		      "| 0 * Size:(1024, 4096)         | Memory: 0.0 M | " TENSOR " | torch.float32\n\n");
	check_whole(&f, "gpu-mem-track-fork-where-first", 3);
	cr_expect_eq(f.points.at[0].visible, MIB);
	cr_expect_eq(f.points.at[1].visible, MIB);
	cr_expect_eq(f.points.at[1].rows, 0);
	cr_expect_eq(f.points.at[2].visible, MIB);
	cr_expect_eq(f.points.at[2].rows, 0);
	feed_release(&f);
}

Test(fork, cuda_mps_counts_only_what_is_on_the_device)
{
	struct feed f;

	feed_text(&f, "11-Feb-25-09:14:02\nafter load: t.py line 1 in f\nTotal Tensor Memory:    17.0Mb\n"
		      "Allocated Tensor Memory:     1.5Mb\nTotal Cache Memory:     2.0Mb\n"
		      "+ |     1 * (1024, 4096)         | 16.0   M | Tensor     |  float32 | cpu\n"
		      "+ |     1 * (1024, 256)          | 1.0    M | Tensor     |  float32 | cuda\n\n"
		      "Cleared torch cache\n");
	check_whole(&f, "gpu-mem-track-fork-cuda-mps", 1);
	cr_expect_eq(f.points.at[0].visible, MIB);
	cr_expect_eq(f.points.at[0].allocated, MIB * 3 / 2);
	cr_expect_eq(f.points.at[0].reserved, 2 * MIB);
	cr_expect_str_eq(f.points.at[0].label, "after load");
	feed_release(&f);
}

Test(fork, py2_has_an_empty_line_after_each_minus_row)
{
	struct feed f;

	feed_text(&f,
		  "GPU Memory Track | 2019-10-07 10:02:33.118201 | Total Used Memory:1103.8 Mb\n\n"
		  "+ | 1    * Size:(1000, 250)          | Memory: 1.0 M | " TENSOR "\n"
		  "+ | 1    * Size:(1000, 500)          | Memory: 2.0 M | " TENSOR "\n\n"
		  "At __main__ <module>: line 21                        Total Used Memory:1103.8 Mb\n\n"
		  "- | 1    * Size:(1000, 250)          | Memory: 1.0 M | " TENSOR " \n\n"
		  "- | 1    * Size:(1000, 500)          | Memory: 2.0 M | " TENSOR " \n\n\n"
		  "At __main__ <module>: line 22                        Total Used Memory:1100.8 Mb\n\n");
	cr_expect_eq(f.unmatched, 0);
	cr_assert_eq(f.points.len, 2);
	cr_expect_eq(f.points.at[0].visible, 3 * MB);
	cr_expect_eq(f.points.at[1].visible, 0);
	cr_expect_eq(f.points.at[1].used, INT64_C(1100800000));
	cr_expect_eq(f.runs.at[0].started % SECOND, 118201000);
	cr_expect_null(f.runs.at[0].damage);
	feed_release(&f);
}

Test(fork, message_names_the_point)
{
	struct feed f;

	feed_text(&f, "Message: load\n" ROW_2018("+", "4", "(1024, 1024)", "16.0", PARAMETER)
			      AT_2018(21, "1103.8 ") "Message: step\n"
		      ROW_2018("+", "5", "(1024, 1024)", "20.0", PARAMETER)
			      ROW_2018("-", "4", "(1024, 1024)", "16.0", PARAMETER)
				      AT_2018(21, "1108.0 "));
	check_whole(&f, "gpu-mem-track-fork-message", 2);
	cr_expect_str_eq(f.points.at[0].label, "load");
	cr_expect_str_eq(f.points.at[1].label, "step");
	cr_expect_eq(f.points.at[1].visible, 20 * MIB);
	cr_expect_eq(f.points.at[1].used, INT64_C(1108000000));
	feed_release(&f);
}

#define CONTENT(line) "LINE:" line ", FUNC:main, FILE:t.py, TIME:2019-06-02 17:16:23.288399, CONTENT:\n"

Test(fork, level_content_lists_everything_each_time)
{
	struct feed f;

	/* The second listing lacks a tensor: it has gone, without a minus row. */
	feed_text(&f, CONTENT("27")
		  "[tensor: 1 * Size:(1024, 256) | Memory: 1.0 M | <class 'torch.Tensor'>]\n"
		  "[tensor: 2 * Size:(1024, 512) | Memory: 4.0 M | <class 'torch.Tensor'>]\n"
		  "memory_allocated:5.500000 Mb\nmax_memory_allocated:9.000000 Mb\n"
		  "memory_cached:20.000000 Mb\nmax_memory_cached:20.000000 Mb\n"
		  "Used Memory:900.000000 Mb\nFree Memory:100.000000 Mb\nTotal Memory:1000.000000 Mb\n"
		  CONTENT("28")
		  "[tensor: 1 * Size:(1024, 256) | Memory: 1.0 M | <class 'torch.Tensor'>]\n"
		  "memory_allocated:1.500000 Mb\nmax_memory_allocated:9.000000 Mb\n"
		  "memory_cached:20.000000 Mb\nmax_memory_cached:20.000000 Mb\n"
		  "Used Memory:900.000000 Mb\nFree Memory:100.000000 Mb\nTotal Memory:1000.000000 Mb\n");
	check_whole(&f, "gpu-mem-track-fork-level-content", 2);
	cr_expect_eq(f.points.at[0].visible, 5 * MIB);
	cr_expect_eq(f.points.at[0].allocated, MIB * 11 / 2);
	cr_expect_eq(f.points.at[0].used, 900 * MIB);
	cr_expect_eq(f.points.at[1].visible, MIB);
	cr_expect_eq(feed_row(&f, 1, "(1024, 512)")->count, 0);
	feed_release(&f);
}

Test(fork, gist_prints_the_source_line_it_ran)
{
	struct feed f;

	/* What stands behind the number is source text and may look like anything. */
	feed_text(&f, "__main__ main:12                                  :1181.4  Mb     loss = f(x)\n"
		      "+ __main__ main:12                                   (1024, 256)          <class "
		      "'torch.Tensor'>\n"
		      "__main__ main:13                                  :1182.4  Mb     print('+ | a')\n"
		      "- __main__ main:12                                   (1024, 256)          <class "
		      "'torch.Tensor'>\n");
	check_whole(&f, "gpu-mem-prof-gist", 2);
	cr_expect_eq(f.points.at[0].visible, MIB);
	cr_expect_eq(f.points.at[0].code_line, 12);
	/* 1181.4 · 1024² = 1238787686.4 */
	cr_expect_eq(f.points.at[0].used, INT64_C(1238787686));
	cr_expect_eq(f.points.at[1].visible, 0);
	feed_release(&f);
}

Test(fork, gist_copy_names_files_and_types)
{
	struct feed f;

	feed_text(&f, "main in /srv/app/train.py:12 --> 812.5  Mb\n"
		      "+ main in /srv/app/train.py:12                       (1024, 256)          "
		      "torch.cuda.FloatTensor\n");
	check_whole(&f, "gpu-mem-prof-gist", 1);
	cr_expect_str_eq(f.points.at[0].file, "/srv/app/train.py");
	/* 812.5 · 1024² = 851968000 */
	cr_expect_eq(f.points.at[0].used, INT64_C(851968000));
	cr_expect_eq(f.points.at[0].visible, MIB);
	feed_release(&f);
}
