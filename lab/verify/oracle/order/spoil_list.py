#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spoil a list that holds (docs/order-list.md), one event at a time, and count what heddle order finds.

usage: spoil_list.py HEDDLE LIST [--each N] [--seed N]
Five ways: swap the stamps of two accesses, change a value that was read, one that was written, drop an access, drop a
fence or a thread's line of a barrier. What is not found must be harmless by a rule of this script's own, which goes
through the spoiled list with stamps alone; else it is missed, and the exit status is 1, as it is where something
harmless is found. The list has total stamps.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

READS, WRITES = ("load", "atomic"), ("store", "atomic")


class Event:
    """A line of a list as words; number and stamp as integers."""

    def __init__(self, line):
        self.words = line.split()
        self.kind = self.words[0]
        self.access = self.kind in READS + WRITES
        self.thread, self.order = (int(w) for w in self.words[1:3])
        self.stamp = int(self.words[-1]) if "at" in self.words else None
        if self.access:
            space, _, at = self.words[3].rpartition(":")
            self.space, self.at, self.bytes = space, int(at, 16), int(self.words[4])

    def value(self, which):
        at = 5 if which == "read" or self.kind == "store" else 6
        return at, int(self.words[at], 16)

    def text(self):
        words = list(self.words)
        if self.stamp is not None:
            words[-1] = str(self.stamp)
        return " ".join(words)

    def places(self, block):
        owner = {"shared": block[self.thread], "local": self.thread}.get(self.space)
        return [(self.space, owner, self.at + n) for n in range(self.bytes)]

    def copy(self):
        return Event(self.text())


class Listing:
    def __init__(self, path):
        self.head, self.events, self.ends, self.start, self.block, self.granule = [], [], [], {}, {}, 1
        for line in open(path):
            words = line.split("#")[0].split()
            if not words or words[0] == "end":
                continue
            if words[0] in READS + WRITES + ("fence", "barrier"):
                self.events.append(Event(line))
                continue
            self.head.append(line)
            if words[0] == "thread":
                self.block[int(words[1])] = int(words[3])
            if words[0] == "granule":
                self.granule = int(words[1])
            if words[0] in ("memory", "final"):
                at, size, value = int(words[1], 16), int(words[2]), int(words[3], 16)
                contents = {("", None, at + n): value >> 8 * n & 255 for n in range(size)}
                if words[0] == "memory":
                    self.start.update(contents)
                else:
                    self.ends.append(contents)

    def write(self, path, events):
        with open(path, "w") as f:
            f.writelines(self.head)
            f.writelines(e.text() + "\n" for e in events)
            f.write("end\n")


def values_hold(listing, events):
    """Every read and the end see what was written last, by the stamps."""
    memory = dict(listing.start)
    for e in sorted((e for e in events if e.access), key=lambda e: e.stamp):
        for n, place in enumerate(e.places(listing.block)):
            if e.kind in READS and place in memory and memory[place] != e.value("read")[1] >> 8 * n & 255:
                return False
            if e.kind in WRITES:
                memory[place] = e.value("written")[1] >> 8 * n & 255
    return all(memory.get(p, v) == v for contents in listing.ends for p, v in contents.items())


def order_holds(listing, events):
    """The stamps obey program order at a place, fences and barriers."""
    oldest_first = sorted(events, key=lambda e: (e.thread, e.order))
    newest, fenced, before, thread = {}, 0, 0, None
    met = {}
    for e in oldest_first:
        if e.thread != thread:
            newest, fenced, before, thread = {}, 0, 0, e.thread
        if not e.access:
            if e.stamp is not None and e.stamp <= before:
                return False
            fenced = max(fenced, before, e.stamp or 0)
            if e.kind == "barrier":
                met.setdefault((e.words[3], e.words[4]), []).append((e, before))
            continue
        if e.stamp < fenced:
            return False
        granule = listing.granule if e.space == "" else 1
        for place in {(s, o, at // granule) for s, o, at in e.places(listing.block)}:
            if newest.get(place, 0) > e.stamp:
                return False
            newest[place] = e.stamp
        before = max(before, e.stamp)
    for met_by in met.values():
        last = max(before for _, before in met_by)
        for barrier, _ in met_by:
            if any(e.access and e.thread == barrier.thread and e.order > barrier.order and e.stamp < last for e in events):
                return False
    return True


def spoil(way, events, rng):
    """The events with one thing spoiled."""
    events = list(events)
    if way == "swap":
        i, j = rng.sample([k for k, e in enumerate(events) if e.access], 2)
        events[i], events[j] = events[i].copy(), events[j].copy()
        events[i].stamp, events[j].stamp = events[j].stamp, events[i].stamp
    elif way in ("read", "written"):
        i = rng.choice([k for k, e in enumerate(events) if e.kind in (READS if way == "read" else WRITES)])
        e = events[i] = events[i].copy()
        at, value = e.value(way)
        e.words[at] = hex(value ^ 1 << rng.randrange(8 * e.bytes))
    else:
        i = rng.choice([k for k, e in enumerate(events) if e.access == (way == "drop access")])
        del events[i]
    return events


def found(heddle, listing, events, path):
    listing.write(path, events)
    status = subprocess.run([heddle, "order", path], stdout=subprocess.DEVNULL).returncode
    if status not in (0, 1):
        sys.exit(f"{path}: exit status {status}")
    return status == 1


def harmless(way, listing, events):
    """Why nothing needs to be found; None: something does."""
    if way == "drop fence":
        return "asks for less" if values_hold(listing, events) and order_holds(listing, events) else None
    if not values_hold(listing, events) or not order_holds(listing, events):
        return None
    return {"swap": "either order is legal", "drop access": "nobody sees it", "read": "nobody had written that byte",
            "written": "nobody sees it"}[way]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("heddle")
    p.add_argument("list")
    p.add_argument("--each", type=int, default=60)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rng, listing, missed, wrong, total = random.Random(a.seed), Listing(a.list), 0, 0, 0
    handle, path = tempfile.mkstemp(suffix=".list")
    os.close(handle)
    if found(a.heddle, listing, listing.events, path):
        sys.exit(f"{a.list}: broken before anything is spoiled")
    for way in ("swap", "read", "written", "drop access", "drop fence"):
        if way == "drop fence" and all(e.access for e in listing.events):
            continue
        told, because = 0, {}
        for _ in range(a.each):
            events = spoil(way, listing.events, rng)
            why = harmless(way, listing, events)
            if found(a.heddle, listing, events, path):
                told += 1
                wrong += why is not None and way != "drop fence"
            else:
                because[why or "MISSED"] = because.get(why or "MISSED", 0) + 1
        missed += because.get("MISSED", 0)
        total += told
        print(f"{way}: {a.each} spoiled, {told} found" + "".join(f"; {n} not: {why}" for why, n in because.items()))
    os.unlink(path)
    print(f"{total} found, {missed} missed, {wrong} found that are harmless")
    return missed != 0 or wrong != 0 or total == 0


if __name__ == "__main__":
    sys.exit(main())
