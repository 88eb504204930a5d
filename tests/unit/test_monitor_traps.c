/* gpustat, nvitop, rocm-smi and amd-smi: what their forms and odd cells must come to. */
#include <criterion/criterion.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "monitor_feed.h"

struct trap {
	const char *why, *log, *means;
};

static void expect_all(const struct trap *trap, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_monitor(trap[i].log, trap[i].means);
}

#define EXPECT_ALL(traps) expect_all(traps, sizeof(traps) / sizeof(*(traps)))

static const struct trap gpustat[] = {
	{ "78: both signs of a degree; a user, a command and a pid, alone and together",
	  "node7                Sun Nov 29 16:22:12 2026  535.161.07\n"
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB | ana:python/4410(5118M) gdm(4M)\n"
	  "[1] Tesla K80        | 41'C,   0 % |   402 / 11441 MB | python/4411(398M)\n",
	  "@1 2026-11-29T16:22:12Z\n"
	  "  gpu0 used 5127 of 23034\n"
	  "  gpu0 pid 4410 python used 5118\n"
	  "  gpu0 gdm used 4\n"
	  "  gpu1 used 402 of 11441\n"
	  "  gpu1 pid 4411 python used 398\n" },
	{ "unknown memory of a card and of a process",
	  "[0] NVIDIA L4 | ??°C,  ?? % |    ?? /    ?? MB | python/4410(?M)\n",
	  "@1\n  gpu0 used none\n  gpu0 pid 4410 python used none\n# no-value\n# no-value\n" },
	{ "no processes, and none that can be seen",
	  "[0] Tesla K80        | 41'C,   0 % |     0 / 11441 MB |\n"
	  "[1] GeForce GT 710   | 36°C,  ?? % |     0 /   981 MB | (Not Supported)\n",
	  "@1\n  gpu0 used 0 of 11441\n  gpu1 used 0 of 981\n" },
	{ "a lost card is a gap and no zero",
	  "node7                Sun Nov 29 16:22:12 2026  535.161.07\n"
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB |\n"
	  "[1] ((GPU is lost))  | ??°C,  ?? % |    ?? /    ?? MB | (Not Supported)\n"
	  "[2] NVIDIA L4        | 48°C,   3 % |     1 / 23034 MB |\n"
	  "(No GPUs are available)\n",
	  "@1 2026-11-29T16:22:12Z\n  gpu0 used 5127 of 23034\n! device-lost gpu1\n"
	  "@4 2026-11-29T16:22:12Z\n  gpu2 used 1 of 23034\n! tool-failed\n" },
	{ "79: -f tells memory of the host",
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB | python/4410(5118M)\n"
	  " └─   4410 ( 123%,  3.4GB): /usr/bin/python train.py x(4M)\n",
	  "@1\n  gpu0 used 5127 of 23034\n  gpu0 pid 4410 python used 5118\n" },
	{ "two processes of one name and no pid use together what both use",
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB | ana(5000M) gdm(4M) ana(100M)\n"
	  "[0] NVIDIA L4        | 48°C,   3 % |  5137 / 23034 MB | ana(5000M) gdm(4M) ana(?M)\n",
	  "@1\n  gpu0 used 5127 of 23034\n  gpu0 ana used 5100\n  gpu0 gdm used 4\n"
	  "@2\n  gpu0 used 5137 of 23034\n  gpu0 ana used none\n  gpu0 gdm used 4\n"
	  "# no-value\n" },
	{ "names with blanks, brackets and colons",
	  "[0] …RTX A6000 | 48°C,  3 %,  31 / 72 W |  5127 / 49140 MB | "
	  "NVIDIA Share.exe/9(5M) ana:[kworker/8:2H]/7(6M) VLLM::Core (v1)/8(7M)\n",
	  "@1\n  gpu0 used 5127 of 49140\n  gpu0 pid 9 NVIDIA Share.exe used 5\n"
	  "  gpu0 pid 7 [kworker/8:2H] used 6\n  gpu0 pid 8 VLLM::Core (v1) used 7\n" },
	{ "what looks like a process, but stands below no card, is none",
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB | python/4410(5118M)\n"
	  "gdm(4M)\n",
	  "@1\n  gpu0 used 5127 of 23034\n  gpu0 pid 4410 python used 5118\n" },
	{ "without a header, each look at the same card is a point",
	  "after epoch 1\n"
	  "[0] NVIDIA L4        | 48°C,   3 % |  5127 / 23034 MB | python/4410(5118M)\n"
	  "after epoch 2\n"
	  "[0] NVIDIA L4        | 48°C,   3 % |  5130 / 23034 MB | python/4410(5121M)\n",
	  "@2 label 'after epoch #'\n  gpu0 used 5127 of 23034\n  gpu0 pid 4410 python used 5118\n"
	  "@4 label 'after epoch #'\n  gpu0 used 5130 of 23034\n  gpu0 pid 4410 python used 5121\n" },
	{ "--json: null is no value, bytes of the host are no memory of a card",
	  "{\n"
	  "    \"hostname\": \"node7\",\n"
	  "    \"driver_version\": \"535.161.07\",\n"
	  "    \"query_time\": \"2026-11-29T16:22:12.118201\",\n"
	  "    \"gpus\": [\n"
	  "        {\n"
	  "            \"index\": 0,\n"
	  "            \"uuid\": \"GPU-3f0c0000-1111-2222-3333-444444444440\",\n"
	  "            \"name\": \"NVIDIA L4\",\n"
	  "            \"memory.used\": 5127,\n"
	  "            \"memory.total\": 23034,\n"
	  "            \"processes\": [\n"
	  "                {\n"
	  "                    \"username\": \"ana\",\n"
	  "                    \"command\": \"python\",\n"
	  "                    \"full_command\": [\n"
	  "                        \"python\",\n"
	  "                        \"\\\"pid\\\": 5\"\n"
	  "                    ],\n"
	  "                    \"gpu_memory_usage\": 5118,\n"
	  "                    \"cpu_percent\": 123.4,\n"
	  "                    \"cpu_memory_usage\": 3650722201,\n"
	  "                    \"pid\": 4410\n"
	  "                }\n"
	  "            ]\n"
	  "        },\n"
	  "        {\n"
	  "            \"index\": 1,\n"
	  "            \"memory.used\": null,\n"
	  "            \"memory.total\": null,\n"
	  "            \"processes\": null\n"
	  "        }\n"
	  "    ]\n"
	  "}\n",
	  "@4 2026-11-29T16:22:12.118201Z\n"
	  "  gpu0 used 5127 of 23034\n"
	  "  gpu0 pid 4410 python used 5118\n"
	  "  gpu1 used none\n"
	  "# no-value\n" },
};

