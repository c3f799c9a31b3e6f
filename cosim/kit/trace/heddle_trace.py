#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Retire traces in Python: read, write, show, make smaller, compare.

docs/trace-format.md has every byte. Nothing but this file, retire_tables.py (made of retire.records) and, to
compare, heddle_diff.py is needed; copy them where you like.

  python3 heddle_trace.py dump FILE [--kind K] [--warp SLOT[.GEN]] [--launch N]
  python3 heddle_trace.py strip FROM TO --profile P0 [--hide KIND-OR-FIELD ...]
  python3 heddle_trace.py diff MINE GOLDEN

  for item in Reader(open("t.trace", "rb")):       # Launch, Record, End
      ...
  w = Writer(open("mine.trace", "wb"), header)     # a header of a launch file, changed
  w.launch(launch); w.record(Record("issue", 7, {...})); w.end(pieces_of(memory), 7); w.close()
"""
import argparse
import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "build", "gen"))  # of the tree
import retire_tables as tables  # noqa: E402

MAGIC = b"HDLTRACE"
TRACE_VERSION = 10
PIECE = 4096
SECTION_MAX = 17 << 20
MEMORY_MAX = 1 << 30
SUM_START, SUM_FACTOR, MASK64 = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
CODE = {1: "B", 2: "H", 4: "I", 8: "Q"}
KIND = {name: number for number, (name, _) in tables.KINDS.items()}
OPTION = {name: number for number, name in enumerate(tables.OPTIONS)}

# Name and bytes; more than eight bytes are text, padded with zeros.
HEADER = (("version", 4), ("isa_hash", 8), ("config_hash", 8), ("config", 32), ("command", 256), ("sm", 4),
          ("sms", 4), ("lanes", 4), ("warp_slots", 4), ("block_slots", 4), ("shared_bytes", 4), ("mode", 1),
          ("bus_errors", 1), ("read_age", 1), ("pred_age", 1), ("partitions", 4), ("regs", 4),
          ("register_banks", 4), ("hidden_kinds", 4), ("hidden_options", 4), ("clock_ahead", 8),
          ("cache_sectors", 4), ("cache_promises", 4), ("shown", 4), ("memory_banks", 4),
          ("reorder", 4))
LAUNCH = (("grid", "3I"), ("block", "3I"), ("entry_pc", "I"), ("regs", "I"), ("shared_bytes", "I"),
          ("local_bytes", "I"), ("units", "I"), ("code_bytes", "I"), ("bank_bytes", "4I"), ("memory_base", "Q"),
          ("memory_bytes", "Q"), ("regions", "B"))


class TraceError(Exception):
    """What is wrong with a file, or with what is to be written."""


class Launch:
    """A launch as it is announced: `section` its bytes, `fields` what they say, code, banks, memory by piece."""

    def __init__(self, section):
        self.section, self.code, self.banks, self.memory = section, None, [], []
        self.fields, at = {}, 0
        for name, form in LAUNCH:
            if at + struct.calcsize("<" + form) > len(section):
                raise TraceError("a launch that cannot be")
            got = struct.unpack_from("<" + form, section, at)
            self.fields[name] = got if len(got) > 1 else got[0]
            at += struct.calcsize("<" + form)
        f = self.fields
        if f["regions"] > 16 or len(section) != at + 17 * f["regions"] + 64 or f["memory_bytes"] > MEMORY_MAX:
            raise TraceError("a launch that cannot be")


class Record:
    """kind: its name; fields: number, or list of numbers, by name; of rows that are not there None."""
    __slots__ = ("kind", "cycle", "fields")

    def __init__(self, kind, cycle, fields):
        self.kind, self.cycle, self.fields = kind, cycle, fields


class End:
    """The end of a launch: memory by piece, the last cycle."""

    def __init__(self, memory, cycle):
        self.memory, self.cycle = memory, cycle


def checksum(total, data):
    """Of one run of bytes: a section's head, or its payload."""
    whole = len(data) // 8
    for v in struct.unpack_from("<%dQ" % whole, data):
        total = ((total ^ v) * SUM_FACTOR) & MASK64
        total ^= total >> 29
    for b in data[8 * whole:]:
        total = ((total ^ b) * SUM_FACTOR) & MASK64
    return total


