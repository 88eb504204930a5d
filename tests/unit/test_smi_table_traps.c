/* nvidia-smi's default table: what its layouts and odd cells must come to. */
#include <criterion/criterion.h>

#include "monitor_feed.h"

Test(smi_table_traps, trap_40_five_layouts_read_alike)
{
	expect_monitor("Wed Jul 15 09:00:26 2026\n"
		       "|   0  TITAN X (Pascal)    Off  | 00000000:03:00.0 Off |                  N/A |\n"
		       "| 23%   31C    P8     9W / 250W |    412MiB / 12196MiB |      0%      Default |\n"
		       "|    0      4410      C   python3                                      402MiB |\n",
		       "@1 2026-07-15T09:00:26Z\n"
		       "  gpu0 used 412 of 12196\n"
		       "  gpu0 pid 4410 python3 used 402\n");
	expect_monitor("|   1  NVIDIA GeForce ...  Off  | 00000000:0A:00.0  On |                  N/A |\n"
		       "| N/A   48C    P5   ERR! /  N/A |   1204MiB /  8192MiB |     12%      Default |\n"
		       "|    1   N/A  N/A      5521    C+G   ...lender\\blender.exe            88MiB |\n",
		       "@2\n"
		       "  gpu1 used 1204 of 8192\n"
		       "  gpu1 pid 5521 ...lender\\blender.exe used 88\n");
	expect_monitor("|   0  NVIDIA A10                     Off | 00000000:65:00.0 Off |                    0 |\n"
		       "|  0%   29C    P8              15W / 150W |    341MiB / 23028MiB |      0%      Default |\n"
		       "|    0   N/A  N/A     77121      C   /opt/venv/bin/python3                       332MiB |\n",
		       "@2\n"
		       "  gpu0 used 341 of 23028\n"
		       "  gpu0 pid 77121 /opt/venv/bin/python3 used 332\n");
	expect_monitor("|   0  NVIDIA L4                       On |   00000000:31:00.0 Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |    5127MiB /  23034MiB |      3%      Default |\n"
		       "|    0   N/A  N/A           77130      C   ./server                               742MiB |\n",
		       "@2\n"
		       "  gpu0 used 5127 of 23034\n"
		       "  gpu0 pid 77130 ./server used 742\n");
}

Test(smi_table_traps, trap_41_banner_of_driver_610_begins_a_table)
{
	expect_monitor("| NVIDIA-SMI 610.10                 KMD Version: 610.10        CUDA UMD Version: 13.3     |\n"
		       "|   0  NVIDIA L4                       On |   00000000:31:00.0 Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |    5127MiB /  23034MiB |      3%      Default |\n",
		       "@3\n  gpu0 used 5127 of 23034\n");
}

Test(smi_table_traps, trap_42_wsl_banner_has_two_versions)
{
	expect_monitor("| NVIDIA-SMI 525.60.02    Driver Version: 526.98       CUDA Version: 12.0     |\n"
		       "|   0  NVIDIA GeForce ...  On   | 00000000:0A:00.0  On |                  N/A |\n"
		       "|  0%   48C    P5    31W / 320W |   1204MiB /  8192MiB |     12%      Default |\n",
		       "@3\n  gpu0 used 1204 of 8192\n");
}

Test(smi_table_traps, trap_43_names_keep_blanks_and_dots)
{
	/* The name only shows in the device: two cards under one index would be two lines. */
	expect_monitor("|   0  NVIDIA GeForce RTX 2080 ...  WDDM  |   00000000:01:00.0  On |                  N/A |\n"
		       "| 30%   48C    P8             31W /  250W |    1204MiB /   8192MiB |      3%      Default |\n"
		       "|   1  TITAN X (Pascal)              TCC  |   00000000:02:00.0  On |                  N/A |\n"
		       "| 30%   48C    P8             31W /  250W |       3MiB /  12196MiB |      3%      Default |\n",
		       "@2\n"
		       "  gpu0 used 1204 of 8192\n"
		       "  gpu1 used 3 of 12196\n");
}

Test(smi_table_traps, trap_44_a_cell_without_a_value_keeps_its_row)
{
	expect_monitor("|   0  NVIDIA L4                       On |   00000000:31:00.0 Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |                    N/A |     N/A      Default |\n"
		       "|   1  NVIDIA L4                       On |   00000000:32:00.0 Off |                    0 |\n"
		       "|ERR!  ERR! ERR!            ERR! / ERR!   |    5127MiB /  23034MiB |    ERR!      Default |\n",
		       "@2\n"
		       "  gpu0 used none\n"
		       "  gpu1 used 5127 of 23034\n"
		       "# no-value\n");
}

static const char mig[] =
	"|   0  NVIDIA A100-PCI...  On   | 00000000:3B:00.0 Off |                   On |\n"
	"| N/A   30C    P0    43W / 250W |    769MiB / 40536MiB |     N/A      Default |\n"
	"|                               |                      |              Enabled |\n"
	"+-----------------------------------------------------------------------------+\n"
	"| MIG devices:                                                                |\n"
	"+------------------+----------------------+-----------+-----------------------+\n"
	"| GPU  GI  CI  MIG |              Shared Memory-Usage |        Vol|        Shared         |\n"
	"|      ID  ID  Dev |                Shared BAR1-Usage | SM     Unc| CE ENC  DEC  OFA  JPG |\n"
	"|==================+======================+===========+=======================|\n"
	"|  0    2   0   0  |    742MiB /  4864MiB | 14      0 |  1   0    0    0    0 |\n"
	"|                  |      2MiB /  8191MiB |           |                       |\n";

