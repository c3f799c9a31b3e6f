# SPDX-License-Identifier: Apache-2.0
"""Holds the generated decoder against decoder.py: every encoding with random fields, every flip of one bit of such a
word, and words of random bits (half of them with a true opcode and form).

usage: compare.py HEDDLE.isa DECODE_DUMP [--words N] [--seed N] [--spoil]
example: compare.py isa/heddle.isa build/bin/decode_dump --words 1000000
--spoil: a width, a set, a field and a flag of the reader's own are turned; each must be found (exit status 1 if not)."""
import argparse
import random
import subprocess
import sys

from decoder import Isa, WIDTH


def some_word(isa, e, rng):
    """A word of this encoding; of ten fields nine or so hold what is legal."""
    word = e.match
    for f in sorted(e.owned):
        field = isa.fields[f]
        value = rng.getrandbits(field.hi - field.lo + 1)
        if field.kind == "set" and rng.random() < 0.9:
            value = rng.choice(sorted(isa.sets[field.set][0]))
        elif field.kind in ("gpr.read", "gpr.write", "ugpr.read", "ugpr.write") and rng.random() < 0.8:
            value = rng.choice((field.ones, value & ~3))
        elif field.kind == "coff" and rng.random() < 0.9:
            value &= ~15
        elif field.kind == "sbset" and value == 6 and rng.random() < 0.9:
            value = 7
        word |= value << field.lo
    return word


def words_of(isa, count, rng):
    for e in isa.encodings:
        for _ in range(8):
            yield some_word(isa, e, rng)
        word = some_word(isa, e, rng)
        for bit in range(WIDTH):
            yield word ^ 1 << bit
    for n in range(count):
        word = rng.getrandbits(WIDTH)
        if n % 2:
            e = rng.choice(isa.encodings)
            sparse = word & rng.getrandbits(WIDTH) & rng.getrandbits(WIDTH) & rng.getrandbits(WIDTH)
            word = (some_word(isa, e, rng) ^ (sparse if n % 4 == 1 else 0)) & ((1 << WIDTH) - 1)
        yield word


def batches(words, size=20000):
    batch = []
    for w in words:
        batch.append(w)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def compare(isa, dump, words, most=5):
    """How many words, how many of them legal, how many encodings met, what differs."""
    total, legal, met, wrong = 0, 0, set(), []
    for batch in batches(words):
        data = b"".join(w.to_bytes(16, "little") for w in batch)
        lines = subprocess.run([dump], input=data, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
        if len(lines) != len(batch):
            raise SystemExit(f"{dump}: {len(lines)} lines for {len(batch)} words")
        for word, theirs in zip(batch, lines):
            e = isa.decode(word)
            mine = e.text(word) if e else "illegal"
            total += 1
            if e:
                legal += 1
                met.add((e.name, e.format))
            if mine != theirs:
                wrong.append(f"{word:032x}\n  reader    {mine}\n  generated {theirs}")
                if len(wrong) == most:
                    return total, legal, met, wrong
    return total, legal, met, wrong


def spoil(path, dump, seed):
    """Mistakes that a reader could make: none may pass."""
    def width(isa):
        isa.widths["size"][5] = 1

    def one_set(isa):
        isa.sets["icmp"][0].discard(7)

    def field(isa):
        isa.fields["off24"].place(isa.fields["off24"].hi, isa.fields["off24"].lo + 1)

    def flag(isa):
        e = next(e for e in isa.encodings if e.name == "FFMA" and e.format == "RRR")
        del e.operand["b"]["neg"]

    def counter(isa):
        isa.fields["wbar"].kind = "sbwait"

    def sign(isa):
        isa.fields["rel"].kind = "u32"

    missed = 0
    for turn in (width, one_set, field, flag, counter, sign):
        isa = Isa(path)
        turn(isa)
        if turn is field:  # what the field no longer owns is reserved
            for e in isa.encodings:
                if "off24" in e.owned:
                    e.mask |= 1 << (isa.fields["off24"].lo - 1)
        wrong = compare(isa, dump, words_of(Isa(path), 2000, random.Random(seed)), 1)[3]
        print(f"{turn.__name__}: {'found' if wrong else 'MISSED'}")
        missed += not wrong
    return missed


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("isa")
    p.add_argument("dump")
    p.add_argument("--words", type=int, default=100000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--spoil", action="store_true")
    a = p.parse_args()
    if a.spoil:
        return 1 if spoil(a.isa, a.dump, a.seed) else 0
    isa = Isa(a.isa)
    total, legal, met, wrong = compare(isa, a.dump, words_of(isa, a.words, random.Random(a.seed)))
    for w in wrong:
        print(w)
    missing = [f"{e.name} {e.format}" for e in isa.encodings if (e.name, e.format) not in met]
    print(f"{total} words, {legal} legal, {len(met)} of {len(isa.encodings)} encodings: "
          f"{'they differ' if wrong else 'the same'}; seed {a.seed}")
    for m in missing:
        print(f"no legal word of {m}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
