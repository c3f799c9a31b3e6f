#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Vector add over occupancy (warps) and accesses of a warp that are under way together, beside the law: what is under
way through the time that it takes, until memory bounds it.

An addition of 32 elements reads two lines and writes one. Latency is the time of a turn of one warp alone. The bound is
what the channel of reads carries, or what the requests in flight (gmem_lines) bring in memory's latency.

exit status: 0 done; 1 a point at either end is more than 10 % off the law (--check); 2 usage; else heddle's
example: lab/study/memory/volkov.py --config sm --picture volkov.png"""
import argparse

from rig import Rig, draw

LINE = 128
TOGETHER = (1, 2, 4)       # additions of a warp in a turn


def kernel(n):
    """Each warp adds `n` lines a turn, and the block's warps lie beside each other."""
    def at(k):
        return f"{k * LINE:#x}"
    loads = "".join(f"        LDG.E R{20 + k}, [R4+{at(k)}] ;\n        LDG.E R{30 + k}, [R6+{at(k)}] ;\n" for k in range(n))
    adds = "".join(f"        FADD R{20 + k}, R{20 + k}, R{30 + k} ;\n" for k in range(n))
    stores = "".join(f"        STG.E [R8+{at(k)}], R{20 + k} ;\n" for k in range(n))
    return f""".kernel add
.param u64 a
.param u64 b
.param u64 out
.param u32 turns
        S2R R0, SR_TID.X ;
        SHF.R.U32 R1, R0, 0x5, RZ ;
        LOP3.LUT R0, R0, 0x1f, RZ, 0xc0 ;
        IMAD R1, R1, {32 * n:#x}, R0 ;
        MOV R10, c[0x0][0x0] ;
        IMAD R10, R10, {4 * n:#x}, RZ ;
        MOV R4, c[0x0][a] ;
        MOV R5, c[0x0][a+4] ;
        MOV R6, c[0x0][b] ;
        MOV R7, c[0x0][b+4] ;
        MOV R8, c[0x0][out] ;
        MOV R9, c[0x0][out+4] ;
        IMAD.WIDE.U32 R4, R1, 0x4, R4 ;
        IMAD.WIDE.U32 R6, R1, 0x4, R6 ;
        IMAD.WIDE.U32 R8, R1, 0x4, R8 ;
        MOV R11, c[0x0][turns] ;
        MOV R12, 0x1 ;
turn:
{loads}        IMAD.WIDE.U32 R4, R10, R12, R4 ;
        IMAD.WIDE.U32 R6, R10, R12, R6 ;
        IADD3 R11, R11, -0x1, RZ ;
        ISETP.NE.AND P0, PT, R11, RZ, PT ;
{adds}{stores}        IMAD.WIDE.U32 R8, R10, R12, R8 ;
@P0     BRA turn ;
        EXIT ;
.end
"""


def rate(rig, warps, together):
    """Lines a cycle that are added in the steady state."""
    turns = max(4, 64 // warps // together * 4)
    bytes_all = 2 * turns * warps * together * LINE
    buffers = [f"out:{bytes_all}:u8:/dev/null"] * 3
    once, twice = (rig.cycles(kernel(together), 32 * warps, buffers + [f"u32:{turns * r}"]) for r in (1, 2))
    return turns * warps * together / (twice - once)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--config", default="sm", metavar="NAME", help="machine (default sm)")
    p.add_argument("--latency", type=int, default=100, metavar="N", help="cycles until memory answers (default 100)")
    p.add_argument("--picture", metavar="FILE.png", help="draw it; takes gnuplot")
    p.add_argument("--check", action="store_true", help="hold the ends to the law")
    a = p.parse_args()
    rig = Rig(a.config, a.latency)
    all_warps = rig.number("warps")
    warps = [n for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64) if n <= min(all_warps, 32)]
    beats = 2 * LINE / (rig.number("axi_bits") / 8)      # of channel R, for an addition
    bound = min(1 / beats, rig.number("gmem_lines") / (3 * a.latency))
    points = {k: [(n, rate(rig, n, k)) for n in warps] for k in TOGETHER}
    latency = {k: k / points[k][0][1] for k in TOGETHER}
    off = []
    print(f"bound {bound:.4f} lines a cycle\ntogether latency warps  lines a cycle  of the law")
    for k in TOGETHER:
        for n, r in points[k]:
            law = min(n * k / latency[k], bound)
            print(f"{k:8d} {latency[k]:7.0f} {n:5d} {r:14.4f} {r / law:11.3f}", flush=True)
            # The ends: two warps, where lines of one do not wait for the other's; all warps.
            end = n == 2 and k * beats < latency[k] / 10 or n == warps[-1] and n * k / latency[k] > bound
            if end and abs(r / law - 1) > 0.1:
                off.append(f"{n} warps of {k}: {r / law:.3f} of the law")
    if a.picture:
        lines = [(f"{k} together", "linespoints lw 2 pt 7", points[k]) for k in TOGETHER]
        lines += [(f"law, {k}", "lines dt 2 lc rgb \"grey40\"", [(n, min(n * k / latency[k], bound)) for n in warps])
                  for k in TOGETHER]
        draw(a.picture, f"Vector add on {a.config}, memory at {a.latency} cycles", "warps",
             "lines of 128 bytes added a cycle", lines)
    if a.check and off:
        raise SystemExit("error: " + "; ".join(off))


if __name__ == "__main__":
    main()
