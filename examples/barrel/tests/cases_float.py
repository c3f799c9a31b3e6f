# SPDX-License-Identifier: Apache-2.0
"""FP32: exact sums of fractions, rounded as the prose says."""
import random
import struct
from fractions import Fraction

from case import program, stores

NAN, INF = 0x7fffffff, 0x7f800000
TINY = Fraction(1, 1 << 126)
DATA = 0x20000


def number(v):
    e, m = v >> 23 & 255, v & 0x7fffff
    x = Fraction(m | (1 << 23 if e else 0)) * Fraction(2) ** (max(e, 1) - 150)
    return -x if v >> 31 else x


def whole(q, mode, neg):
    """the fraction q >= 0 made a whole number"""
    n = q.numerator // q.denominator
    rest = q - n
    if mode == "RN":
        return n + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1))
    return n + (rest > 0 and mode == ("RM" if neg else "RP"))


def rounded(x, mode, ftz):
    """x != 0 as bits"""
    neg, x = x < 0, abs(x)
    sign = neg << 31
    e = 0
    while x >= Fraction(2) ** (e + 1):
        e += 1
    while x < Fraction(2) ** e:
        e -= 1
    if ftz and whole(x / Fraction(2) ** (e - 23), mode, neg) * Fraction(2) ** (e - 23) < TINY:
        return sign
    ulp = max(e, -126) - 23
    n = whole(x / Fraction(2) ** ulp, mode, neg)
    if n * Fraction(2) ** ulp >= Fraction(2) ** 128:
        return sign | (INF if mode in ("RN", "RM" if neg else "RP") else INF - 1)
    return sign | (n + (ulp + 149 << 23) if n >= 1 << 23 else n)


def isnan(v):
    return v & NAN > INF


def isinf(v):
    return v & NAN == INF


def fma(a, b, c, mode="RN", ftz=False, sat=False, mul=False):
    if ftz:
        a, b, c = (v & 1 << 31 if v >> 23 & 255 == 0 else v for v in (a, b, c))
    sp = (a ^ b) >> 31
    if mul:
        c = sp << 31
    pinf = isinf(a) or isinf(b)
    if any(map(isnan, (a, b, c))) or pinf and (a & NAN == 0 or b & NAN == 0) \
            or pinf and isinf(c) and sp != c >> 31:
        return 0 if sat else NAN
    if pinf or isinf(c):
        r = (sp << 31 | INF) if pinf else c
    else:
        x = number(a) * number(b) + number(c)
        if x:
            r = rounded(x, mode, ftz)
        else:
            r = (sp if sp == c >> 31 else mode == "RM") << 31
    if sat:
        return 0 if r >> 31 else min(r, 0x3f800000)
    return r


EDGES = [0, 1, 0x007fffff, 0x00800000, 0x00800001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x7f7fffff,
         INF, 0x7fc00001, 0x34000000, 0x33800000, 0x4b800000, 0x01000000, 0x1fffffff]
rng = random.Random(38)


def some():
    if rng.random() < 0.5:
        return rng.choice(EDGES) | rng.getrandbits(1) << 31
    if rng.random() < 0.5:
        return rng.getrandbits(32)
    return 0x3f000000 + rng.getrandbits(25) | rng.getrandbits(1) << 31


LOAD = """ MOV R4, 0x20000 ; MOV R5, RZ ; IMAD.WIDE.U32 R4, R0, 0x4, R4 ;
 LDG.E R6, [R4] ; LDG.E R7, [R4+128] ; LDG.E R8, [R4+256] ;
"""


def table(name, instructions, functions, triples):
    data = b"".join(struct.pack("<32I", *(t[k] for t in triples)) for k in range(3))
    program(name, LOAD + "".join(f" {x} ;" for x in instructions)
            + stores(*(f"R{9 + n}" for n in range(len(instructions)))) + " EXIT ;",
            {n: [f(*t) for t in triples] for n, f in enumerate(functions)},
            init=((DATA, data),))


