# SPDX-License-Identifier: Apache-2.0
"""Recorded runs: what the retire port showed, as arrays of numpy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from heddle import _told, errors
from heddle._library import Stream, apart, ffi, lib, names, text
from heddle.errors import Size
from heddle.program import PathLike

CHUNK = 4096  # records that are read at once
# Kinds of records, and whose fields those have that have none of their own name.
KINDS = {name: number for number, name in names("heddle_record_kind", "HEDDLE_RECORD_").items() if name != "kinds"}
SHARED_FIELDS = {"operands_memory": "operands", "hit": "merge"}


def dtype_of(kind: Any) -> np.dtype[Any]:
    """The dtype of a C type, its fields at the offsets that they have in C."""
    if kind.kind == "primitive":
        letter = "b" if kind.cname == "_Bool" else "i" if kind.cname.startswith("int") else "u"
        return np.dtype(np.bool_ if letter == "b" else f"{letter}{ffi.sizeof(kind)}")
    if kind.kind == "array":
        item, length = dtype_of(kind.item), kind.length
        return np.dtype((item, (length,)))
    fields = [(name, dtype_of(f.type), f.offset) for name, f in kind.fields]
    return _struct(fields, ffi.sizeof(kind))


def _struct(fields: list[tuple[str, np.dtype[Any], int]], nbytes: int) -> np.dtype[Any]:
    name, form, offset = (list(part) for part in zip(*fields))
    return np.dtype({"names": name, "formats": form, "offsets": offset, "itemsize": nbytes})


def _record_types() -> dict[str, np.dtype[Any]]:
    """For each kind the cycle, then the record's own fields."""
    record = ffi.typeof("struct heddle_retire_record")
    outer = dict(record.fields)
    inside, at = dict(outer["u"].type.fields), outer["u"].offset
    types = {}
    for kind in KINDS:
        member = inside[SHARED_FIELDS.get(kind, kind)]
        own = [(name, dtype_of(f.type), at + f.offset) for name, f in member.type.fields]
        types[kind] = _struct([("cycle", np.dtype("u8"), outer["cycle"].offset), *own], ffi.sizeof(record))
    return types


TYPES = _record_types()


class Records(Mapping[str, "npt.NDArray[Any]"]):
    """Records of a launch by kind: records["issue"]["pc"]. Fields are those of docs/retire-port.md, with the cycle."""

    def __init__(self, raw: bytearray, lanes: int, hidden: Any) -> None:
        self._raw, self._lanes, self._hidden = raw, lanes, hidden
        record = ffi.typeof("struct heddle_retire_record")
        self.order: npt.NDArray[Any] = np.frombuffer(raw, _struct(
            [("kind", np.dtype("u4"), 0), ("cycle", np.dtype("u8"), dict(record.fields)["cycle"].offset)],
            ffi.sizeof(record)))

    def __getitem__(self, kind: str) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = np.frombuffer(self._raw, TYPES[kind])[self.order["kind"] == KINDS[kind]]
        return found

    def __iter__(self) -> Iterator[str]:
        present = set(self.order["kind"].tolist())
        return (name for name, number in KINDS.items() if number in present)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def text(self, index: int) -> str:
        """The record of that place in `order` as a line."""
        if not 0 <= index < len(self.order):
            raise IndexError(f"record {index} of {len(self.order)}")
        line = ffi.new("char[]", 1024)
        r = ffi.cast("struct heddle_retire_record *", ffi.from_buffer(self._raw)) + index
        lib.heddle_record_text(r, self._lanes, self._hidden, line, len(line))
        return text(line)


