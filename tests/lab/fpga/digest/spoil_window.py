#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spoil_window.py FILE OUT: a file of digests whose last digest is another one, its check words and sums right again.

The frame with the last entry of code 4 (a warp has ended) is made anew: a bit of the digest of its last window is turned.
"""
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "stream"))
FLAG, ESC = b"\xc0", b"\xdb"
SIZES = {2: 4, 3: 6, 4: 12, 5: 6, 7: 0, 8: 21}  # bytes of entries; 0, 1, 6 have counts


def plain(frame):
    return frame.replace(b"\xdb\xdc", FLAG).replace(b"\xdb\xdd", ESC)


def escaped(frame):
    return frame.replace(ESC, b"\xdb\xdd").replace(FLAG, b"\xdb\xdc")


def nibbles(body):
    return [v for b in body for v in (b & 15, b >> 4)]


def last_warp_end(n):
    """Where the digest of the last window stands in these nibbles, or None."""
    at, found = 0, None

    def count(at):
        while n[at + 1] >= 8:
            at += 2
        return at + 2

    while n[at] != 15:
        code, at = n[at], at + 2
        if code in (0, 1):
            at = count(at)
        elif code == 6:
            at = count(count(count(at + 4)))
        else:
            if code == 4:
                found = at + 16
            at += 2 * SIZES[code]
    return found


def spoiled(stream):
    frames = stream.split(FLAG)[:-1]
    for i in reversed(range(len(frames))):
        f = plain(frames[i])
        if f[0] & 15 != 1:
            continue
        n = nibbles(f[5:-4])
        at = last_warp_end(n)
        if at is None:
            continue
        n[at] ^= 1
        body = bytes(n[k] | n[k + 1] << 4 for k in range(0, len(n), 2))
        f = f[:5] + body
        frames[i] = escaped(f + struct.pack("<I", zlib.crc32(f)))
        return FLAG.join(frames) + FLAG
    raise SystemExit("no warp has ended")


def main():
    import spoil

    items = list(spoil.sections(open(sys.argv[1], "rb").read()))
    first = next(i for i, (tag, _) in enumerate(items) if tag == b"S")
    last = first
    while items[last][0] == b"S":
        last += 1
    stream = spoiled(b"".join(p for _, p in items[first:last]))
    items[first:last] = [(b"S", stream[i:i + 65536]) for i in range(0, len(stream), 65536)]
    count = sum(len(p) for tag, p in items if tag == b"S")
    tag, foot = items[-1]
    items[-1] = (tag, foot[:8] + struct.pack("<Q", count) + foot[16:])
    open(sys.argv[2], "wb").write(spoil.written(items))


main()
