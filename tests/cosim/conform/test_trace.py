# SPDX-License-Identifier: Apache-2.0
"""Traces by Python (cosim/kit/trace): written again they are the same bytes; broken ones are refused; two right machines'
traces compare as equal, and what is wrong is named. usage: test_trace.py SET  (made by `heddle conform SET`)"""
import contextlib
import glob
import io
import os
import re
import struct
import sys
import tempfile
import unittest

import heddle_diff
import heddle_trace as trace

SET = sys.argv.pop()


def golden(pattern):
    found = sorted(glob.glob(os.path.join(SET, "golden", pattern)))
    assert found, pattern
    return found


def written_again(data):
    out = io.BytesIO()
    out.close = lambda: None
    reader = trace.Reader(io.BytesIO(data))
    writer = trace.Writer(out, reader.header)
    for item in reader:
        if isinstance(item, trace.Launch):
            writer.launch(item)
        elif isinstance(item, trace.End):
            writer.end(item.memory, item.cycle)
        else:
            writer.record(item)
    writer.close()
    return out.getvalue()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compare(mine, other):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = heddle_diff.main(mine, other, 20)
    return status, text.getvalue()


class Traces(unittest.TestCase):
    def test_written_again(self):
        for path in golden("*.8.P[02].trace") + golden("*.32.P1.trace"):
            data = read(path)
            self.assertEqual(written_again(data), data, path)

    def test_checksum_of_the_page(self):
        """The worked example of docs/trace-format.md, by another way: numbers of any size, no masks between."""
        total = 0xCBF29CE484222325
        for run in (b"HDLTRACE", struct.pack("<BI", ord("G"), 0), b""):
            for i in range(0, len(run) - len(run) % 8, 8):
                total = (total ^ int.from_bytes(run[i:i + 8], "little")) * 0x100000001B3 % 2**64
                total ^= total // 2**29
            for b in run[len(run) - len(run) % 8:]:
                total = (total ^ b) * 0x100000001B3 % 2**64
        again = trace.checksum(trace.checksum(trace.SUM_START, b"HDLTRACE"), struct.pack("<BI", ord("G"), 0))
        self.assertEqual(again, total)
        page = read(os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "trace-format.md")).decode()
        self.assertIn("0x%016x" % total, page)

    def page(self):
        return read(os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "trace-format.md")).decode()

    def test_records_of_the_page(self):
        """Its table of bodies is what retire.records says."""
        rows = re.findall(r"^\| (\d+) \| (\w+) \| (id 8.*|warps 8.*|sm 1.*|sector 8.*|page 8.*|as \w+) \|$", self.page(), re.M)
        known = sorted((n, k[0]) for n, k in trace.tables.KINDS.items())
        self.assertEqual([(int(n), name) for n, name, _ in rows], known)
        for n, name, body in rows:
            layout = trace.tables.KINDS[int(n)][1]
            if body.startswith("as "):
                self.assertEqual(layout, trace.tables.KINDS[trace.KIND[body[3:]]][1])
                continue
            said = []
            for field in body.split(", "):
                hidden = field.startswith("*")
                word, dims, size, when = re.fullmatch(r"(\w+)((?:\[\w+\])*) (\d+)(?: of (\w+))?", field.strip("*")).groups()
                said.append((word, re.findall(r"\w+", dims), int(size), when, hidden))
            self.assertEqual(said, self.declared(name, layout), name)

    def declared(self, name, layout):
        """The same of the table: an id is one field, rows are a dimension."""
        found = []
        for field, size, rows, columns, when, option in layout:
            if field.startswith("id."):
                if field == "id.sm":
                    found.append(("id", [], 8, None, False))
                continue
            dims = [str(n) for n in (rows, columns) if n != 1]
            found.append((field.split(".")[-1], dims, size, when, option is not None))
        return found

    def test_header_of_the_page(self):
        """Its places and sizes are those that are written and read."""
        header = self.page().split("## Header")[1].split("\n## ")[0]
        rows = [(int(a), int(b)) for a, b in re.findall(r"^\| (\d+) \| (\d+) \| [a-zA-Z]", header, re.M)]
        at, want = 0, []
        for _, size in trace.HEADER:
            want.append((at, size))
            at += size
        self.assertEqual(rows, want)
        self.assertIn("%d bytes" % at, header)
        for kinds, options in trace.tables.HIDDEN[:2]:
            self.assertIn("`0x%x`" % kinds, header)
            self.assertIn("`0x%x`" % options, header)
        names = re.findall(r"\| (\d) \| ([a-z_]+\.[a-z]+) ", header)
        self.assertEqual({int(n): name for n, name in names}, dict(enumerate(trace.tables.OPTIONS)))

    def test_broken(self):
        data = read(golden("few.8.P2.trace")[0])
        for broken in [data[:n] for n in range(0, len(data), 997)] + [data + b"x"]:
            with self.assertRaises(trace.TraceError):
                list(trace.Reader(io.BytesIO(broken)))
        for at in range(0, len(data), 499):
            flipped = bytearray(data)
            flipped[at] ^= 0x10
            with self.assertRaises(trace.TraceError):
                list(trace.Reader(io.BytesIO(bytes(flipped))))

    def test_other_machines_are_the_same(self):
        for path in golden("*.8.P2.trace"):
            for other in (".32.P2", ".4.P0"):
                status, text = compare(path.replace(".8.P2", other), path)
                self.assertEqual(status, 0, "%s %s: %s" % (path, other, text))
                self.assertIn("the same: ", text)

    def test_differences_are_named(self):
        """Each golden trace with one number changed: the comparison names the warp, the instruction, the field."""
        changes = [("issue", "pc", 16, "issue pc"), ("write", "rd", 1, "write R"), ("predicate", "value.index", 1, "predicate P"),
                   ("operands", "index", 1, "operands "), ("global", "wstrb", 1, "wstrb"),
                   ("global", "lanes", 1, "lanes"), ("shared", "lanes", 1, "shared lanes"), ("block_end", None, 0, "block_end"),
                   ("barrier", "id", 1, "barrier"), ("trap", "cause", 1, "trap cause"), ("trap", "addr", 4, "trap addr"),
                   ("uniform_read", "data", 1, "uniform_read "), ("uniform_write", "rd", 1, "uniform_write UR")]
        for kind, field, by, words in changes:
            path = next(p for p in golden("*.8.P2.trace") if any(
                isinstance(i, trace.Record) and i.kind == kind for i in trace.Reader(io.BytesIO(read(p)))))
            status, text = compare(self.changed(path, kind, field, by), path)
            self.assertEqual(status, 1, kind)
            self.assertIn(words, text)

    def changed(self, path, kind, field, by):
        name = os.path.join(tempfile.mkdtemp(dir=SET), "changed.trace")
        reader = trace.Reader(io.BytesIO(read(path)))
        writer, done = trace.Writer(open(name, "wb"), reader.header), False
        for item in reader:
            if isinstance(item, trace.Launch):
                writer.launch(item)
            elif isinstance(item, trace.End):
                writer.end(item.memory, item.cycle)
            elif done or item.kind != kind:
                writer.record(item)
            else:
                done = True
                if field is None:
                    continue
                value = item.fields[field]
                if isinstance(value, list):
                    at = next(i for i, v in enumerate(value) if v is not None)
                    value[at] ^= by
                else:
                    item.fields[field] = value ^ by
                writer.record(item)
        writer.close()
        return name

    def test_spoiled_are_seen(self):
        """Of the mistakes that show in one place of one warp the comparison says as much as the checker. The run that is
        right for it has a wrong stamp, of which the comparison knows nothing."""
        right = os.path.join(SET, "spoiled", "perform_stamp.P2.trace")
        for name, words in (("exec_without_guard", "issue exec"), ("word_swapped", "issue word"),
                            ("beats_turned", "write R"), ("strobe_full", "wstrb")):
            path = os.path.join(SET, "mistakes", name + ".P0.trace")
            status, text = compare(path, right)
            self.assertEqual(status, 1, text)
            self.assertRegex(text, "warp [0-9]+, instruction [0-9]+ at pc 0x[0-9a-f]+: [^:]*" + words)
            self.assertNotIn("another program", text)
            self.assertIn("another program", compare(path, golden("few.8.P0.trace")[0])[1])
        # What differs from it in nothing else is the same.
        status, text = compare(os.path.join(SET, "spoiled", "perform_stamp_bank.P2.trace"), right)
        self.assertEqual(status, 0, text)


if __name__ == "__main__":
    unittest.main()
