# SPDX-License-Identifier: Apache-2.0
"""libheddle-sim through ctypes: heddle/attach.h and what of heddle/model.h a launch is made of."""

import ctypes as c
import os
import subprocess
from pathlib import Path

u8p = c.POINTER(c.c_uint8)


class Hidden(c.Structure):
    _fields_ = [("kinds", c.c_uint32), ("options", c.c_uint32)]


class Core(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char_p)] + [(n, c.c_uint32) for n in (
        "lanes", "warp_slots", "block_slots", "partitions", "regs", "shared_bytes", "shared_banks", "register_banks",
        "units", "sm", "sms")] + [("hidden", Hidden), ("read_age", c.c_uint8), ("pred_age", c.c_uint8),
                                  ("its", c.c_bool), ("scoreboard", c.c_bool), ("clock_ahead", c.c_uint64),
                                  ("patience_issue", c.c_uint64), ("patience_warp", c.c_uint64),
                                  ("cache_sectors", c.c_uint32), ("cache_promises", c.c_uint32),
                                  ("shown", c.c_uint32), ("memory_banks", c.c_uint32),
                                  ("reorder", c.c_uint32)]


class Region(c.Structure):
    _fields_ = [("base", c.c_uint64), ("limit", c.c_uint64), ("writable", c.c_bool)]


class Launch(c.Structure):
    _fields_ = [("size", c.c_size_t), ("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("entry_pc", c.c_uint32),
                ("regs", c.c_uint32), ("shared_bytes", c.c_uint32), ("code", u8p), ("code_bytes", c.c_uint32), ("cbank", u8p * 4),
                ("cbank_bytes", c.c_uint32 * 4), ("region", Region * 16), ("regions", c.c_uint),
                ("units", c.c_uint32), ("rtl_only", c.c_bool), ("local_bytes", c.c_uint32), ("code_at", c.c_uint64),
                ("cbank_at", c.c_uint64 * 4), ("local_at", c.c_uint64)]


class ImageStruct(c.Structure):
    _fields_ = [("size", c.c_size_t), ("launch", c.POINTER(Launch)), ("base", c.c_uint64), ("bytes", c.c_uint64),
                ("memory", u8p)]


class VerdictStruct(c.Structure):
    _fields_ = [("kind", c.c_int), ("profile", c.c_char_p), ("not_judged", c.c_char_p), ("difference", c.c_char_p),
                ("report", c.c_char_p)] + [(n, c.c_uint64) for n in (
                    "launches", "skipped", "records", "issued", "retired", "lanes_compared", "performs")]


class Message(c.Structure):
    _fields_ = [("file", c.c_char * 256), ("line", c.c_uint), ("column", c.c_uint), ("warning", c.c_bool),
                ("text", c.c_char * 512)]


PROTOTYPES = {
    "new": (c.c_int, [c.POINTER(Core), c.POINTER(c.c_void_p), c.POINTER(Message)]),
    "free": (None, [c.c_void_p]),
    "load": (c.c_int, [c.c_void_p, c.c_char_p, c.POINTER(Message)]),
    "launch": (c.c_bool, [c.c_void_p, c.POINTER(ImageStruct)]),
    "skip": (c.c_bool, [c.c_void_p]),
    "port": (c.c_bool, [c.c_void_p, c.c_uint64, c.c_uint, c.c_char_p, c.c_size_t]),
    "port_words": (c.c_size_t, [c.c_void_p, c.c_uint]),
    "step": (c.c_bool, [c.c_void_p, c.c_uint64]),
    "ended": (c.c_bool, [c.c_void_p]),
    "memory": (c.c_bool, [c.c_void_p, c.c_uint64, c.c_char_p]),
    "verdict_sized": (None, [c.c_void_p, c.POINTER(VerdictStruct), c.c_size_t]),
}


def places():
    """Where the library may lie: $HEDDLE_SIM names it; pkg-config; the loader's own ways."""
    if "HEDDLE_SIM" in os.environ:
        yield os.environ["HEDDLE_SIM"]
        return
    try:
        folder = subprocess.run(["pkg-config", "--variable=libdir", "heddle-sim"], capture_output=True, text=True,
                                check=True).stdout.strip()
        if folder:
            yield str(Path(folder) / "libheddle-sim.so")
    except (OSError, subprocess.CalledProcessError):
        pass
    yield "libheddle-sim.so"


def load():
    """{"new": heddle_attach_new, ...}, heddle_record_kind_name under "kind_name", heddle_record_profile too."""
    tried = []
    for path in places():
        try:
            lib = c.CDLL(path)
            break
        except OSError as e:
            tried.append(str(e))
    else:
        raise OSError("libheddle-sim.so is not found; HEDDLE_SIM can name it: " + "; ".join(tried))
    functions = {}
    for name, (result, arguments) in PROTOTYPES.items():
        f = functions[name] = getattr(lib, f"heddle_attach_{name}")
        f.restype, f.argtypes = result, arguments
    f = functions["kind_name"] = lib.heddle_record_kind_name
    f.restype, f.argtypes = c.c_char_p, [c.c_uint32]
    f = functions["profile"] = lib.heddle_record_profile
    f.restype, f.argtypes = c.c_int, [Hidden]
    return functions
