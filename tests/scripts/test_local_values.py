# SPDX-License-Identifier: Apache-2.0
"""cmake/local_values.py: which values of a model become variables of a block, and which stay what they are.

Each case is a model as Verilator writes one. What was changed is then compiled and run, clock by clock, beside what was not.
"""
import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cmake"))
import local_values  # noqa: E402

MEMBERS = """
    CData/*7:0*/ in_i;
    IData/*31:0*/ out_o;
    CData/*7:0*/ x;
    IData/*31:0*/ y;
    QData/*63:0*/ z;
    VlWide<3>/*95:0*/ w;
    VlUnpacked<CData/*7:0*/, 2> a;
    IData/*31:0*/ state_q;
"""
HEADER = """#include <cstdint>
#include <cstdio>
using CData = uint8_t; using IData = uint32_t; using QData = uint64_t;
template <int N> struct VlWide { IData m[N]; IData &operator[](int i) { return m[i]; } };
template <class T, int N> struct VlUnpacked { T m[N]; T &operator[](int i) { return m[i]; } };
class Vm___024root { public:
%s};
void Vm___024root___eval(Vm___024root* vlSelf);
void Vm___024root___eval_settle(Vm___024root* vlSelf);
"""
ROOT = """#include "Vm___024root.h"
%s

void Vm___024root___eval(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
%s
}
"""
SLOW = """#include "Vm___024root.h"
%s

void Vm___024root___eval_settle(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
%s
}
"""
TOP = """#include "Vm___024root.h"
int main() {
    static Vm___024root top, *p = &top;
    for (unsigned i = 0; i < sizeof top; i++) ((unsigned char *)p)[i] = 0xa5;
    top.state_q = 3;
    top.out_o = 0;
    Vm___024root___eval_settle(p);
    for (unsigned i = 0; i < 20; i++) {
        top.in_i = i * 37 >> 2;
        Vm___024root___eval(p);
        std::printf("%u %u\\n", top.out_o, top.state_q);
    }
}
"""
CLASSES = "VM_CLASSES_FAST += Vm Vm___024root__0\nVM_CLASSES_SLOW += Vm___024root__0__Slow\n"


