# SPDX-License-Identifier: Apache-2.0
"""Arrays in a device's memory."""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

from heddle import errors
from heddle._arguments import element, loses, unmasked
from heddle._library import ffi, lib

if TYPE_CHECKING:
    from heddle.device import Device

Shape = Union[int, Sequence[int]]


def _release(handles: Any, address: int) -> None:
    """By a finalizer, in any thread: the device frees it at its next call."""
    if handles.open:
        handles.garbage.append(lambda: lib.heddle_mem_free(handles.context, address))


class Region:
    """Bytes of a device that an array describes."""

    def __init__(self, device: Device, address: int, shape: Shape, dtype: np.dtype[Any]) -> None:
        self.device = device
        self.address = address
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = element(dtype)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def get(self) -> npt.NDArray[Any]:
        """A copy for the host."""
        a = np.empty(self.shape, self.dtype)
        if a.nbytes:
            self.device.call(lib.heddle_memcpy_to_host, ffi.from_buffer("char[]", a.reshape(-1).view(np.uint8), True),
                             self.address, a.nbytes)
        return a

    def set(self, values: npt.ArrayLike) -> None:
        """Fill it from the host: an array of this shape, or a number for each element."""
        unmasked(values)
        if loses(values, self.dtype):
            raise TypeError(f"{np.asarray(values).dtype} values for {self.dtype}: convert them first, by astype")
        a = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        if a.nbytes:
            self.device.call(lib.heddle_memcpy_to_device, self.address, ffi.from_buffer(a.reshape(-1).view(np.uint8)),
                             a.nbytes)

    def copy_from(self, other: Region) -> None:
        """As many bytes of another one on this device."""
        if other.nbytes != self.nbytes or other.device is not self.device:
            raise ValueError(f"{other!r} has other bytes, or is another device's")
        self.device.call(lib.heddle_memcpy_on_device, self.address, other.address, self.nbytes)

    def __array__(self, dtype: Optional[npt.DTypeLike] = None, copy: Optional[bool] = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("memory of a device cannot be seen without a copy")
        return np.asarray(self.get(), dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<heddle.{type(self).__name__} {self.dtype}{list(self.shape)} at {self.address:#x}>"


class Buffer(Region):
    """Memory of its own, given back when nobody has it any more. Device.array, .empty and .zeros make one."""

    def __init__(self, device: Device, shape: Shape, dtype: np.dtype[Any]) -> None:
        super().__init__(device, 0, shape, dtype)
        address = ffi.new("uint64_t *")
        device.call(lib.heddle_mem_alloc, max(self.nbytes, 1), address)
        self.address = int(address[0])
        self._release = weakref.finalize(self, _release, device._handles, self.address)
        self._release.atexit = False

    def free(self) -> None:
        """Give it back now. Twice is an error."""
        if self._release.detach() is None:
            raise errors.error(lib.HEDDLE_ERROR_INVALID_ADDRESS, "freed before")
        self.device.call(lib.heddle_mem_free, self.address)

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()
