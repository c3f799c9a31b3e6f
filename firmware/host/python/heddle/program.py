# SPDX-License-Identifier: Apache-2.0
"""Programs: compiled, assembled, loaded; what is in them."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, Union

from heddle import _clang
from heddle._library import ffi, lib, options, text
from heddle.errors import CompileError, Message, NotFoundError, check, error

PathLike = Union[str, "os.PathLike[str]"]

LANGUAGES = {".cl": "opencl", ".cu": "cuda", ".ptx": "ptx", ".s": "assembly", ".elf": "elf"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel. `type` is PTX's ("u64", "f32", "b8" of a structure); "" where nobody knows it, as in
    assembly and program files."""

    name: str
    offset: int
    size: int
    type: str = ""


@dataclass(frozen=True)
class KernelInfo:
    """What a kernel is made of and needs."""

    name: str
    entry_pc: int
    registers: int
    shared_bytes: int  # of a block
    local_bytes: int  # of a thread
    barriers: int
    parameters: tuple[Parameter, ...]
    units: tuple[str, ...]  # of a machine, that it needs
    block: Optional[tuple[int, int, int]] = None  # that each launch must have (.reqntid, reqd_work_group_size)
    threads: int = 1024  # that a block may have (.maxntid, __launch_bounds__)


@dataclass(frozen=True)
class Variable:
    """A variable of a module: its offset in the module's memory, and its bytes."""

    name: str
    offset: int
    size: int


class Program:
    """Code, constants and kernels. One that was compiled from PTX keeps it, and is compiled again for each device that
    loads it."""

    def __init__(self, pointer: Any, name: str, ptx: Optional[bytes] = None) -> None:
        self._p = ffi.gc(pointer, lib.heddle_program_free)
        self.name = name
        self.ptx = ptx
        self._types = _types(ptx) if ptx else {}

    @property
    def kernels(self) -> Mapping[str, KernelInfo]:
        """By name, in the order of the code."""
        every = (self._p.kernel[i] for i in range(self._p.kernels))
        return {text(k.name): self._info(k) for k in every if not k.is_function}

    @property
    def variables(self) -> Mapping[str, Variable]:
        every = (self._p.variable[i] for i in range(self._p.variables))
        return {text(v.name): Variable(text(v.name), v.offset, v.size) for v in every}

    @property
    def code(self) -> bytes:
        return bytes(ffi.buffer(self._p.code, self._p.code_bytes))

    def kernel(self, name: Optional[str] = None) -> KernelInfo:
        """The kernel of that name; the only one without a name."""
        known = self.kernels
        if name is None and len(known) == 1:
            return next(iter(known.values()))
        if name is not None and name in known:
            return known[name]
        wrong = "which kernel?" if name is None else f"no kernel {name};"
        raise NotFoundError(f"{wrong} there are: {', '.join(known) or 'none'}")

    def instruction(self, pc: int) -> str:
        """The instruction at `pc` as assembly, without its control code."""
        if pc % 8 or not 0 <= pc < self._p.code_bytes or not lib.heddle_program_begins(self._p, pc):
            raise IndexError(f"no instruction at {pc:#x}")
        line = ffi.new("char[]", 256)
        lib.heddle_disassemble_at(self._p, pc, line, len(line))
        return text(line)

    def line(self, pc: int) -> Optional[tuple[str, int]]:
        """File and line from which the instruction at `pc` was made; None: not known."""
        file, line = ffi.new("const char **"), ffi.new("unsigned *")
        return (text(file[0]), line[0]) if lib.heddle_program_line(self._p, pc, file, line) else None

    def instructions(self) -> Iterator[tuple[int, str]]:
        """Each instruction with its pc."""
        pc = 0
        while pc < self._p.code_bytes:
            yield pc, self.instruction(pc)
            pc = lib.heddle_program_next(self._p, pc)

    def disassembly(self) -> str:
        """All of it as assembly that assembles to the same bytes."""
        parts: list[str] = []
        write = ffi.callback("void(void *, const char *)", lambda _, part: parts.append(text(part)))
        lib.heddle_disassemble_program(self._p, write, ffi.NULL)
        return "".join(parts)

    def save(self, path: PathLike) -> None:
        """Write an ELF file."""
        told = ffi.new("struct heddle_message *")
        check(lib.heddle_program_save(self._p, os.fsencode(path), told), text(told.text))

    def elf(self) -> bytes:
        """What save() writes."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(Path(folder, "program.elf"))
            return Path(folder, "program.elf").read_bytes()

    def _info(self, k: Any) -> KernelInfo:
        name, needs = text(k.name), ffi.new("struct heddle_needs *")
        types = self._types.get(name, [])
        types = types if len(types) == k.params else [""] * k.params
        parameters = tuple(Parameter(text(p.name), p.offset, p.size, t)
                           for p, t in zip((k.param[i] for i in range(k.params)), types))
        units = ffi.new("char[]", 512)
        check(lib.heddle_kernel_needs(self._p, ffi.addressof(k), needs))
        lib.heddle_needs_text(needs.units, units, len(units))
        x, y, z = k.promise.block
        most = lib.heddle_host_block_threads(ffi.addressof(k.promise))
        return KernelInfo(name, k.entry_pc, k.regs, k.shared_bytes, k.local_bytes, k.barriers, parameters,
                          tuple(text(units).split()), (x, y, z) if x else None, most)

    def __repr__(self) -> str:
        return f"<heddle.Program {self.name}: {', '.join(self.kernels)}>"


def _types(ptx: bytes) -> dict[str, list[str]]:
    """The types of each kernel's parameters as PTX declares them."""
    entries = re.findall(r"\.entry\s+([\w$%]+)\s*\(([^)]*)\)", ptx.decode(errors="replace"))
    return {name: re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)", declared) for name, declared in entries}


