/* nvidia-smi as CSV, as columns (dmon, pmon), as -q text and as XML. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "monitor_feed.h"

Test(smi_csv_traps, trap_52_a_header_may_come_again)
{
	expect_monitor("index, memory.used [MiB]\n"
		       "0, 3312 MiB\n"
		       "index, memory.used [MiB]\n"
		       "0, 3313 MiB\n",
		       "@2\n  gpu0 used 3312\n"
		       "@4\n  gpu0 used 3313\n");
}

Test(smi_csv_traps, trap_53_rows_of_one_tick_have_times_of_their_own)
{
	expect_monitor("timestamp, index, memory.used [MiB]\n"
		       "2025/02/11 09:14:02.118, 0, 3312 MiB\n"
		       "2025/02/11 09:14:02.121, 1, 12 MiB\n"
		       "2025/02/11 09:14:02.318, 0, 3313 MiB\n"
		       "2025/02/11 09:14:02.321, 1, 12 MiB\n",
		       "@2 2025-02-11T09:14:02.118Z\n  gpu0 used 3312\n  gpu1 used 12\n"
		       "@4 2025-02-11T09:14:02.318Z\n  gpu0 used 3313\n  gpu1 used 12\n");
}

Test(smi_csv_traps, trap_54_each_word_for_no_value)
{
	expect_monitor("index, memory.total [MiB], memory.used [MiB]\n"
		       "0, 24564 MiB, [N/A]\n"
		       "0, 24564 MiB, N/A\n"
		       "0, 24564 MiB, [Not Supported]\n"
		       "0, 24564 MiB, [Unknown Error]\n"
		       "0, 24564 MiB, [Insufficient Permissions]\n"
		       "0, 24564 MiB, [Function Not Found]\n"
		       "0, 24564 MiB, [Requested functionality has been deprecated]\n",
		       "@2\n  gpu0 used none of 24564\n"
		       "@3\n  gpu0 used none of 24564\n"
		       "@4\n  gpu0 used none of 24564\n"
		       "@5\n  gpu0 used none of 24564\n"
		       "@6\n  gpu0 used none of 24564\n"
		       "@7\n  gpu0 used none of 24564\n"
		       "@8\n  gpu0 used none of 24564\n"
		       "# no-value\n# no-value\n# no-value\n# no-value\n# no-value\n# no-value\n"
		       "# no-value\n");
}

Test(smi_csv_traps, reasons_for_missing_values_are_told)
{
	static const struct feed_options notes = { .notes = 1 };

	expect_monitor_with("index, memory.used [MiB]\n"
			    "0, [Insufficient Permissions]\n"
			    "0, [Insufficient Permissions]\n",
			    &notes,
			    "@2\n  gpu0 used none\n@3\n  gpu0 used none\n"
			    "# no-value: 2 lines print '[Insufficient Permissions]' for the memory that a "
			    "device uses: kept as unknown, not as zero; run the tool with the rights to "
			    "see it\n");
}

Test(smi_csv_traps, trap_55_a_comma_in_a_process_name)
{
	expect_monitor("pid, process_name, used_gpu_memory [MiB]\n"
		       "9127, C:\\Program Files\\Game, Inc\\x.exe, 77 MiB\n",
		       "@2\n  gpu? pid 9127 C:\\Program Files\\Game, Inc\\x.exe used 77\n");
}

Test(smi_csv_traps, trap_56_nounits_and_columns_from_the_user)
{
	static const struct feed_options columns = { .columns = "index,memory.used,memory.total" };

	expect_monitor("index, name, memory.total [MiB], memory.used [MiB]\n"
		       "0, NVIDIA L4, 23034, 5127\n",
		       "@2\n  gpu0 used 5127 of 23034\n");
	/* Without a header nothing is guessed. */
	expect_monitor("0, 5127, 23034\n", "");
	expect_monitor_with("0, 5127, 23034\n1, 12, 23034\n", &columns,
			    "@1\n  gpu0 used 5127 of 23034\n  gpu1 used 12 of 23034\n");
}

Test(smi_csv_traps, trap_57_utilization_memory_is_no_memory)
{
	expect_monitor("index, utilization.memory [%], memory.total [MiB]\n"
		       "0, 40 %, 24564 MiB\n",
		       "@2\n  gpu0 of 24564\n");
}

