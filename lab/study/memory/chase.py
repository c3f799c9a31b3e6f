#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of a load whose address is what the load before it read, over how much memory the chain goes round: the
levels of the memory system. The chain visits each line of 128 bytes once a round; the first round is not counted.

exit status: 0 done; 1 a level is not where --check wants it; 2 usage; else heddle's
example: lab/study/memory/chase.py --config sm --picture chase.png"""
import argparse

from rig import Rig, draw

LINE, UNROLL = 128, 8
KERNEL = """.kernel chase
.param u64 ring
.param u32 lines
.param u32 loads
        MOV R2, c[0x0][ring] ;
        MOV R3, c[0x0][ring+4] ;
        MOV R9, c[0x0][lines] ;
        MOV R0, RZ ;
build:
        IADD3 R1, R0, 0x1, RZ ;
        ISETP.LT.U32.AND P0, PT, R1, R9, PT ;
        SEL R8, R1, RZ, P0 ;
        IMAD.WIDE.U32 R4, R0, 0x80, R2 ;
        IMAD.WIDE.U32 R6, R8, 0x80, R2 ;
        STG.E.64 [R4], R6 ;
        MOV R0, R1 ;
@P0     BRA build ;
        MEMBAR.GPU ;
        MOV R9, c[0x0][loads] ;
        MOV R4, R2 ;
        MOV R5, R3 ;
go:
LOADS        IADD3 R9, R9, -0x8, RZ ;
        ISETP.NE.AND P0, PT, R9, RZ, PT ;
@P0     BRA go ;
        STG.E.64 [R2], R4 ;
        EXIT ;
.end
""".replace("LOADS", "        LDG.E.64 R4, [R4] ;\n" * UNROLL)


def of_a_load(rig, size):
    """Cycles of a load of the second round."""
    lines = size // LINE
    once, twice = (rig.cycles(KERNEL, 1, [f"out:{size}:u8:/dev/null", f"u32:{lines}", f"u32:{lines * rounds}"])
                   for rounds in (1, 2))
    return (twice - once) / lines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", default="sm", metavar="NAME", help="machine (default sm)")
    p.add_argument("--latency", type=int, default=100, metavar="N", help="cycles until memory answers (default 100)")
    p.add_argument("--most", type=int, default=256, metavar="KIB", help="the largest ring (default 256)")
    p.add_argument("--picture", metavar="FILE.png", help="draw it; takes gnuplot")
    p.add_argument("--check", action="store_true", help="a load of what fits the cache takes less than half of one of "
                   "four times as much, which takes as long as memory at least")
    a = p.parse_args()
    rig = Rig(a.config, a.latency)
    cache = rig.number("l1_bytes")
    sizes = [1024 << i for i in range(20) if 1 << i <= a.most]
    points = []
    print("KiB    cycles a load")
    for size in sizes:
        points.append((size / 1024, of_a_load(rig, size)))
        print(f"{size // 1024:3d}    {points[-1][1]:7.2f}", flush=True)
    if a.picture:
        draw(a.picture, f"A chain of loads on {a.config}, memory at {a.latency} cycles", "KiB that it goes round",
             "cycles a load", [("LDG.64 of its own address, a line each", "linespoints lw 2 pt 7", points)],
             f"set yrange [0:{1.2 * max(y for _, y in points)}]\n"
             + (f"set arrow from {cache / 1024}, graph 0 to {cache / 1024}, graph 1 nohead dt 2\n"
                f"set label 'cache, {cache // 1024} KiB' at {cache / 1024 * 1.05}, graph 0.1\n" if cache else ""))
    if a.check:
        at = dict(points)
        hit, miss = at[cache / 1024], at[4 * cache / 1024]
        if not (hit < miss / 2 and miss > a.latency):
            raise SystemExit(f"error: what fits the cache takes {hit:.1f} cycles a load, four times of it {miss:.1f}")


if __name__ == "__main__":
    main()