Test(monitor_traps, gpustat)
{
	EXPECT_ALL(gpustat);
}

/* 22.69 MiB are 23792189.44 B, 47.99 GiB 51528870133.76 B; 107.2 MiB 112407347.2 B. */
static const struct trap nvitop[] = {
	{ "80: the sizes of a cell have each their own unit",
	  "Fri Jan 02 02:47:44 2026\n"
	  "│ NVITOP 1.3.2        Driver Version: 570.144       CUDA Driver Version: 12.8 │\n"
	  "│   0 30%  35C  P8   14W / 300W │  22.69MiB / 47.99GiB │      0%      Default │ MEM: ▏ 0.0% │\n"
	  "│   1 30%  36C  P8   11W / 300W │  2048MiB / 47.99GiB │      0%      Default │ MEM: ▏ 4.2% │\n",
	  "@1 2026-01-02T02:47:44Z\n"
	  "  gpu0 used 23792189B of 51528870134B\n"
	  "  gpu1 used 2048 of 51528870134B\n" },
	{ "two lines a card, its processes, and memory of the host",
	  "Fri Jan 16 02:47:44 2026\n"
	  "│ NVITOP 1.6.1      Driver Version: 580.105.08      CUDA Driver Version: 13.0 │\n"
	  "│   0  GeForce RTX 2080 Ti  Off │ 00000000:21:00.0 Off │                  N/A │ MEM: ▏ 0.9%  │\n"
	  "│ 27%   42C    P8    17W / 250W │  107.2MiB / 11264MiB │      0%      Default │ UTL: ▏ 0%    │\n"
	  "[ MEM: ▍ 0.8%                                   USED: 7.92GiB ]  [ SWP: ▏ 0.0%             ]\n"
	  "\n"
	  "│   0  205220 C ikissa+    97MiB   0     0   0.0   0.3  0:42  python3 ex4.py                  │\n"
	  "│   0  205221 G ikissa+ WDDM:N/A   0     0   0.0   0.3  0:42  game.exe                        │\n",
	  "@1 2026-01-16T02:47:44Z\n"
	  "  gpu0 used 112407347B of 11264\n"
	  "  gpu0 pid 205220 python3 ex4.py used 97\n"
	  "  gpu0 pid 205221 game.exe used none\n"
	  "# no-value\n" },
	{ "without Unicode it looks like nvidia-smi's table, whose sizes are whole MiB",
	  "Thu Apr 23 15:03:17 2026\n"
	  "| NVITOP 1.6.2      Driver Version: 570.211.01      CUDA Driver Version: 12.8 |\n"
	  "|-------------------------------+----------------------+----------------------|\n"
	  "|   0  ..la V100-SXM2-16GB  Off | 00000000:04:00.0 Off |                    0 |\n"
	  "| N/A   44C   P0     69W / 300W |    96GiB / 97.5GiB   |     48%      Default |\n"
	  "|   1  ..la V100-SXM2-16GB  Off | 00000000:82:00.0 Off |                    0 |\n"
	  "| N/A   40C   P0     58W / 300W |  309.5MiB / 16384MiB |      0%      Default |\n"
	  "|   0   18830 C phungk+  9316MiB  76    53   0.0   1.2  5:39  /usr/local/bi.. |\n",
	  "@1 2026-04-23T15:03:17Z\n"
	  "  gpu0 used 98304 of 99840\n"
	  "  gpu1 used 324534272B of 16384\n"
	  "  gpu0 pid 18830 /usr/local/bi.. used 9316\n" },
	{ "then comes nvidia-smi",
	  "Thu Apr 23 15:03:17 2026\n"
	  "| NVITOP 1.6.2      Driver Version: 570.211.01      CUDA Driver Version: 12.8 |\n"
	  "|   0  ..la V100-SXM2-16GB  Off | 00000000:04:00.0 Off |                    0 |\n"
	  "| N/A   44C   P0     69W / 300W |   9319MiB / 16384MiB |     48%      Default |\n"
	  "Thu Apr 23 15:03:27 2026\n"
	  "| NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |\n"
	  "|   0  NVIDIA A10                     Off | 00000000:65:00.0 Off |                    0 |\n"
	  "|  0%   29C    P8              15W / 150W |    341MiB / 23028MiB |      0%      Default |\n"
	  "|    0   N/A  N/A     77121      C   /opt/venv/bin/python3                       332MiB |\n",
	  "@1 2026-04-23T15:03:17Z\n  gpu0 used 9319 of 16384\n"
	  "@5 2026-04-23T15:03:27Z\n  gpu0 used 341 of 23028\n"
	  "  gpu0 pid 77121 /opt/venv/bin/python3 used 332\n" },
	{ "MIG devices stand apart, and their windows are no memory",
	  "│   0  A100-PCIE-40GB       On  │ 00000000:3B:00.0 Off │  Enabled           0 │\n"
	  "│ N/A   30C    P0    43W / 250W │    769MiB / 40536MiB │     N/A      Default │\n"
	  "│ 0:0      1g.5gb @ GI/CI: 2/0  │    742MiB / 4864MiB  │ BAR1:      2MiB /  0% │\n"
	  "│ 0:1      1g.5gb @ GI/CI: 2/1  │    742MiB / 4864MiB  │ BAR1:      2MiB /  0% │\n",
	  "@2\n  gpu0 used 769 of 40536\n  gpu0/mig2 used 742 of 4864\n" },
	{ "no card, and nothing to see",
	  "Fri Jan 16 02:47:44 2026\n"
	  "│ NVITOP 1.6.1      Driver Version: N/A      CUDA Driver Version: N/A │\n"
	  "│  No visible devices found                                                   │\n"
	  "Fri Jan 16 02:47:54 2026\n"
	  "│ N/A   N/A   N/A     N/A / N/A │            N/A / N/A │     N/A          N/A │\n",
	  "! tool-failed\n@1 2026-01-16T02:47:44Z\n@4 2026-01-16T02:47:54Z\n  gpu? used none\n# no-value\n" },
};

