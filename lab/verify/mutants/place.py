#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plant mutants in a copy of rtl/ (or of the checker's C): all in one text, one of them active at run time."""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import edits  # noqa: E402
import place_c  # noqa: E402
import place_sv  # noqa: E402
import plant  # noqa: E402
import sites  # noqa: E402
import watch_sv  # noqa: E402

ROUNDS = 12  # of taking out what is refused


def main():
    p = argparse.ArgumentParser(
        description=__doc__, epilog="example: place.py --count 1000 --seed 1 --gen build/gen --out build/mutants/tree")
    p.add_argument("--count", type=int, default=1000, metavar="N", help="how many mutants (default 1000)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="which ones (default 1)")
    p.add_argument("--gen", default="build/gen", metavar="DIR", help="generated packages (default build/gen)")
    p.add_argument("--out", required=True, metavar="DIR", help="where the copy of rtl/ and the table go")
    p.add_argument("--language", choices=("sv", "c"), default="sv", help="rtl/ (default), or checker and shim in C and C++")
    p.add_argument("--only", metavar="TEXT", help="only files whose name contains TEXT")
    p.add_argument("--list", metavar="FILE", help="not by chance, but the faults of FILE (lab/verify/faults/edits.py has its form)")
    p.add_argument("--watch", action="store_true", help="in rtl/: say at run time which of them would have made a difference")
    p.add_argument("--configs", default="tiny,sm", metavar="NAMES", help="elaborated to prove the result (default tiny,sm)")
    a = p.parse_args()
    if a.count < 1:
        p.error("--count: at least 1")
    root = pathlib.Path(__file__).resolve().parents[3]
    gen = pathlib.Path(a.gen).resolve()
    if a.watch and a.language == "c":
        p.error("--watch: only rtl/ can be watched")
    if a.list and a.language == "c":
        p.error("--list: faults of rtl/ alone")
    out = pathlib.Path(a.out).resolve()
    if a.language == "c":
        return place(a, place_c.Language(root, gen), out)
    configs = a.configs.split(",")
    if a.list:
        return place_listed(a, root, gen, configs, out)
    status = place(a, place_sv.Language(root, gen, configs), out)
    return watch(out, root, gen, configs, a) if a.watch else status


def place(a, language, out):
    names = [n for n in language.names() if a.only is None or a.only in n]
    found = language.find(names) if names else []
    if not found:
        sys.exit(f"error: no place for a mutant in {a.only or 'any file'}")
    sites.count_occurrences(found)
    texts, rejected = language.texts(), set()
    for _ in range(ROUNDS):
        taken = sites.choose(found, a.count, a.seed, rejected)
        spans = write(language, texts, taken, out)
        bad = refused(language, out, spans)
        if not bad:
            break
        rejected |= {(s.key, s.occurrence) for s in bad}
    else:
        sys.exit(f"error: after {ROUNDS} rounds there still are places that are refused")
    plant.write_table(out, taken)
    print(f"{len(taken)} mutants in {len({s.file for s in taken})} files, of {len(found)} sites "
          f"({len(rejected)} refused where they stand); seed {a.seed}; {out}/mutants.jsonl")
    return 0


def place_listed(a, root, gen, configs, out):
    """All faults of the list; one that is refused is an error of the list. Watched: as `watch`."""
    watched = watch_sv.Watch() if a.watch else None
    language = place_sv.Language(root, gen, configs, watched)
    texts = language.texts()
    try:
        taken = plant.read([a.list], texts)
    except edits.Bad as error:
        sys.exit(f"error: {error}")
    for _ in range(2):
        bad = refused(language, out, write(language, texts, taken, out))
        if not bad or not watched:
            break
        watched.plain |= {(s.key, s.occurrence) for s in bad}
    if bad:
        sys.exit(f"error: {a.list}: this is refused where it stands: {bad[0].after}")
    plant.write_table(out, taken)
    print(f"{len({s.number for s in taken})} faults in {len({s.file for s in taken})} files, of {a.list}; {out}/mutants.jsonl")
    return 0


def watch(out, root, gen, configs, a):
    """The same choice again, with each place watched. A comparison that is refused is left out, not the mutant."""
    with open(out / "mutants.jsonl", encoding="latin-1") as f:
        chosen = {(r["key"], r["occurrence"]): r["id"] for r in map(json.loads, f)}
    watched = watch_sv.Watch()
    language = place_sv.Language(root, gen, configs, watched)
    found = language.find([n for n in language.names() if a.only is None or a.only in n])
    sites.count_occurrences(found)
    taken = [s for s in found if (s.key, s.occurrence) in chosen]
    for s in taken:
        s.number = chosen[s.key, s.occurrence]
    texts = language.texts()
    for _ in range(ROUNDS):
        bad = {(s.key, s.occurrence) for s in refused(language, out, write(language, texts, taken, out))}
        if not bad:
            print(f"{len(taken)} watched, {len(watched.plain)} of them without a comparison")
            return 0
        if bad & watched.plain:
            sys.exit(f"error: refused although nothing is compared there: {sorted(bad & watched.plain)[0]}")
        watched.plain |= bad
    sys.exit(f"error: after {ROUNDS} rounds there still are comparisons that are refused")


def write(language, texts, taken, out):
    """The copy."""
    spans = {}
    for name, text in texts.items():
        new, found = language.rewrite(text, [s for s in taken if s.file == name])
        head = language.head(name, bool(found))
        spans[name] = [(len(head) + a, len(head) + b, s) for a, b, s in found]
        plant.write_text(out / name, head + new)
    return spans


def refused(language, out, spans):
    bad = []
    for name, offset, message in language.errors(out):
        text = (out / name).read_text(encoding="latin-1") if name in spans else ""
        guilty = sites.culprits(text, spans.get(name, []), offset)
        if not guilty:
            sys.exit(f"error: {name}, offset {offset}: {message}, but no mutant stands there")
        bad += guilty
    return bad


if __name__ == "__main__":
    sys.exit(main())
