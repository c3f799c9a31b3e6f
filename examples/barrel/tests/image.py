# SPDX-License-Identifier: Apache-2.0
"""A program file and a launch, made a memory image and a launch file for tb.v.
Code lies at 0x1000, constant bank 0 at 0x8000, bank 3 at 0x9000, local memory at 0x30000;
region 0 (0x10000 to 0x20000) may be written, region 1 (0x20000 to 0x20400) only read."""
import struct

SIZE = 0x40000
OUT = 0x10000
CODE, BANK0, BANK3, LOCAL = 0x1000, 0x8000, 0x9000, 0x30000


def sections(elf):
    """name -> (bytes) of the sections of an ELF64 file"""
    off, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3a)
    heads = [struct.unpack_from("<IIQQQQIIQQ", elf, off + i * size) for i in range(count)]
    strings = heads[names][4]
    out = {}
    for h in heads:
        end = elf.index(b"\0", strings + h[0])
        out[elf[strings + h[0]:end].decode()] = elf[h[4]:h[4] + h[5]] if h[1] != 8 else b""
    return out


def note(data):
    """entry, registers, shared bytes, local bytes of the first kernel"""
    at = 0
    while at < len(data):
        name, desc, kind = struct.unpack_from("<III", data, at)
        body = at + 12 + (name + 3) // 4 * 4
        if kind == 1:
            entry, regs, shared = struct.unpack_from("<III", data, body + 8)
            local, = struct.unpack_from("<I", data, body + 48)
            return entry, regs, shared, local
        at = body + (desc + 3) // 4 * 4
    raise ValueError("no note of a kernel")


def build(elf, grid, block, params=b"", init=(), regs=None):
    """(memory as bytearray, launch as 64 words); init: (address, bytes) pairs"""
    s = sections(elf)
    entry, used, shared, local = note(s[".note.heddle"])
    code, bank3 = s[".text"], s.get(".const3", b"")
    mem = bytearray(b"\xcc" * SIZE)
    mem[CODE:CODE + len(code)] = code
    bank0 = bytearray(0x160) + params
    bank0 += bytes(-len(bank0) % 16)
    struct.pack_into("<6I", bank0, 0, *block, *grid)
    struct.pack_into("<I", bank0, 0x28, local)
    mem[BANK0:BANK0 + len(bank0)] = bank0
    mem[BANK3:BANK3 + len(bank3)] = bank3
    for address, data in init:
        mem[address:address + len(data)] = data
    p = [0] * 64
    p[0:3] = CODE, len(code), entry
    p[3:6], p[6:9] = grid, block
    p[9:13] = regs or used, shared, LOCAL, local
    p[13], p[16] = BANK0, BANK3
    p[17], p[20] = len(bank0), len(bank3)
    p[21] = 1
    p[24:26], p[40:42] = (OUT, 0x20000), (0x20000, 0x20400)
    return mem, p


def hex_of(mem):
    return "\n".join(mem[i:i + 32][::-1].hex() for i in range(0, len(mem), 32)) + "\n"
