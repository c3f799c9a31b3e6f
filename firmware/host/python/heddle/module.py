# SPDX-License-Identifier: Apache-2.0
"""Programs on a device: their kernels, their variables, launches."""

from __future__ import annotations

import sys
import warnings
import weakref
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
import numpy.typing as npt

from heddle import _told, errors
from heddle._arguments import Argument, Dim, count, size
from heddle._library import ffi, lib, options
from heddle.launch import Launch, run
from heddle.memory import Region, Shape
from heddle.program import KernelInfo, Program

if TYPE_CHECKING:
    from heddle.device import Device


def _unload(handles: Any, module: Any) -> None:
    if handles.open:
        handles.garbage.append(lambda: lib.heddle_module_unload(module))


class Module(Mapping[str, "Kernel"]):
    """A program on a device: its kernels by name. Device.load makes one; it is unloaded when nobody has it or one of
    its kernels any more."""

    def __init__(self, device: Device, program: Program) -> None:
        self.device, self.program = device, program
        module = ffi.new("struct heddle_module **")
        if program.ptx is None:
            elf = program.elf()
            device.call(lib.heddle_module_load_data, elf, len(elf), module)
        else:
            device.call(lib.heddle_module_load_ptx, program.ptx, len(program.ptx), program.name.encode(),
                        options("heddle_ptx_options", level=1), module)
        self._m = module[0]
        weakref.finalize(self, _unload, device._handles, self._m).atexit = False
        self._known = program.kernels

    def variable(self, name: str, dtype: npt.DTypeLike = np.uint8, shape: Optional[Shape] = None) -> Region:
        """A variable of the program, as an array: of as many elements as it has room for, or of that shape."""
        address, nbytes, kind = ffi.new("uint64_t *"), ffi.new("uint64_t *"), np.dtype(dtype)
        self.device.need()
        code = lib.heddle_module_global(self._m, name.encode(), address, nbytes)
        errors.check(code, f"variable {name}")
        region = Region(self.device, address[0], nbytes[0] // kind.itemsize if shape is None else shape, kind)
        if region.nbytes > nbytes[0]:
            raise ValueError(f"variable {name} has {nbytes[0]} bytes")
        return region

    def kernel(self, name: Optional[str] = None) -> Kernel:
        """The kernel of that name; the only one without a name."""
        return Kernel(self, self.program.kernel(name))

    def __getitem__(self, name: str) -> Kernel:
        return Kernel(self, self._known[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def show_printed(self) -> None:
        """What the program has printed goes to sys.stdout, and its buffer is empty again."""
        if lib.heddle_program_global(lib.heddle_module_program(self._m), b"heddle_printf") == ffi.NULL:
            return
        variable = self.variable("heddle_printf")
        said, lost = _printed(self, variable.get())
        variable.set(0)
        sys.stdout.write(said)
        if lost:
            warnings.warn(f"printf: {lost} messages found no room", RuntimeWarning, stacklevel=4)

    def __repr__(self) -> str:
        return f"<heddle.Module {self.program.name} on {self.device!r}>"


def _printed(module: Module, image: npt.NDArray[np.uint8]) -> tuple[str, int]:
    parts: list[bytes] = []

    def read(_: Any, address: int, to: Any, nbytes: int) -> bool:
        context = module.device._handles.context
        return bool(lib.heddle_memcpy_to_host(context, to, address, nbytes) == lib.HEDDLE_SUCCESS)

    put = ffi.callback("void(void *, const char *, size_t)", lambda _, p, n: parts.append(bytes(ffi.buffer(p, n))))
    how = ffi.new("struct heddle_printf *", {
        "size": ffi.sizeof("struct heddle_printf"), "program": lib.heddle_module_program(module._m), "put": put})
    how.read = keep = ffi.callback("bool(void *, uint64_t, void *, size_t)", read)
    totals = lib.heddle_printf_text(how, ffi.from_buffer("uint8_t[]", image), image.nbytes)
    del keep
    return b"".join(parts).decode(errors="replace"), totals.lost


class Kernel:
    """A kernel on a device. Called, it runs:

        kernel(grid, block, argument, ...)

    Arguments are numbers, bytes (a structure), what Device.array makes, Local, or arrays of numpy: an array goes to the
    device before the launch, and comes back after it if it may be written."""

    def __init__(self, module: Module, info: KernelInfo) -> None:
        self.module, self.device, self.info = module, module.device, info
        out = ffi.new("struct heddle_function **")
        errors.check(lib.heddle_module_function(module._m, info.name.encode(), out), info.name)
        self._f = out[0]
        d = ffi.new("struct heddle_function_info *")
        errors.check(lib.heddle_function_describe_sized(self._f, d, ffi.sizeof(d[0])))
        self.registers, self.shared_bytes, self.local_bytes = d.registers, d.shared_bytes, d.local_bytes

    def lacks(self, block: Dim = 1, shared: int = 0) -> tuple[errors.Lack, ...]:
        """What a launch with such blocks finds missing on the device; (): it can run."""
        self.device.need()
        return tuple(_told.lacks(self._f, size(block, "block"), shared))

    def __call__(self, grid: Dim, block: Dim, *arguments: Argument, shared: int = 0,
                 timeout: Optional[float] = None) -> Launch:
        """Run a grid to its end.

        grid, block  one to three numbers: x, y, z
        shared       bytes of dynamic shared memory
        timeout      seconds of the device (simulated ones tick at 100 MHz, the model once an instruction of a warp);
                     None: as long as it takes. Ctrl-C stops the launch

        A trap is TrappedError, a use of what nobody has written UndefinedError, a difference between hardware and model
        DifferenceError, a launch beyond its time TimeoutError, one that can never end LimitError; each has fields."""
        count(self.info, arguments)
        g, b = size(grid, "grid"), size(block, "block")
        with self.device._handles.lock:
            return run(self, g, b, arguments, shared, timeout)

    def __repr__(self) -> str:
        return f"<heddle.Kernel {self.info.name} on {self.device!r}>"
