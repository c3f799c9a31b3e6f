# SPDX-License-Identifier: Apache-2.0
"""OpenCL C and CUDA C to PTX, by a clang that is installed: as `heddle cc` does it (run/programs/cc.c; a test holds
that both make the same PTX)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from heddle._library import FOLDER
from heddle.errors import CompileError, Message

LIBCLC = "/usr/lib/clc/nvptx64--nvidiacl.bc"
HEADERS = FOLDER / "cc"
INSTALL = "'apt-get install clang-19 libclc-14' installs it (libclc-19 on Debian 13)"


def _inner(*words: str) -> list[str]:
    """To clang's inner program, past its driver."""
    return [part for word in words for part in ("-Xclang", word)]


def _find() -> str:
    given = os.environ.get("HEDDLE_CLANG")
    found = next((c for c in ([given] if given else ["clang-19", "clang-14"]) if shutil.which(c)), None)
    if found:
        return found
    raise CompileError(f"HEDDLE_CLANG: there is no program {given}" if given
                       else f"OpenCL C and CUDA C need clang: {INSTALL}; HEDDLE_CLANG can name another")


def _undefined(clang: str) -> list[str]:
    """Arguments and results need not be defined: of a warp one thread may have a value, and tell the others."""
    said = subprocess.run([clang, "-dumpversion"], capture_output=True, text=True, check=False).stdout
    is_14 = said.startswith("14.")
    return [*_inner("-disable-noundef-analysis" if is_14 else "-no-enable-noundef-analysis"), "-fno-strict-return"]


def _opencl() -> list[str]:
    if not os.path.exists(LIBCLC):
        raise CompileError(f"OpenCL C needs libclc ({LIBCLC}): {INSTALL}")
    return ["-x", "cl", "-cl-std=CL1.2", "-target", "nvptx64--nvcl", "-cl-no-stdinc", "-include", "opencl-c.h",
            "-include", str(HEADERS / "opencl.h"), *_inner("-target-cpu", "sm_70"),
            *(f"-D__opencl_c_atomic_{f}=1" for f in ("order_acq_rel", "order_seq_cst", "scope_device")),
            *_inner("-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                    "+__opencl_c_images")]


def _cuda() -> list[str]:
    return ["-x", "cuda", "-std=c++17", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
            "-Wno-unknown-cuda-version", *_inner("-target-sdk-version=11.0"),
            "-isystem", str(HEADERS / "include"), "-include", str(HEADERS / "cuda.h")]


def _messages(said: str) -> tuple[Message, ...]:
    lines = re.findall(r"^(.*?):(\d+):(\d+): (?:fatal )?(error|warning): (.*)$", said, re.MULTILINE)
    return tuple(Message(f, int(line), int(column), words, kind == "warning") for f, line, column, kind, words in lines)


def _required(ir: str) -> str:
    """LLVM's text with kernels' reqd_work_group_size as annotations that become .reqntid (firmware/host/opencl/ir_required.c
    says more)."""
    for name, number in re.findall(r"^define .*?(@[^(]+)\(.*!reqd_work_group_size !(\d+)", ir, re.MULTILINE):
        sizes = re.search(rf"^!{number} = !{{i32 (\d+), i32 (\d+), i32 (\d+)}}", ir, re.MULTILINE)
        if sizes:
            words = "".join(f', !"reqntid{d}", i32 {n}' for d, n in zip("xyz", sizes.groups()))
            kernel = f' {name}, !"kernel", i32 1'
            ir = ir.replace(kernel + "}", kernel + words + "}", 1)
    return ir


def _run(command: Sequence[str], given: bytes, folder: str) -> bytes:
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace").strip()
    said = said.replace(folder, "") if folder else said
    if done.returncode != 0:
        raise CompileError(f"{command[0]} makes no program of it:\n{said}", _messages(said))
    return done.stdout


def to_ptx(path: str, opencl: bool, more: Sequence[str], level: int, folder: str = "") -> bytes:
    """The PTX of a file; of one that is there for this alone, nobody hears its `folder`."""
    clang = _find()
    # Of CUDA products and sums are contracted, as nvcc does it; not those of libclc, which count on roundings.
    contract = [] if opencl or any(word.startswith("-ffp-contract") for word in more) \
        else _inner("-ffp-contract=fast-honor-pragmas")
    libclc = _inner("-mlink-builtin-bitcode", LIBCLC) if os.path.exists(LIBCLC) else []
    command = [clang, *(_opencl() if opencl else _cuda()), f"-O{level}", "-D__HEDDLE__=1", "-gdwarf-2",
               "-gline-tables-only", "-fno-crash-diagnostics", "-Wno-linker-warnings", *contract, *libclc,
               *_inner("-target-feature", "+ptx63"), *_undefined(clang),
               *([f"-fdebug-prefix-map={folder}="] if folder else []),
               *(["-emit-llvm"] if opencl else []), *more, "-S", "-o", "-", "--", path]
    made = _run(command, b"", folder)
    if not opencl:
        return made
    back = [clang, "-x", "ir", "-target", "nvptx64--nvcl", "-Qunused-arguments", "-fno-crash-diagnostics",
            *_inner("-disable-llvm-passes", "-target-cpu", "sm_70", "-target-feature", "+ptx63"), f"-O{level}", *more,
            "-S", "-o", "-", "--", "-"]
    return _run(back, _required(made.decode()).encode(), folder)
