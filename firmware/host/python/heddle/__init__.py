# SPDX-License-Identifier: Apache-2.0
"""Heddle: kernels in OpenCL C, CUDA C, PTX and assembly, run on the reference model, on simulated hardware, or on both
in lockstep. docs/python.md has a first program; each name here has a docstring."""

from importlib.metadata import version as _version

from heddle._arguments import Argument, Dim, Local
from heddle.device import Device, boards
from heddle.errors import (
    BusError, CompileError, DeviceBusyError, DifferenceError, Error, FaultsError, FileError, HostMemoryError,
    InvalidAddressError, InvalidImageError, InvalidValueError, Lack, LaunchLimitsError, LaunchShapeError, LimitError,
    Message, NoDeviceError, NotFoundError, NotReadyError, NotSupportedError, OutOfMemoryError, PendingError,
    RefusedError, StateError, TimeoutError, TooFragmentedError, TrappedError, UndefinedError, WrongDeviceError)
from heddle.launch import Launch
from heddle.memory import Buffer, Region
from heddle.model import Model, Step
from heddle.module import Kernel, Module
from heddle.program import KernelInfo, Parameter, Program, Variable, compile, load
from heddle.trace import Trace, TracedLaunch

__version__ = _version("heddle")
__all__ = [name for name in dir() if not name.startswith("_")]
