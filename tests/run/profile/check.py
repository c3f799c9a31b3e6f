#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is in the folder of --profile-out: sums made again from each file, and that each can be read.

usage: check.py FOLDER [--whole JSON]
--whole: the window holds all cycles, so the traces must add up to the counters too, and these must be what the run itself
has told in JSON (heddle run --profile --json).

trace.json is read by the rules of the trace-event format (Perfetto's own package for Python fetches the program that reads
traces from the network when it is used, so it is none for a test): events of phases M, X and C with their fields; on a thread an X
event lies inside another one or beside it. kanata.log by those of Kanata 0004. profile.html must be well-formed, have
each id once, name nothing outside itself, and no place in itself that is not there; Chromium opens it where there is one.
"""
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

CLASSES = ["issued", "not_selected", "wait", "stall", "pipe", "fetch", "sync", "memory", "const", "other"]


class Wrong(Exception):
    pass


def want(condition, what):
    if not condition:
        raise Wrong(what)


def total(rows):
    return {c: sum(r[c] for r in rows) for c in CLASSES}


def check_sums(profile):
    """Charged to instructions, to lines, to SMs, to intervals of time: each adds up to the counters."""
    counters = total([s["counters"] for s in profile["sms"]])
    want(profile["records_unmatched"] == 0, "records of no instruction")
    want(counters["issued"] == profile["warp_instructions"], "issued is not the number of warp instructions")
    for n, sm in enumerate(profile["sms"]):
        want(sm["charged"] == sm["counters"], f"SM {n}: charged {sm['charged']}, counted {sm['counters']}")
    for name in ("instructions", "lines"):
        want(total([r["classes"] for r in profile[name]]) == counters, f"{name} do not add up to the counters")
        for row in profile[name]:
            want(sum(row["classes"].values()) == row["warp_cycles"] > 0, f"{name}: a row does not add up")
    want(total([r["classes"] for r in profile["time"]["intervals"]]) == counters, "intervals do not add up")
    return counters


def check_memory(profile):
    for row in profile["instructions"]:
        g = row.get("global")
        if g:
            want(0 < g["sectors_ideal"] <= g["sectors"], f"{row['text']}: {g}")
            want(g["lines"] <= g["sectors"] and g["sectors_hit"] <= g["sectors_cached"] <= g["sectors"], f"{g}")
        s = row.get("shared")
        if s:
            want(0 < s["passes_ideal"] <= s["passes"], f"{row['text']}: {s}")


def check_bounds(profile):
    """What is counted is a bound: no kernel is faster."""
    for name, cycles in profile["roofline"]["bounds"].items():
        want(0 <= cycles <= profile["cycles"] or name == "latency", f"{name}: {cycles} of {profile['cycles']} cycles")
    concurrency = profile["roofline"]["concurrency"]
    want(0 < concurrency["warps"] <= concurrency["slots"], f"{concurrency}")


def nested(slices):
    """On one thread: by beginning, the longer first; each ends before what it lies in does."""
    open_ends = []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        want(not open_ends or end <= open_ends[-1], f"slices overlap in cycle {begin}")
        open_ends.append(end)
    return True


def check_trace(folder, profile, counters, whole):
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    threads, spent, bins = collections.defaultdict(list), collections.Counter(), collections.Counter()
    names = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "M"}
    instructions = 0
    for e in events:
        want(e["ph"] in ("M", "X", "C"), f"phase {e['ph']}")
        want(isinstance(e["name"], str) and isinstance(e["pid"], int), f"{e}")
        if e["ph"] == "X":
            want(e["dur"] > 0 and e["ts"] >= 0 and (e["pid"], e["tid"]) in names, f"{e}")
            threads[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
            instructions += e["cat"] == "instruction"
            if e["cat"] == "class":
                spent[e["name"]] += e["dur"]
        elif e["ph"] == "C":
            want((e["pid"], None) in names and set(e["args"]) == set(CLASSES), f"{e}")
            bins.update({c: 16 * e["args"][c] for c in CLASSES})
    want(all(nested(s) for s in threads.values()), "slices")
    want(all(abs(bins[c] - spent[c]) < 0.5 for c in CLASSES), f"counter tracks {bins}, slices {spent}")
    if whole:
        want({c: spent[c] for c in CLASSES} == counters, f"trace.json: {spent}, counters {counters}")
        want(instructions == profile["warp_instructions"], f"trace.json: {instructions} instructions")
    return instructions


def check_kanata(folder, instructions):
    lines = (folder / "kanata.log").read_text().split("\n")
    want(lines[0] == "Kanata\t0004" and lines[1].startswith("C=\t") and lines[-1] == "", "kanata.log: its head")
    alive, stage, last = set(), {}, -1
    for line in lines[2:-1]:
        f = line.split("\t")
        if f[0] == "C":
            want(int(f[1]) > 0, f"kanata.log: {line}")
        elif f[0] == "I":
            want(int(f[1]) == last + 1, f"kanata.log: {line}: numbers have a gap")
            last = int(f[1])
            alive.add(f[1])
        else:
            want(f[1] in alive, f"kanata.log: {line}: no such instruction")
            if f[0] == "S":
                stage[f[1]] = stage.get(f[1], []) + [f[3]]
            elif f[0] == "R":
                alive.remove(f[1])
                want("Is" in stage[f[1]], f"kanata.log: {f[1]} does not issue")
            else:
                want(f[0] == "L" and f[2] == "0" and f[3], f"kanata.log: {line}")
    want(not alive and last + 1 == instructions, f"kanata.log: {last + 1} instructions, trace.json {instructions}")


def check_page(path):
    root = ET.parse(path).getroot()
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    want(len(ids) == len(set(ids)), "profile.html: an id twice")
    for e in root.iter():
        tag = e.tag.split("}")[-1]
        want(tag not in ("link", "img", "iframe", "object", "embed"), f"profile.html: <{tag}>")
        for name in ("src", "href", "action", "data"):
            to = e.get(name)
            want(to is None or (to[0] == "#" and to[1:] in ids), f"profile.html: {name}={to}")
        want(tag != "svg" or e.get("role") == "img", "profile.html: a drawing without role")
        want(tag != "th" or e.get("scope"), "profile.html: a head of a table without scope")
    text = path.read_text()
    want("url(" not in text and "@import" not in text, "profile.html: a style from outside")
    want(text.count("http") == text.count('xmlns="http://www.w3.org/1999/xhtml"'), "profile.html: an address")


def check_browser(path):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        return "no Chromium"
    r = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                        "--dump-dom", path.resolve().as_uri()], capture_output=True, text=True, timeout=120)
    want(r.returncode == 0 and 'id="roof"' in r.stdout, f"Chromium: {r.stderr[-500:]}")
    want("CONSOLE" not in r.stderr, f"Chromium: {r.stderr[-500:]}")
    return "opened in Chromium"


def check_told(path, profile, counters):
    told = json.loads(pathlib.Path(path).read_text())["counters"]
    want(all(told[c] == counters[c] for c in CLASSES), f"the run tells {told}, its profile {counters}")
    want(told["cycles"] == profile["cycles"], f"the run tells {told['cycles']} cycles, its profile {profile['cycles']}")


def main():
    folder, whole = pathlib.Path(sys.argv[1]), sys.argv[2:3] == ["--whole"]
    try:
        profile = json.loads((folder / "profile.json").read_text())
        counters = check_sums(profile)
        check_memory(profile)
        check_bounds(profile)
        check_kanata(folder, check_trace(folder, profile, counters, whole))
        check_page(folder / "profile.html")
        if whole:
            check_told(sys.argv[3], profile, counters)
        opened = check_browser(folder / "profile.html") if whole else "not opened"
        text = (folder / "profile.txt").read_text()
        want(all(f"  {c} " in text for c in CLASSES), "profile.txt lacks a class")
    except Wrong as e:
        sys.exit(f"FAILED  {folder}: {e}")
    print(f"ok      {folder.name}: {profile['warp_instructions']} warp instructions, {sum(counters.values())} warp cycles, "
          f"{opened}")


if __name__ == "__main__":
    main()
