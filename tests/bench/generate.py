#!/usr/bin/env python3
"""generate.py KIND MEGABYTES -- a synthetic log on standard output: tracker, csv."""
import sys

MIB = 1 << 20


def row(sign, count, shape):
    numel = 1
    for n in shape:
        numel *= n
    text = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    size = str(count * numel * 4 / MIB)[:6]
    return f"{sign} | {count} * Size:{text:<20} | Memory: {size} M | <class 'torch.Tensor'> | torch.float32\n"


def tracker(limit):
    """A training loop whose outputs are kept: one row grows, others come and go."""
    shapes = [(64, 3, 64, 64), (64, 32, 64, 64), (64, 64, 32, 32), (64,), (64, 10), (256, 4096), (10, 256)]
    yield "GPU Memory Track | 29-Nov-26-16:02:17 | Total Tensor Used Memory:0.0    Mb Total Allocated Memory:0.0    Mb\n\n"
    step, before = 0, {}
    while limit > 0:
        step += 1
        now = {s: step % 7 + 1 + i if i < 5 else 1 + i for i, s in enumerate(shapes)}
        now[(64, 10)] = step
        total = 0
        for shape, count in now.items():
            numel = 1
            for n in shape:
                numel *= n
            total += count * numel * 4
        block = "".join(row("+", c, s) for s, c in now.items() if before.get(s) != c)
        block += "".join(row("-", c, s) for s, c in before.items() if now.get(s) != c)
        where = f"/srv/job/train.py line {100 + step % 2 * 5}: step"
        block += f"\nAt {where:<50} Total Tensor Used Memory:{total / MIB:<7.1f}Mb Total Allocated Memory:{total / MIB + 20:<7.1f}Mb\n\n"
        limit -= len(block)
        before = now
        yield block


def csv(limit):
    """Two cards, ten looks a second."""
    yield "timestamp, index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB], utilization.gpu [%]\n"
    tick = 0
    while limit > 0:
        seconds, tenth = divmod(tick, 10)
        for index in (0, 1):
            used = 3000 + (tick // 50 + index * 7) % 4000
            line = (f"2026/11/{1 + seconds // 86400 % 30:02d} {seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}."
                    f"{tenth * 100 + index * 3:03d}, {index}, NVIDIA H200, 143771 MiB, {used} MiB, {143156 - used} MiB, {tick % 100} %\n")
            limit -= len(line)
            yield line
        tick += 1


sys.stdout.writelines({"tracker": tracker, "csv": csv}[sys.argv[1]](float(sys.argv[2]) * 1e6))
