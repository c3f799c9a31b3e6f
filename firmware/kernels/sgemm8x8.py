#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes sgemm8x8.s: C = alpha A B + beta C, row-major, m and n multiples of 64, k of 8.

usage: sgemm8x8.py > sgemm8x8.s

A block of 8 x 8 threads makes 64 x 64 of C, a thread 8 x 8 of them in registers: rows y, y + 8, ... and columns 4 x to
4 x + 3 and 32 more. A tile, which is 64 x 8 of A and 8 x 64 of B, lies in shared memory, in one of two buffers by
turns. While it is multiplied, in eight steps of k, the next one comes from global memory, a quad at a time, and goes
into the other buffer. What the next step needs of B comes into a second set of registers; a row of A brings four steps
at once, as soon as the last of the four before it is done. All of this stands among the multiply-adds, far before its
first use, so that one barrier a tile is all that warps wait for.

Registers. The file has four banks, number mod 4, each read once a cycle. In step k all elements of A are in bank k
mod 4; column j of B is in bank j mod 4, its sums are in bank j ^ 3 mod 4. The eight multiply-adds of a row share an
element of A: the first one asks the reuse cache to keep it, and all later ones find it there, but with 32 lanes the
second, which is read right after the first. So the first two take columns for which all three banks differ: neither
j nor j ^ 3 is k mod 4. With two banks a sum and its element of B still differ.
"""
DEPTH = 8
BUFFER = 64 * DEPTH * 4             # bytes of a tile of A, and of B

A_AT, B_AT = 2, 4                   # pairs: where this thread's part of the next tile lies
STORE, LOAD_A, LOAD_B = 6, 7, 8     # shared memory: where its part goes; where its rows and columns lie
END, STEP = 9, 10                   # low word of A_AT after the last tile; 32, bytes from tile to tile of A
NEXT = 12                           # quad: part of the next tile
A, B, SUMS = 16, (48, 56), 64       # a quad a row; two sets of eight columns; eight a row


def total(i, j):
    return f"R{SUMS + 8 * i + (j ^ 3)}"


def row_of_step(i, step):
    columns = sorted(range(8), key=lambda j: step % 4 in (j % 4, j % 4 ^ 3))
    for n, j in enumerate(columns):
        keep = ".reuse" if n == 0 else ""
        yield f"FFMA {total(i, j)}, R{A + 4 * i + step % 4}{keep}, R{B[step % 2] + j}, {total(i, j)}"


def load_a(i, step):
    return f"LDS.128 R{A + 4 * i}, [R{LOAD_A}+tile_a+{256 * i + 4 * step:#x}]"


def load_b(step):
    return [f"LDS.128 R{B[step % 2] + 4 * h}, [R{LOAD_B}+tile_b+{256 * step + 128 * h:#x}]" for h in range(2)]


def fetch(part, to, guard=""):
    """Parts 0 and 1: A; 2 and 3: B."""
    return f"{guard}LDG.E.128 R{to}, [R{(A_AT, B_AT)[part // 2]}+{16 * (part % 2):#x}]"


def store(part, what, guard=""):
    return f"{guard}STS.128 [R{STORE}+tile_{'ab'[part // 2]}+{16 * (part % 2):#x}], R{what}"


def next_tile(of):
    return f"IMAD.WIDE.U32 R{of}, R{STEP}, {'0x1' if of == A_AT else 'c[0x0][n]'}, R{of}"


def turn(address):
    return f"LOP3.LUT R{address}, R{address}, {BUFFER:#x}, RZ, 0x3c"


def tile():
    """A tile from the first to the last multiply-add. P0: there is a next one."""
    beside = {}  # (step, multiply-adds of it that come first): instructions

    def put(step, after, *code):
        beside.setdefault((step, after), []).extend(code)

    for step in range(DEPTH):  # step 7 begins the next tile
        for h, line in enumerate(load_b((step + 1) % DEPTH)):
            put(step, 10 + 8 * h, line)
        if step % 4 == 3:
            for i in range(8):
                put(step, 8 * i + 8, load_a(i, (step + 1) % DEPTH))
    put(0, 4, f"ISETP.NE.U32.AND P0, PT, R{A_AT}, R{END}, PT")
    for part, (asked, here) in enumerate([((0, 28), (1, 60)), ((1, 63), (3, 44)), ((3, 47), (5, 22)), ((5, 25), (6, 44))]):
        put(*asked, fetch(part, NEXT, "@P0 "))
        put(*here, store(part, NEXT, "@P0 "))
    put(2, 20, next_tile(A_AT))
    put(5, 60, next_tile(B_AT))
    put(6, 50, turn(LOAD_A), turn(LOAD_B), turn(STORE))
    put(6, 64, "BAR.SYNC 0x0")  # the next tile is there, and this one is no longer read

    for step in range(DEPTH):
        count = 0
        for i in range(8):
            for line in row_of_step(i, step):
                yield line
                count += 1
                yield from beside.get((step, count), [])


def prologue():
    x, y, thread, block = "R0", "R1", "R14", "R15"
    yield from [f"S2R {x}, SR_TID.X", f"S2R {y}, SR_TID.Y", f"S2R {block}, SR_CTAID.Y",
                f"LEA {thread}, {y}, {x}, 0x3",
                f"LEA R16, {block}, {thread}, 0x6",         # row of A
                f"S2R {block}, SR_CTAID.X",
                f"SHF.L.U32 R17, {block}, 0x6, RZ",
                f"LEA R17, {x}, R17, 0x3",                  # columns of B, eight a thread
                f"MOV R{A_AT}, c[0x0][a]", f"MOV R{A_AT + 1}, c[0x0][a+4]",
                f"MOV R{B_AT}, c[0x0][b]", f"MOV R{B_AT + 1}, c[0x0][b+4]",
                "IMAD R16, R16, c[0x0][k], RZ",
                f"IMAD R17, {y}, c[0x0][n], R17",
                f"IMAD.WIDE.U32 R{A_AT}, R16, 0x4, R{A_AT}",
                f"IMAD.WIDE.U32 R{B_AT}, R17, 0x4, R{B_AT}",
                f"MOV R{STEP}, 0x20",
                f"MOV R{END}, c[0x0][k]", f"LEA R{END}, R{END}, R{A_AT}, 0x2",
                f"SHF.L.U32 R{STORE}, {thread}, 0x5, RZ",
                f"SHF.L.U32 R{LOAD_A}, {y}, 0x5, RZ", f"SHF.L.U32 R{LOAD_B}, {x}, 0x4, RZ"]
    first = [A, A + 4, A + 8, A + 12]
    yield from [fetch(part, to) for part, to in enumerate(first)]
    yield from [next_tile(A_AT), next_tile(B_AT)]
    yield from [f"IMAD.WIDE.U32 R{r}, RZ, RZ, RZ" for r in range(SUMS, SUMS + 64, 2)]
    yield from [store(part, what) for part, what in enumerate(first)]
    yield turn(STORE)
    yield "BAR.SYNC 0x0"
    yield from load_b(0)
    yield from [load_a(i, 0) for i in range(8)]


# What held A and B is free when all tiles are done: four rows of results wait there for their stores.
def results(i):
    return A + 8 * (i % 4)


def next_row(of):
    return f"IMAD.WIDE.U32 R{of}, R{STEP}, c[0x0][n], R{of}"


def place_in_c():
    x, y, column, row = "R0", "R1", "R14", "R15"
    yield from [f"S2R {x}, SR_TID.X", f"S2R {y}, SR_TID.Y", f"S2R {column}, SR_CTAID.X", f"S2R {row}, SR_CTAID.Y",
                f"SHF.L.U32 {column}, {column}, 0x6, RZ", f"SHF.L.U32 {row}, {row}, 0x6, RZ",
                f"LEA {column}, {x}, {column}, 0x2", f"IADD3 {row}, {row}, {y}, RZ",
                f"MOV R{A_AT}, c[0x0][c]", f"MOV R{A_AT + 1}, c[0x0][c+4]",
                f"IMAD {row}, {row}, c[0x0][n], {column}",
                f"IMAD.WIDE.U32 R{A_AT}, {row}, 0x4, R{A_AT}"]


def store_row(i):
    yield from [f"STG.E.128 [R{A_AT}+{128 * h:#x}], R{results(i) + 4 * h}" for h in range(2)]
    yield next_row(A_AT)


def without_c():
    for i in range(8):
        yield from [f"FMUL R{results(i) + j}, {total(i, j)}, c[0x0][alpha]" for j in range(8)]
        yield from store_row(i)


def with_c():
    """Four rows at a time: what C holds is read for all of them first."""
    yield from [f"MOV R{B_AT}, R{A_AT}", f"MOV R{B_AT + 1}, R{A_AT + 1}"]
    for half in (range(4), range(4, 8)):
        for i in half:
            yield from [f"LDG.E.128 R{results(i) + 4 * h}, [R{B_AT}+{128 * h:#x}]" for h in range(2)]
            yield next_row(B_AT)
        for i in half:
            yield from [f"FMUL R{results(i) + j}, R{results(i) + j}, c[0x0][beta]" for j in range(8)]
            yield from [f"FFMA R{results(i) + j}, {total(i, j)}, c[0x0][alpha], R{results(i) + j}" for j in range(8)]
            yield from store_row(i)


def show(code):
    for line in code:
        guard, rest = line.split(" ", 1) if line.startswith("@") else ("", line)
        print(f"{guard:<7} {rest} ;")


def main():
    print("// SPDX-License-Identifier: Apache-2.0\n// Written by sgemm8x8.py, which explains it.\n.kernel sgemm8x8")
    for kind, names in (("u64", "a b c"), ("u32", "m n k"), ("f32", "alpha beta")):
        for name in names.split():
            print(f".param {kind} {name}")
    print(f".shared tile_a {2 * BUFFER} 16\n.shared tile_b {2 * BUFFER} 16")
    show(prologue())
    print("tiles:")
    show(tile())
    show(["@P0 BRA tiles"])
    show(place_in_c())
    show([f"MOV R{END}, c[0x0][beta]", f"FSETP.NEU.AND P1, PT, R{END}, 0x0, PT", "@P1 BRA add"])
    show(without_c())
    show(["EXIT"])
    print("add:")
    show(with_c())
    show(["EXIT"])
    print(".end")


if __name__ == "__main__":
    main()
