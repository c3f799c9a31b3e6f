# SPDX-License-Identifier: Apache-2.0
"""The C libraries beside this file, and what it takes to talk to them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from heddle._c import ffi as _ffi  # made from the C headers when the package is built (firmware/host/python/declarations.py)

T = TypeVar("T")
ffi: Any = _ffi
FOLDER = Path(__file__).resolve().parent

# Those that libheddle needs travel along, since a system may lack them; whoever is loaded first is found by its name.
_NEEDED = ("libz.so.1", "libzstd.so.1", "libelf.so.1", "libjansson.so.4")


def _open() -> Any:
    lib = FOLDER / "lib"
    loaded = [ffi.dlopen(str(lib / name)) for name in _NEEDED if (lib / name).exists()]
    return ffi.dlopen(str(next(lib.glob("libheddle-sim.so.*")))), loaded


lib, _loaded = _open()
libc: Any = ffi.dlopen(None)


def text(pointer: Any) -> str:
    """A string of C; "" for NULL."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer).decode(errors="replace"))


def options(kind: str, **fields: Any) -> Any:
    """A struct of options with its size in front."""
    given = ffi.new(f"struct {kind} *", fields)
    given.size = ffi.sizeof(f"struct {kind}")
    return given


def names(enum: str, prefix: str) -> dict[int, str]:
    """The members of an enum of C by number: HEDDLE_COUNTER_ISSUED is "issued"."""
    kind = ffi.typeof(f"enum {enum}")
    return {number: name.removeprefix(prefix).lower() for number, name in sorted(kind.elements.items())}


def apart(function: Callable[[], T]) -> T:
    """A long call, in a thread of its own: Ctrl-C is seen meanwhile, and the call then ends unseen. What it uses it has
    to hold."""
    said: list[T] = []
    thread = threading.Thread(target=lambda: said.append(function()), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    return said[0]


class Stream:
    """A FILE of C in memory, for functions that write reports."""

    def __init__(self) -> None:
        self._text = ffi.new("char **")
        self._bytes = ffi.new("size_t *")
        self.file = libc.open_memstream(self._text, self._bytes)
        if self.file == ffi.NULL:
            raise MemoryError

    def close(self) -> str:
        """What has been written; once."""
        libc.fclose(self.file)
        said = bytes(ffi.buffer(self._text[0], self._bytes[0])).decode(errors="replace")
        libc.free(self._text[0])
        return said
