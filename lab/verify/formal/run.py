# SPDX-License-Identifier: Apache-2.0
"""lab/verify/formal/run.sh: proves what the formal tops say and finds what is planted."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import traceback

import engine
import report
import tops as files

REACH_DEPTH = 40  # what can happen does so within this many cycles
PLANT_DEPTH = 40  # and so does what a planted bug breaks


class Run:
    def __init__(self, options, tools):
        self.options = options
        self.tools = tools
        self.rows = []
        self.total = self.begun = 0

    def progress(self, words):
        self.begun += 1
        if sys.stderr.isatty():
            print(f"\r\033[Kformal: {words} ({self.begun} of {self.total})", end="", file=sys.stderr, flush=True)

    def row(self, top, name, kind, depth, state, seconds, sentence, **more):
        return dict(top=top.name, module=top.module, config=top.config, property=name, kind=kind, depth=depth,
                    state=state, seconds=round(seconds, 2), sentence=sentence, **more)

    def inside(self, top, name):
        """An assertion in the RTL below the top."""
        depth = top.bounds.get(name, 0)
        return files.Property(name, "bounded" if depth else "proved", depth, files.rtl_sentence(top, name))

    def one(self, model, name):
        top, limit = model.top, self.options.limit
        prop = top.properties.get(name) or self.inside(top, name)
        if prop.kind == "proved":
            state, depth, seconds, how = model.prove(name, limit)
        else:
            state, depth, seconds = model.search(name, prop.depth or REACH_DEPTH, limit)
            how = "bounded (bmc3)"
        more = {}
        if prop.kind == "reached":
            how = "reached (bmc3)"
            state = {"failed": "passed", "passed": "failed"}.get(state, state)
        elif state == "failed":
            more = dict(counterexample=model.counterexample(name))
        return self.row(top, name, how, depth, state, seconds, prop.sentence, **more)

    def prove(self, top):
        self.progress(top.name)
        model = engine.Model(self.tools, top, top.name)
        for name in list(top.bounds) + list(top.without):
            if name not in model.asserts:
                raise files.Bad(f"{top.path}: there is no assertion {name}")
        gone = [name for name in top.properties if name not in model.asserts]
        rows = [self.row(top, name, "none", 0, "failed", 0, "not there any more, or the same as another property")
                for name in gone]
        return rows + [self.one(model, name) for name in model.asserts if name not in top.without]

    def find(self, top, planted):
        self.progress(f"planted {planted.name}")
        model = engine.Model(self.tools, top, f"planted/{top.name}/{planted.name}", planted)
        rows = []
        for name in planted.breaks:
            state, depth, seconds = model.search(name, top.properties[name].depth or PLANT_DEPTH, self.options.limit)
            more = dict(counterexample=model.counterexample(name)) if state == "failed" else {}
            rows.append(self.row(top, name, "planted (bmc3)", depth, "found" if state == "failed" else "failed",
                                 seconds, planted.sentence, planted=planted.name, **more))
        return rows

    def all(self, chosen, planted):
        jobs = [(self.prove, (top,)) for top in chosen] + [(self.find, pair) for pair in planted]
        self.total = len(jobs)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(work, *arguments) for work, arguments in jobs]:
                self.rows += done.result()
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
        return self.rows


def arguments():
    parser = argparse.ArgumentParser(prog="lab/verify/formal/run.sh", add_help=False)
    for flag in ("list", "quick", "no-planted", "show"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--record", metavar="PAGE", type=pathlib.Path)
    parser.add_argument("--tops", metavar="DIR", default=files.HERE)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.json and options.json != "-":
        try:
            with open(options.json, "a", encoding="utf-8"):
                pass
        except OSError as error:
            parser.error(f"--json: {error}")
    if options.limit < 1 or options.jobs < 1:
        parser.error("--limit and --jobs are at least 1")
    if options.record and options.no_planted:
        parser.error("--record counts the planted bugs: without --no-planted")
    if options.record and not options.record.absolute().parent.is_dir():
        parser.error(f"--record: no folder {options.record.parent}")
    return options, parser


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=files.ROOT, capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"


def main():
    options, parser = arguments()
    folder = pathlib.Path(options.tops).resolve()
    if not folder.is_dir() or files.ROOT not in folder.parents:
        parser.error(f"--tops: no folder '{options.tops}' below {files.ROOT}")
    tops = files.read_tops(folder)
    for name in options.names:
        if name not in tops:
            parser.error(f"no proof '{name}'; there are: {' '.join(tops)}")
    planted = files.read_planted(folder, tops)
    chosen = [t for t in tops.values() if (not options.names or t.name in options.names)
              and (not options.quick or t.quick)]
    if options.list:
        report.listing(chosen)
        return 0
    bare = [] if options.no_planted else files.unplanted(tops, planted)
    files.stale([] if options.no_planted else planted)
    if bare:
        print(f"formal: no planted bug breaks {', '.join(bare)}", file=sys.stderr)
        return 1
    pairs = [] if options.no_planted else [(tops[p.top], p) for p in planted if tops[p.top] in chosen]
    start, version = time.monotonic(), commit()   # of what is read now
    rows = Run(options, engine.Tools()).all(chosen, pairs)
    result = dict(commit=version, seconds=round(time.monotonic() - start, 1), rows=rows)
    report.show(result, options.show, sys.stderr if options.json == "-" else sys.stdout)
    if options.json:
        text = json.dumps(result, indent=1) + "\n"
        if options.json == "-":
            sys.stdout.write(text)
        else:
            with open(options.json, "w", encoding="utf-8") as out:
                out.write(text)
    if options.record:
        why = report.record(result, options.record, tops)
        if why:
            print(f"formal: {why}", file=sys.stderr)
    return 0 if all(r["state"] in ("passed", "found") for r in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except engine.Missing as error:
        print(f"formal: {error}", file=sys.stderr)
        sys.exit(5)
    except (files.Bad, OSError) as error:
        print(f"formal: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        sys.exit(1)