Test(smi_csv_traps, trap_58_and_59_parts_need_not_add_up_to_the_last_mib)
{
	/* 616 + 0 + 143156 = 143772 = total + 1 (rounded up); 458 + 5127 + 17448 = total - 1. */
	expect_monitor("index, memory.total [MiB], memory.reserved [MiB], memory.used [MiB], "
		       "memory.free [MiB]\n"
		       "0, 143771 MiB, 616 MiB, 0 MiB, 143156 MiB\n"
		       "1, 23034 MiB, 458 MiB, 5127 MiB, 17448 MiB\n",
		       "@2\n"
		       "  gpu0 used 0 of 143771 free 143156 reserved 616\n"
		       "  gpu1 used 5127 of 23034 free 17448 reserved 458\n");
}

Test(smi_csv_traps, trap_60_what_a_finished_process_had_at_most_is_not_what_it_has)
{
	expect_monitor("pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], time [ms]\n"
		       "4398, 2 %, 0 %, 0 MiB, 153712 ms\n",
		       "");
}

Test(smi_csv_traps, trap_61_and_62_dmon_by_column_name_fb_is_memory)
{
	expect_monitor("#Date       Time        gpu     fb   bar1   ccpm    mem\n"
		       "#YYYYMMDD   HH:MM:SS    Idx     MB     MB     MB      %\n"
		       " 20250211   09:14:02      0   5127      6      0     77\n"
		       " 20250211   09:14:02      1      -      -      -      -\n"
		       "#Date       Time        gpu     fb   bar1   ccpm    mem\n"
		       "#YYYYMMDD   HH:MM:SS    Idx     MB     MB     MB      %\n"
		       " 20250211   09:14:03      0   5128      6      0     77\n",
		       "@3 2025-02-11T09:14:02Z\n  gpu0 used 5127\n  gpu1 used none\n"
		       "@7 2025-02-11T09:14:03Z\n  gpu0 used 5128\n"
		       "# no-value\n");
	expect_monitor("# gpu    pwr     mem      fb\n"
		       "# Idx      W       %      MB\n"
		       "    0     31      77    5127  \n",
		       "@3\n  gpu0 used 5127\n");
	expect_monitor("#Time        gpu     fb\n#HH:MM:SS    Idx     MB\n 09:14:02      0     12\n",
		       "@3 1970-01-01T09:14:02Z\n  gpu0 used 12\n");
}

Test(smi_csv_traps, trap_63_pmon)
{
	/* The titles come again inside one look; a command has a blank; a last cell is missing. */
	expect_monitor("# gpu         pid   type     sm    mem     fb   ccpm    command\n"
		       "# Idx           #    C/G      %      %     MB     MB    name\n"
		       "    0       4410     C     12      4   5118      0    python3\n"
		       "# gpu         pid   type     sm    mem     fb   ccpm    command\n"
		       "# Idx           #    C/G      %      %     MB     MB    name\n"
		       "    0       1187   C+G      1      0     18      0    NVIDIA Share.exe\n"
		       "    1          -     -      -      -      -      -\n",
		       "@3\n"
		       "  gpu0 pid 4410 python3 used 5118\n"
		       "  gpu0 pid 1187 NVIDIA Share.exe used 18\n");
	/* One process with two contexts, in one look: not twice its memory. */
	expect_monitor("#Time        gpu         pid   type     sm    mem     fb   command\n"
		       "#HH:MM:SS    Idx           #    C/G      %      %     MB   name\n"
		       " 09:14:02      0       1187     C      1      0     18   a\n"
		       " 09:14:02      0       1187   C+G      1      0     18   a\n",
		       "@3 1970-01-01T09:14:02Z\n  gpu0 pid 1187 a used 18\n");
}

Test(smi_csv_traps, trap_64_65_and_66_q_text)
{
	expect_monitor("==============NVSMI LOG==============\n"
		       "\n"
		       "Timestamp                           : Fri Jul  3 22:10:45 2026\n"
		       "Driver Version : 610.62 [Deprecated: use KMD Version instead]\n"
		       "\n"
		       "GPU 00000000:31:00.0\n"
		       "    FB Memory Usage\n"
		       "        Total                                          : 23034 MiB\n"
		       "        Reserved                                       : 458 MiB\n"
		       "        Used                                           : 5127 MiB\n"
		       "        Free                                           : 17450 MiB\n"
		       "    BAR1 Memory Usage\n"
		       "        Total                     : 32768 MiB\n"
		       "        Used                      : 6 MiB\n"
		       "        Free                      : 32762 MiB\n"
		       "    Conf Compute Protected Memory Usage\n"
		       "        Total                     : 0 MiB\n"
		       "        Used                      : 0 MiB\n"
		       "        Free                      : 0 MiB\n"
		       "Processes\n"
		       "        GPU instance ID           : N/A\n"
		       "        Process ID                : 4410\n"
		       "            Type                  : C\n"
		       "            Name                  : python3\n"
		       "            Used GPU Memory       : 2296 MiB\n",
		       "@3 2026-07-03T22:10:45Z\n"
		       "  00000000:31:00.0 used 5127 of 23034 free 17450 reserved 458\n"
		       "  00000000:31:00.0 pid 4410 python3 used 2296\n");
	expect_monitor("==============NVSMI LOG==============\n"
		       "GPU 00000000:31:00.0\n"
		       "        GPU Instance ID                   : 2\n"
		       "        Shared FB Memory Usage\n"
		       "            Total                         : 4864 MiB\n"
		       "            Used                          : 742 MiB\n"
		       "            Free                          : 4122 MiB\n"
		       "    FB Memory Usage\n"
		       "        Total                             : 40536 MiB\n"
		       "        Used                              : 769 MiB\n"
		       "        Free                              : 39767 MiB\n",
		       "@7\n"
		       "  00000000:31:00.0/mig2 used 742 of 4864 free 4122\n"
		       "  00000000:31:00.0 used 769 of 40536 free 39767\n");
}

