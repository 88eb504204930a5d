/* GPUtil's tables and what people print of its attributes. */
#include <criterion/criterion.h>

#include "monitor_feed.h"

Test(gputil_traps, trap_70_a_table_without_rows_is_a_point_without_devices)
{
	expect_monitor("GPU Utilization before:\n"
		       "| ID | GPU | MEM |\n"
		       "------------------\n"
		       "done\n",
		       "# empty-table\n"
		       "@2 label 'GPU Utilization before:'\n");
}

Test(gputil_traps, trap_71_nan)
{
	expect_monitor("| ID | GPU  | MEM  |\n"
		       "--------------------\n"
		       "|  0 |   1% |  12% |\n"
		       "|  1 | nan% | nan% |\n",
		       "@1\n"
		       "  gpu0 used 12.00 % step 1.00 %\n"
		       "  gpu1 used none\n"
		       "# no-value\n");
}

Test(gputil_traps, trap_72_a_share_of_a_known_total_has_a_quantum_of_one_percent)
{
	/* 22 % of 23034 MiB: 0.22 × 23034 × 1048576 = 5313637908.48 B. */
	expect_monitor("GPU 0 Memory Use: 5127.0MB / 23034.0MB\n"
		       "| ID | GPU | MEM |\n"
		       "------------------\n"
		       "|  0 |  3% | 22% |\n",
		       "@1\n  gpu0 used 5127 of 23034\n"
		       "@2\n  gpu0 used 5313637908B of 23034\n");
	expect_monitor("| ID | Used   | MEM   |\n"
		       "----------------------\n"
		       "|  0 | 5127MB | 22.3% |\n",
		       "@1\n  gpu0 used 5127\n");
	expect_monitor("| ID | MEM   |\n"
		       "--------------\n"
		       "|  0 | 22.3% |\n",
		       "@1\n  gpu0 used 22.30 % step 0.10 %\n");
}

Test(gputil_traps, trap_73_the_label_is_the_last_line_of_text_above)
{
	expect_monitor("before the loop\n"
		       "清空缓存后：\n"
		       "\n"
		       "-----\n"
		       "| ID | GPU | MEM |\n"
		       "------------------\n"
		       "2023-03-07 14:37:23.979069: I tensorflow/core/platform/cpu_feature_guard.cc:142] x\n"
		       "|  0 |  3% |  5% |\n",
		       "@5 label '清空缓存后：'\n  gpu0 used 5.00 % step 1.00 %\n");
}

Test(gputil_traps, trap_74_util_of_the_colab_print_is_memory_and_the_line_above_is_the_host)
{
	expect_monitor("--- run 1\n"
		       "Gen RAM Free: 25.3 GB  | Proc size: 4.5 GB\n"
		       "GPU RAM Free: 14143MB | Used: 2137MB | Util  13% | Total 16280MB\n",
		       "@3 label '--- run #'\n  gpu? used 2137 of 16280 free 14143\n");
}

Test(gputil_traps, trap_75_the_old_form_has_no_bars)
{
	expect_monitor(" ID  GPU  MEM\n"
		       "--------------\n"
		       "  0   3%  22%\n",
		       "@1\n  gpu0 used 22.00 % step 1.00 %\n");
	expect_monitor(" ID | Name | Serial | UUID || GPU util. | Memory util. || Memory total | Memory used | "
		       "Memory free || Display mode | Display active |\n"
		       "------------------------------------------------------------------------------\n"
		       "  0 | NVIDIA L4  | 1650 | GPU-00000000-1111-2222-3333-444444444440 ||   3% |  22% || "
		       "23034MB | 5127MB | 17450MB || Disabled | Disabled\n",
		       "@1\n  gpu0 used 5127 of 23034 free 17450\n");
}

Test(gputil_traps, trap_76_a_python_list_is_no_table)
{
	expect_monitor("[0.05, nan]\n{'id': 0, 'memoryUsed': nan}\n", "");
}

Test(gputil_traps, trap_77_an_error_that_gputil_read_as_a_number)
{
	expect_monitor("ValueError: invalid literal for int() with base 10: \"NVIDIA-SMI has failed because it "
		       "couldn't communicate with the NVIDIA driver.\"\n",
		       "! tool-failed\n");
}

Test(gputil_traps, labels_are_a_loop)
{
	expect_monitor("当前行为为： 执行一次预测过程\n"
		       "| ID | GPU | MEM |\n|  0 |  3% |  5% |\n"
		       "当前行为为： 执行一次预测过程\n"
		       "| ID | GPU | MEM |\n|  0 |  3% |  6% |\n",
		       "@2 label '当前行为为： 执行一次预测过程'\n  gpu0 used 5.00 % step 1.00 %\n"
		       "@5 label '当前行为为： 执行一次预测过程'\n  gpu0 used 6.00 % step 1.00 %\n");
}

Test(gputil_traps, totals_and_uses_in_turn_do_not_say_which_gpu)
{
	expect_monitor("| ID | GPU | MEM |\n|  0 |  3% |  5% |\n"
		       "GPU总量 16280.0\n"
		       "GPU使用量 2137.0\n"
		       "GPU总量 16280.0\n"
		       "GPU使用量 12.0\n",
		       "@1\n  gpu0 used 5.00 % step 1.00 %\n"
		       "  gpu? used 2137 of 16280\n"
		       "@6\n  gpu? used 12 of 16280\n"
		       "# unnamed-device\n");
}