ONE = 0x3f800000
for n in range(3):
    rows, wants = [], []
    for mode in ("RN", "RM", "RP", "RZ"):
        for ftz in ("", ".FTZ"):
            f = bool(ftz)
            at = 9 + len(rows)
            rows += [f"FFMA.{mode}{ftz} R{at}, R6, R7, R8",
                     f"FADD.{mode}{ftz} R{at + 1}, R6, -R8",
                     f"FMUL.{mode}{ftz} R{at + 2}, |R6|, R7"]
            wants += [lambda a, b, c, m=mode, f=f: fma(a, b, c, m, f),
                      lambda a, b, c, m=mode, f=f: fma(a, ONE, c ^ 1 << 31, m, f),
                      lambda a, b, c, m=mode, f=f: fma(a & NAN, b, 0, m, f, mul=True)]
    at = 9 + len(rows)
    rows += [f"FFMA.SAT R{at}, -R6, R7, R8", f"FADD.SAT R{at + 1}, R6, R7"]
    wants += [lambda a, b, c: fma(a ^ 1 << 31, b, c, sat=True),
              lambda a, b, c: fma(a, ONE, b, sat=True)]
    triples = [(some(), some(), some()) for _ in range(32)]
    # Cancellation and far addends: c close to, or far below, -a*b.
    for k in range(0, 32, 4):
        a, b, c = triples[k]
        product = fma(a, b, 0, mul=True)
        triples[k] = a, b, product ^ 1 << 31 if k % 8 else max(product & NAN, 26 << 23) - (25 << 23)
    # As near to the smallest normal number as can be (silicon data of the flush).
    triples[1] = 0x00800000, 0x3f7fffff, 0x80000000
    triples[2] = 0x00ffffff, 0x3effffff, 0
    triples[3] = 0x00800001, 0x3f7fffff, 0
    triples[5] = 0x3f800001, 0x3f800001, 0x2f000000 + n
    triples[6] = INF, 0x80000000, ONE
    table(f"rounding{n}", rows, wants, triples)


def order(v):
    return -(v & NAN) if v >> 31 else v


def fmnmx(a, b, low, nan=False):
    if isnan(a) or isnan(b):
        return NAN if nan or isnan(a) and isnan(b) else b if isnan(a) else a
    key = lambda v: (number(v) if not isinf(v) else order(v) * 2 ** 200, -(v >> 31))  # noqa: E731
    return (min if low else max)(a, b, key=key)


def relation(cmp, a, b):
    un = isnan(a) or isnan(b)
    if cmp in ("NUM", "NAN"):
        return un == (cmp == "NAN")
    if un:
        return cmp.endswith("U")
    x, y = order(a), order(b)
    return {"LT": x < y, "EQ": x == y, "LE": x <= y, "GT": x > y, "NE": x != y, "GE": x >= y}[cmp[:2]]


triples = [(some(), some(), some()) for _ in range(32)]
triples[0] = 0, 1 << 31, 0
triples[1] = 1 << 31, 0, 0
triples[2] = 0x7fc00000, 0x3f800000, 0
triples[3] = 0x7fc00000, 0xffffffff, 0
triples[4] = triples[5] = 0x40000000, 0x40000000, 0
CMPS = ["LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"]
table("compare", [f"FSET.BF.{c}.AND R{9 + n}, R6, R7, PT" for n, c in enumerate(CMPS)]
      + ["FMNMX R23, R6, R7, PT", "FMNMX R24, R6, R7, !PT", "FMNMX.NAN R25, R6, -R7, PT",
         "FSEL R26, -R6, |R7|, !PT", "FSETP.LT.XOR P0, P1, R6, R7, PT", "P2R R28, PR, RZ, 0x3",
         "FCHK.DIVIDE P2, R6, R7", "P2R R30, PR, RZ, 0x4"][:4],
      [lambda a, b, c, k=k: ONE if relation(k, a, b) else 0 for k in CMPS]
      + [lambda a, b, c: fmnmx(a, b, True), lambda a, b, c: fmnmx(a, b, False),
         lambda a, b, c: fmnmx(a, b ^ 1 << 31, True, True), lambda a, b, c: b & NAN], triples)


def hard(a, b, c):
    ea, eb = a >> 23 & 255, b >> 23 & 255
    return not (24 < ea < 255 and 2 <= eb <= 252 and -100 <= ea - eb <= 125)


near = [(some(), some(), some()) for _ in range(32)]
for n, (ea, eb) in enumerate([(24, 100), (25, 100), (254, 129), (254, 128), (100, 1), (100, 2),
                              (200, 252), (200, 253), (30, 130), (30, 131), (255, 200)]):
    near[n] = ea << 23, eb << 23, 0
table("setp", ["FSETP.LTU.XOR P0, P1, R6, R7, PT ; P2R R9, PR, RZ, 0x3",
               "FCHK.DIVIDE P2, R6, R7 ; P2R R10, PR, RZ, 0x4"],
      [lambda a, b, c: 1 if not relation("LTU", a, b) else 2,
       lambda a, b, c: 4 * hard(a, b, c)], near)