Test(smi_csv_traps, trap_67_xml)
{
	static const char document[] =
		"<?xml version=\"1.0\" ?>\n"
		"<nvidia_smi_log>\n"
		"\t<timestamp>Fri Apr 10 10:23:01 2026</timestamp>\n"
		"\t<gpu id=\"00000000:31:00.0\">\n"
		"\t\t<mig_devices>\n"
		"\t\t\t<mig_device>\n"
		"\t\t\t\t<gpu_instance_id>2</gpu_instance_id>\n"
		"\t\t\t\t<fb_memory_usage>\n"
		"\t\t\t\t\t<total>4864 MiB</total>\n"
		"\t\t\t\t\t<used>742 MiB</used>\n"
		"\t\t\t\t\t<free>4122 MiB</free>\n"
		"\t\t\t\t</fb_memory_usage>\n"
		"\t\t\t</mig_device>\n"
		"\t\t</mig_devices>\n"
		"\t\t<fb_memory_usage>\n"
		"\t\t\t<total>40536 MiB</total>\n"
		"\t\t\t<used>769 MiB</used>\n"
		"\t\t\t<free>39767 MiB</free>\n"
		"\t\t</fb_memory_usage>\n"
		"\t\t<bar1_memory_usage>\n"
		"\t\t\t<total>65536 MiB</total>\n"
		"\t\t\t<used>5 MiB</used>\n"
		"\t\t\t<free>65531 MiB</free>\n"
		"\t\t</bar1_memory_usage>\n"
		"\t\t<processes>\n"
		"\t\t\t<process_info>\n"
		"\t\t\t\t<gpu_instance_id>N/A</gpu_instance_id>\n"
		"\t\t\t\t<pid>4410</pid>\n"
		"\t\t\t\t<type>C</type>\n"
		"\t\t\t\t<process_name>/opt/a&amp;b/python3</process_name>\n"
		"\t\t\t\t<used_memory>22 MiB</used_memory>\n"
		"\t\t\t</process_info>\n"
		"\t\t</processes>\n"
		"\t</gpu>\n"
		"</nvidia_smi_log>\n";
	static const char means[] = "  00000000:31:00.0/mig2 used 742 of 4864 free 4122\n"
				    "  00000000:31:00.0 used 769 of 40536 free 39767\n"
				    "  00000000:31:00.0 pid 4410 /opt/a&amp;b/python3 used 22\n";
	char twice[2 * sizeof(document)], expected[4 * sizeof(means)];

	/* 35 lines a document: the second's time stands in line 35 + 3. */
	snprintf(twice, sizeof(twice), "%s%s", document, document);
	snprintf(expected, sizeof(expected),
		 "@3 2026-04-10T10:23:01Z\n%s@38 2026-04-10T10:23:01Z\n%s", means, means);
	expect_monitor(twice, expected);
}

Test(smi_csv_traps, zone_of_local_times)
{
	static const struct feed_options east = { .tz = "+08:00" };

	expect_monitor_with("timestamp, index, memory.used [MiB]\n"
			    "2025/02/11 09:14:02.118, 0, 3312 MiB\n",
			    &east, "@2 2025-02-11T01:14:02.118Z\n  gpu0 used 3312\n");
}

Test(smi_csv_traps, trap_106_order_is_that_of_the_lines_when_the_clock_is_set_back)
{
	expect_monitor("timestamp, index, memory.used [MiB]\n"
		       "2025/10/26 02:59:59.000, 0, 1 MiB\n"
		       "2025/10/26 02:00:00.000, 0, 2 MiB\n",
		       "@2 2025-10-26T02:59:59.000Z\n  gpu0 used 1\n"
		       "@3 2025-10-26T02:00:00.000Z\n  gpu0 used 2\n");
}
