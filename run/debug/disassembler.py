# SPDX-License-Identifier: Apache-2.0
"""For gdb: instructions as Heddle's, in x/i, disassemble and the assembly window. `heddle debug` sources it; beside
--listen: (gdb) source .../share/heddle/debug/disassembler.py. Needs gdb 13."""
import gdb

try:
    from gdb.disassembler import Disassembler, DisassemblerResult, register_disassembler
except ImportError:  # an older gdb shows another architecture's
    Disassembler = None

WORD_BYTES = 16


def text_of(line):
    """Of "=> 0x0210  LD.E R2, [R16]  // FILE:LINE" the instruction."""
    return line[3:].partition("  ")[2].partition("  //")[0].strip()


if Disassembler:
    class Heddle(Disassembler):
        """Asks the server."""

        def __call__(self, info):
            text = text_of(gdb.execute(f"monitor dis {info.address:#x} 1", to_string=True))
            return DisassemblerResult(WORD_BYTES, text) if text else None

    register_disassembler(Heddle("heddle"))
