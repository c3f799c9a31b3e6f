#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A file of a stream with its bytes spoiled, its own sums right again: as if a link had lost something.

spoil.py SEED FILE OUT: by SEED mod 6 a byte changed, lost, twice, late; a frame lost; the end cut off
spoil.py size FILE: how many bytes the stream has
"""
import random
import struct
import sys

MASK = (1 << 64) - 1


def add(sum_, run):
    whole = len(run) // 8 * 8
    for (v,) in struct.iter_unpack("<Q", run[:whole]):
        sum_ = ((sum_ ^ v) * 0x100000001B3) & MASK
        sum_ ^= sum_ >> 29
    for b in run[whole:]:
        sum_ = ((sum_ ^ b) * 0x100000001B3) & MASK
    return sum_


def sections(data):
    at = 8
    while at < len(data):
        tag, length = data[at:at + 1], struct.unpack_from("<I", data, at + 1)[0]
        yield tag, data[at + 5:at + 5 + length]
        at += 5 + length


def written(items):
    out, sum_ = bytearray(b"HDLBYTES"), add(0xCBF29CE484222325, b"HDLBYTES")
    for tag, payload in items:
        if tag == b"Z":
            payload = payload[:16] + struct.pack("<Q", sum_)
        head = tag + struct.pack("<I", len(payload))
        sum_ = add(add(sum_, head), payload)
        out += head + payload
    return bytes(out)


def spoiled(stream, seed):
    r = random.Random(seed)
    at = r.randrange(len(stream) - 1)
    ends = [i + 1 for i, b in enumerate(stream) if b == 0xC0]
    frame = r.randrange(len(ends) - 1)
    if seed % 6 == 0:
        return stream[:at] + bytes([stream[at] ^ r.randrange(1, 256)]) + stream[at + 1:]
    if seed % 6 == 1:
        return stream[:at] + stream[at + 1:]
    if seed % 6 == 2:
        return stream[:at] + stream[at:at + 1] + stream[at:]
    if seed % 6 == 3:
        while stream[at] == stream[at + 1]:
            at = (at + 1) % (len(stream) - 1)
        return stream[:at] + stream[at + 1:at + 2] + stream[at:at + 1] + stream[at + 2:]
    if seed % 6 == 4:
        return stream[:ends[frame]] + stream[ends[frame + 1]:]
    return stream[:at]


def main():
    data = open(sys.argv[2], "rb").read()
    items = list(sections(data))
    if sys.argv[1] == "size":
        print(sum(len(p) for tag, p in items if tag == b"S"))
        return
    # That of the first launch, in one section; the footer counts bytes.
    first = next(i for i, (tag, _) in enumerate(items) if tag == b"S")
    last = first
    while items[last][0] == b"S":
        last += 1
    stream = spoiled(b"".join(p for _, p in items[first:last]), int(sys.argv[1]))
    parts = [(b"S", stream[i:i + 65536]) for i in range(0, len(stream), 65536)]
    items[first:last] = parts
    count = sum(len(p) for tag, p in items if tag == b"S")
    tag, foot = items[-1]
    items[-1] = (tag, foot[:8] + struct.pack("<Q", count) + foot[16:])
    open(sys.argv[3], "wb").write(written(items))


if __name__ == "__main__":
    main()
