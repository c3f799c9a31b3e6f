# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of cases.py on the core under Icarus and compares memory, traps and events
with what the prose says. run.py HEDDLE SIMULATION [NAME ...] [--bug N] [--keep DIR]"""
import argparse
import concurrent.futures
import pathlib
import struct
import subprocess
import tempfile

import cases
import image


def simulate(args, case, folder):
    """lines of the event file, memory afterwards"""
    source, elf = folder / "p.s", folder / "p.elf"
    source.write_text(case.source)
    subprocess.run([args.heddle, "as", str(source), "-o", str(elf)], check=True,
                   capture_output=True, text=True)
    mem, launch = image.build(elf.read_bytes(), case.grid, case.block,
                              struct.pack("<Q", image.OUT), case.init, case.regs)
    (folder / "mem.hex").write_text(image.hex_of(mem))
    (folder / "launch.hex").write_text("\n".join(f"{x:016x}" for x in launch) + "\n")
    bad = [f"+bad={case.bad // 32}"] if case.bad is not None else []
    subprocess.run([*args.simulation.split(), "+mem=mem.hex", "+launch=launch.hex", "+out=out.txt",
                    "+dump=dump.hex", f"+bug={args.bug}", f"+seed={len(case.name)}", *bad],
                   check=True, cwd=folder, capture_output=True, timeout=100)
    lines = (folder / "out.txt").read_text().splitlines()
    dump = [x for x in (folder / "dump.hex").read_text().splitlines() if x[0] not in "/@"]
    return lines, b"".join(bytes.fromhex(x.replace("x", "0"))[::-1] for x in dump)


def check_events(lines, trapped):
    """sequences without a gap from 0; blocks that start also end"""
    seen = {}
    for line in lines:
        f = line.split()
        if f[0] == "issue":
            who = f[1], f[2]
            if int(f[3]) != seen.get(who, 0):
                return f"gap in the sequence: {line}"
            seen[who] = int(f[3]) + 1
    starts = [x for x in lines if x.startswith("start")]
    ends = [x for x in lines if x.startswith("end")]
    if not trapped and len(starts) != len(ends):
        return f"{len(starts)} blocks started, {len(ends)} ended"
    return None


def judge(case, lines, mem):
    done = lines[-1].split()
    if done[0] != "finish" or done[1] != "1":
        return "does not end"
    if int(done[2]) != case.refused:
        return f"refused {done[2]}, expected {case.refused}"
    traps = [x.split() for x in lines if x.startswith("trap")]
    if case.trap is None and traps:
        return f"unexpected trap: {' '.join(traps[0])}"
    if case.trap is not None:
        if not traps:
            return "no trap"
        f = traps[0]
        found = int(f[4]), int(f[5], 16) // 16, int(f[6], 16), int(f[7], 16), int(f[3])
        want = case.trap
        if found[:4] != want[:4] or (len(want) > 4 and found[4] != want[4]):
            return f"trap (cause, word, lanes, address, sequence) {found}, expected {want}"
    wrong = check_events(lines, bool(traps))
    if wrong:
        return wrong
    for at, words in case.expect.items():
        for n, want in enumerate(words):
            if want is None:
                continue
            found, = struct.unpack_from("<I", mem, image.OUT + at + 4 * n)
            if found != want & 0xffffffff:
                return f"word {n} at +{at:#x}: {found:08x}, expected {want & 0xffffffff:08x}"
    for kind, number in case.counts.items():
        found = sum(x.startswith(kind) for x in lines)
        if found != number:
            return f"{found} lines '{kind}', expected {number}"
    return None


def one(args, case):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(args.keep or folder)
        try:
            return judge(case, *simulate(args, case, folder))
        except subprocess.CalledProcessError as e:
            return f"{e} {e.stderr}"
        except subprocess.TimeoutExpired:
            return "takes too long"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("simulation")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--bug", type=int, default=0)
    parser.add_argument("--keep")
    args = parser.parse_args()
    chosen = [c for c in cases.CASES if not args.names or c.name in args.names]
    with concurrent.futures.ThreadPoolExecutor(1 if args.keep else 2) as pool:
        results = list(pool.map(lambda c: one(args, c), chosen))
    for case, wrong in zip(chosen, results):
        print(f"{case.name}: {wrong or 'ok'}")
    failed = sum(r is not None for r in results)
    print(f"{len(chosen)} programs, {failed} wrong")
    return failed != 0 or not chosen


if __name__ == "__main__":
    raise SystemExit(main())
