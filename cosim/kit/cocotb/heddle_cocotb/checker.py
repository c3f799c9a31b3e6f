# SPDX-License-Identifier: Apache-2.0
"""heddle/attach.h as a class. It knows no simulator: a test of pytest's may use it as well."""

import ctypes as c
import re
from dataclasses import dataclass

from . import library

KINDS_MAX = 64  # a kind's number is below
HIDDEN_MAX = 32  # a bit for each kind that a core may not show; later ones are those of a cache


@dataclass(frozen=True)
class Image:
    """A launch: what the core's memory must hold, and its launch registers."""

    grid: tuple
    block: tuple
    entry_pc: int
    regs: int
    shared_bytes: int
    local_bytes: int
    local_at: int
    base: int  # of global memory
    bytes: int
    code_at: int
    cbank_at: tuple
    ranges: tuple  # (address, contents): global memory, code, constant banks
    code_bytes: int
    cbank_bytes: tuple
    regions: tuple  # (base, limit, writable): what the grid may touch


@dataclass(frozen=True)
class Verdict:
    kind: str  # "ok", "difference", "program", "unfinished", "misuse"
    profile: str
    not_judged: str
    difference: str
    report: str
    launches: int
    records: int
    retired: int

    @property
    def ok(self):
        return self.kind == "ok"


class HeddleChecker:
    """A core, declared by names as in struct heddle_core, under the checker; `launches` is a file of launches."""

    VERDICTS = ("ok", "difference", "program", "unfinished", "misuse")

    def __init__(self, launches, *, profile=2, warps, blocks, name="core", **core):
        self._f = library.load()
        names = [self._f["kind_name"](k).decode() for k in range(KINDS_MAX)]
        names = [re.sub(r"\W+", "_", n).strip("_") for n in names]  # "operands (memory)": operands_memory, as in signals
        hidden = self._hidden(profile)
        shown = range(KINDS_MAX if core.get("cache_sectors", 0) else HIDDEN_MAX)
        self.kinds = {k: names[k] for k in shown if names[k] and not hidden.kinds >> k & 1}  # those it shows
        declared = library.Core(size=c.sizeof(library.Core), name=name.encode(), warp_slots=warps, block_slots=blocks,
                                hidden=hidden, **core)
        self._a, message = c.c_void_p(), library.Message()
        if self._f["new"](declared, self._a, message) != 0:
            raise ValueError(message.text.decode())
        self._bytes = 0  # of global memory
        self.fine = self._f["load"](self._a, str(launches).encode(), None) == 0

    def __del__(self):
        if getattr(self, "_a", None):
            self._f["free"](self._a)

    def _hidden(self, profile):
        """All that a core of this profile may leave out."""
        h = library.Hidden(0, 0)
        for member in ("kinds", "options") if profile < 2 else ():
            for bit in range(32):
                more = library.Hidden(h.kinds, h.options)
                setattr(more, member, getattr(h, member) | 1 << bit)
                if self._f["profile"](more) >= profile:
                    h = more
        return h

    def launch(self):
        """The next launch, or None: there is none, or something is wrong."""
        s = library.ImageStruct(size=library.c.sizeof(library.ImageStruct))
        self.fine = self._f["launch"](self._a, s)
        if not self.fine:
            return None
        self._bytes = s.bytes
        l = s.launch.contents
        ranges = [(s.base, s.memory, s.bytes), (l.code_at, l.code, l.code_bytes)]
        ranges += [(l.cbank_at[i], l.cbank[i], l.cbank_bytes[i]) for i in range(4)]
        return Image(tuple(l.grid), tuple(l.block), l.entry_pc, l.regs, l.shared_bytes, l.local_bytes, l.local_at,
                     s.base, s.bytes, l.code_at, tuple(l.cbank_at),
                     tuple((at, c.string_at(data, n)) for at, data, n in ranges if n), l.code_bytes,
                     tuple(l.cbank_bytes), tuple((r.base, r.limit, r.writable) for r in l.region[:l.regions]))

    def record(self, kind, cycle, vector):
        """A record as the port has it: bytes, its lowest bits first. False from here on: something is wrong."""
        words = self._f["port_words"](self._a, kind)
        if len(vector) != 4 * words:
            raise ValueError(f"{self.kinds.get(kind, kind)}: {len(vector) // 4} words, of a core as declared {words}")
        self.fine = self.fine and self._f["port"](self._a, cycle, kind, vector, words)
        return self.fine

    def step(self, cycle):
        self.fine = self.fine and self._f["step"](self._a, cycle)
        return self.fine

    def ended(self):
        """Nothing more is owed but memory."""
        return self._f["ended"](self._a)

    def memory(self, cycle, left):
        """The launch is over: global memory as the core has left it, all of it."""
        if self.fine and len(left) != self._bytes:
            raise ValueError(f"{len(left)} bytes of global memory, and the launch has {self._bytes}")
        self.fine = self.fine and self._f["memory"](self._a, cycle, bytes(left))
        return self.fine

    def verdict(self):
        v = library.VerdictStruct()
        self._f["verdict_sized"](self._a, v, c.sizeof(v))
        return Verdict(self.VERDICTS[v.kind], v.profile.decode(), v.not_judged.decode(), v.difference.decode(),
                       v.report.decode(), v.launches, v.records, v.retired)
