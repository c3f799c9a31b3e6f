# SPDX-License-Identifier: Apache-2.0
"""Boards: opened by name, with memory, modules and launches."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from heddle import _told, errors
from heddle._arguments import unmasked
from heddle._library import ffi, lib, names, options, text
from heddle.memory import Buffer, Shape
from heddle.module import Module
from heddle.program import PathLike, Program, load

ATTRIBUTES = names("heddle_attribute", "HEDDLE_ATTRIBUTE_")


def boards(devices: Optional[PathLike] = None) -> list[str]:
    """Every name that can be opened here: "model", "rtl:tiny", "lockstep:tiny" ... `devices`: as of Device."""
    found: list[str] = []
    each = ffi.callback("void(void *, const char *)", lambda _, name: found.append(text(name)))
    lib.heddle_sim_names(_path(devices), each, ffi.NULL)
    return found


def _path(path: Optional[PathLike]) -> Any:
    return ffi.NULL if path is None else ffi.new("char[]", os.fsencode(path))


class _Handles:
    """What a device has of C: board, driver, context. Whoever holds one asks `open` first."""

    def __init__(self) -> None:
        self.sim = self.system = self.device = self.context = ffi.NULL
        self.lock = threading.RLock()
        self.garbage: list[Callable[[], Any]] = []  # what finalizers leave: they may run while another thread launches

    @property
    def open(self) -> bool:
        return bool(self.context != ffi.NULL)

    def sweep(self) -> None:
        while self.garbage:
            self.garbage.pop()()

    def close(self) -> None:
        with self.lock:
            self.garbage.clear()  # all of it is the context's
            lib.heddle_context_destroy(self.context)
            self.context = ffi.NULL
            if self.system != ffi.NULL:
                lib.heddle_shutdown(self.system)
            self.system = ffi.NULL
            lib.heddle_sim_close(self.sim)
            self.sim = ffi.NULL


def _open(handles: _Handles, o: Any) -> None:
    message, sim = ffi.new("struct heddle_message *"), ffi.new("struct heddle_sim **")
    errors.check(lib.heddle_sim_open(o, sim, message), text(message.text))
    handles.sim = sim[0]
    system, device, context = (ffi.new(f"struct heddle_{kind} **") for kind in ("system", "device", "context"))
    errors.check(lib.heddle_init(lib.heddle_sim_port(handles.sim), 1, system))
    handles.system = system[0]
    errors.check(lib.heddle_device_get(handles.system, 0, device))
    handles.device = device[0]
    errors.check(lib.heddle_context_create(handles.device, context))
    handles.context = context[0]


class Device:
    """A board, open.

    name     "model", "model:CONFIG", "rtl:NAME", "systemc:NAME", "lockstep:NAME", "lockstep:NAME@N", "board:tty:PATH",
             "board:sim:PROGRAM" (docs/hosts.md says what each is); None: $HEDDLE_BOARD, else "model"
    memory   bytes of the board, a multiple of 256; lockstep compares all of it at each launch
    trace    lockstep: a file that gets the records of all launches; it is whole when the device has been closed
             (heddle.Trace reads it)
    devices  folder of simulated hardware; None: $HEDDLE_DEVICES, else what the package or an installation has

    $HEDDLE_SEED is the seed of simulated hardware. A device is a context manager, and closes itself when nobody has it
    any more. Several threads may use it: one call waits for the other."""

    def __init__(self, name: Optional[str] = None, *, memory: int = 0, trace: Optional[PathLike] = None,
                 devices: Optional[PathLike] = None) -> None:
        self._handles = _Handles()
        self._close = weakref.finalize(self, self._handles.close)
        keep = [_path(devices), _path(trace), ffi.new("char[]", (name or "").encode())]
        try:
            _open(self._handles, options("heddle_sim_options", name=keep[2], devices=keep[0], memory_bytes=memory,
                                         quiet=True, trace=keep[1]))
        except BaseException:
            self._close()
            raise

    # ---- what it is

    @property
    def name(self) -> str:
        self.need()
        return text(lib.heddle_device_name(self._handles.device))

    @property
    def attributes(self) -> Mapping[str, int]:
        """Sizes and abilities: "warp_size", "lanes", "warp_slots", "shared_bytes", "units" (a mask) ..."""
        self.need()
        value, known = ffi.new("uint64_t *"), {}
        for number, name in ATTRIBUTES.items():
            errors.check(lib.heddle_device_attribute(self._handles.device, number, value))
            known[name] = int(value[0])
        return known

    @property
    def memory(self) -> tuple[int, int]:
        """Bytes that are free, and all."""
        free, total = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        self.call(lib.heddle_mem_info, free, total)
        return free[0], total[0]

    @property
    def diagnosis(self) -> str:
        """What the model said of the last launch that did not end well; in lockstep the whole report."""
        with self._handles.lock:
            self.need()
            return text(lib.heddle_sim_diagnosis(self._handles.sim))

    # ---- memory

    def empty(self, shape: Shape, dtype: npt.DTypeLike = np.uint8) -> Buffer:
        """Memory for an array; what is in it is what was there before."""
        return Buffer(self, shape, np.dtype(dtype))

    def zeros(self, shape: Shape, dtype: npt.DTypeLike = np.uint8) -> Buffer:
        b = self.empty(shape, dtype)
        self.call(lib.heddle_memset8, b.address, 0, b.nbytes)
        return b

    def array(self, values: npt.ArrayLike, dtype: Optional[npt.DTypeLike] = None) -> Buffer:
        """A copy of an array on the device."""
        unmasked(values)
        a = np.asarray(values, dtype)
        b = self.empty(a.shape, a.dtype)
        b.set(a)
        return b

    # ---- programs

    def load(self, program: Union[Program, PathLike], **how: Any) -> Module:
        """A program on this device; a path is loaded first, as heddle.load(path, **how) does."""
        return Module(self, program if isinstance(program, Program) else load(program, **how))

    # ---- life

    def close(self) -> None:
        """Give all of it back; memory and modules are gone. Twice is fine."""
        self._close()

    @property
    def closed(self) -> bool:
        return not self._handles.open

    def need(self) -> None:
        if self.closed:
            raise errors.error(lib.HEDDLE_ERROR_STATE, "the device is closed")

    def call(self, function: Any, *arguments: Any) -> None:
        """A call of the driver on this device's context; its error becomes an exception."""
        with self._handles.lock:
            self.need()
            self._handles.sweep()
            code = function(self._handles.context, *arguments)
            if code != lib.HEDDLE_SUCCESS:
                raise _told.failure(self._handles, code)

    def __enter__(self) -> Device:
        self.need()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<heddle.Device, closed>" if self.closed else f"<heddle.Device {self.name}>"
