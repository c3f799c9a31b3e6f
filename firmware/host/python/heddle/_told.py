# SPDX-License-Identifier: Apache-2.0
"""What a device tells of a launch that did not end well, as an exception with fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from heddle import errors
from heddle._library import ffi, lib, names, text
from heddle.errors import Lack, Size

LACKS = names("heddle_lack_kind", "HEDDLE_LACK_")
NO_PC = 0xFFFFFFFF


def _trap(h: Any, words: str) -> errors.Error:
    t = ffi.new("struct heddle_trap_info *")
    errors.check(lib.heddle_trap_last_sized(h.context, t, ffi.sizeof(t[0])))
    u = lib.heddle_sim_undefined(h.sim)
    undefined = u != ffi.NULL and t.cause == 0
    e = errors.error(lib.HEDDLE_ERROR_UNDEFINED if undefined else lib.HEDDLE_ERROR_TRAPPED, words)
    assert isinstance(e, errors.TrappedError)
    e.cause, e.function, e.report = text(t.cause_name), text(t.function), text(lib.heddle_sim_diagnosis(h.sim))
    e.block = (t.block.x, t.block.y, t.block.z)
    e.sm, e.warp, e.sequence, e.pc, e.lanes, e.address = t.sm, t.warp, t.sequence, t.pc, t.lanes, t.address
    if isinstance(e, errors.UndefinedError):
        e.what, e.origin, e.loaded, e.at_end = text(u.what), text(u.origin), bool(u.loaded), bool(u.at_end)
        e.first_pc = None if u.first_pc == NO_PC or not u.origin[0] else u.first_pc
    return e


def fill_difference(e: errors.DifferenceError, d: Any) -> None:
    """The fields of a struct heddle_checker_difference."""
    e.kind, e.what = text(lib.heddle_checker_kind_name(d.kind)), text(lib.heddle_checker_kind_what(d.kind))
    e.subject, e.note, e.cycle, e.sm, e.lanes = text(d.subject), text(d.note), d.cycle, d.sm, d.lanes
    if d.has_warp:
        e.block = (d.ctaid[0], d.ctaid[1], d.ctaid[2])
        e.warp, e.slot, e.sequence, e.pc = d.warp_in_block, d.slot, d.seq, d.pc
        line = ffi.new("char[]", 256)
        lib.heddle_disassemble(d.word, d.pc, line, len(line))
        e.instruction = text(line)
    if d.lanes:
        e.expected, e.actual = np.array(list(d.expected), np.uint32), np.array(list(d.got), np.uint32)
    else:
        e.expected, e.actual = d.expected_value, d.got_value


def failure(h: Any, code: int, words: str = "") -> errors.Error:
    """The exception of a call that failed just now; without `words` of its own those that it left."""
    words = words or text(lib.heddle_context_message(h.context))
    if code == lib.HEDDLE_ERROR_TRAPPED:
        return _trap(h, words)
    e = errors.error(code, words)
    if isinstance(e, (errors.DifferenceError, errors.LimitError, errors.TimeoutError)):
        e.report = text(lib.heddle_sim_diagnosis(h.sim))
    d = lib.heddle_sim_difference(h.sim)
    if isinstance(e, errors.DifferenceError) and d != ffi.NULL:
        fill_difference(e, d)
    return e


def lacks(function: Any, block: Size, shared: int) -> Iterator[Lack]:
    found = ffi.new("struct heddle_lack_info *")
    for index in range(lib.HEDDLE_LACKS_MAX):
        code = lib.heddle_function_lack_sized(function, block, shared, index, found, ffi.sizeof(found[0]))
        if code == lib.HEDDLE_ERROR_NOT_FOUND:
            return
        errors.check(code)
        yield Lack(LACKS[found.kind], text(found.unit), None if found.pc == NO_PC else found.pc, found.words,
                   text(found.file), found.line, text(found.instruction), found.wants, found.has,
                   tuple(text(found.configurations).split(", ")) if found.configurations[0] != b"\0" else ())


def refusal(h: Any, code: int, function: Any, block: Size, shared: int) -> errors.Error:
    """The exception of a launch that did not begin."""
    e = errors.error(code, text(lib.heddle_context_message(h.context)))
    if isinstance(e, (errors.NotSupportedError, errors.LaunchLimitsError)):
        e.lacks = tuple(lacks(function, block, shared))
    return e
