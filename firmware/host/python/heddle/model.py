# SPDX-License-Identifier: Apache-2.0
"""The reference model, instruction by instruction: registers, predicates and memory as arrays."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from heddle import errors
from heddle._arguments import (
    Addressed, Argument, Dim, Local, align, count, element, encode, overlap, place_shared, size)
from heddle._library import ffi, lib, names, options, text
from heddle.errors import Size
from heddle.program import Program

Words = npt.NDArray[np.uint32]
BASE, APART = 0x100000, 256  # where memory begins; arrays begin at multiples
SPACES = names("heddle_isa_space", "ISA_SPACE_")
ACCESSES = names("heddle_access", "HEDDLE_ACCESS_")


@dataclass(frozen=True, eq=False)
class Step:
    """An instruction that a warp has executed. Masks: bit i is lane i."""

    slot: int  # of the warp, as Model's views take it
    block: Size
    warp: int  # of the block
    sequence: int
    pc: int
    instruction: str
    active: int
    executing: int  # active, and the guard is true
    register: Optional[int]  # the first that it wrote, with
    result: Optional[Words]  # its words: [word][lane]; lanes that do not execute have what they had
    access: Optional[str]  # "load", "store", "atomic" ...
    space: Optional[str]  # of it: "global", "shared", "local" ...
    address: Optional[npt.NDArray[np.uint64]]  # ... by lane


@dataclass
class _Place:
    """Memory of an argument."""

    address: int
    array: npt.NDArray[Any]


class Model:
    """A grid on the reference model, which this class runs step by step: blocks begin as warp slots are free, and warps
    issue in turn, an instruction each.

        with heddle.Model(program, grid=1, block=32, arguments=[np.zeros(32, np.uint32)]) as m:
            for step in m:
                print(step.instruction, m.registers(step.slot)[:4])
            print(m.arguments[0])

    program     a Program, whose only kernel runs unless `kernel` names one
    arguments   as a Kernel takes them; arrays are copied into the model's memory, where `arguments` shows them
    shared      bytes of dynamic shared memory
    memory      bytes of global memory
    warp_slots  warps that live at a time
    its         divergence unit `its`, else `stack`

    Traps, undefined reads and deadlocks are the exceptions that a Kernel raises."""

    def __init__(self, program: Program, kernel: Optional[str] = None, *, grid: Dim, block: Dim,
                 arguments: Sequence[Argument] = (), shared: int = 0, memory: int = 1 << 20, warp_slots: int = 32,
                 its: bool = False) -> None:
        self.program, self.info = program, program.kernel(kernel)
        self.grid, self.block = size(grid, "grid"), size(block, "block")
        self.warp_slots = warp_slots
        count(self.info, arguments)
        if lib.heddle_host_check_shape(self.grid, self.block) != lib.HEDDLE_REFUSE_NONE:
            raise errors.error(lib.HEDDLE_ERROR_LAUNCH_SHAPE, f"grid {self.grid}, block {self.block}")
        told, k = ffi.new("struct heddle_message *"), lib.heddle_program_kernel(program._p, self.info.name.encode())
        errors.check(lib.heddle_host_check_block(k, self.block, told), text(told.text))
        config = options("heddle_model_config", base=BASE, bytes=memory, warp_slots=warp_slots, block_slots=warp_slots,
                         divergence=lib.HEDDLE_ITS if its else lib.HEDDLE_STACK)
        self._m = lib.heddle_model_new(config)
        if self._m == ffi.NULL:
            raise errors.error(lib.HEDDLE_ERROR_INVALID_VALUE, "the model takes 1 to 256 warp slots, or has no memory")
        self._free = weakref.finalize(self, lib.heddle_model_free, self._m)
        pointer = lib.heddle_model_memory(self._m)
        self.memory: npt.NDArray[np.uint8] = np.frombuffer(ffi.buffer(pointer, memory), np.uint8)
        self.arguments: list[Union[npt.NDArray[Any], Argument]] = list(arguments)
        self._regions: list[tuple[int, int, bool]] = []
        self._at = BASE
        self._launch(arguments, shared)
        self._blocks = self._every_block()
        self._live: dict[int, tuple[int, int]] = {}  # warp slot: block slot, warp of the block
        self._ids: dict[int, Size] = {}  # of the block in a block slot
        self._turn = 0
        self._ended = False

    # ---- the launch

    def _place(self, nbytes: int, writable: bool) -> int:
        address = self._at
        if address + nbytes > BASE + len(self.memory):
            raise errors.error(lib.HEDDLE_ERROR_OUT_OF_MEMORY, f"arguments have more than {len(self.memory)} bytes")
        if nbytes:
            self._regions.append((address, address + nbytes, writable))
        self._at = align(address + nbytes, APART)
        return address

    def _array(self, given: npt.NDArray[Any]) -> _Place:
        dtype = element(given.dtype)
        address = self._place(given.nbytes, bool(given.flags.writeable))
        inside = self.memory[address - BASE:address - BASE + given.nbytes].view(dtype).reshape(given.shape)
        inside[...] = given
        return _Place(address, inside)

    def _bank0(self, k: Any, arguments: Sequence[Any], places: dict[int, int], globals_at: int, shared: int) -> Any:
        bank = ffi.new("uint8_t[]", lib.heddle_bank0_bytes(k))
        lib.heddle_bank0_fill(bank, k, self.grid, self.block, globals_at)
        lib.heddle_bank0_shared(bank, shared)
        same = overlap(arguments)
        arrays: dict[int, _Place] = {}
        for i, (p, a) in enumerate(zip(self.info.parameters, arguments)):
            if isinstance(a, np.ndarray):
                a = arrays[i] = arrays[same[i]] if i in same else self._array(a)
                self.arguments[i] = a.array
            value, told = ffi.from_buffer(encode(p, places.get(i, a))), ffi.new("struct heddle_message *")
            errors.check(lib.heddle_host_check_address(k, i, value, told), text(told.text))
            lib.heddle_bank0_param(bank, k, i, value)
        return bank

    def _launch(self, arguments: Sequence[Any], shared: int) -> None:
        p, globals_at = self.program._p, 0
        k = lib.heddle_program_kernel(p, self.info.name.encode())
        if p.global_bytes:
            globals_at = self._place(p.global_bytes, True)
            to = ffi.from_buffer("uint8_t[]", self.memory[globals_at - BASE:], True)
            lib.heddle_program_fill_globals(p, globals_at, to)
        places, more = place_shared(self.info, arguments, shared)
        bank = self._bank0(k, arguments, places, globals_at, k.shared_bytes + more)
        if len(self._regions) > 16:
            raise errors.error(lib.HEDDLE_ERROR_TOO_FRAGMENTED, "more than 16 arrays")
        launch = ffi.new("struct heddle_launch *", {
            "size": ffi.sizeof("struct heddle_launch"), "grid": self.grid, "block": self.block, "entry_pc": k.entry_pc, "regs": k.regs,
            "shared_bytes": k.shared_bytes + more, "code": p.code, "code_bytes": p.code_bytes,
            "cbank": [bank, ffi.NULL, ffi.NULL, p.konst], "cbank_bytes": [len(bank), 0, 0, p.const_bytes],
            "region": self._regions, "regions": len(self._regions), "units": 0xFFFFFFFF, "local_bytes": k.local_bytes})
        self._check(lib.heddle_model_launch(self._m, launch))  # which copies it

    # ---- its run

    def _every_block(self) -> Iterator[Size]:
        x, y, z = self.grid
        return ((i, j, k) for k in range(z) for j in range(y) for i in range(x))

    def _begin_blocks(self) -> None:
        """As many as there is room for."""
        warps = -(-self.block[0] * self.block[1] * self.block[2] // 32)
        if warps > self.warp_slots:
            raise errors.error(lib.HEDDLE_ERROR_LAUNCH_LIMITS, f"a block has {warps} warps")
        while len(free := [w for w in range(self.warp_slots) if w not in self._live]) >= warps:
            ctaid = next(self._blocks, None)
            if ctaid is None:
                return
            slot = next(b for b in range(self.warp_slots) if b not in self._ids)
            self._check(lib.heddle_block_start(self._m, slot, ctaid, bytes(free[:warps]), warps))
            self._ids[slot] = ctaid
            self._live.update({w: (slot, i) for i, w in enumerate(free[:warps])})

    def _end_warps(self) -> None:
        """Blocks whose warps have ended give up their slots."""
        for slot in list(self._ids):
            mine = [w for w, (b, _) in self._live.items() if b == slot]
            if all(self._standing(w).ended for w in mine):
                self._check(lib.heddle_block_end(self._m, slot))
                del self._ids[slot]
                for w in mine:
                    del self._live[w]

    def _standing(self, slot: int) -> Any:
        s = ffi.new("struct heddle_standing *")
        if not lib.heddle_warp_standing(self._m, slot, s):
            raise IndexError(f"no warp lives in slot {slot}")
        return s

    def _next(self) -> Optional[int]:
        """The warp whose turn it is; None: nobody can issue."""
        for i in range(self.warp_slots):
            w = (self._turn + i) % self.warp_slots
            if w not in self._live:
                continue
            s = self._standing(w)
            if s.waiting and s.bar_reached:
                self._check(lib.heddle_barrier_release(self._m, self._live[w][0], s.bar_id))
                s = self._standing(w)
            if not s.waiting and not s.ended:
                self._turn = w + 1
                return w
        return None

    def step(self) -> Optional[Step]:
        """One instruction more; None: the grid has ended."""
        if self._ended:
            return None
        self._begin_blocks()
        if not self._live:
            self._ended = True
            self._check(lib.heddle_model_end(self._m))
            return None
        w = self._next()
        if w is None:
            raise errors.error(lib.HEDDLE_ERROR_LIMIT, "deadlock: every warp waits at a barrier")
        return self._issue(w)

    def _issue(self, w: int) -> Step:
        e = ffi.new("struct heddle_effect *")
        self._check(lib.heddle_warp_issue(self._m, w, e))
        if e.traps:
            self._check(lib.HEDDLE_ERROR_TRAPPED)
        if e.mem_lanes:
            self._check(lib.heddle_perform_whole(self._m, w, e, ffi.new("struct heddle_performed *")))
        bslot, warp = self._live[w]
        register, result = None, None
        if e.rd_words and not e.rd_uniform:
            register = e.dec.rd
            result = np.stack([self._register(w, register + i) for i in range(e.rd_words)])
        address = np.frombuffer(bytes(ffi.buffer(e.mem_addr)), np.uint64) if e.mem_bytes else None
        step = Step(w, self._ids[bslot], warp, e.seq, e.pc, self.program.instruction(e.pc), e.active, e.exec, register,
                    result, ACCESSES[e.mem_kind] if e.mem_bytes else None, SPACES[e.mem_space] if e.mem_bytes else None,
                    address)
        self._end_warps()
        return step

    def run(self) -> int:
        """All that is left; how many instructions that were."""
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Step]:
        while (step := self.step()) is not None:
            yield step

    # ---- views

    @property
    def live(self) -> list[int]:
        """Slots in which a warp lives."""
        return sorted(self._live)

    def _register(self, slot: int, number: int) -> Words:
        return np.array([lib.heddle_reg(self._m, slot, number, lane) for lane in range(32)], np.uint32)

    def _need(self, slot: int) -> int:
        if slot not in self._live:
            raise IndexError(f"no warp lives in slot {slot}; there are: {self.live}")
        return slot

    def registers(self, slot: int) -> Words:
        """[register][lane], as many as the kernel has; what was never written is any value."""
        self._need(slot)
        return np.stack([self._register(slot, r) for r in range(self.info.registers)])

    def predicates(self, slot: int) -> npt.NDArray[np.bool_]:
        """[P0 to P6][lane]."""
        self._need(slot)
        return np.array([[lib.heddle_pred(self._m, slot, p, lane) for lane in range(32)] for p in range(7)], np.bool_)

    def uniform_registers(self, slot: int) -> Words:
        """UR0 to UR62."""
        self._need(slot)
        return np.array([lib.heddle_ureg(self._m, slot, r) for r in range(63)], np.uint32)

    def uniform_predicates(self, slot: int) -> npt.NDArray[np.bool_]:
        """UP0 to UP6."""
        self._need(slot)
        return np.array([lib.heddle_upred(self._m, slot, p) for p in range(7)], np.bool_)

    # ---- errors, life

    def _check(self, status: int) -> None:
        if status == lib.HEDDLE_SUCCESS:
            return
        e = errors.error(status, text(lib.heddle_model_diag(self._m)))
        if isinstance(e, errors.UndefinedError):
            u = lib.heddle_model_undefined(self._m)
            e.what, e.origin, e.loaded, e.at_end = text(u.what), text(u.origin), bool(u.loaded), bool(u.at_end)
            e.first_pc = u.first_pc if e.origin and u.first_pc != 0xFFFFFFFF else None
            self._where(e, u)
        elif isinstance(e, errors.TrappedError):
            t = lib.heddle_model_trap(self._m)
            e.cause, e.sm = text(lib.heddle_cause_name(t.cause)), t.sm
            self._where(e, t)
        raise e

    def _where(self, e: errors.TrappedError, at: Any) -> None:
        e.function, e.block, e.warp = self.info.name, (at.ctaid[0], at.ctaid[1], at.ctaid[2]), at.warp_in_block
        e.sequence, e.pc, e.lanes, e.address = at.seq, at.pc, at.lanes, at.addr

    def close(self) -> None:
        """Give the model back. `memory` and `arguments` become copies."""
        if self._free.alive:
            self.memory = self.memory.copy()
            self.arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in self.arguments]
            self._free()
            self._live, self._ended = {}, True

    def __enter__(self) -> Model:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()