def pieces_of(memory):
    """Memory as it is written: pieces of 4096 bytes, those of zeros left out."""
    for at in range(0, len(memory), PIECE):
        piece = bytes(memory[at:at + PIECE])
        if any(piece):
            yield at, piece


def shows(header, kind):
    return not header["hidden_kinds"] >> KIND[kind] & 1


def there(header, fields, row, when, option):
    """Is row `row` of a field in the file?"""
    if option is not None and header["hidden_options"] >> option & 1:
        return False
    return when is None or bool(fields[when] >> row & 1)


def columns_of(header, columns):
    return header["lanes"] if columns == tables.LANES else columns


def decode(data, header, last_cycle):
    """The record in the payload of a section 'R'."""
    if len(data) < 12:
        raise TraceError("a record without a head")
    kind, version, size, late = struct.unpack_from("<BBHQ", data)
    if kind in tables.RESERVED:
        raise TraceError("a record of kind %d, '%s', which is kept for later" % (kind, tables.RESERVED[kind]))
    if kind not in tables.KINDS or version != tables.VERSION or size != len(data) - 12:
        raise TraceError("a record of kind %d, version %d, %d bytes" % (kind, version, size))
    name, layout = tables.KINDS[kind]
    if not shows(header, name):
        raise TraceError("a record '%s', which the machine is said not to show" % name)
    at, fields = 12, {}
    for field, size, rows, columns, when, option in layout:
        columns, got = columns_of(header, columns), []
        for row in range(rows):
            if not there(header, fields, row, when, option):
                got.append(None)
                continue
            if at + size * columns > len(data):
                raise TraceError("a record '%s' that is too short" % name)
            numbers = struct.unpack_from("<%d%s" % (columns, CODE[size]), data, at)
            at += size * columns
            got.append(list(numbers) if columns > 1 else numbers[0])
        fields[field] = got if rows > 1 else got[0]
    if at != len(data):
        raise TraceError("a record '%s' that is too long" % name)
    return Record(name, last_cycle + late & MASK64, fields)


def encode(record, header, last_cycle):
    """The payload of its section."""
    if record.kind not in KIND or not shows(header, record.kind):
        raise TraceError("a record '%s' cannot be written" % record.kind)
    body = b""
    for field, size, rows, columns, when, option in tables.KINDS[KIND[record.kind]][1]:
        columns = columns_of(header, columns)
        for row in range(rows):
            if not there(header, record.fields, row, when, option):
                continue
            value = record.fields[field][row] if rows > 1 else record.fields[field]
            body += struct.pack("<%d%s" % (columns, CODE[size]), *(value if columns > 1 else (value,)))
    late = record.cycle - last_cycle & MASK64
    return struct.pack("<BBHQ", KIND[record.kind], tables.VERSION, len(body), late) + body


