#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small random lists without stamps, judged by heddle order and by trying every order of their accesses.

usage: brute_lists.py HEDDLE [--lists N] [--seed N]
What is broken must have no order, what holds must have one (docs/order-list.md); what is not judged is counted. Exit
status 1 if a verdict is wrong, or one of the two hardly ever comes.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

SIZES = {0x100: (4, 2, 1), 0x101: (1,), 0x102: (2, 1), 0x104: (4,)}
FENCES = ("sc", "acqrel", "acquire", "release")


def make(rng):
    """Threads as lists of (kind, what); memory is 0 at first."""
    threads = []
    for _ in range(rng.choice((2, 2, 3))):
        events = []
        for _ in range(rng.randint(1, 3)):
            if events and rng.random() < 0.6:
                events.append(("fence", rng.choice(FENCES)))
            at = rng.choice(list(SIZES))
            size = rng.choice(SIZES[at])
            value = [rng.choice((0, 1, 1, 2)) * rng.choice((1, 1, 1 << 8 * (size - 1))) for _ in range(2)]
            events.append((rng.choice(("load", "load", "store", "store", "atomic")), (at, size, value)))
        threads.append(events)
    if rng.random() < 0.8:
        read_in_some_order(threads, rng)
    return threads


def read_in_some_order(threads, rng):
    """What loads and atomics read in a random order, whether it is legal or not."""
    memory = bytearray(8)
    accesses = [e for events in threads for e in events if e[0] != "fence"]
    rng.shuffle(accesses)
    for kind, (at, size, value) in accesses:
        place = slice(at - 0x100, at - 0x100 + size)
        if kind != "store":
            value[0] = int.from_bytes(memory[place], "little")
        if kind != "load":
            memory[place] = value[-1 if kind == "atomic" else 0].to_bytes(size, "little")


def text(threads):
    lines = ["heddle-order-list 1", "stamps none", "memory 0x100 8 0x0"]
    lines += [f"thread {t} block {t}" for t in range(len(threads))]
    for t, events in enumerate(threads):
        for n, (kind, what) in enumerate(events):
            if kind == "fence":
                lines.append(f"fence {t} {n} {what} gpu")
                continue
            at, size, value = what
            shown = value if kind == "atomic" else value[:1]
            lines.append(f"{kind} {t} {n} {at:#x} {size} " + " ".join(map(hex, shown)))
    return "\n".join(lines + ["end", ""])


def ordered(events, a, b):
    """Must event a of a thread come before event b, which is younger?"""
    (kind_a, (at_a, size_a, _)), (kind_b, (at_b, size_b, _)) = events[a], events[b]
    if at_a < at_b + size_b and at_b < at_a + size_a:
        return True
    reads, writes = kind_a != "store", kind_b != "load"
    fences = [what for kind, what in events[a:b] if kind == "fence"]
    return any(f == "sc" or (f in ("acquire", "acqrel") and reads) or (f in ("release", "acqrel") and writes)
               for f in fences)


def explained(threads, done, memory, seen):
    """Some order of what is left gives the values that were read."""
    state = (done, bytes(memory))
    if state in seen:
        return False
    seen.add(state)
    left = [(t, n) for t, events in enumerate(threads) for n, e in enumerate(events)
            if e[0] != "fence" and (t, n) not in done]
    for t, n in left:
        if any(u == t and m < n and ordered(threads[t], m, n) for u, m in left):
            continue
        kind, (at, size, value) = threads[t][n]
        place = slice(at - 0x100, at - 0x100 + size)
        if kind != "store" and memory[place] != value[0].to_bytes(size, "little"):
            continue
        after = bytearray(memory)
        if kind != "load":
            after[place] = value[-1 if kind == "atomic" else 0].to_bytes(size, "little")
        if explained(threads, done | {(t, n)}, after, seen):
            return True
    return not left


def main():
    p = argparse.ArgumentParser()
    p.add_argument("heddle")
    p.add_argument("--lists", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rng, said = random.Random(a.seed), {0: 0, 1: 0, 4: 0}
    handle, path = tempfile.mkstemp(suffix=".list")
    os.close(handle)
    for _ in range(a.lists):
        threads = make(rng)
        with open(path, "w") as f:
            f.write(text(threads))
        status = subprocess.run([a.heddle, "order", path], stdout=subprocess.DEVNULL).returncode
        if status not in said:
            sys.exit(f"exit status {status}:\n{text(threads)}")
        said[status] += 1
        if status != 4 and (status == 0) != explained(threads, frozenset(), bytearray(8), set()):
            sys.exit(f"{'holds' if status == 0 else 'broken'}, and trying says otherwise:\n{text(threads)}")
    os.unlink(path)
    print(f"{a.lists} lists: {said[0]} hold, {said[1]} broken, {said[4]} not judged; every verdict is right")
    return min(said[0], said[1]) < a.lists // 20


if __name__ == "__main__":
    sys.exit(main())
