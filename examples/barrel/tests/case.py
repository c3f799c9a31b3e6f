# SPDX-License-Identifier: Apache-2.0
"""One program and what must come of it."""
import dataclasses

CASES = []
ALL = 0xffffffff

# R0 = thread in the grid's x, R2:R3 = address of its word in row 0 of the output.
START = """
.kernel k
.param u64 out
{head}
        S2R R0, SR_TID.X ;
        S2R R1, SR_CTAID.X ;
        IMAD R0, R1, c[0x0][NTID_X], R0 ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 4, R2 ;
"""


@dataclasses.dataclass
class Case:
    name: str
    source: str
    grid: tuple = (1, 1, 1)
    block: tuple = (32, 1, 1)
    init: tuple = ()
    regs: int = None
    bad: int = None           # address of a sector that memory refuses
    refused: int = 0
    trap: tuple = None        # cause, word of the program, lanes, address[, sequence]
    expect: dict = dataclasses.field(default_factory=dict)   # byte of the output -> words
    counts: dict = dataclasses.field(default_factory=dict)   # start of an event line -> how many


def program(name, body, rows=None, head="", **more):
    """A program behind START, which has six words; row n of the output is at 128 n."""
    source = START.replace("NTID_X", "0").replace("{head}", head) + body + "\n.end\n"
    expect = {128 * n: [f(x) for x in range(32)] if callable(f) else f
              for n, f in (rows or {}).items()}
    expect.update(more.pop("expect", {}))
    CASES.append(Case(name, source, expect=expect, **more))


def stores(*registers):
    """a store of each register to its row"""
    return "".join(f" STG.E [R2+{128 * n}], {r} ;\n" for n, r in enumerate(registers))
