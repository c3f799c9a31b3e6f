# SPDX-License-Identifier: Apache-2.0
"""Where the C and C++ of the checker and of the shim can be changed, as clang's library reads it."""
import pathlib
import re

from clang import cindex
from clang.cindex import CursorKind as K

import sites
from sites import Site

CHECKER = "cosim/checker/*.c"
SHIM = [f"cosim/verilator/{f}" for f in ("sample.hpp", "device_core.hpp", "bus.hpp")]
SHIM += ["cosim/include/heddle/record_banks.h"]
SWAP = {"+": "-", "-": "+", "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&", "==": "!=", "!=": "==", "<": "<=",
        "<=": "<", ">": ">=", ">=": ">", "<<": ">>", ">>": "<<", "|=": "&=", "&=": "|=", "+=": "-=", "-=": "+="}
STATEMENTS = {K.CALL_EXPR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.UNARY_OPERATOR}
DECLARE = "extern unsigned heddle_fault; "
DEFINE = ("#include <stdlib.h>\nunsigned heddle_fault; __attribute__((constructor)) static void heddle_fault_read(void) "
          "{ const char *t = getenv(\"HEDDLE_FAULT\"); heddle_fault = t ? (unsigned)atoi(t) : 0; }\n")


class Language:
    """cosim/checker and cosim/verilator."""

    def __init__(self, root, gen):
        self.root = root
        self.flags = [f"-I{d}" for d in (root, pathlib.Path(gen).parent, gen)]
        builtin = sorted(pathlib.Path("/usr/lib").glob("llvm-19/lib/clang/*/include"))  # the library (18) has none of its own
        self.flags += [f"-isystem{builtin[-1]}"] if builtin else []
        self.index = cindex.Index.create()

    def names(self):
        found = [str(f.relative_to(self.root)) for f in sorted(self.root.glob(CHECKER))]
        return found + SHIM

    def find(self, names):
        return [s for n in names for s in self.find_in(n)]

    def find_in(self, name):
        path = self.root / name
        cpp = path.suffix == ".hpp"
        more = ["-xc++", "-std=c++17", f"-I{self.verilated()}"] if cpp else ["-xc", "-std=c11", "-D_POSIX_C_SOURCE=200809L"]
        unit = self.index.parse(str(path), args=self.flags + more, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        wrong = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if wrong and not cpp:  # a header of the shim alone lacks what Verilator writes; its text is read nevertheless
            raise SystemExit(f"error: clang cannot read {name}: {wrong[0]}")
        return File(name, path.read_text(encoding="latin-1"), unit).sites

    def verilated(self):
        places = sorted(self.root.glob("build/venv/lib/python3*/site-packages/verilator/include"))
        return places[0] if places else "."

    def texts(self):
        return {n: (self.root / n).read_text(encoding="latin-1") for n in self.names()}

    def rewrite(self, text, taken):
        return sites.rewrite(text, taken, lambda m, a, b: f"(heddle_fault == {m.number} ? ({a}) : ({b}))",
                             lambda m, s: f"{{ if (heddle_fault != {m.number}) {{ {s} }} }}")

    def head(self, name, has):
        """The number itself lives in checker.c, and once more in the device's shim; who has no mutant knows nothing of it."""
        return DEFINE if name.endswith(("checker/checker.c", "device_core.hpp")) else DECLARE if has else ""

    def errors(self, out):
        """Nothing is refused: what can be written can be compiled (warnings are off)."""
        return []


class File:
    def __init__(self, name, text, unit):
        self.name, self.text, self.sites = name, text, []
        self.path = unit.spelling
        self.macros = [self.extent(c) for c in unit.cursor.get_children() if c.kind == K.MACRO_INSTANTIATION and self.here(c)]
        for c in unit.cursor.get_children():
            if self.here(c) and c.kind not in (K.MACRO_INSTANTIATION, K.MACRO_DEFINITION, K.INCLUSION_DIRECTIVE):
                self.declaration(c)

    def here(self, c):
        return c.location.file is not None and c.location.file.name == self.path

    @staticmethod
    def extent(c):
        return c.extent.start.offset, c.extent.end.offset

    def declaration(self, c):
        """Down to the bodies of functions."""
        if c.kind == K.COMPOUND_STMT:
            self.statement_list(c)
        elif c.kind not in (K.ENUM_DECL, K.VAR_DECL, K.FIELD_DECL, K.TYPEDEF_DECL):
            for child in c.get_children():
                self.declaration(child)

    def add(self, c, kind, after, shown):
        start, end = self.extent(c)
        before = self.text[start:end]
        # What a macro makes stands elsewhere; assertions are no checks of the device.
        if start >= end or "\n#" in before or any(a <= start and end <= b for a, b in self.macros):
            return
        column = start - self.text.rfind("\n", 0, start)
        self.sites.append(Site(self.name, start, end, kind, before, after, c.extent.start.line, column,
                               "shim" if self.name in SHIM else "checker", extra={"shown": shown}))

    def words(self, c):
        a, b = self.extent(c)
        return self.text[a:b]

    def statement_list(self, c):
        for s in c.get_children():
            if s.kind in STATEMENTS and not re.match(r"\s*(static_)?assert\b|\s*\(void\)", self.words(s)):
                self.drop(s)
            self.visit(s)

    def drop(self, s):
        """The statement up to its semicolon."""
        start, end = self.extent(s)
        if self.text[end:end + 1] != ";" or any(a <= start and end <= b for a, b in self.macros):
            return
        column = start - self.text.rfind("\n", 0, start)
        self.sites.append(Site(self.name, start, end + 1, "drop", self.text[start:end + 1], "", s.extent.start.line, column,
                               "shim" if self.name in SHIM else "checker", extra={"shown": "dropped"}))

    def visit(self, c):
        children = list(c.get_children())
        if c.kind == K.COMPOUND_STMT:
            return self.statement_list(c)
        if c.kind == K.DECL_STMT and re.match(r"\s*static\b|.*\bconstexpr\b", self.words(c)):
            return None
        if c.kind in (K.CASE_STMT,):
            children = children[1:]
        elif c.kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(c, *children)
        elif c.kind in (K.IF_STMT, K.CONDITIONAL_OPERATOR) and children:
            self.condition(children[0])
        elif c.kind == K.UNARY_OPERATOR and self.words(c).startswith("!"):
            self.add(c, "negation", f"!!({self.words(c)[1:]})", "dropped")
        elif c.kind == K.INTEGER_LITERAL:
            return self.literal(c)
        elif c.kind == K.RETURN_STMT and children:
            self.result(children[0])
        elif c.kind in (K.CXX_UNARY_EXPR, K.TYPE_REF):
            return None
        if c.kind == K.VAR_DECL:  # an array's size is a constant
            children = [x for x in children if x.kind != K.INTEGER_LITERAL or "[" not in self.words(c).split("=")[0]]
        for child in children:
            self.visit(child)
        return None

    def binary(self, c, left, right):
        whole, l, r = self.extent(c), self.extent(left), self.extent(right)
        between = self.text[l[1]:r[0]]
        m = re.search(r"[-+&|^=!<>]+", between)
        # Pointers have a difference, and no sum.
        if m and m[0] == "-" and all(x.type.get_canonical().kind == cindex.TypeKind.POINTER for x in (left, right)):
            return
        if m and m[0] in SWAP and whole[0] <= l[0] and r[1] <= whole[1]:
            other = between[:m.start()] + SWAP[m[0]] + between[m.end():]
            self.add(c, "operator", self.text[whole[0]:l[1]] + other + self.text[r[0]:whole[1]], f"{m[0]} -> {SWAP[m[0]]}")

    def condition(self, c):
        text = self.words(c)
        if text and ";" not in text:
            how = sum(map(ord, text)) % 3
            self.add(c, "condition", (f"!({text})", "0", "1")[how], ("negated", "never", "always")[how])

    def result(self, c):
        if c.type.spelling in ("bool", "_Bool"):
            text = self.words(c)
            after = {"true": "false", "false": "true"}.get(text, "true")
            self.add(c, "result", after, after)

    def literal(self, c):
        m = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)([uUlL]*)", self.words(c))
        if m:
            value = int(m[1], 0)
            self.add(c, "constant", f"{value - 1 if value > 1 else 1 - value}{m[2]}", f"{value - 1 if value > 1 else 1 - value}")