class LocalValues(unittest.TestCase):
    def write(self, folder, body, more, settle, slow):
        work = pathlib.Path(folder)
        (work / "Vm_classes.mk").write_text(CLASSES)
        (work / "Vm___024root.h").write_text(HEADER % MEMBERS)
        (work / "Vm.cpp").write_text(TOP)
        (work / "Vm___024root__0.cpp").write_text(ROOT % (more, body))
        (work / "Vm___024root__0__Slow.cpp").write_text(SLOW % (slow, settle))
        return work

    def printed(self, work):
        program = work / "run"
        flags = ["-std=c++17", "-O1", "-w", "-fsanitize=undefined", "-o", str(program)]
        subprocess.run([os.environ.get("CXX", "c++"), *flags, *map(str, sorted(work.glob("*.cpp")))], check=True)
        return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout

    def told(self, body, more="", settle="", slow=""):
        """The names that `body` no longer takes from the model; what it computes is the same."""
        with tempfile.TemporaryDirectory() as folder:
            work = self.write(folder, body, more, settle, slow)
            before = self.printed(work)
            self.assertGreater(len(set(before.split("\n"))), 3, "a case in which nothing happens shows nothing")
            with mock.patch.object(sys, "argv", ["local_values.py", str(work), "Vm"]):
                with contextlib.redirect_stdout(io.StringIO()):
                    local_values.main()
            self.assertEqual(before, self.printed(work))
            text = (work / "Vm___024root__0.cpp").read_text()
            self.assertEqual((work / "Vm___024root__0__Slow.cpp").read_text(), SLOW % (slow, settle))
            named = re.compile(local_values.SELF + r"(\w+)")
            return set(named.findall(ROOT % (more, body))) - set(named.findall(text))

    def test_assigned_before_in_the_same_block(self):
        body = """    if (1U & vlSelfRef.in_i) {
        vlSelfRef.x
            = (vlSelfRef.in_i + 1U);
        vlSelfRef.y = (vlSelfRef.x == 4U) ? 2U : vlSelfRef.x;
        if (vlSelfRef.y > 9U) {
            vlSelfRef.x = 7U;
            vlSelfRef.out_o = vlSelfRef.y;
        }
        vlSelfRef.state_q = vlSelfRef.state_q + vlSelfRef.x;
    }"""
        self.assertEqual(self.told(body), {"x", "y"})

    def test_blocks_apart_have_a_variable_each(self):
        body = """    if (1U & vlSelfRef.in_i) {
        vlSelfRef.x = vlSelfRef.in_i;
        vlSelfRef.out_o = vlSelfRef.x;
    } else {
        vlSelfRef.x = 3U;
        vlSelfRef.out_o = vlSelfRef.out_o + vlSelfRef.x;
    }"""
        self.assertEqual(self.told(body), {"x"})

    def test_read_in_a_later_clock(self):
        body = """    vlSelfRef.out_o = vlSelfRef.y;
    vlSelfRef.y = vlSelfRef.in_i;"""
        self.assertEqual(self.told(body, settle="    vlSelfRef.y = 5U;"), set())

    def test_read_after_the_block(self):
        body = """    if (1U & vlSelfRef.in_i) {
        vlSelfRef.y = vlSelfRef.in_i;
    }
    vlSelfRef.out_o = vlSelfRef.y;"""
        self.assertEqual(self.told(body), set())

    def test_read_in_its_own_assignment(self):
        body = """    vlSelfRef.y = (vlSelfRef.in_i + vlSelfRef.y);
    vlSelfRef.out_o = vlSelfRef.y;"""
        self.assertEqual(self.told(body), set())

    def test_read_by_another_function(self):
        more = """void Vm___024root___other(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    vlSelfRef.out_o = vlSelfRef.y;
}
"""
        body = """    vlSelfRef.y = vlSelfRef.in_i;
    Vm___024root___other(vlSelf);"""
        self.assertEqual(self.told(body, more), set())

    def test_each_function_assigns_it(self):
        more = """void Vm___024root___one(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    vlSelfRef.y = vlSelfRef.in_i * 3U;
    vlSelfRef.out_o = vlSelfRef.y;
}
void Vm___024root___two(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    vlSelfRef.y = vlSelfRef.in_i;
    vlSelfRef.state_q = vlSelfRef.y;
}
"""
        body = """    Vm___024root___one(vlSelf);
    Vm___024root___two(vlSelf);"""
        self.assertEqual(self.told(body, more), {"y"})

    def test_a_function_that_is_called_assigns_it(self):
        last = """void Vm___024root___two(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    vlSelfRef.y = vlSelfRef.in_i * 3U;
    vlSelfRef.out_o = vlSelfRef.y;
}
"""
        between = """void Vm___024root___one(Vm___024root* vlSelf) {
    Vm___024root___two(vlSelf);
}
"""
        body = """    vlSelfRef.y = vlSelfRef.in_i;
    Vm___024root___one(vlSelf);
    vlSelfRef.state_q = vlSelfRef.y;"""
        self.assertEqual(self.told(body, last + between), set())

    def test_loop(self):
        body = """    vlSelfRef.z = 0ULL;
    while ((vlSelfRef.z < 4ULL)) {
        vlSelfRef.y = vlSelfRef.z;
        if (vlSelfRef.y == (3U & vlSelfRef.in_i)) {
            vlSelfRef.x = vlSelfRef.y;
        }
        vlSelfRef.z = (1ULL + vlSelfRef.z);
    }
    vlSelfRef.out_o = vlSelfRef.x;"""
        self.assertEqual(self.told(body), {"y", "z"})

    def test_condition_of_a_loop_at_its_end(self):
        body = """    do {
        vlSelfRef.y = vlSelfRef.in_i;
        vlSelfRef.out_o = vlSelfRef.y;
    } while ((vlSelfRef.y == 255U));"""
        self.assertEqual(self.told(body), set())

    def test_jump(self):
        body = """    if (1U & vlSelfRef.in_i) {
        goto __Vlabel0;
    }
    vlSelfRef.y = vlSelfRef.in_i;
    __Vlabel0: ;
    vlSelfRef.out_o = vlSelfRef.y;"""
        self.assertEqual(self.told(body), set())

    def test_wide_word_by_word(self):
        whole = """    vlSelfRef.w[0U] = vlSelfRef.in_i;
    vlSelfRef.w[1U] = (3U + vlSelfRef.w[0U]);
    vlSelfRef.w[0x00000002U] = 4U;
    vlSelfRef.out_o = vlSelfRef.w[(vlSelfRef.in_i % 3U)];"""
        self.assertEqual(self.told(whole), {"w"})
        self.assertEqual(self.told(whole.replace("w[0x00000002U] = 4U", "state_q = 4U")), set())
        self.assertEqual(self.told(whole.replace("+ vlSelfRef.w[0U]", "+ vlSelfRef.w[2U]")), set())
        self.assertEqual(self.told(whole.replace("+ vlSelfRef.w[0U]", "+ vlSelfRef.w[1U]")), set())

    def test_wide_word_in_a_deeper_block(self):
        body = """    vlSelfRef.w[0U] = vlSelfRef.in_i;
    vlSelfRef.w[1U] = 3U;
    if (1U & vlSelfRef.in_i) {
        vlSelfRef.w[2U] = vlSelfRef.in_i;
    }
    vlSelfRef.out_o = vlSelfRef.w[2U];"""
        self.assertEqual(self.told(body), set())

    def test_wide_half_done_elsewhere(self):
        body = """    if (1U & vlSelfRef.in_i) {
        vlSelfRef.w[0U] = vlSelfRef.in_i;
    }
    vlSelfRef.w[0U] = 1U;
    vlSelfRef.w[1U] = 2U;
    vlSelfRef.w[2U] = vlSelfRef.in_i;
    vlSelfRef.out_o = vlSelfRef.w[2U];"""
        self.assertEqual(self.told(body), set())

    def test_settling_calls_what_a_clock_calls(self):
        more = """void Vm___024root___both(Vm___024root* vlSelf) {
    auto& vlSelfRef = *vlSelf;
    vlSelfRef.y = 6U;
}
"""
        body = """    Vm___024root___both(vlSelf);
    vlSelfRef.out_o = vlSelfRef.in_i + vlSelfRef.state_q;"""
        settle = """    Vm___024root___both(vlSelf);
    vlSelfRef.state_q = vlSelfRef.y;"""
        slow = "void Vm___024root___both(Vm___024root* vlSelf);"
        self.assertEqual(self.told(body, more, settle, slow), set())

    def test_settling_alone_keeps_it(self):
        body = """    vlSelfRef.y = vlSelfRef.in_i;
    vlSelfRef.out_o = vlSelfRef.y + vlSelfRef.state_q;"""
        settle = """    vlSelfRef.y = 6U;
    vlSelfRef.state_q = vlSelfRef.y;"""
        self.assertEqual(self.told(body, settle=settle), {"y"})

    def test_ports_and_arrays_stay(self):
        body = """    vlSelfRef.out_o = 3U;
    vlSelfRef.a[0U] = vlSelfRef.in_i;
    vlSelfRef.out_o = (vlSelfRef.out_o + vlSelfRef.a[0U]);"""
        self.assertEqual(self.told(body), set())

    def test_text_and_comments_name_nothing(self):
        body = """    if (vlSelfRef.in_i) {
        vlSelfRef.y = vlSelfRef.in_i; // } vlSelfRef.z
        const char *s = "} vlSelfRef.z = \\" {";
        vlSelfRef.out_o = (vlSelfRef.y + (s[0] == '}'));
    }"""
        self.assertIn("y", self.told(body))

    def test_code_of_another_form_is_left_alone(self):
        more = "struct Other { IData f(Vm___024root *vlSelf) { return vlSelf->y; } };\n"
        body = """    vlSelfRef.y = vlSelfRef.in_i;
    vlSelfRef.out_o = Other().f(vlSelf);"""
        self.assertEqual(self.told(body, more), set())


if __name__ == "__main__":
    unittest.main()
