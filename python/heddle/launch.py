# SPDX-License-Identifier: Apache-2.0
"""A launch: arguments go in, the grid runs, results come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heddle import _told
from heddle._arguments import Argument, Local, encode, place_shared
from heddle._library import ffi, lib, names
from heddle.errors import Size
from heddle.memory import Buffer

if TYPE_CHECKING:
    from heddle.module import Kernel

COUNTERS = names("heddle_counter", "HEDDLE_COUNTER_")
CACHE_COUNTERS = names("heddle_cache_counter", "HEDDLE_CACHE_COUNTER_")
_TURN_MS = 1  # of the device: between two looks at whether Ctrl-C was pressed


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


def _wait(kernel: Kernel, timeout: float) -> None:
    handles, left = kernel.device._handles, max(int(timeout * 1000), 1)
    try:
        while (code := lib.heddle_synchronize(handles.context, _TURN_MS)) == lib.HEDDLE_ERROR_TIMEOUT and left > 1:
            left -= _TURN_MS
    except BaseException:  # Ctrl-C
        lib.heddle_abort(handles.context)
        raise
    if code == lib.HEDDLE_SUCCESS:
        return
    failure = _told.failure(handles, code)
    lib.heddle_abort(handles.context)
    raise failure


def _statistics(kernel: Kernel) -> Launch:
    s = ffi.new("struct heddle_statistics *")
    kernel.device.call(lib.heddle_statistics_last_sized, s, ffi.sizeof(s[0]))
    return Launch(s.cycles, {name: s.counter[i] for i, name in COUNTERS.items()},
                  {name: s.cache[i] for i, name in CACHE_COUNTERS.items()})


def run(kernel: Kernel, grid: Size, block: Size, arguments: Sequence[Argument], shared: int, timeout: float) -> Launch:
    """The device is this thread's."""
    device = kernel.device
    device.need()
    arrays = {i: device.array(a) for i, a in enumerate(arguments) if isinstance(a, np.ndarray)}
    places, shared = place_shared(kernel.info, arguments, shared)
    values, keep = _values(kernel, arguments, arrays, places)
    code = lib.heddle_function_launch(kernel._f, grid, block, shared, values)
    del keep
    if code != lib.HEDDLE_SUCCESS:
        raise _told.refusal(device._handles, code, kernel._f, block, shared)
    try:
        _wait(kernel, timeout)
    finally:
        kernel.module.show_printed()
    costs = _statistics(kernel)
    for i, b in arrays.items():
        a = arguments[i]
        if isinstance(a, np.ndarray) and a.flags.writeable:
            a[...] = b.get()
        b.free()
    return costs
