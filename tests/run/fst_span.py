#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first and the last cycle that an FST wave holds. usage: fst_span.py FILE

A file begins with its header: one byte 0, eight bytes length, then the times of its begin and its end (GTKWave's
manual, FST). A cycle is 10 units of time, of which the second half is its clock's."""
import struct
import sys

head = open(sys.argv[1], "rb").read(25)
kind, length, begin, end = struct.unpack(">BQQQ", head)
assert kind == 0 and length == 329, (kind, length)
print(begin // 10, end // 10)
