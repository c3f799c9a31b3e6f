# SPDX-License-Identifier: Apache-2.0
"""Between a program that opens a board as sim:PROGRAM (it gives a socket, --fd N) and the UART of the simulated SoC (a port of
this machine): starts the simulation, and carries bytes both ways until one of them ends. What the host says waits until the SoC's
program runs: the BIOS before it would take it."""
import os
import selectors
import socket
import subprocess
import time


def connect(port, sim, seconds=60):
    until = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if sim.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)


END = b"\xc0"   # what the program of the SoC sends first (firmware/board.c); no BIOS does


def wait_for_program(soc, sim):
    """What follows its first byte. The BIOS speaks ASCII."""
    soc.settimeout(1)
    while sim.poll() is None:
        try:
            data = soc.recv(512)
        except TimeoutError:
            continue
        if END in data or not data:
            soc.settimeout(None)
            return data[data.find(END):]
    return b""


def carry(host, soc, sim):
    host.sendall(wait_for_program(soc, sim))
    both = selectors.DefaultSelector()
    both.register(host, selectors.EVENT_READ, soc)
    both.register(soc, selectors.EVENT_READ, host)
    while sim.poll() is None:
        for key, _ in both.select(timeout=1):
            data = key.fileobj.recv(512)   # the simulation has room for 2,048 bytes
            if not data:
                return
            key.data.sendall(data)


def main(gateware, port, arguments):
    if len(arguments) != 2 or arguments[0] != "--fd":
        print("usage: board --fd N")
        return 2
    host = socket.socket(fileno=int(arguments[1]))
    with open(os.path.join(gateware, "sim.log"), "wb") as log:
        sim = subprocess.Popen(["obj_dir/Vsim"], cwd=gateware, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            carry(host, connect(port, sim), sim)
        finally:
            sim.kill()
            sim.wait()
    return 0
