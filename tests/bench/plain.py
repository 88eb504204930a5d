#!/usr/bin/env python3
"""What a colleague would write in an hour: re + sqlite3.  A yardstick for memlog import."""
import re
import sqlite3
import sys

ROW = re.compile(r"^([+-]) \| (\d+) \* Size:(\([\d, ]*\))\s*\| Memory: (\S+) M \| <class '(.*?)'>\s*\| (torch\.\w+)")
AT = re.compile(r"^At (.+) line (\d+): (.*?)\s+Total Tensor Used Memory:(\S+?)\s*Mb Total Allocated Memory:(\S+?)\s*Mb")


def main(path, out):
    db = sqlite3.connect(out)
    db.execute("CREATE TABLE point (line, file, code_line, function, visible, allocated)")
    db.execute("CREATE TABLE change (point, op, count, shape, class, dtype)")
    points, changes = [], []
    with open(path, encoding="utf-8") as log:
        for number, line in enumerate(log, 1):
            if m := ROW.match(line):
                changes.append((len(points), m[1], int(m[2]), m[3], m[5], m[6]))
            elif m := AT.match(line):
                points.append((number, m[1], int(m[2]), m[3], float(m[4]) * 2**20, float(m[5]) * 2**20))
    db.executemany("INSERT INTO point VALUES (?, ?, ?, ?, ?, ?)", points)
    db.executemany("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?)", changes)
    db.commit()


main(*sys.argv[1:])