Test(monitor_traps, nvitop)
{
	EXPECT_ALL(nvitop);
}

/* 17163091968 B are 16368 MiB, 1073741824 B 1024. */
static const struct trap rocm_smi[] = {
	{ "81: the key of what is used has Total in it, too",
	  "============================ ROCm System Management Interface ============================\n"
	  "================================== Memory Usage (Bytes) ==================================\n"
	  "GPU[0]\t\t: VRAM Total Memory (B): 17163091968\n"
	  "GPU[0]\t\t: VRAM Total Used Memory (B): 1073741824\n"
	  "GPU[0]\t\t: VIS_VRAM Total Memory (B): 268435456\n"
	  "GPU[0]\t\t: VIS_VRAM Total Used Memory (B): 4194304\n"
	  "GPU[0]\t\t: GTT Total Used Memory (B): 14680064\n"
	  "GPU[1]\t\t: VRAM Total Used Memory (B): N/A\n"
	  "================================== End of ROCm SMI Log ===================================\n"
	  "GPU[0]\t\t: VRAM Total Used Memory (B): 1073741825\n",
	  "@3\n  gpu0 used 1024 of 16368\n  gpu1 used none\n"
	  "@10\n  gpu0 used 1073741825B\n# no-value\n" },
	{ "81: numbers in quotes, keys in any order, cards in one line",
	  "{\"card0\": {\"VRAM Total Used Memory (B)\": \"1073741824\", \"VRAM Total Memory (B)\": "
	  "\"17163091968\"}, \"card1\": {\"Card Series\": \"x, y\", \"VRAM Total Memory (B)\": "
	  "\"67108864\", \"VRAM Total Used Memory (B)\": \"N/A\"}}\n"
	  "{\n"
	  "  \"card0\": {\n"
	  "    \"VRAM Total Memory (B)\": \"17163091968\",\n"
	  "    \"VRAM Total Used Memory (B)\": \"1074790400\"\n"
	  "  }\n"
	  "}\n",
	  "@1\n  gpu0 used 1024 of 16368\n  gpu1 used none of 64\n"
	  "@4\n  gpu0 used 1025 of 16368\n# no-value\n" },
	{ "--csv: columns by name, wherever they stand",
	  "device,GPU use (%),VRAM Total Memory (B),VRAM Total Used Memory (B),Card Series\n"
	  "card0,17,17163091968,1073741824,Navi 21 [Radeon RX 6800/6800 XT / 6900 XT]\n"
	  "card1,17,67108864,N/A,Raphael\n",
	  "@2\n  gpu0 used 1024 of 16368\n  gpu1 used none of 64\n# no-value\n" },
	{ "shares are whole percents of a total that is not told",
	  "GPU  Temp   AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n"
	  "0    47.0c  91.0W   800Mhz  1600Mhz  0%   auto  560.0W   31%   0%\n"
	  "1    46.0c  N/A     800Mhz  1600Mhz  0%   auto  0.0W    N/A    0%\n",
	  "@2\n  gpu0 used 31.00 % step 1.00 %\n  gpu1 used none\n# no-value\n" },
	{ "the table of today: two cells with blanks in them",
	  "Device  Node  IDs              Temp        Power     Partitions          SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%\n"
	  "              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)\n"
	  "=======================================================================================================================\n"
	  "0       1     0x7550,   45211  31.0°C      15.0W     N/A, N/A, 0         36Mhz   96Mhz   0%   auto  330.0W  6%     3%\n",
	  "@4\n  gpu0 used 6.00 % step 1.00 %\n" },
	{ "the same with bytes is told in bytes; how busy the memory is, not at all",
	  "GPU[0]\t\t: GPU Memory Allocated (VRAM%): 6\n"
	  "GPU[0]\t\t: GPU memory use (%): 90\n"
	  "GPU[0]\t\t: VRAM Total Memory (B): 17163091968\n"
	  "GPU[0]\t\t: VRAM Total Used Memory (B): 1073741824\n"
	  "GPU[0]\t\t: GPU Memory Allocated (VRAM%): 7\n",
	  "@1\n  gpu0 used 1024 of 16368\n@5\n  gpu0 used 1201416438B of 16368\n" },
	{ "the memory of processes is that on all their cards",
	  "PID    \tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY\t\n"
	  "2728   \tllama-server\t2     \t1073741824\t0        \tUNKNOWN     \t\n"
	  "1188185\tUNKNOWN     \t0     \tUNKNOWN  \tUNKNOWN  \tUNKNOWN     \t\n"
	  "77     \tx           \t2\n",
	  "@2\n  gpu? pid 2728 llama-server used 1024\n  gpu? pid 1188185 used none\n# no-value\n" },
	{ "a card that tells nothing",
	  "ERROR: GPU[0] \t\t: Unable to get GPU memory use.\nNo KFD PIDs currently running\n",
	  "! tool-failed gpu0\n" },
};

