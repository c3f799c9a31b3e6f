# SPDX-License-Identifier: Apache-2.0
"""One exception for each error of the C libraries (heddle/error.h), by its name: HEDDLE_ERROR_LAUNCH_LIMITS is
LaunchLimitsError. Those that know more than a sentence have fields."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from heddle._library import ffi, lib, text

Size = tuple[int, int, int]


class Error(Exception):
    """An error of the C libraries."""

    code: ClassVar[int] = -1


class InvalidValueError(Error, ValueError):
    """A value that cannot be."""


class HostMemoryError(Error, MemoryError):
    """This process has no memory left."""


class OutOfMemoryError(Error):
    """The device has no memory left."""


class NoDeviceError(Error):
    """There is no such device."""


class DeviceBusyError(Error):
    """It has a context, or a grid runs."""


class WrongDeviceError(Error):
    """No Heddle, another version, or another instruction set."""


class BusError(Error):
    """The device does not answer, or answers with an error."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class InvalidImageError(Error):
    """No program of this instruction set."""


@dataclass(frozen=True)
class Message:
    """What a compiler or the assembler says of a place in its source; line 0: of no place."""

    file: str
    line: int
    column: int
    text: str
    warning: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{'warning' if self.warning else 'error'}: {self.text}"


class CompileError(InvalidImageError):
    """A source that is no program. `messages`: all that the compiler or the assembler said."""

    def __init__(self, words: str, messages: tuple[Message, ...] = ()) -> None:
        super().__init__(words)
        self.messages = messages


class NotFoundError(Error, LookupError):
    """No kernel or variable of this name."""


class InvalidAddressError(Error):
    """Not inside one allocation, or not the start of one."""


class LaunchShapeError(Error, ValueError):
    """Grid or block sizes that cannot be."""


@dataclass(frozen=True)
class Lack:
    """What a launch finds missing on a device: a unit, or room (`wants` and `has`)."""

    kind: str  # "unit", "warps", "regs", "shared"
    unit: str
    pc: Optional[int]  # of the first instruction that needs the unit, of `words`
    words: int
    file: str
    line: int
    instruction: str
    wants: int
    has: int
    configurations: tuple[str, ...]  # that can run it


class LaunchLimitsError(Error):
    """A block needs more warps, registers or shared memory than the device has: `lacks`."""

    lacks: tuple[Lack, ...] = ()


class NotSupportedError(Error):
    """The kernel needs what the device lacks: `lacks`."""

    lacks: tuple[Lack, ...] = ()


class TooFragmentedError(Error):
    """Allocations lie so that 16 regions cannot name them without program code."""


class NotReadyError(Error):
    """The grid runs."""


class TimeoutError(Error, builtins.TimeoutError):
    """The grid did not end in the time that it was given; it has been stopped. `report`: what the model says of it."""

    report: str = ""


class TrappedError(Error):
    """The program trapped. An address is 0 where the cause has none."""

    cause: str = ""
    function: str = ""
    block: Size = (0, 0, 0)
    warp: int = 0  # of the block
    lanes: int = 0
    sequence: int = 0
    pc: int = 0
    address: int = 0
    sm: int = 0
    report: str = ""


class RefusedError(Error):
    """The device refuses the launch."""


class LimitError(TimeoutError):
    """It would not end in any time: a deadlock, or the limit that HEDDLE_LIMIT sets. `report`: who waits for what."""


class UndefinedError(TrappedError):
    """Something depends on what nobody has written. `what` was used ("R5 (operand a)"), `origin` was never written
    ("R5", "shared byte 0x10"; "" if nobody knows any more)."""

    what: str = ""
    origin: str = ""
    loaded: bool = False  # it is memory, and
    first_pc: Optional[int] = None  # the instruction that loaded it, else the first one that read it
    at_end: bool = False  # the host would read it; the place is that of the store


class PendingError(Error):
    """The model, by steps: the instruction needs a result that has not been performed yet."""


class StateError(Error):
    """The call does not fit the state."""


class DifferenceError(Error):
    """Hardware and model differ, or the hardware broke a rule of its own (then `kind` is "" and the report says all).

    `lanes` is a mask; `expected` and `actual` have 32 words, those of its lanes count. Where a difference is not by
    lane (`lanes` is 0), they are one number each."""

    report: str = ""
    kind: str = ""  # "writeback.value"
    what: str = ""  # which rule that is
    subject: str = ""  # "R12", "P3", "byte 0x10c0"
    note: str = ""
    cycle: int = 0
    sm: int = 0
    block: Optional[Size] = None  # None, as the next five: it is of no warp
    warp: Optional[int] = None  # of the block
    slot: Optional[int] = None
    sequence: Optional[int] = None
    pc: Optional[int] = None
    instruction: Optional[str] = None
    lanes: int = 0
    expected: "int | npt.NDArray[np.uint32]" = 0
    actual: "int | npt.NDArray[np.uint32]" = 0


class FaultsError(Error):
    """The model, in an address space: warps wait for pages that the host must bring."""


def _name(constant: str) -> str:
    return "".join(word.capitalize() for word in constant.removeprefix("HEDDLE_ERROR_").split("_")) + "Error"


def _classes() -> dict[int, type[Error]]:
    known: dict[int, type[Error]] = {}
    for code, constant in ffi.typeof("enum heddle_error").elements.items():
        if constant.startswith("HEDDLE_ERROR_"):
            known[code] = globals()[_name(constant)]
            known[code].code = code
    return known


CLASSES = _classes()


def error(code: int, words: str = "") -> Error:
    """The exception of an error of C."""
    said = text(lib.heddle_error_text(code))
    return CLASSES.get(code, Error)(f"{said}: {words}" if words else said)


def fail(code: int, words: str = "") -> NoReturn:
    raise error(code, words)


def check(code: int, words: str = "") -> None:
    """Nothing where it went well."""
    if code != lib.HEDDLE_SUCCESS:
        fail(code, words)