class TracedLaunch:
    """A launch of a trace: what was launched, memory before and after (bytes from `base` on), its records."""

    def __init__(self, reader: Any, header: Any) -> None:
        launch = lib.heddle_trace_launched(reader)
        self.grid: Size = (launch.grid[0], launch.grid[1], launch.grid[2])
        self.block: Size = (launch.block[0], launch.block[1], launch.block[2])
        self.entry_pc, self.registers, self.shared_bytes = launch.entry_pc, launch.regs, launch.shared_bytes
        self.code = bytes(ffi.buffer(launch.code, launch.code_bytes))
        self.base = lib.heddle_trace_memory_base(reader)
        self.before = _memory(reader)
        self.cycles = 0
        raw = bytearray()
        self._read(reader, raw)
        self.after = _memory(reader)
        self.records = Records(raw, header.lanes, ffi.new("struct heddle_record_hidden *", header.hidden)[0])

    def _read(self, reader: Any, raw: bytearray) -> None:
        chunk, filled = ffi.new("struct heddle_retire_record[]", CHUNK), 0
        one = ffi.sizeof("struct heddle_retire_record")
        while (item := lib.heddle_trace_next(reader, chunk + filled)) == lib.HEDDLE_TRACE_RECORD:
            filled += 1
            if filled == CHUNK:
                raw += ffi.buffer(chunk, filled * one)
                filled = 0
        _expect(reader, item, lib.HEDDLE_TRACE_END)
        self.cycles = chunk[filled].cycle
        raw += ffi.buffer(chunk, filled * one)


def _memory(reader: Any) -> npt.NDArray[np.uint8]:
    nbytes = ffi.new("uint64_t *")
    at = lib.heddle_trace_memory(reader, nbytes)
    return np.frombuffer(bytes(ffi.buffer(at, nbytes[0])), np.uint8)


def _expect(reader: Any, item: int, wanted: int) -> None:
    if item != wanted:
        raise errors.error(lib.HEDDLE_ERROR_FILE, text(lib.heddle_trace_error(reader)))


class Trace:
    """A trace file, read whole: `header` by name, `launches` in order."""

    def __init__(self, path: PathLike) -> None:
        self.path = os.fspath(path)
        out, message = ffi.new("struct heddle_trace_reader **"), ffi.new("struct heddle_message *")
        errors.check(lib.heddle_trace_open(os.fsencode(path), out, message), text(message.text))
        reader = out[0]
        try:
            header = lib.heddle_trace_read_header(reader)
            self.header: dict[str, Any] = {name: text(v) if isinstance(v := getattr(header, name), ffi.CData) else v
                                           for name, _ in ffi.typeof(header[0]).fields if name != "hidden"}
            self.launches: list[TracedLaunch] = []
            r = ffi.new("struct heddle_retire_record *")
            while (item := lib.heddle_trace_next(reader, r)) == lib.HEDDLE_TRACE_LAUNCH:
                self.launches.append(TracedLaunch(reader, header))
            _expect(reader, item, lib.HEDDLE_TRACE_DONE)
        finally:
            lib.heddle_trace_free(reader)

    def check(self) -> None:
        """Judge it again by the model: DifferenceError if it differs."""
        judge(self.path)


def judge(path: PathLike) -> None:
    """Judge a trace file by the model, without keeping it in memory."""
    kind = "struct heddle_session_result"
    r, stream = ffi.new(f"{kind} *", {"size": ffi.sizeof(kind)}), Stream()
    name = os.fsencode(path)
    outcome = apart(lambda: lib.heddle_session_check_trace(name, ffi.NULL, 0, ffi.NULL, ffi.NULL, r, stream.file))
    report = stream.close()
    if outcome in (lib.HEDDLE_SESSION_OK, lib.HEDDLE_SESSION_TRAPPED):
        return
    if outcome != lib.HEDDLE_SESSION_DIFFERENCE:
        raise errors.error(lib.HEDDLE_ERROR_FILE, text(r.message))
    e = errors.error(lib.HEDDLE_ERROR_DIFFERENCE, text(r.message))
    assert isinstance(e, errors.DifferenceError)
    e.report = report
    _told.fill_difference(e, r.difference)
    raise e
