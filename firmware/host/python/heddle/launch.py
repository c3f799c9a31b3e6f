# SPDX-License-Identifier: Apache-2.0
"""A launch: arguments go in, the grid runs, results come back."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from heddle import _told
from heddle._arguments import Argument, Local, encode, overlap, place_shared
from heddle._library import ffi, lib, names, text
from heddle.errors import Size
from heddle.memory import Buffer

if TYPE_CHECKING:
    from heddle.module import Kernel

COUNTERS = names("heddle_counter", "HEDDLE_COUNTER_")
CACHE_COUNTERS = names("heddle_cache_counter", "HEDDLE_CACHE_COUNTER_")
_TURN_US = 10  # of the device, at first: then as much as takes between these times of the host, so that Ctrl-C is seen
_TURN_LEAST, _TURN_MOST = 0.02, 0.1  # seconds


@dataclass(frozen=True)
class Launch:
    """What a launch that ended well has cost. The model has no clock: there a cycle is an instruction."""

    cycles: int
    counters: Mapping[str, int]  # "issued": warp instructions; the others are of hardware
    cache: Mapping[str, int]  # of the cache of loads; 0 where there is none


def _values(kernel: Kernel, arguments: Sequence[Argument], arrays: dict[int, Buffer], places: dict[int, int]) -> Any:
    """A pointer to each parameter's bytes, and what keeps them."""
    keep = []
    for i, (p, a) in enumerate(zip(kernel.info.parameters, arguments)):
        keep.append(ffi.from_buffer(encode(p, arrays.get(i, places.get(i, a)))))
    return ffi.new("void *[]", [ffi.cast("void *", k) for k in keep] or 1), keep


def _time_out(timeout: Optional[float]) -> Optional[int]:
    """In microseconds of the device; None: none."""
    if timeout is None or timeout == math.inf:
        return None
    if not timeout > 0:
        raise ValueError(f"timeout {timeout}: seconds above 0, or None for as long as the launch takes")
    return math.ceil(timeout * 1e6)


def _turns(context: Any, most: Optional[int]) -> int:
    """Wait in turns: between two of them Python looks at signals."""
    waited, turn, code = 0, _TURN_US, int(lib.HEDDLE_ERROR_NOT_READY)
    while code == lib.HEDDLE_ERROR_NOT_READY and (most is None or waited < most):
        turn = turn if most is None else min(turn, most - waited)
        begin = time.monotonic()
        code = lib.heddle_wait(context, turn)
        took = time.monotonic() - begin
        waited += turn
        turn = max(turn // 2, 1) if took > _TURN_MOST else turn * 2 if took < _TURN_LEAST else turn
    return code


def _wait(kernel: Kernel, most: Optional[int]) -> None:
    handles, name = kernel.device._handles, kernel.info.name
    code = _turns(handles.context, most)
    if code == lib.HEDDLE_SUCCESS:
        return
    given = "" if most is None else f"timeout={most / 1e6:g} s"
    if code == lib.HEDDLE_ERROR_NOT_READY:
        words = f"{name}: not finished after {given} of the device"
        raise _told.failure(handles, lib.HEDDLE_ERROR_TIMEOUT, words)
    said = text(lib.heddle_context_message(handles.context))
    ended = code == lib.HEDDLE_ERROR_LIMIT and given  # earlier than that
    raise _told.failure(handles, code, f"{said}; {given} was not reached" if ended else "")


def _statistics(kernel: Kernel) -> Launch:
    s = ffi.new("struct heddle_statistics *")
    kernel.device.call(lib.heddle_statistics_last_sized, s, ffi.sizeof(s[0]))
    return Launch(s.cycles, {name: s.counter[i] for i, name in COUNTERS.items()},
                  {name: s.cache[i] for i, name in CACHE_COUNTERS.items()})


def _buffers(kernel: Kernel, arguments: Sequence[Argument], same: Mapping[int, int]) -> dict[int, Buffer]:
    """Arrays of the host on the device; what is given twice is one."""
    found: dict[int, Buffer] = {}
    for i, a in enumerate(arguments):
        if isinstance(a, np.ndarray):
            found[i] = found[same[i]] if i in same else kernel.device.array(a)
    return found


def _bring(arguments: Sequence[Argument], arrays: Mapping[int, Buffer], same: Mapping[int, int]) -> None:
    for i, b in arrays.items():
        a = arguments[i]
        if i in same:
            continue
        if isinstance(a, np.ndarray) and a.flags.writeable:
            a[...] = b.get()
        b.free()


def run(kernel: Kernel, grid: Size, block: Size, arguments: Sequence[Argument], shared: int,
        timeout: Optional[float]) -> Launch:
    """The device is this thread's."""
    device, most, same = kernel.device, _time_out(timeout), overlap(arguments)
    device.need()
    arrays = _buffers(kernel, arguments, same)
    places, shared = place_shared(kernel.info, arguments, shared)
    values, keep = _values(kernel, arguments, arrays, places)
    try:
        code = lib.heddle_function_launch(kernel._f, grid, block, shared, values)
        del keep
        if code != lib.HEDDLE_SUCCESS:
            raise _told.refusal(device._handles, code, kernel._f, block, shared)
        _wait(kernel, most)
    finally:
        lib.heddle_abort(device._handles.context)  # its time is over, or Ctrl-C; else nothing runs
        kernel.module.show_printed()
    costs = _statistics(kernel)
    _bring(arguments, arrays, same)
    return costs