Test(smi_table_traps, trap_45_and_46_mig_devices_stand_apart_and_bar1_is_no_memory)
{
	expect_monitor(mig, "@2\n"
			    "  gpu0 used 769 of 40536\n"
			    "  gpu0/mig2 used 742 of 4864\n");
}

Test(smi_table_traps, trap_47_process_names_are_one_field)
{
	expect_monitor("|    0   N/A  N/A     13044    C+G   ...Files\\NZXT CAM\\NZXT CAM.exe    N/A      |\n"
		       "|    0   N/A  N/A     13045    C+G   C:\\Program Files\\a b.exe          18MiB |\n",
		       "@1\n"
		       "  gpu0 pid 13044 ...Files\\NZXT CAM\\NZXT CAM.exe used none\n"
		       "  gpu0 pid 13045 C:\\Program Files\\a b.exe used 18\n"
		       "# no-value\n");
}

Test(smi_table_traps, trap_48_rows_of_what_cannot_be_seen)
{
	expect_monitor("|    0                    Not Supported                                         |\n"
		       "|    0   N/A  N/A      2911      G   Insufficient Permissions             N/A      |\n",
		       "@2\n"
		       "  gpu0 pid 2911 Insufficient Permissions used none\n"
		       "# no-value\n");
}

Test(smi_table_traps, trap_49_an_empty_process_section)
{
	expect_monitor("Wed Jul 15 09:00:26 2026\n"
		       "|   0  NVIDIA L4                       On |   00000000:31:00.0 Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |    5127MiB /  23034MiB |      3%      Default |\n"
		       "+-----------------------------------------------------------------------------------------+\n"
		       "| Processes:                                                                              |\n"
		       "|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |\n"
		       "|        ID   ID                                                               Usage      |\n"
		       "|=========================================================================================|\n"
		       "+-----------------------------------------------------------------------------------------+\n"
		       "Wed Jul 15 09:00:31 2026\n"
		       "|   0  NVIDIA L4                       On |   00000000:31:00.0 Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |    5129MiB /  23034MiB |      3%      Default |\n",
		       "@1 2026-07-15T09:00:26Z\n"
		       "  gpu0 used 5127 of 23034\n"
		       "@10 2026-07-15T09:00:31Z\n"
		       "  gpu0 used 5129 of 23034\n");
}

Test(smi_table_traps, trap_50_each_time_is_a_point_also_on_the_third_of_the_month)
{
	expect_monitor("Fri Jul  3 22:10:45 2026       \n"
		       "|    0   N/A  N/A     77121      C   python3                       332MiB |\n"
		       "Fri Jul  3 22:10:46 2026       \n"
		       "|    0   N/A  N/A     77121      C   python3                       332MiB |\n",
		       "@1 2026-07-03T22:10:45Z\n  gpu0 pid 77121 python3 used 332\n"
		       "@3 2026-07-03T22:10:46Z\n  gpu0 pid 77121 python3 used 332\n");
}

Test(smi_table_traps, trap_51_a_line_of_blanks_parts_like_an_empty_one)
{
	expect_monitor("|    0   N/A  N/A     77121      C   python3                       332MiB |\n"
		       "                                                                               \n"
		       "|    0   N/A  N/A     77121      C   python3                       340MiB |\n",
		       "@1\n  gpu0 pid 77121 python3 used 332\n"
		       "@3\n  gpu0 pid 77121 python3 used 340\n");
}

Test(smi_table_traps, trap_68_a_failure_is_a_gap_and_no_zero)
{
	expect_monitor("Wed Jul 15 09:00:26 2026\n"
		       "|    0   N/A  N/A     77121      C   python3                       332MiB |\n"
		       "Failed to initialize NVML: Driver/library version mismatch\n"
		       "NVML library version: 535.161\n"
		       "Wed Jul 15 09:00:36 2026\n"
		       "|    0   N/A  N/A     77121      C   python3                       340MiB |\n"
		       "Unable to determine the device handle for GPU0000:41:00.0: GPU is lost.  Reboot the "
		       "system to recover this GPU\n",
		       "@1 2026-07-15T09:00:26Z\n  gpu0 pid 77121 python3 used 332\n"
		       "! tool-failed\n"
		       "@5 2026-07-15T09:00:36Z\n  gpu0 pid 77121 python3 used 340\n"
		       "! device-lost\n");
}

Test(smi_table_traps, a_label_names_rows_that_stand_alone_and_a_time_those_below_it)
{
	expect_monitor("after epoch 3\n"
		       "Wed Jul 15 09:00:26 2026\n"
		       "|    0   N/A  N/A     77121      C   python3                       332MiB |\n"
		       "|    0   N/A  N/A     77122      C   python3                       100MiB |\n"
		       "== 14:03:05 steam open\n"
		       "|    0   N/A  N/A     77121      C   python3                       340MiB |\n",
		       "@2 2026-07-15T09:00:26Z\n"
		       "  gpu0 pid 77121 python3 used 332\n"
		       "  gpu0 pid 77122 python3 used 100\n"
		       "@6 label '== #:#:# steam open'\n"
		       "  gpu0 pid 77121 python3 used 340\n");
}
