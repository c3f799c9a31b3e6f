#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a watched device counts is read back, and a program that is known to make no difference is not run."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import reach  # noqa: E402
import sites  # noqa: E402
import watch_sv  # noqa: E402


def counts(folder):
    table = [(0, 0, 0)] * reach.LIMIT
    table[3], table[7], table[8], table[9] = (5, 0, 0), (9, 1, 0), (0, 0, 4), (6, 0, 4)   # 8: a constant
    path = folder / "counts"
    path.write_bytes(b"".join(reach.COUNT.pack(*t) for t in table))
    assert reach.counts(path) == ({3, 7, 8, 9}, {7, 8})
    path.write_bytes(b"short")
    try:
        reach.counts(path)
    except ValueError as e:
        assert "watched device" in str(e)
    else:
        raise AssertionError("a file that is too short was taken")


def rows(folder):
    path = folder / "reach.jsonl"
    row = {"config": "tiny", "seed": 1, "program": 4, "differs": [7], "same": [3]}
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "program": 5, "differs": [3, 7], "same": []}) + "\n" + '{"config": "ti')
    known = reach.Reach(path)
    assert known.known("tiny", 1, 4) and not known.known("tiny", 1, 6) and not known.known("tiny", 2, 4)
    assert not known.differs(3, "tiny", 1, 4) and known.differs(3, "tiny", 1, 5) and known.differs(7, "tiny", 1, 4)
    assert known.differs(3, "tiny", 1, 6) and known.differs(3, "sm", 1, 4), "where nothing is known it might"
    assert known.programs(3, "tiny", 1) == (2, 1) and known.programs(7, "tiny", 1) == (2, 2)
    assert known.programs(8, "tiny", 1) == (0, 0)


def words():
    """Comparisons of each kind."""
    def site(kind, before, after, **extra):
        return sites.Site("f", 0, 0, kind, before, after, number=1, extra=extra)
    assert watch_sv.differs(site("condition", "a", "1'b0")) == "!(a) != !(1'b0)"
    assert watch_sv.differs(site("operator", "a + b", "a - b")) == "(64'sb0 | (a - b)) != (a + b)"
    assert watch_sv.differs(site("stuck", "a", "1'sb0")) == "(64'sb0 | (a)) != 64'sb0"
    assert watch_sv.differs(site("stuck", "a", "~1'sb0")) == "!(&(a))"
    assert watch_sv.differs(site("drop", "a <= b;", "", sides=("a", "b // new"))) == "(a) != (b)"
    watch = watch_sv.Watch()
    assert watch.saw(site("condition", "a", "1'b0")) == "heddle_watch::heddle_saw(1, 0, !(a) != !(1'b0))"
    watch.plain.add(("f | drop | a <= b; | ", 0))
    assert watch.saw(site("drop", "a <= b;", "")) == "heddle_watch::heddle_saw(1, 1, 1'b1)"


with tempfile.TemporaryDirectory() as name:
    counts(pathlib.Path(name))
    rows(pathlib.Path(name))
words()
print("reach is read as it was written")
