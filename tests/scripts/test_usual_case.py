# SPDX-License-Identifier: Apache-2.0
"""cmake/usual_case.py: what a clock does for the usual case computes what it did, and so does the rare one beside it.

Each case is a model as Verilator writes one. What was changed is then compiled and run, clock by clock,
beside what was not.
"""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cmake"))
import usual_case  # noqa: E402

HEADER = """#include <cstdint>
#include <cstdio>
#define VL_LIKELY(x) (x)
using CData = uint8_t; using IData = uint32_t;
class Vm___024root { public:
    CData/*0:0*/ rst_ni;
    CData/*7:0*/ fault_i;
    CData/*7:0*/ fault_q;
    CData/*0:0*/ sm_rst_n;
    IData/*31:0*/ out_o;
};
extern const IData Vm__ConstPool__SEVEN;
void Vm___024root___eval(Vm___024root* vlSelf);
"""
ROOT = """// Verilated

#include "Vm__pch.h"

%s
extern const IData Vm__ConstPool__SEVEN;

void Vm___024root___nba_sequent__TOP__0(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    // Locals
    IData/*31:0*/ old;
    // Body
%s
}

void Vm___024root___eval_nba(Vm___024root* vlSelf) {
    // Body
    if (1U) {
        Vm___024root___nba_sequent__TOP__0(vlSelf);
    }
}
void Vm___024root___eval(Vm___024root* vlSelf) {
    Vm___024root___eval_nba(vlSelf);
}
"""
TOP = """#include "Vm__pch.h"
const IData Vm__ConstPool__SEVEN = 7;
int main() {
    static Vm___024root top;
    for (unsigned i = 0; i < 40; i++) {
        top.rst_ni = i != 0 && i != 20;
        top.fault_i = i % 8 < 5 ? 0 : i;
        Vm___024root___eval(&top);
        std::printf("%u %u %u\\n", top.out_o, top.fault_q, top.sm_rst_n);
    }
}
"""
# A clock: what was registered, then what follows from it.
BODY = """    old = vlSelfRef.out_o;
    vlSelfRef.out_o = vlSelfRef.sm_rst_n ? old * Vm__ConstPool__SEVEN + 1U + vlSelfRef.fault_q : 5U;
    vlSelfRef.fault_q = (vlSelfRef.rst_ni
                         ? vlSelfRef.fault_i : 0U);
    vlSelfRef.sm_rst_n
        = (vlSelfRef.rst_ni & (0U != (3U & vlSelfRef.out_o)));
    if ((9U == vlSelfRef.fault_q)) {
        vlSelfRef.out_o = vlSelfRef.out_o ^ vlSelfRef.sm_rst_n;
    }"""
USUAL = ["rst_ni=1", "fault_i=0", "fault_q=0", "sm_rst_n=1"]


class UsualCase(unittest.TestCase):
    def write(self, folder, body=BODY, more=""):
        work = pathlib.Path(folder)
        (work / "Vm_classes.mk").write_text("VM_CLASSES_FAST += Vm Vm___024root__0\n")
        (work / "Vm__pch.h").write_text('#include "Vm___024root.h"\n')
        (work / "Vm___024root.h").write_text(HEADER)
        (work / "Vm.cpp").write_text(TOP)
        (work / "Vm___024root__0.cpp").write_text(ROOT % (more, body))
        return work

    def change(self, work, *usual):
        with mock.patch.object(sys, "argv", ["usual_case.py", str(work), "Vm", *usual]):
            with contextlib.redirect_stdout(io.StringIO()):
                usual_case.main()
        return (work / "Vm___024root__0.cpp").read_text()

    def printed(self, work):
        program = work / "run"
        flags = ["-std=c++17", "-O1", "-w", "-fsanitize=undefined", "-o", str(program)]
        subprocess.run([os.environ.get("CXX", "c++"), *flags, *map(str, sorted(work.glob("*.cpp")))], check=True)
        return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout

    def test_both_cases_compute_what_one_did(self):
        with tempfile.TemporaryDirectory() as folder:
            work = self.write(folder)
            before = self.printed(work)
            self.assertGreater(len(set(before.split("\n"))), 20, "a case in which nothing happens shows nothing")
            text = self.change(work, *USUAL)
            self.assertEqual(before, self.printed(work))
            self.assertIn("Vm___024root__rare", (work / "Vm_classes.mk").read_text())
            self.assertIn(BODY, (work / "Vm___024root__rare.cpp").read_text())
            self.assertNotIn("vlSelfRef.fault_i", text, "the value still comes from the model")

    def test_the_rare_case_is_reached(self):
        with tempfile.TemporaryDirectory() as folder:
            work = self.write(folder)
            self.change(work, *USUAL)
            before = self.printed(work)
            rare = work / "Vm___024root__rare.cpp"
            rare.write_text(rare.read_text().replace("Vm__ConstPool__SEVEN +", "Vm__ConstPool__SEVEN * 3U +"))
            self.assertNotEqual(before, self.printed(work))

    def test_a_value_that_is_not_what_it_mostly_is_goes_the_rare_way(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.change(self.write(folder), *USUAL)
            for condition in ("1U == vlSelf->rst_ni", "0U == vlSelf->fault_i", "0U == vlSelf->fault_q",
                              "1U == vlSelf->sm_rst_n"):
                self.assertIn(condition, text)

    def test_a_value_that_is_not_there_is_passed_over(self):
        with tempfile.TemporaryDirectory() as folder:
            work = self.write(folder)
            before = self.printed(work)
            text = self.change(work, *USUAL, "grace_q=0")
            self.assertNotIn("grace_q", text)
            self.assertIn("1U == vlSelf->sm_rst_n", text)
            self.assertEqual(before, self.printed(work))

    def refused(self, why, body=BODY, more="", usual=USUAL):
        with tempfile.TemporaryDirectory() as folder:
            work = self.write(folder, body, more)
            with self.assertRaisesRegex(SystemExit, why):
                self.change(work, *usual)

    def test_another_form_is_refused(self):
        self.refused("calls others", BODY + "\n    Vm___024root___other(vlSelf);")
        self.refused("another way", BODY + "\n    vlSelf->fault_q = 1U;")
        self.refused("in parts", BODY + "\n    (vlSelfRef.fault_q) = 1U;")
        self.refused("none of the values", usual=["grace_q=0"])
        self.refused("2 functions", more="void Vm___024root___nba_comb__TOP__0(Vm___024root* vlSelf) {\n    // Body\n}\n")


if __name__ == "__main__":
    unittest.main()
