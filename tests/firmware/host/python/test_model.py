#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_model.py [--hardware]
The model by steps, against what the program's text says of each instruction. With --hardware traces, too: their records
against the same steps, and a trace that was spoiled."""
import pathlib
import sys
import tempfile
import unittest

import numpy as np

import heddle

SQUARES = """
.kernel squares
.param u64 out
        S2R R0, SR_TID.X ;
        ISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;
        IMAD R1, R0, R0, RZ ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
  @!P0  STG.E [R2], R1 ;
        BAR.SYNC 0x0 ;
        EXIT ;
.end
"""
PROGRAM = heddle.compile(SQUARES, "assembly", name="squares.s")
LANES = np.arange(32, dtype=np.uint32)


def model(threads=32, blocks=1, **more):
    return heddle.Model(PROGRAM, grid=blocks, block=threads, arguments=[np.full(16, 99, np.uint32)], **more)


class Steps(unittest.TestCase):
    def test_one_warp(self):
        with model() as m:
            out = m.arguments[0]
            steps = [m.step() for _ in range(6)]
            self.assertEqual([s.instruction for s in steps], [text for _, text in PROGRAM.instructions()][:6])
            self.assertEqual([s.sequence for s in steps], list(range(6)))
            self.assertEqual([s.register for s in steps], [0, None, 1, 2, 3, 2])
            self.assertEqual(steps[0].result.tolist(), [LANES.tolist()])
            self.assertEqual(len(steps[5].result), 2)
            r = m.registers(0)
            self.assertEqual(len(r), PROGRAM.kernel().registers)
            self.assertEqual(r[1].tolist(), (LANES * LANES).tolist())
            self.assertEqual(m.predicates(0)[0].tolist(), (LANES >= 16).tolist())
            self.assertTrue((out == 99).all())
            store = m.step()
            self.assertEqual((store.access, store.space), ("store", "global"))
            self.assertEqual((store.active, store.executing), (0xFFFFFFFF, 0xFFFF))
            at = int(store.address[0])
            self.assertEqual((store.address[:16] - at).tolist(), (4 * LANES[:16]).tolist())
            self.assertEqual(out.tolist(), (LANES * LANES)[:16].tolist())  # it is memory itself
            self.assertEqual(m.memory[at - 0x100000:][:64].view(np.uint32).tolist(), out.tolist())
            out[0] = 5
            self.assertEqual(m.memory[at - 0x100000], 5)
            self.assertEqual(m.run(), 2)
            self.assertIsNone(m.step())
            with self.assertRaises(IndexError):
                m.registers(0)
        self.assertEqual(m.arguments[0][1], 1)  # still there, as a copy

    def test_blocks_wait_for_slots_and_warps_for_each_other(self):
        whole = heddle.Device("model").load(PROGRAM).kernel()
        whole(1, 32, out := np.zeros(16, np.uint32))
        for slots in (2, 5, 32):
            with model(64, 7, warp_slots=slots) as m:
                steps = list(m)
                self.assertEqual(len(steps), 7 * 2 * len(list(PROGRAM.instructions())))
                self.assertEqual({s.block for s in steps}, {(i, 0, 0) for i in range(7)})
                self.assertLess(max(s.slot for s in steps), slots)
                self.assertEqual(m.arguments[0].tolist(), out.tolist())
        with self.assertRaises(heddle.LaunchLimitsError):
            model(96, warp_slots=2).step()

    def test_its_own_errors(self):
        with heddle.Model(PROGRAM, grid=1, block=32, arguments=[np.zeros(8, np.uint32)]) as m:
            with self.assertRaises(heddle.TrappedError) as c:
                m.run()
            e = c.exception
            self.assertEqual((e.cause, e.lanes), ("out_of_range", 0xFF00))
            self.assertEqual(PROGRAM.instruction(e.pc), "@!P0 STG.E [R2], R1")
        undefined = heddle.compile(".kernel u\n@P3 BRA end ;\nend: EXIT ;\n.end\n", "assembly")
        with heddle.Model(undefined, grid=1, block=32) as m, self.assertRaises(heddle.UndefinedError) as c:
            m.step()
        self.assertEqual((c.exception.pc, c.exception.origin), (0, "P3"))
        for wrong in ({"warp_slots": 0}, {"warp_slots": 257}, {"memory": 32}):
            with self.subTest(wrong), self.assertRaises(heddle.Error):
                model(**wrong)


    def test_blocks_that_the_kernel_does_not_take(self):
        p = heddle.compile(".kernel rows\n.reqntid 8 4 1\nEXIT ;\n.end\n.kernel any\nEXIT ;\n.end\n", "assembly")
        self.assertEqual((p.kernel("rows").block, p.kernel("rows").threads), ((8, 4, 1), 32))
        self.assertEqual((p.kernel("any").block, p.kernel("any").threads), (None, 1024))
        with heddle.Model(p, "rows", grid=1, block=(8, 4)) as m:
            self.assertEqual(m.run(), 1)
        with self.assertRaisesRegex(heddle.LaunchShapeError, "requires blocks of 8x4x1.*the launch has 32x1x1"):
            heddle.Model(p, "rows", grid=1, block=32)
        wide = heddle.compile(".kernel k\n.param u64 at align 16\nEXIT ;\n.end\n", "assembly")
        with self.assertRaisesRegex(heddle.InvalidValueError, "a multiple of 16.*it is 0x8"):
            heddle.Model(wide, grid=1, block=1, arguments=[8])
        with heddle.Device("model", memory=1 << 20) as d:
            rows = d.load(p)["rows"]
            rows(1, (8, 4))
            with self.assertRaisesRegex(heddle.LaunchShapeError, "requires blocks of 8x4x1.*the launch has 4x8x1"):
                rows(1, (4, 8))


class Traces(unittest.TestCase):
    def setUp(self):
        if "--hardware" not in sys.argv:
            self.skipTest("without --hardware")

    def record(self, folder):
        path = pathlib.Path(folder, "trace")
        with heddle.Device("lockstep:tiny", memory=1 << 16, trace=path) as d:
            k = d.load(PROGRAM).kernel()
            for blocks in (1, 3):
                k(blocks, 32, np.zeros(16, np.uint32))
        return path

    def test_records_are_the_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = heddle.Trace(self.record(folder))
        self.assertEqual((trace.header["config"], trace.header["lanes"]), ("tiny", 4))
        self.assertEqual([x.grid for x in trace.launches], [(1, 1, 1), (3, 1, 1)])
        first, second = trace.launches
        self.assertEqual(first.code[:len(PROGRAM.code)], PROGRAM.code)
        with model() as m:
            steps = list(m)
        issue = first.records["issue"]
        self.assertEqual(issue["pc"].tolist(), [s.pc for s in steps])
        self.assertEqual(issue["exec"].tolist(), [s.executing for s in steps])
        write = first.records["write"]
        for s in steps:
            if s.register is not None:
                rows = write[(write["id"]["seq"] == s.sequence) & (write["rd"] == s.register)]
                got = np.zeros(32, np.uint32)
                for row in rows:
                    got[4 * row["beat"]:][:4] = row["data"][:4]
                self.assertEqual(got.tolist(), s.result[0].tolist())
        self.assertEqual(sum(len(r) for r in first.records.values()), len(first.records.order))
        self.assertTrue((np.diff(first.records.order["cycle"].astype(int)) >= 0).all())
        self.assertIn("block start", first.records.text(0))
        self.assertEqual(len(second.records["block_end"]), 3)
        out = (LANES * LANES)[:16].tobytes()
        self.assertEqual([out in m.tobytes() for m in (first.before, first.after)], [False, True])

    def test_it_is_judged_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.record(folder)
            heddle.Trace(path).check()
            whole = path.read_bytes()
            path.write_bytes(whole[:-1])
            with self.assertRaises(heddle.FileError):
                heddle.Trace(path)
            with self.assertRaises(heddle.FileError):
                heddle.Trace(pathlib.Path(folder, "nothing"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
