#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes include/curand/jumps.h: how the generators XORWOW and MRG32k3a go many steps at once.

usage: jumps.py [--check] include/curand/jumps.h

A step of XORWOW is linear over single bits, so that n steps are a polynomial of one step: x^n modulo the step's minimal
polynomial, which has degree 160 (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, "Efficient jump ahead for
F2-linear random number generators", INFORMS Journal on Computing 20 (3), 2008): 20 bytes where a matrix has 3,200.
"""
import sys

PERIOD = 2 ** 160 - 1
MODULI = (2 ** 32 - 209, 2 ** 32 - 22853)
STEPS = (((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0)), ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612)))


def xorwow_step(v):
    t = v[0] ^ v[0] >> 2
    return v[1:] + [(v[4] ^ v[4] << 4 ^ t ^ t << 1) & 0xffffffff]


def minimal_polynomial():
    """Of one bit of the state, by Berlekamp and Massey; the constant term is bit 0."""
    v, seen, now, before, length, gap = [1, 0, 0, 0, 0], 0, 1, 1, 0, 1
    for n in range(320):
        v = xorwow_step(v)
        seen = seen << 1 | v[4] & 1
        if bin(now & seen).count("1") & 1:
            now, was = now ^ before << gap, now
            if 2 * length <= n:
                length, before, gap = n + 1 - length, was, 0
        gap += 1
    return length, sum((now >> k & 1) << length - k for k in range(length + 1))


DEGREE, POLYNOMIAL = minimal_polynomial()


def times(a, b):
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= POLYNOMIAL * (a >> DEGREE)
    return product


def power(n):
    """x^n"""
    result, square = 1, 2
    while n:
        result = times(result, square) if n & 1 else result
        square, n = times(square, square), n >> 1
    return result


def matrix_power(m, squarings, modulus):
    m = [[x % modulus for x in row] for row in m]
    for _ in range(squarings):
        m = [[sum(a * m[k][j] for k, a in enumerate(row)) % modulus for j in range(3)] for row in m]
    return m


def lines():
    yield "/* SPDX-License-Identifier: Apache-2.0"
    yield " * Made by jumps.py, which says what it is. Not to be edited. */"
    yield "#ifndef HEDDLE_CURAND_JUMPS_H"
    yield "#define HEDDLE_CURAND_JUMPS_H"
    yield ""
    yield "// clang-format off"
    for name, first in (("offsets", 1), ("sequences", 2 ** 67)):
        yield f"/* Row [k][d - 1]: d * 16^k times {first} steps. */"
        yield f"static __device__ const unsigned __heddle_xorwow_{name}[16][15][5] __attribute__((unused)) = {{"
        for digit in range(16):
            rows = [power(first * d * 16 ** digit % PERIOD) for d in range(1, 16)]
            rows = ["{" + ",".join(f"0x{p >> 32 * k & 0xffffffff:x}" for k in range(5)) + "}" for p in rows]
            yield "  {" + rows[0] + ","
            for k in range(1, 15, 2):
                yield "   " + rows[k] + ", " + rows[k + 1] + ("}," if k == 13 else ",")
        yield "};"
    for squarings in (0, 76, 127):
        yield f"/* 2^{squarings} steps of each half of MRG32k3a. */"
        for half in (0, 1):
            m = matrix_power(STEPS[half], squarings, MODULI[half])
            rows = [", ".join(f"{x}u" for x in row) for row in m]
            yield f"#define __HEDDLE_MRG_{squarings}_{half + 1} \\"
            yield "  {" + ", \\\n   ".join(rows) + "}"
    yield "// clang-format on"
    yield ""
    yield "#endif"


def main(words):
    check, path = "--check" in words, words[-1]
    text = "".join(line + "\n" for line in lines())
    if not check:
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return 0
    with open(path, encoding="ascii") as f:
        return 0 if f.read() == text else f"{path} is not what {words[0]} makes"


if __name__ == "__main__":
    sys.exit(main(sys.argv))
