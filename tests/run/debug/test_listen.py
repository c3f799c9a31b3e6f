#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle debug --listen: who connects may be anybody, and may go at any time.

usage: test_listen.py HEDDLE
"""
import os
import socket
import subprocess
import sys
import tempfile
import time

HEDDLE = os.path.realpath(sys.argv[1])
SECONDS = 20
SPIN = """.kernel spin
again: IADD3 R0, R0, 0x1, RZ ;
BRA again ;
EXIT ;
.end
"""  # R0 is never written before: a sum of what is undefined is undefined, and ends nothing
passed, failed = 0, 0


def check(holds, words):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print("FAILED:", words)


def packet(text):
    return b"$" + text + b"#%02x" % (sum(text) & 255)


def start(folder, *options):
    path = os.path.join(folder, "spin.s")
    with open(path, "w", encoding="ascii") as f:
        f.write(SPIN)
    return subprocess.Popen([HEDDLE, "debug", path, "--grid", "1", "--block", "32", *options],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def connected(family, where):
    end = time.monotonic() + SECONDS
    while True:
        s = socket.socket(family)
        try:
            s.connect(where)
            return s
        except OSError:
            s.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def ends(process, words):
    try:
        process.communicate(timeout=SECONDS)
        check(process.returncode == 0, f"{words}: exit status {process.returncode}")
    except subprocess.TimeoutExpired:
        process.kill()
        check(False, f"{words}: it does not end")


def answer(s):
    """The text of the next packet, each with its acknowledgement."""
    text = b""
    s.settimeout(SECONDS)
    while not (len(text) > 3 and text[-3:-2] == b"#"):
        got = s.recv(1)
        if not got:
            return text
        text += got
    return text.lstrip(b"+")[1:-3]


def main():
    with tempfile.TemporaryDirectory() as folder:
        at = os.path.join(folder, "s")
        for words, said in (("nothing", b""), ("half a packet", b"$g#"), ("no packets", bytes(range(256)) * 40),
                            ("a launch that never ends", packet(b"vCont;c"))):
            p = start(folder, "--listen", "unix:" + at)
            s = connected(socket.AF_UNIX, at)
            s.sendall(said)
            time.sleep(0.2)
            s.close()
            ends(p, "gone behind " + words)
            check(not os.path.exists(at), "the socket stays behind " + words)
        p = start(folder, "--listen", "unix:" + at)
        s = connected(socket.AF_UNIX, at)
        s.sendall(packet(b"?"))
        check(answer(s) == b"T05thread:1;", "the first stop")
        s.sendall(packet(b"vCont;c"))
        time.sleep(0.2)
        s.sendall(b"\x03")
        check(answer(s) == b"T02thread:1;", "an interrupt stops a launch that never ends")
        s.sendall(packet(b"bs"))
        check(answer(s) == b"T05thread:1;", "a step back from there")
        s.sendall(packet(b"k"))
        ends(p, "killed")
        s.close()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        p = start(folder, "--listen", str(port))
        s = connected(socket.AF_INET, ("127.0.0.1", port))
        s.sendall(packet(b"D"))
        check(answer(s) == b"OK", "detached over TCP")
        ends(p, "detached")
        s.close()
        for bad in ("0", "65536", "here", "unix:", "unix:" + "x" * 200):
            p = start(folder, "--listen", bad)
            p.communicate(timeout=SECONDS)
            check(p.returncode == 2, f"--listen {bad[:12]}: exit status {p.returncode}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