Test(monitor_traps, rocm_smi)
{
	EXPECT_ALL(rocm_smi);
}

/* 2.8 GiB are 3006477107.2 B, 3.0 3221225472, 191.7 205836307660.8. */
static const struct trap amd_smi[] = {
	{ "metric -m: visible VRAM and GTT are not the card's memory",
	  "GPU: 0\n    MEM_USAGE:\n        TOTAL_VRAM: 16335 MB\n        USED_VRAM: 1235 MB\n"
	  "        FREE_VRAM: 15100 MB\n        TOTAL_VISIBLE_VRAM: 16335 MB\n"
	  "        USED_VISIBLE_VRAM: 12 MB\n        USED_GTT: 14 MB\n\n"
	  "GPU: 1\n    MEM_USAGE:\n        TOTAL_VRAM: N/A\n        USED_VRAM: N/A\n",
	  "@3\n  gpu0 used 1235 of 16335 free 15100\n  gpu1 used none\n# no-value\n" },
	{ "82: number and unit of a cell are two words; times are seconds",
	  "'CTRL' + 'C' to stop watching output:\n"
	  " TIMESTAMP  GPU  VRAM_USED  VRAM_TOTAL\n"
	  "1753969973    0    1235 MB    16335 MB\n"
	  "1753969973    1        N/A    16335 MB\n"
	  "1753969978    0    1236 MB    16335 MB\n",
	  "@3 2025-07-31T13:52:53Z\n  gpu0 used 1235 of 16335\n  gpu1 used none of 16335\n"
	  "@5 2025-07-31T13:52:58Z\n  gpu0 used 1236 of 16335\n# no-value\n" },
	{ "82: both sizes in one cell, of 1024³ bytes, and processes",
	  "GPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE\n"
	  "  0  293 W   49 °C   43 °C  2106 MHz   96 %    0 %    N/A    0 %    3.0/191.7 GB\n"
	  "\n"
	  "PROCESS INFO:\n"
	  "GPU                  NAME      PID   GTT_MEM   CPU_MEM  VRAM_MEM  MEM_USAGE     GFX     ENC\n"
	  "  0                   N/A  2266127     0.0 B     0.0 B    2.8 GB      0.0 B    0 ns    0 ns\n",
	  "@2\n  gpu0 used 3072 of 205836307661B\n  gpu0 pid 2266127 used 3006477107B\n" },
	{ "82: the table, where a card has two lines",
	  "| AMD-SMI 26.2.2+1d06e2956f    amdgpu version: 6.16.13  ROCm version: 7.2.1    |\n"
	  "| 0000:05:00.0 AMD Instinct MI300X VF | 0 %      39 °C   0           142/750 W |\n"
	  "|   0       0       2        SPX/NPS1 | 0 %        N/A           285/196288 MB |\n"
	  "|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |\n"
	  "|    0      36750  python3.12             2.0 MB    9.5 GB     9.6 GB  N/A     |\n",
	  "@1\n  gpu0 used 285 of 196288\n  gpu0 pid 36750 python3.12 used 9728\n" },
	{ "what one command has told of a card is not the next one's",
	  "| AMD-SMI 26.2.2+1d06e2956f    amdgpu version: 6.16.13  ROCm version: 7.2.1    |\n"
	  "| 0000:05:00.0 AMD Instinct MI300X VF | 0 %      39 °C   0           142/750 W |\n"
	  "|   0       0       2        SPX/NPS1 | 0 %        N/A           285/196288 MB |\n"
	  "GPU: 0\n    PROCESS_INFO:\n        NAME: python3\n        PID: 12\n"
	  "            VRAM_MEM: 512.0 MB\n"
	  "GPU  VRAM_USED  VRAM_TOTAL\n"
	  "  1    1235 MB    16335 MB\n",
	  "@1\n  gpu0 used 285 of 196288\n  gpu0 pid 12 python3 used 512\n"
	  "  gpu1 used 1235 of 16335\n" },
	{ "processes: names may be hidden, and there may be none",
	  "GPU: 0\n    PROCESS_INFO:\n        NAME: N/A\n        PID: 1693982\n        MEMORY_USAGE:\n"
	  "            GTT_MEM: 128.0 MB\n            CPU_MEM: 0.0 B\n            VRAM_MEM: 1.5 GB\n"
	  "        MEM_USAGE: 0.0 B\n    PROCESS_INFO:\n        NAME: python3\n        PID: 12\n"
	  "            VRAM_MEM: 512.0 MB\n"
	  "GPU: 1\n    PROCESS_INFO: No running processes detected\n",
	  "@8\n  gpu0 pid 1693982 used 1536\n  gpu0 pid 12 python3 used 512\n" },
	{ "--csv and --json",
	  "gpu,total_vram,used_vram,free_vram,total_visible_vram,used_visible_vram\n"
	  "0,16335,1235,15100,16335,12\n"
	  "[\n    {\n        \"gpu\": 0,\n        \"mem_usage\": {\n            \"total_vram\": {\n"
	  "                \"value\": 16335,\n                \"unit\": \"MB\"\n            },\n"
	  "            \"used_vram\": {\n                \"value\": 1236,\n"
	  "                \"unit\": \"MB\"\n            },\n            \"used_gtt\": {\n"
	  "                \"value\": 14,\n                \"unit\": \"MB\"\n            }\n"
	  "        }\n    }\n]\n",
	  "@2\n  gpu0 used 1235 of 16335 free 15100\n@8\n  gpu0 used 1236 of 16335\n" },
};

Test(monitor_traps, amd_smi)
{
	EXPECT_ALL(amd_smi);
}

/* A line of as many processes as nobody runs is cut short, not read for minutes. */
Test(monitor_traps, a_line_of_processes_without_end)
{
	struct strbuf log = STRBUF_INIT;
	char *got;

	strbuf_adds(&log, "[0] NVIDIA L4 | 48°C,   3 % |  5127 / 23034 MB |");
	for (int i = 0; i < 100000; i++)
		strbuf_adds(&log, " a/1(1M)");
	got = feed_monitor(log.buf, NULL);
	cr_expect_str_eq(got, "@1\n  gpu0 used 5127 of 23034\n");
	free(got);
	strbuf_release(&log);
}

Test(monitor_traps, lines_of_other_text_are_nobodys)
{
	expect_monitor("[0] loss 0.25 | acc 48°C\n"
		       "[1/10] Epoch | 5127 / 23034 MB\n"
		       "gdm(4M)\n"
		       "card0,1,2\n"
		       "  0     10 MB    65501 MB\n"
		       "        USED_VRAM: 12 MB\n"
		       "    \"used_vram\": {\n"
		       "        \"value\": 3,\n"
		       "│   0  GeForce │ x │\n",
		       "");
}
