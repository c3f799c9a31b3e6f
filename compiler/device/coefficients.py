#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes coefficients.h: polynomials through Chebyshev's points (by mpmath, 60 digits) of what
borders.h, trig.h and cuda_special.h take polynomials for.

usage: coefficients.py [--check] coefficients.h
"""
import sys

from mpmath import besseli, besselj, bessely, cos, erfc, exp, log, mp, mpf, nstr, pi, sin, sqrt

mp.dps = 60


def erfcinv(e):
    """Newton's steps in log erfc; e is small and positive."""
    y = sqrt(-log(e * sqrt(pi)) + mpf(0.1))
    for _ in range(60):
        step = (log(erfc(y)) - log(e)) * erfc(y) * sqrt(pi) / 2 * exp(y * y)
        y += step
        if abs(step) < mpf(10) ** -55 * abs(y):
            break
    return y


def erfinv_over_x(w):
    """erfinv(x) / x where w = -log(1 - x^2)."""
    if w == 0:
        return sqrt(pi) / 2
    x = sqrt(-mp.expm1(-w))
    return (mp.erfinv(x) if w < 5 else erfcinv(1 - x)) / x


def erfinv_tail(s):
    """As erfinv_over_x, by s = sqrt w; what is left of 1 is too little for 60 digits."""
    with mp.workdps(60 + int(s * s / 2.3)):
        return erfinv_over_x(s * s)


def wave(n, part):
    """P and Q of Hankel's form, by z = (8 / x)^2; Q is for its factor 8 / x."""
    def at(z):
        x = 8 / sqrt(z)
        chi = x - pi / 4 - n * pi / 2
        j, y, scale = besselj(n, x), bessely(n, x), sqrt(pi * x / 2)
        if part == "p":
            return scale * (j * cos(chi) + y * sin(chi))
        return scale * (y * cos(chi) - j * sin(chi)) / sqrt(z)
    return at


def root(f):
    """f of x, by u = x^2 in [0, 64] as v = u / 32 - 1."""
    return lambda v: f(sqrt(32 * (v + 1)))


def rest(f, begin, power):
    """What f(x) has beyond BEGIN, over x^POWER, by u = x^2."""
    return lambda u: (f(sqrt(u)) - begin(sqrt(u))) / sqrt(u) ** power


FITS = [  # name, terms for double, for float, function, from, to
    ("sin", 7, 4, rest(sin, lambda x: x, 3), 1e-9, 0.6169),
    ("cos", 7, 4, rest(cos, lambda x: 1 - x * x / 2, 4), 1e-9, 0.6169),
    ("erfinv_middle", 26, 12, lambda t: erfinv_over_x(t + 3.125), -3.125, 3.125),
    ("erfinv_tail", 20, 9, lambda t: erfinv_tail(t + 3.25), -0.75, 0.75),
    ("erfinv_far", 20, 8, lambda t: erfinv_tail(t + 5.125), -1.125, 1.125),
    ("erfinv_end", 22, 8, lambda t: erfinv_tail(1 / (t + 0.09765625)) * (t + 0.09765625), -0.0625, 0.0625),
    ("erfcx", 28, 13, lambda t: (1 + 8 * (1 + t) / (1 - t)) * exp((4 * (1 + t) / (1 - t)) ** 2)
     * erfc(4 * (1 + t) / (1 - t)), -1, 1),
    ("j0", 22, 12, root(lambda x: besselj(0, x)), -1, 1),
    ("j1", 22, 12, root(lambda x: besselj(1, x) / x), -1, 1),
    ("y0", 22, 12, root(lambda x: bessely(0, x) - 2 / pi * log(x) * besselj(0, x)), -1, 1),
    ("y1", 22, 12, root(lambda x: (bessely(1, x) - 2 / pi * (log(x) * besselj(1, x) - 1 / x)) / x), -1, 1),
    ("p0", 16, 6, wave(0, "p"), 0, 1),
    ("q0", 16, 6, wave(0, "q"), 0, 1),
    ("p1", 16, 6, wave(1, "p"), 0, 1),
    ("q1", 16, 6, wave(1, "q"), 0, 1),
    ("i0", 30, 19, lambda v: exp(-4 * (v + 1)) * besseli(0, 4 * (v + 1)), -1, 1),
    ("i1", 30, 19, lambda v: exp(-4 * (v + 1)) * besseli(1, 4 * (v + 1)) / (4 * (v + 1)), -1, 1),
    ("i0_end", 24, 8, lambda z: exp(-8 / z) * sqrt(8 / z) * besseli(0, 8 / z), 0, 1),
    ("i1_end", 24, 8, lambda z: exp(-8 / z) * sqrt(8 / z) * besseli(1, 8 / z), 0, 1),
    ("gamma", 22, 12, lambda t: mp.gamma(t + mpf(1.5)), -0.5, 0.5),
]


def fit(f, low, high, terms):
    """Lowest power first, through f at Chebyshev's points: Newton's form, multiplied out."""
    at = [(mpf(low) + high) / 2 + (mpf(high) - low) / 2 * cos(pi * (k + mpf(0.5)) / terms) for k in range(terms)]
    newton = [f(x) for x in at]
    for step in range(1, terms):
        for k in range(terms - 1, step - 1, -1):
            newton[k] = (newton[k] - newton[k - 1]) / (at[k] - at[k - step])
    power = [newton[-1]]
    for k in range(terms - 2, -1, -1):
        power = [a - at[k] * b for a, b in zip([mpf(0)] + power, power + [mpf(0)])]
        power[0] += newton[k]
    return power


def body(kind, f, low, high, terms):
    """Horner's steps, the highest power first, as many in a row as there is room for."""
    digits, suffix, step = (17, "", "__D") if kind == "double" else (9, "f", "__F")
    words = [nstr(c, digits, min_fixed=0, max_fixed=0) + suffix for c in reversed(fit(f, low, high, terms))]
    row = f"  {kind} r = {words[0]};"
    for word in words[1:]:
        if len(row) + len(word) + len(step) + 3 > 119:
            yield row
            row = " "
        row += f" {step}({word})"
    yield row
    yield "  return r;"


def lines():
    yield "/* SPDX-License-Identifier: Apache-2.0"
    yield " * Made by coefficients.py, which says what each polynomial is for. Not to be edited. */"
    yield "#ifndef HEDDLE_COEFFICIENTS_H"
    yield "#define HEDDLE_COEFFICIENTS_H"
    yield ""
    yield "#define __F(C) r = __builtin_fmaf(r, t, C);"
    yield "#define __D(C) r = __builtin_fma(r, t, C);"
    yield "// clang-format off"
    for kind, column in (("float", 2), ("double", 1)):
        if kind == "double":
            yield "#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64)"
        for row in FITS:
            yield f"__heddle_fn {kind} __heddle_fit_{row[0]}({kind} t) {{"
            yield from body(kind, *row[3:], row[column])
            yield "}"
    yield "#endif"
    yield "// clang-format on"
    yield "#undef __F"
    yield "#undef __D"
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
