# SPDX-License-Identifier: Apache-2.0
"""What a kernel is given: sizes and values in Python, bytes in constant bank 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union, runtime_checkable

import numpy as np
import numpy.typing as npt

from heddle.errors import LaunchShapeError, Size
from heddle.program import KernelInfo, Parameter

Dim = Union[int, Sequence[int]]
Array = npt.NDArray[Any]
_FLOATS: dict[int, type[np.floating[Any]]] = {2: np.float16, 4: np.float32, 8: np.float64}


@runtime_checkable
class Addressed(Protocol):
    """Something with an address in the device's memory."""

    @property
    def address(self) -> int: ...


@dataclass(frozen=True)
class Local:
    """A pointer to so many bytes of shared memory: a __local parameter of OpenCL C."""

    nbytes: int


Argument = Union[Addressed, Local, Array, np.generic, int, float, bytes]


def size(given: Dim, what: str) -> Size:
    """One to three numbers as x, y, z."""
    numbers = (given,) if isinstance(given, (int, np.integer)) else tuple(given)
    if not 1 <= len(numbers) <= 3 or any(not 1 <= int(n) < 1 << 32 for n in numbers):
        raise LaunchShapeError(f"{what} {given}: one to three numbers from 1 on")
    x, y, z = (*(int(n) for n in numbers), 1, 1)[:3]
    return x, y, z


def element(given: npt.DTypeLike) -> "np.dtype[Any]":
    """A dtype as memory of a device has it: the lowest byte first, whatever the host's array has."""
    dtype = np.dtype(given)
    if dtype.hasobject:
        raise TypeError(f"{dtype}: addresses of Python objects mean nothing to a device")
    parts = [dtype] if dtype.fields is None else [field[0] for field in dtype.fields.values()]
    if any(part.base.char in "gG" for part in parts):
        raise TypeError(f"{dtype}: a device has floating-point numbers of 2, 4 and 8 bytes")
    return dtype.newbyteorder("<")


def unmasked(values: Any) -> None:
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError("a masked array: give its filled(), or its data")


def loses(values: Any, to: "np.dtype[Any]") -> bool:
    """Is a conversion to a narrower kind of numbers, without fraction or imaginary part?"""
    order = "biufc"
    have = np.asarray(values).dtype.kind.replace("u", "i")
    want = to.kind.replace("u", "i")
    return have in order and want in order and order.index(have) > order.index(want) and want != "b"


def overlap(arguments: Sequence[Any]) -> dict[int, int]:
    """Arrays that are the same as one before them, which they share on the device. Others that overlap are refused:
    each would come back over the other."""
    same: dict[int, int] = {}
    arrays = [(i, a) for i, a in enumerate(arguments) if isinstance(a, np.ndarray)]
    for _, a in arrays:
        unmasked(a)
    for n, (i, a) in enumerate(arrays):
        for j, b in arrays[:n]:
            if not np.may_share_memory(a, b) or j in same:
                continue
            if _like(a) == _like(b):
                same[i] = j
                break
            if (a.flags.writeable or b.flags.writeable) and np.shares_memory(a, b):
                raise ValueError(f"arguments {j} and {i} overlap: make one array by Device.array, and give its address")
    return same


def _like(a: Array) -> tuple[Any, ...]:
    return a.__array_interface__["data"], a.shape, a.strides, a.dtype


def align(value: int, to: int) -> int:
    return -(-value // to) * to


def place_shared(info: KernelInfo, arguments: Sequence[Any], dynamic: int) -> tuple[dict[int, int], int]:
    """Where each Local lies in a block's shared memory, behind the kernel's own and the nameless part, each as aligned
    as what it can hold wants; and the bytes of all that the launch adds."""
    at, places = info.shared_bytes + dynamic, {}
    for i, a in enumerate(arguments):
        if isinstance(a, Local):
            at = align(at, min(max(a.nbytes & -a.nbytes, 16), 128))
            places[i] = at
            at += a.nbytes
    return places, at - info.shared_bytes


def _integer(p: Parameter, value: int) -> bytes:
    if p.size not in (1, 2, 4, 8):
        raise TypeError(f"parameter {p.name} has {p.size} bytes: give it bytes")
    if not -(1 << 8 * p.size - 1) <= value < 1 << 8 * p.size:
        raise OverflowError(f"parameter {p.name} has {p.size} bytes; {value} does not fit")
    return (value & (1 << 8 * p.size) - 1).to_bytes(p.size, "little")


def _float(p: Parameter, value: float) -> bytes:
    if p.size not in _FLOATS or p.type[:1] in ("u", "s"):
        raise TypeError(f"parameter {p.name} ({p.type or f'{p.size} bytes'}) is no floating-point number")
    return _FLOATS[p.size](value).tobytes()


def _numpy(p: Parameter, value: "np.generic[Any]") -> bytes:
    if value.dtype.itemsize != p.size:
        raise TypeError(f"parameter {p.name} has {p.size} bytes, {value.dtype} has {value.dtype.itemsize}")
    dtype = element(value.dtype)
    number = dtype.kind in "iufb" and (p.type[:1] == "f") == (dtype.kind == "f")
    if p.type and not number and p.type[0] != "b":
        raise TypeError(f"parameter {p.name} is {p.type}, not {value.dtype}")
    return bytes(value.astype(dtype).tobytes())


def encode(p: Parameter, value: Any) -> bytes:
    """The bytes of a parameter. Arrays and Locals have become their addresses."""
    if isinstance(value, Addressed):
        return _integer(p, value.address) if p.size == 8 and p.type[:1] != "f" else _not_pointer(p)
    if isinstance(value, np.generic):
        return _numpy(p, value)
    if isinstance(value, int):
        return _float(p, value) if p.type[:1] == "f" else _integer(p, value)
    if isinstance(value, float):
        return _float(p, value)
    if isinstance(value, bytes) and len(value) == p.size:
        return value
    raise TypeError(f"parameter {p.name} ({p.type or f'{p.size} bytes'}) cannot be {value!r:.60}")


def _not_pointer(p: Parameter) -> bytes:
    raise TypeError(f"parameter {p.name} ({p.type or f'{p.size} bytes'}) is no pointer")


def count(info: KernelInfo, arguments: Sequence[Any]) -> None:
    if len(arguments) != len(info.parameters):
        raise TypeError(f"kernel {info.name} takes {len(info.parameters)} arguments, {len(arguments)} were given")
