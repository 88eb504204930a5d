/* One card has three names: an index, a UUID, a bus id. */
#include <criterion/criterion.h>

#include "monitor_feed.h"

#define UUID0 "GPU-00000000-1111-2222-3333-444444444440"
#define UUID1 "GPU-00000001-1111-2222-3333-444444444441"

Test(device_names, a_list_ties_index_and_uuid)
{
	expect_monitor("GPU 0: NVIDIA H200 (UUID: " UUID0 ")\n"
		       "GPU 1: NVIDIA H200 (UUID: " UUID1 ")\n"
		       "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" UUID1
		       ", 932, python3, 540 MiB\n",
		       "@4\n  gpu1 pid 932 python3 used 540\n");
}

Test(device_names, index_uuid_and_bus_of_several_tools_are_one_device)
{
	expect_monitor("index, uuid, pci.bus_id, memory.used [MiB]\n"
		       "1, " UUID1 ", 00000000:0A:00.0, 12 MiB\n"
		       "GPU 00000000:0A:00.0\n"
		       "    FB Memory Usage\n"
		       "        Total                                          : 23034 MiB\n"
		       "        Used                                           : 13 MiB\n"
		       "        Free                                           : 17450 MiB\n"
		       "|   1  NVIDIA L4                       On |   0000:0a:00.0     Off |                    0 |\n"
		       "| N/A   48C    P0             31W /   72W |      14MiB /  23034MiB |      3%      Default |\n",
		       "@2\n  gpu1 used 12\n"
		       "@7\n  gpu1 used 13 of 23034 free 17450\n"
		       "@9\n  gpu1 used 14 of 23034\n");
}

Test(device_names, a_tie_found_late_unites_what_came_before)
{
	/* The names of all points are asked again at the end; here the index is known from line 6 on. */
	expect_monitor("gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" UUID0
		       ", 932, python3, 540 MiB\n"
		       "# gpu     fb\n"
		       "# Idx     MB\n"
		       "    0    600\n"
		       "GPU 0: NVIDIA H200 (UUID: " UUID0 ")\n"
		       "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" UUID0
		       ", 932, python3, 541 MiB\n",
		       "@2\n  gpu0 pid 932 python3 used 540\n  gpu0 used 600\n"
		       "@8\n  gpu0 pid 932 python3 used 541\n");
}

Test(device_names, an_index_on_another_machine_is_another_card)
{
	expect_monitor("index, uuid, memory.used [MiB]\n"
		       "0, " UUID0 ", 12 MiB\n"
		       "0, " UUID1 ", 900 MiB\n",
		       "@2\n  gpu0 used 12\n  gpu0 used 900\n");
}

Test(device_names, one_process_on_two_devices_is_two_rows)
{
	expect_monitor("|    0   N/A  N/A      2652      C   python3                       664MiB |\n"
		       "|    1   N/A  N/A      2652      C   python3                      1500MiB |\n",
		       "@1\n  gpu0 pid 2652 python3 used 664\n  gpu1 pid 2652 python3 used 1500\n");
}
