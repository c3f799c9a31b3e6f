#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: test_device.py [--hardware]
Devices, memory, arguments and errors. With --hardware also what differs between RTL and model: device tiny_faults."""
import contextlib
import gc
import io
import os
import signal
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import heddle
from heddle import errors

ADD = """
.kernel add
.param u64 out
.param u32 more
        S2R R0, SR_TID.X ;
        IADD3 R1, R0, c[0x0][more], RZ ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R1 ;
        EXIT ;
.end
.kernel undefined
.param u64 out
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        STG.E [R2], R7 ;
        EXIT ;
.end
.kernel forever
here:
        S2R R0, SR_CLOCKLO ;
        BRA here ;
.end
.kernel spin
here:
        BRA here ;
.end
.kernel copy
.param u64 to
.param u64 from
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][from] ;
        MOV R3, c[0x0][from+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        LDG.E R1, [R2] ;
        IADD3 R1, R1, 0x1, RZ ;
        MOV R2, c[0x0][to] ;
        MOV R3, c[0x0][to+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R1 ;
        EXIT ;
.end
.kernel stuck
        S2R R0, SR_TID.X ;
        ISETP.GE.U32.AND P0, PT, R0, 0x20, PT ;
   @P0  BRA other ;
        BAR.SYNC 0x0, 0x40 ;
        EXIT ;
other:
        BAR.SYNC 0x1, 0x40 ;
        EXIT ;
.end
"""
TYPED = """
.version 6.3
.target sm_70
.address_size 64
.visible .entry typed(.param .u64 out, .param .f32 f, .param .f64 d, .param .s16 s, .param .align 4 .b8 both[8])
{
  .reg .b64 %rd<2>; .reg .f32 %f<4>; .reg .f64 %d<2>; .reg .b32 %r<2>; .reg .b16 %h;
  ld.param.u64 %rd1, [out];
  ld.param.f32 %f1, [f];
  st.global.f32 [%rd1], %f1;
  ld.param.f64 %d1, [d];
  st.global.f64 [%rd1+8], %d1;
  ld.param.s16 %h, [s];
  cvt.s32.s16 %r1, %h;
  st.global.u32 [%rd1+16], %r1;
  ld.param.f32 %f2, [both];
  st.global.f32 [%rd1+20], %f2;
  ld.param.f32 %f3, [both+4];
  st.global.f32 [%rd1+24], %f3;
  ret;
}
"""
PROGRAM = heddle.compile(ADD, "assembly", name="add.s")


class Memory(unittest.TestCase):
    def test_arrays_come_back(self):
        with heddle.Device("model", memory=1 << 20) as d:
            for dtype in (np.uint8, np.int16, np.float16, np.float32, np.complex128,
                          np.dtype([("a", "u1"), ("b", "u4")])):
                a = np.frombuffer(np.random.default_rng(1).bytes(24 * np.dtype(dtype).itemsize), dtype).reshape(2, 3, 4)
                b = d.array(a)
                self.assertEqual((b.shape, b.dtype, b.nbytes), (a.shape, a.dtype, a.nbytes))
                self.assertEqual(b.get().tobytes(), a.tobytes())
                c = d.empty(a.shape, dtype)
                c.copy_from(b)
                self.assertEqual(np.asarray(c).tobytes(), a.tobytes())
            b = d.array(np.arange(12).reshape(3, 4).T)  # not contiguous
            self.assertEqual(b.get().tolist(), np.arange(12).reshape(3, 4).T.tolist())
            b.set(7)
            self.assertTrue((b.get() == 7).all())
            self.assertFalse(d.zeros(5, np.float64).get().any())

    def test_nobody_keeps_memory(self):
        with heddle.Device("model", memory=1 << 20) as d:
            free, total = d.memory
            self.assertEqual(total, 1 << 20)
            for _ in range(64):  # 64 times a quarter of all
                d.empty(1 << 18)
            gc.collect()
            self.assertEqual(d.memory[0], free)
            with d.empty(1 << 18) as b:
                self.assertLess(d.memory[0], free)
            with self.assertRaises(heddle.InvalidAddressError):
                b.free()
            for _ in range(64):
                d.load(PROGRAM)["add"](1, 32, np.zeros(32, np.uint32), 1)
            gc.collect()
            self.assertEqual(d.memory[0], free)
            with self.assertRaises(heddle.OutOfMemoryError):
                d.empty(2 << 20)
        d.close()
        self.assertTrue(d.closed)
        with self.assertRaises(heddle.StateError):
            d.empty(1)

    def test_devices_close_themselves(self):
        def resident():
            with open("/proc/self/statm", encoding="ascii") as f:
                return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        for _ in range(4):
            heddle.Device("model").zeros(32 << 20)
        gc.collect()
        before = resident()
        for _ in range(16):  # 512 MiB in all
            heddle.Device("model").zeros(32 << 20)
            gc.collect()
        self.assertLess(resident() - before, 64 << 20)


class Launches(unittest.TestCase):
    def test_arguments(self):
        out = np.zeros(32, np.uint32)
        with heddle.Device("model", memory=1 << 20) as d:
            m = d.load(PROGRAM)
            self.assertEqual(list(m), ["add", "undefined", "forever", "spin", "copy", "stuck"])
            for more in (3, np.uint32(3), np.int32(3), (3).to_bytes(4, "little")):
                out[:] = 0
                launch = m["add"]((1,), 32, out, more)
                self.assertEqual(out.tolist(), list(range(3, 35)))
                self.assertEqual(launch.counters["issued"], 7)
            m["add"](1, 32, out, -1)
            self.assertEqual(out[:2].tolist(), [0xFFFFFFFF, 0])
            kept = np.zeros(32, np.uint32)
            kept.flags.writeable = False
            m["add"](1, 32, kept, 1)
            self.assertFalse(kept.any())
            for bad in (np.uint64(1), b"abc", "3", None, d.zeros(1), out):
                with self.subTest(bad), self.assertRaises(TypeError):
                    m["add"](1, 32, out, bad)
            with self.assertRaises(OverflowError):
                m["add"](1, 32, out, 1 << 32)
            with self.assertRaises(TypeError):
                m["add"](1, 32, out)

    def test_types_of_ptx(self):
        p = heddle.compile(TYPED, "ptx")
        self.assertEqual([x.type for x in p.kernel().parameters], ["u64", "f32", "f64", "s16", "b8"])
        out = np.zeros(7, np.uint32)
        with heddle.Device("model", memory=1 << 20) as d:
            k = d.load(p).kernel()
            k(1, 1, out, 1, 2.5, -3, np.array([4, 5], np.float32).tobytes())
            self.assertEqual(out[:1].view(np.float32)[0], 1)
            self.assertEqual(out[2:4].view(np.float64)[0], 2.5)
            self.assertEqual(out[4:5].view(np.int32)[0], -3)
            self.assertEqual(out[5:].view(np.float32).tolist(), [4, 5])
            for bad in ((np.int32(1), 2.5, -3), (1, np.int64(2), -3), (1, 2.5, 1.5), (1, 2.5, np.float16(1))):
                with self.subTest(bad), self.assertRaises(TypeError):
                    k(1, 1, out, *bad, bytes(8))

    def test_local_printf_and_variables(self):
        p = heddle.compile("""
__global__ void hello(int *sum) { __shared__ int s; extern __shared__ int room[];
  room[threadIdx.x] = threadIdx.x; __syncthreads();
  if (threadIdx.x == 0) { s = 0; for (int i = 0; i < 32; i++) s += room[i]; *sum = s; printf("sum %d\\n", s); } }
__device__ int calls[2] = {5, 6};
extern "C" __global__ void count() { atomicAdd(&calls[1], 1); }""", "cuda")
        q = heddle.compile("kernel void twice(local int *room, global int *out) {"
                           "  const int i = get_local_id(0); room[i] = 2 * i; out[i] = room[i]; }", "opencl")
        out = np.zeros(1, np.int32)
        with heddle.Device("model", memory=1 << 20) as d:
            m = d.load(p)
            hello = next(m[name] for name in m if "hello" in name)
            for _ in range(2):
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    hello(1, 32, out, shared=128)
                self.assertEqual((out[0], said.getvalue()), (496, "sum 496\n"))
            m["count"](1, 32)
            self.assertEqual(m.variable("calls", np.int32).get().tolist(), [5, 38])
            with self.assertRaises(heddle.NotFoundError):
                m.variable("nothing")
            many = np.zeros(32, np.int32)
            d.load(q).kernel()(1, 32, heddle.Local(128), many)
            self.assertEqual(many.tolist(), list(range(0, 64, 2)))

    def test_threads_wait_for_each_other(self):
        with heddle.Device("model", memory=4 << 20) as d:
            m, wrong = d.load(PROGRAM), []

            def work(number):
                for _ in range(50):
                    out = np.zeros(32, np.uint32)
                    m["add"](1, 32, out, number)
                    if out[0] != number:
                        wrong.append(number)

            threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(wrong, [])


class Errors(unittest.TestCase):
    def test_each_error_of_c_is_a_class(self):
        codes = {k: v for k, v in errors.ffi.typeof("enum heddle_error").elements.items() if "_ERROR_" in v}
        self.assertGreaterEqual(len(codes), 24)
        self.assertEqual(set(errors.CLASSES), set(codes))
        self.assertEqual(len({c.__name__ for c in errors.CLASSES.values()}), len(codes))
        self.assertIs(errors.CLASSES[errors.lib.HEDDLE_ERROR_LAUNCH_LIMITS], heddle.LaunchLimitsError)

    def test_boards(self):
        self.assertIn("model", heddle.boards())
        for name, kind, words in (("nothing", heddle.InvalidValueError, "here can be opened: model"),
                                  ("model:nothing", heddle.NotFoundError, "there are .* tiny"),
                                  ("rtl:nothing", heddle.NoDeviceError, "here can be opened: model"),
                                  ("lockstep:tiny@0", heddle.InvalidValueError, "from 1")):
            with self.subTest(name), self.assertRaisesRegex(kind, words):
                heddle.Device(name)

    def test_programs(self):
        with self.assertRaises(heddle.CompileError) as c:
            heddle.compile(".kernel k\n  NOTHING R1 ;\n.end\n", "assembly", name="k.s")
        self.assertEqual((c.exception.messages[0].file, c.exception.messages[0].line), ("k.s", 2))
        with self.assertRaisesRegex(heddle.CompileError, "undeclared identifier 'y'") as c:
            heddle.compile("kernel void f(global int *x) {\n  *x = y;\n}", "opencl", name="f.cl")
        self.assertEqual((c.exception.messages[0].file, c.exception.messages[0].line), ("f.cl", 2))
        for language in ("ptx", "elf"):
            with self.subTest(language), self.assertRaises(heddle.CompileError):
                heddle.compile("nothing", language)
        with self.assertRaises(heddle.FileError):
            heddle.load("/nowhere/k.s")
        with self.assertRaises(heddle.NotFoundError):
            PROGRAM.kernel("nothing")
        self.assertEqual(heddle.compile(PROGRAM.elf(), "elf").code, PROGRAM.code)
        self.assertEqual(heddle.compile(PROGRAM.disassembly(), "assembly").code, PROGRAM.code)
        self.assertEqual(PROGRAM.line(0), ("add.s", 5))

    def test_launches(self):
        out = np.zeros(31, np.uint32)
        with heddle.Device("model", memory=1 << 20) as d:
            m = d.load(PROGRAM)
            with self.assertRaises(heddle.LaunchShapeError):
                m["add"](0, 32, out, 1)
            with self.assertRaises(heddle.LaunchShapeError):
                m["add"](1, 2048, out, 1)
            b = d.array(out)
            with self.assertRaises(heddle.TrappedError) as c:
                m["add"](1, 32, b, 1)
            e = c.exception
            self.assertEqual((e.cause, e.function, e.block), ("out_of_range", "add", (0, 0, 0)))
            self.assertEqual((e.warp, e.lanes), (0, 1 << 31))
            self.assertEqual((e.address, PROGRAM.instruction(e.pc)), (b.address + 124, "STG.E [R2], R1"))
            with self.assertRaises(heddle.UndefinedError) as c:
                m["undefined"](1, 32, b)
            self.assertEqual((c.exception.origin, PROGRAM.instruction(c.exception.pc)), ("R7", "STG.E [R2], R7"))
            m["add"](1, 31, b, 2)  # it takes the next one
            self.assertEqual(b.get()[0], 2)
            big = heddle.compile(".kernel big\n.shared 0x4000\n EXIT ;\n.end\n", "assembly")
            tiny = heddle.Device("model:tiny", memory=1 << 20)
            with self.assertRaises(heddle.LaunchLimitsError) as c:
                tiny.load(big).kernel()(1, 32)
            lack = c.exception.lacks[0]
            self.assertEqual((lack.kind, lack.wants, lack.has), ("shared", 0x4000, tiny.attributes["shared_bytes"]))
            uni = heddle.compile(".kernel uni\n UMOV UR4, 0x1 ;\n EXIT ;\n.end\n", "assembly")
            with self.assertRaises(heddle.NotSupportedError) as c:
                tiny.load(uni).kernel()(1, 32)
            lack = c.exception.lacks[0]
            self.assertEqual((lack.kind, lack.unit, lack.pc, lack.words), ("unit", "uni", 0, 1))
            self.assertIn("sm", lack.configurations)


    def test_arrays_of_every_form(self):
        want = np.arange(2, 34, dtype=np.uint32)
        with heddle.Device("model", memory=1 << 20) as d:
            copy = d.load(PROGRAM)["copy"]
            wide = np.arange(1, 65, dtype=np.uint32)
            sources = {"big": want.astype(">u4") - 1, "backwards": np.arange(32, 0, -1, dtype=">u4")[::-1],
                       "strided": np.arange(2, 66, dtype=np.uint32)[::2] // 2, "view": memoryview(wide[:32])}
            for name, source in sources.items():
                for to in (np.zeros(32, ">u4"), np.zeros(64, np.uint32)[::-2], np.zeros(32, "<u4")):
                    with self.subTest(name, to=to.dtype, strides=to.strides):
                        copy(1, 32, to, np.asarray(source))
                        self.assertEqual(to.tolist(), want.tolist())
            self.assertEqual(d.array(sources["big"]).dtype, np.uint32)
            self.assertEqual(d.array(sources["big"]).get().tolist(), (want - 1).tolist())
            self.assertEqual(d.zeros(2, ">f8").dtype, np.float64)
            b = d.empty(32, ">u4")
            b.set(want)
            self.assertEqual(b.get().tobytes(), want.tobytes())
            pair = np.array([(1, 2.5)], [("n", ">u2"), ("x", ">f4")])
            self.assertEqual(d.array(pair).get().tobytes(), pair.astype([("n", "<u2"), ("x", "<f4")]).tobytes())
            for form in ("e", "?", "F", "D", "S3", "i1"):
                a = np.ones(5, form)
                self.assertEqual(d.array(a).get().tobytes(), a.tobytes())
            self.assertEqual(d.array(np.float32(2)).get(), 2)  # no dimensions
            for bad in (np.array([{}]), np.array([(1, None)], [("a", "i4"), ("b", "O")]), np.zeros(2, np.longdouble),
                        np.ma.masked_array([1, 2], [True, False])):
                with self.subTest(bad.dtype), self.assertRaises(TypeError):
                    d.array(bad)
            with self.assertRaises(TypeError):
                b.set(np.ones(32) * 1.5)  # it would lose what is behind the point

    def test_arrays_that_are_one(self):
        with heddle.Device("model", memory=1 << 20) as d:
            copy = d.load(PROGRAM)["copy"]
            a = np.arange(64, dtype=np.uint32)
            copy(1, 32, a[:32], a[:32])
            self.assertEqual(a[:33].tolist(), [*range(1, 33), 32])
            copy(1, 32, a[::2], a[1::2])  # which lie between each other
            self.assertEqual(a[:6].tolist(), [3, 2, 5, 4, 7, 6])
            with self.assertRaises(ValueError):
                copy(1, 32, a[1:33], a[:32])
            kept = a.copy()
            kept.flags.writeable = False
            copy(1, 32, a[:32], kept[1:33])
            self.assertEqual(a[0], kept[1] + 1)

    def test_numbers_of_every_form(self):
        out = np.zeros(32, np.uint32)
        with heddle.Device("model", memory=1 << 20) as d:
            add = d.load(PROGRAM)["add"]
            pair = np.zeros((), [("lo", ">u2"), ("hi", ">u2")])
            pair["hi"] = 1
            add(1, 32, out, pair[()])
            self.assertEqual(out[0], 0x10000)
            typed = d.load(heddle.compile(TYPED, "ptx")).kernel()
            for i, bad in ((1, np.complex64(1)), (1, np.int32(1)), (2, np.complex64(1)), (2, np.datetime64(1, "s")),
                           (2, np.array(1.0)), (3, np.float16(1))):
                given = [out, 1.0, 2.0, 3, bytes(8)]
                given[i] = bad
                with self.subTest(i, bad=bad), self.assertRaises(TypeError):
                    typed(1, 1, *given)

    def test_time(self):
        with heddle.Device("model", memory=1 << 20) as d:
            m = d.load(PROGRAM)
            with self.assertRaises(heddle.TimeoutError) as c:
                m["forever"](1, 1, timeout=0.0125)
            self.assertNotIsInstance(c.exception, heddle.LimitError)
            self.assertIn("forever: not finished after timeout=0.0125 s", str(c.exception))
            self.assertIn(" warp instructions so far\nblock (0,0,0) warp 0", c.exception.report)
            with self.assertRaises(heddle.LimitError) as c:
                m["spin"](1, 1, timeout=60)
            self.assertRegex(str(c.exception), "spin: deadlock: .*; timeout=60 s was not reached")
            with self.assertRaisesRegex(heddle.LimitError, "spin: deadlock: "):
                m["spin"](1, 1)
            for bad in (0, -1, float("nan")):
                with self.subTest(bad), self.assertRaises(ValueError):
                    m["forever"](1, 1, timeout=bad)
            out = np.zeros(32, np.uint32)
            m["add"](1, 32, out, 2, timeout=float("inf"))  # it takes the next one
            self.assertEqual(out[0], 2)
        os.environ["HEDDLE_LIMIT"] = "1000"
        self.addCleanup(os.environ.pop, "HEDDLE_LIMIT")
        with heddle.Device("model", memory=1 << 20) as d:
            with self.assertRaisesRegex(heddle.LimitError, "after 1000 warp instructions, the limit of HEDDLE_LIMIT"):
                d.load(PROGRAM)["forever"](1, 1)

    def test_it_can_be_interrupted(self):
        interrupted(self, "model", None)


def interrupted(test, board, timeout):
    """A launch without an end stops within a second, and leaves a device that takes the next one."""
    rang = []

    def ring(*_):
        rang.append(time.monotonic())
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    test.addCleanup(signal.signal, signal.SIGALRM, before)
    with heddle.Device(board, memory=1 << 20) as d:
        m = d.load(PROGRAM)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with test.assertRaises(KeyboardInterrupt):
            m["forever"](1, 1, timeout=timeout)
        test.assertLess(time.monotonic() - rang[0], 1)
        out = np.zeros(32, np.uint32)
        m["add"](1, 32, out, 1)
        test.assertEqual(out[0], 1)


class Hardware(unittest.TestCase):
    def setUp(self):
        if not HARDWARE:
            self.skipTest("without --hardware")

    def test_a_fault_is_a_difference(self):
        os.environ["HEDDLE_FAULT"] = "5"
        self.addCleanup(os.environ.pop, "HEDDLE_FAULT")
        with heddle.Device("lockstep:tiny_faults", memory=1 << 20) as d:
            m = d.load(PROGRAM)
            with self.assertRaises(heddle.DifferenceError) as c:
                m["add"](1, 32, np.zeros(32, np.uint32), 1)
            e = c.exception
            self.assertEqual((e.kind, e.block, e.warp), ("operand.value", (0, 0, 0), 0))
            self.assertEqual(e.instruction, PROGRAM.instruction(e.pc))
            self.assertTrue(e.lanes)
            lane = (e.lanes & -e.lanes).bit_length() - 1
            self.assertNotEqual(e.expected[lane], e.actual[lane])
            self.assertIn(f"lane{lane:>3}  expected 0x{e.expected[lane]:08x}  got 0x{e.actual[lane]:08x}", e.report)
            self.assertIn("history of the warp", e.report)
            self.assertEqual(d.diagnosis, e.report)
            with self.assertRaises(heddle.TimeoutError):  # it takes the next one, which the fault leaves alone
                m["forever"](1, 1, timeout=0.001)

    def test_a_trace_differs_where_the_launch_did(self):
        os.environ["HEDDLE_FAULT"] = "5"
        self.addCleanup(os.environ.pop, "HEDDLE_FAULT")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace")
            with heddle.Device("lockstep:tiny_faults", memory=1 << 20, trace=path) as d:
                with self.assertRaises(heddle.DifferenceError) as live:
                    d.load(PROGRAM)["add"](1, 32, np.zeros(32, np.uint32), 1)
            with self.assertRaises(heddle.DifferenceError) as again:
                heddle.Trace(path).check()
        for field in ("kind", "subject", "pc", "block", "warp", "sequence", "lanes"):
            self.assertEqual(getattr(live.exception, field), getattr(again.exception, field), field)
        self.assertEqual(live.exception.actual.tolist(), again.exception.actual.tolist())
        self.assertIn("difference: operand.value", again.exception.report)

    def test_it_can_be_interrupted(self):
        interrupted(self, "rtl:tiny", 1e6)

    def test_every_board_computes_the_same(self):
        there = [f"{kind}:tiny" for kind in ("model", "rtl", "systemc", "lockstep")
                 if kind == "model" or f"{kind}:tiny" in heddle.boards()]
        self.assertGreaterEqual(len(there), 3)
        for name in there:
            with heddle.Device(name, memory=1 << 20) as d, self.subTest(name):
                out = np.zeros(64, np.uint32)
                launch = d.load(PROGRAM)["add"](1, 64, out, 5)
                self.assertEqual(out.tolist(), list(range(5, 69)))
                self.assertEqual(launch.counters["issued"], 14)
                self.assertEqual(d.attributes["lanes"], 4)

    def test_from_a_launch_on(self):
        with heddle.Device("lockstep:tiny@2", memory=1 << 20) as d:
            k = d.load(PROGRAM)["add"]
            cycles = [k(1, 32, np.zeros(32, np.uint32), 1).cycles for _ in range(2)]
        self.assertEqual(cycles[0], 7)  # the model counts instructions
        self.assertGreater(cycles[1], 100)

    def test_faults_of_programs(self):
        with heddle.Device("lockstep:tiny", memory=1 << 20) as d:
            m = d.load(PROGRAM)
            with self.assertRaises(heddle.LimitError) as c:
                m["stuck"](1, 64)
            self.assertIn("deadlock", c.exception.report)
            with self.assertRaises(heddle.UndefinedError) as c:
                m["undefined"](1, 32, np.zeros(1, np.uint32))
            self.assertEqual(c.exception.origin, "R7")
            with self.assertRaises(heddle.TrappedError):
                m["add"](1, 32, np.zeros(31, np.uint32), 1)


if __name__ == "__main__":
    HARDWARE = "--hardware" in sys.argv
    warnings.simplefilter("error")
    unittest.main(argv=sys.argv[:1])