class Reader:
    """Iterate: Launch, Record ..., End, Launch ...; at the end the footer has been found right."""

    def __init__(self, file):
        self.file, self.sum, self.records, self.launches = file, SUM_START, 0, 0
        if self._raw(8) != MAGIC:
            raise TraceError("not a retire trace")
        tag, data = self._section()
        if tag != "H" or len(data) != sum(n for _, n in HEADER):
            raise TraceError("a header that describes no machine")
        self.header, at = {}, 0
        for name, size in HEADER:
            raw = data[at:at + size]
            self.header[name] = raw.rstrip(b"\0") if size > 8 else int.from_bytes(raw, "little")
            at += size
        if self.header["version"] != TRACE_VERSION:
            raise TraceError("a trace of version %d; this is for %d" % (self.header["version"], TRACE_VERSION))
        if self.header["lanes"] not in (4, 8, 16, 32):
            raise TraceError("a header that describes no machine")

    def _raw(self, n):
        data = self.file.read(n)
        if len(data) != n:
            raise TraceError("the file ends without a footer")
        self.sum = checksum(self.sum, data)
        return data

    def _section(self):
        self.before = self.sum
        tag, length = struct.unpack("<BI", self._raw(5))
        if length > SECTION_MAX:
            raise TraceError("a section of %d bytes" % length)
        return chr(tag), self._raw(length)

    def _footer(self, data):
        if len(data) != 24 or struct.unpack("<3Q", data) != (self.launches, self.records, self.before):
            raise TraceError("the footer is wrong: counts, or the checksum")
        if self.file.read(1):
            raise TraceError("bytes behind the footer")

    def __iter__(self):
        launch, final, cycle, running = None, [], 0, False
        while True:
            tag, data = self._section()
            if tag == "L" and launch is None:
                launch, final, cycle = Launch(data), [], 0
                self.launches += 1
            elif tag == "C" and launch and not running:
                launch.code = data
            elif tag == "B" and launch and not running:
                launch.banks.append(data)
            elif tag in "MF" and launch and running == (tag == "F") and len(data) >= 8:
                (final if running else launch.memory).append((struct.unpack_from("<Q", data)[0], data[8:]))
            elif tag == "G" and launch and launch.code is not None and not running:
                running = True
                yield launch
            elif tag == "R" and running and not final:
                record = decode(data, self.header, cycle)
                cycle = record.cycle
                self.records += 1
                yield record
            elif tag == "E" and running and len(data) == 8:
                yield End(final, struct.unpack("<Q", data)[0])
                launch, running = None, False
            elif tag == "Z" and launch is None:
                self._footer(data)
                return
            else:
                raise TraceError("a section '%s' in the wrong place" % tag)


class Writer:
    """One launch after another, then close(). The header is that of a launch file, with your machine's numbers."""

    def __init__(self, file, header):
        self.file, self.header, self.sum = file, header, SUM_START
        self.records = self.launches = self.cycle = 0
        self._raw(MAGIC)
        self._section("H", b"".join(
            header[name].ljust(size, b"\0") if size > 8 else header[name].to_bytes(size, "little")
            for name, size in HEADER))

    def _raw(self, data):
        self.file.write(data)
        self.sum = checksum(self.sum, data)

    def _section(self, tag, data):
        self._raw(struct.pack("<BI", ord(tag), len(data)))
        self._raw(data)

    def _memory(self, tag, pieces):
        for at, data in pieces:
            self._section(tag, struct.pack("<Q", at) + data)

    def launch(self, launch):
        self.launches += 1
        self.cycle = 0
        self._section("L", launch.section)
        self._section("C", launch.code)
        for bank in launch.banks:
            self._section("B", bank)
        self._memory("M", launch.memory)
        self._section("G", b"")

    def record(self, record):
        self._section("R", encode(record, self.header, self.cycle))
        self.cycle = record.cycle
        self.records += 1

    def end(self, pieces, cycle):
        self._memory("F", pieces)
        self._section("E", struct.pack("<Q", cycle))

    def close(self):
        self._section("Z", struct.pack("<3Q", self.launches, self.records, self.sum))
        self.file.close()


# ---- on the command line ----

def first_clock(path):
    """Where issue.clock is left out: how far the clock is ahead of the records' cycles."""
    with open(path, "rb") as file:
        for item in Reader(file):
            if isinstance(item, Record) and item.kind == "issue":
                clock = item.fields["clock"]
                return (clock - item.cycle) & MASK64 if clock is not None else None
    return None


