#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a GPU of NVIDIA's what the programs leave that `twins --export DIR` wrote.

usage: on_gpu.py DIR [--jobs N]
  example: mkdir twins && build/bin/twins --programs 500 --seed 3 --export twins && tests/twin/on_gpu.py twins
  example: mkdir why && build/bin/twins --only 17 --seed 3 --export why --prefixes && tests/twin/on_gpu.py why

DIR/answers.jsonl: a line a program, with `is`: equal, refused (NVIDIA's assembler does not take it), differs, stopped,
or open: it differs, and holds what PTX leaves open (enum ops_open of ops.h). With --prefixes the first program that
differs ends with the statement that does.
Takes the driver's library (libcuda.so.1) and nothing else of CUDA's. Exit status: 0 all equal, refused or open, 1 some
are not, 2 usage, 5 no GPU.
"""
import argparse
import ctypes
import json
import multiprocessing
import multiprocessing.pool
import os
import sys

CELLS = 64      # bytes of the last buffer
LIMIT = 20      # seconds of a launch
LOG = 4096


class Driver:
    """One context of the first GPU; after an error of a launch it is of no more use."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.must("cuInit", 0)
        self.must("cuDeviceGet", ctypes.byref(device), 0)
        self.must("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.must("cuCtxSetCurrent", self.context)

    def call(self, name, *values):
        return getattr(self.lib, name)(*values)

    def must(self, name, *values):
        status = self.call(name, *values)
        if status:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(status, ctypes.byref(text))
            raise OSError(f"{name}: {(text.value or b'?').decode()}")

    def module(self, ptx):
        """(module, None) or (None, the assembler's first word about it)."""
        log = ctypes.create_string_buffer(LOG)
        keys = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER, its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG)
        module = ctypes.c_void_p()
        if self.call("cuModuleLoadDataEx", ctypes.byref(module), ptx + b"\0", 2, keys, values):
            lines = [line for line in log.value.decode(errors="replace").split("\n") if "rror" in line]
            return None, (lines or ["refused without a word"])[0]
        return module, None

    def buffer(self, data, size):
        at = ctypes.c_uint64()
        self.must("cuMemAlloc_v2", ctypes.byref(at), size)
        self.must("cuMemsetD8_v2", at, 0, size)
        if data:
            self.must("cuMemcpyHtoD_v2", at, data, len(data))
        return at

    def run(self, module, launch, data, cells):
        """What the second and the third buffer hold after the launch."""
        function = ctypes.c_void_p()
        self.must("cuModuleGetFunction", ctypes.byref(function), module, b"twin")
        buffers = [self.buffer(data, len(data)), self.buffer(None, launch["out"]), self.buffer(cells, CELLS)]
        words = buffers + [ctypes.c_uint64(int(p, 16)) for p in launch["params"]]
        params = (ctypes.c_void_p * len(words))(*[ctypes.addressof(w) for w in words])
        self.must("cuLaunchKernel", function, launch["grid"], 1, 1, launch["block"], 1, 1, 0, None, params, None)
        self.must("cuCtxSynchronize")
        found = b""
        for at, size in zip(buffers[1:], (launch["out"], CELLS)):
            bytes_ = ctypes.create_string_buffer(size)
            self.must("cuMemcpyDtoH_v2", bytes_, at, size)
            found += bytes_.raw
        for at in buffers:
            self.must("cuMemFree_v2", at)
        self.must("cuModuleUnload", module)
        return found


def read(path):
    with open(path, "rb") as text:
        return text.read()


def first_difference(launch, want, found):
    at = next(k for k in range(0, len(want), 8) if want[k:k + 8] != found[k:k + 8])
    words = [hex(int.from_bytes(x[at:at + 8], "little")) for x in (found, want)]
    if at >= launch["out"]:
        return f"cell {(at - launch['out']) // 8}: {words[0]}, the C twin has {words[1]}"
    thread, byte = divmod(at, launch["out"] // (launch["grid"] * launch["block"]))
    return f"thread {thread} byte {byte}: {words[0]}, the C twin has {words[1]}"


def ask(driver, folder, name):
    """{is, words} of one program."""
    path = os.path.join(folder, name)
    launch = json.loads(read(path + ".json"))
    module, refused = driver.module(read(path + ".ptx"))
    if not module:
        return {"is": "refused", "words": refused}
    try:
        found = driver.run(module, launch, read(path + ".in"), read(path + ".cells"))
    except OSError as error:
        return {"is": "stopped", "words": str(error)}
    want = read(path + ".want")
    if found == want:
        return {"is": "equal", "words": ""}
    return {"is": "open" if launch["open"] else "differs", "open": launch["open"], "words": first_difference(launch, want, found)}


def child(folder, names, pipe):
    driver = Driver()
    for name in names:
        pipe.send(("begins", name))
        answer = ask(driver, folder, name)
        pipe.send((name, answer))
        if answer["is"] == "stopped":
            break  # the context is lost
    pipe.send(("ends", ""))


def work(job):
    """Asks all names of a job, in a new process after each that stops or hangs."""
    folder, names = job
    answers, left = {}, list(names)
    while left:
        here, there = multiprocessing.Pipe(False)
        process = multiprocessing.Process(target=child, args=(folder, left, there))
        process.start()
        there.close()
        at = None
        try:
            while here.poll(LIMIT):
                what, value = here.recv()
                if what == "ends":
                    break
                if what == "begins":
                    at = value
                else:
                    answers[what] = value
        except EOFError:
            pass
        process.kill()
        process.join()
        if at is None:
            return None
        answers.setdefault(at, {"is": "stopped", "words": f"no answer in {LIMIT} s"})
        left = [name for name in left if name not in answers]
    return answers


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=4)
    o = parser.parse_args()
    names = sorted(f[:-5] for f in os.listdir(o.folder) if f.endswith(".json"))
    if not names:
        print(f"on_gpu: {o.folder}: no program (twins --export writes some)", file=sys.stderr)
        return 2
    jobs = max(1, min(o.jobs, len(names)))
    with multiprocessing.pool.ThreadPool(jobs) as pool:
        parts = pool.map(work, [(o.folder, names[k::jobs]) for k in range(jobs)])
    if any(part is None for part in parts):
        print("on_gpu: no GPU, or no driver of it (libcuda.so.1)", file=sys.stderr)
        return 5
    answers = {name: answer for part in parts for name, answer in part.items()}
    count = {}
    with open(os.path.join(o.folder, "answers.jsonl"), "w", encoding="utf-8") as out:
        for name in names:
            answer = answers[name]
            count[answer["is"]] = count.get(answer["is"], 0) + 1
            out.write(json.dumps({"program": name, **answer}) + "\n")
    for what in sorted(count):
        print(f"{count[what]:6} {what}")
    bad = [name for name in names if answers[name]["is"] in ("differs", "stopped")]
    for name in bad:
        print(f"{name}: {answers[name]['is']}: {answers[name]['words']}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