class _Listener:
    """Keeps what a compiler or the assembler says."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.function = ffi.callback("void(void *, const struct heddle_message *)", self._hear)

    def _hear(self, _: Any, m: Any) -> None:
        self.messages.append(Message(text(m.file), m.line, m.column, text(m.text), bool(m.warning)))

    def failure(self, name: str) -> CompileError:
        errors = [m for m in self.messages if not m.warning]
        return CompileError(str(errors[0]) if errors else f"{name}: no program", tuple(self.messages))


def _machine(config: Optional[str]) -> Any:
    m = options("heddle_machine")
    if config is None:
        lib.heddle_machine_slowest(m)
    elif not lib.heddle_machine_find(config.encode(), m):
        known = [text(lib.heddle_config_at(i).name) for i in range(lib.heddle_config_count())]
        raise NotFoundError(f"no configuration {config}; there are: {', '.join(known)}")
    return m


def _from_ptx(source: bytes, name: str, config: Optional[str], level: int) -> Program:
    m, heard = _machine(config), _Listener()
    model = bool(m.units >> lib.ISA_PART_MODEL & 1)
    o = options("heddle_ptx_options", target=lib.HEDDLE_PTX_TARGET_MODEL if model else lib.HEDDLE_PTX_TARGET_RTL,
                units=0 if model else m.units, level=min(level, 1), stall=list(m.stall), fp64_latency=m.fp64_latency,
                message=heard.function)
    out = ffi.new("struct heddle_program **")
    if lib.heddle_ptx_compile(source, len(source), name.encode(), o, out, ffi.NULL, ffi.NULL) != lib.HEDDLE_SUCCESS:
        raise heard.failure(name)
    return Program(out[0], name, source)


def _from_assembly(source: bytes, name: str, config: Optional[str], _: int) -> Program:
    heard = _Listener()
    o = options("heddle_asm_options", stall=list(_machine(config).stall), message=heard.function)
    out = ffi.new("struct heddle_program **")
    if lib.heddle_assemble(source, len(source), name.encode(), o, out) != lib.HEDDLE_SUCCESS:
        raise heard.failure(name)
    return Program(out[0], name)


def _from_elf(source: bytes, name: str, _config: Optional[str], _level: int) -> Program:
    out, told = ffi.new("struct heddle_program **"), ffi.new("struct heddle_message *")
    if lib.heddle_program_load_memory(source, len(source), name.encode(), out, told) != lib.HEDDLE_SUCCESS:
        raise CompileError(f"{name}: {text(told.text)}")
    return Program(out[0], name)


_MAKE: dict[str, Callable[[bytes, str, Optional[str], int], Program]] = {
    "ptx": _from_ptx, "assembly": _from_assembly, "elf": _from_elf}


def _compiled(path: str, language: str, config: Optional[str], arguments: Sequence[str], level: int,
              folder: str = "") -> Program:
    ptx = _clang.to_ptx(path, language == "opencl", arguments, level, folder)
    return _from_ptx(ptx, os.path.basename(path), config, level)


def compile(source: Union[str, bytes], language: str, *, name: Optional[str] = None, config: Optional[str] = None,
            arguments: Sequence[str] = (), level: int = 2) -> Program:
    """A program from its text.

    language   "opencl", "cuda" (both take clang), "ptx", "assembly", or "elf" (a program's bytes)
    name       what messages call it
    config     the machine that it is for ("tiny"); None: code that is right on all of them. What comes from PTX is
               compiled again for the device that loads it, whatever is said here
    arguments  more for clang: "-DN=4", "-Iinclude"
    level      0 (straightforward code) to 3

    CompileError says what is wrong, and where.
    """
    suffix = next((s for s, known in LANGUAGES.items() if known == language), None)
    if suffix is None:
        raise ValueError(f"no language {language}; there are: {', '.join(LANGUAGES.values())}")
    raw = source.encode() if isinstance(source, str) else source
    if language in _MAKE:
        return _MAKE[language](raw, name or f"program{suffix}", config, level)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, os.path.basename(name or f"program{suffix}"))
        path.write_bytes(raw)
        return _compiled(str(path), language, config, arguments, level, f"{folder}/")


def load(path: PathLike, *, config: Optional[str] = None, arguments: Sequence[str] = (), level: int = 2) -> Program:
    """A program from a file: .cl, .cu, .ptx and .s are compiled as compile() does, anything else is a program file."""
    file = os.fspath(path)
    language = LANGUAGES.get(os.path.splitext(file)[1], "elf")
    if language not in _MAKE:
        if not os.access(file, os.R_OK):
            raise error(lib.HEDDLE_ERROR_FILE, file)
        return _compiled(file, language, config, arguments, level)
    try:
        raw = Path(file).read_bytes()
    except OSError as e:
        raise error(lib.HEDDLE_ERROR_FILE, str(e)) from e
    return _MAKE[language](raw, file, config, level)