def strip(args):
    """What a machine shows that shows less. Collected operands come with the others where they have no kind."""
    with open(args.source, "rb") as file, open(args.to, "wb") as out:
        reader = Reader(file)
        header = reader.header
        was = header["hidden_options"] >> OPTION["issue.clock"] & 1
        kinds, options = tables.HIDDEN[int(args.profile[1])]
        for name in args.hide:
            kinds |= 1 << KIND[name] if name in KIND else 0
            options |= 1 << OPTION[name] if name in OPTION else 0
        shown = dict(header, hidden_kinds=header["hidden_kinds"] | kinds,
                     hidden_options=header["hidden_options"] | options)
        ahead = first_clock(args.source) if not was and shown["hidden_options"] >> OPTION["issue.clock"] & 1 else None
        shown["clock_ahead"] = header["clock_ahead"] if ahead is None else ahead
        writer = Writer(out, shown)
        for item in reader:
            if isinstance(item, Launch):
                writer.launch(item)
            elif isinstance(item, End):
                writer.end(item.memory, item.cycle)
            else:
                if item.kind == "operands_memory" and not shows(shown, item.kind):
                    item.kind = "operands"
                if shows(shown, item.kind):
                    writer.record(item)
        writer.close()
    return 0


def text(value):
    if isinstance(value, list):
        return "[%s]" % " ".join(text(v) for v in value)
    return "-" if value is None else "%x" % value


def wanted(record, args):
    f = record.fields
    if args.kind and record.kind not in args.kind:
        return False
    if args.warp is None:
        return True
    slot, gen = args.warp
    return f.get("id.slot") == slot and gen in (None, f["id.gen"])


def warp(text):
    slot, dot, gen = text.partition(".")
    return int(slot), int(gen) if dot else None


def dump(args):
    with open(args.file, "rb") as file:
        reader = Reader(file)
        print(" ".join("%s=%s" % (k, v.decode(errors="replace") if isinstance(v, bytes) else "0x%x" % v)
                       for k, v in reader.header.items()))
        for item in reader:
            if args.launch is not None and reader.launches != args.launch:
                continue
            if isinstance(item, Launch):
                print("launch %d: %s" % (reader.launches, item.fields))
            elif isinstance(item, End):
                print("end: cycle %d, %d pieces of memory" % (item.cycle, len(item.memory)))
            elif wanted(item, args):
                print("%d %s %s" % (item.cycle, item.kind,
                                    " ".join("%s=%s" % (k, text(v)) for k, v in item.fields.items())))
    return 0


def diff(args):
    import heddle_diff
    return heddle_diff.main(args.mine, args.golden, args.most)


def arguments():
    parser = argparse.ArgumentParser(description="Retire traces: show, make smaller, compare. Numbers are hexadecimal.")
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("dump", help="what is in it")
    p.add_argument("file")
    p.add_argument("--kind", action="append", choices=sorted(KIND), help="only of this kind; several times")
    p.add_argument("--warp", type=warp, help="SLOT or SLOT.GEN: only of this warp")
    p.add_argument("--launch", type=int, help="only of this launch, from 1 on")
    p.set_defaults(run=dump)
    p = sub.add_parser("strip", help="the same of a machine that shows less")
    p.add_argument("source")
    p.add_argument("to")
    p.add_argument("--profile", default="P2", choices=["P%d" % i for i in range(len(tables.HIDDEN))])
    p.add_argument("--hide", nargs="*", default=[], choices=sorted(KIND) + sorted(OPTION), metavar="NAME")
    p.set_defaults(run=strip)
    p = sub.add_parser("diff", help="two traces of one program, warp by warp; status 1: they differ")
    p.add_argument("mine")
    p.add_argument("golden")
    p.add_argument("--most", type=int, default=20, help="lines that are shown (20)")
    p.set_defaults(run=diff)
    return parser.parse_args()


def main():
    args = arguments()
    try:
        return args.run(args)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on: nothing is to be flushed either
        return 0
    except (TraceError, OSError) as why:
        print("heddle_trace.py: %s" % why, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.modules["heddle_trace"] = sys.modules["__main__"]  # heddle_diff.py imports it
    sys.exit(main())
