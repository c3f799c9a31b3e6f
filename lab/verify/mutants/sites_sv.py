# SPDX-License-Identifier: Apache-2.0
"""Where SystemVerilog of rtl/ can be changed: read by slang's parser, so that a site is an expression or a statement
and never text that only looks like one.

Left out, with the reason: see EXCLUDED and README.md. Whether a change is allowed where it stands (a constant is asked
for, an output is connected) is found out afterwards: place.py elaborates the result and takes out what is refused."""
import bisect
import hashlib
import re

import pyslang

from sites import Site, squeeze

OPERATORS = {
    "AddExpression": "-", "SubtractExpression": "+",
    "BinaryAndExpression": "|", "BinaryOrExpression": "&", "BinaryXorExpression": "|",
    "LogicalAndExpression": "||", "LogicalOrExpression": "&&",
    "EqualityExpression": "!=", "InequalityExpression": "==",
    "LessThanExpression": "<=", "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=", "GreaterThanEqualExpression": ">",
    "LogicalShiftLeftExpression": ">>", "LogicalShiftRightExpression": "<<", "ArithmeticShiftRightExpression": ">>",
}
UNARY = {"UnaryLogicalNotExpression", "UnaryBitwiseNotExpression", "UnaryMinusExpression"}

# Constants of the elaboration, declarations, and what only simulation has.
EXCLUDED = {
    "ParameterDeclaration", "ParameterDeclarationStatement", "ParameterPortList", "ParameterValueAssignment",
    "VariableDimension", "TypedefDeclaration", "EnumType", "StructType", "AnsiPortList", "FunctionPortList",
    "EventControlWithExpression", "InitialBlock", "FinalBlock", "AlwaysBlock", "ElabSystemTask", "GenvarDeclaration",
    "ImmediateAssertStatement", "AttributeInstance", "PackageImportDeclaration", "MultipleConcatenation",
}
# Lines of injected faults, and nets that exist to say that something is not used.
SKIP_LINE = re.compile(r"\bunused|`ASSERT|`ASSUME|\$error|\$fatal|\$display")
TAP_FOLDER = "rtl/retire/"
TAP_TARGET = re.compile(r"^\s*(assign\s+)?\w*ret_\w+")
LITERAL = re.compile(r"^(\d+)?'(s?)([bdh])([0-9a-fA-F_]+)$")


class File:
    """One source file while its sites are gathered."""

    def __init__(self, name, text, manager):
        self.name, self.text, self.manager = name, text, manager
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]
        self.sites = []

    def range(self, node):
        """(start, end) in this file; None for what a macro or another file brings."""
        r = node.sourceRange
        if self.manager.isMacroLoc(r.start) or self.manager.isMacroLoc(r.end):
            return None
        return (r.start.offset, r.end.offset)

    def place(self, offset):
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def lines(self, start, end):
        a = self.starts[bisect.bisect_right(self.starts, start) - 1]
        b = self.text.find("\n", end)
        return self.text[a:b if b >= 0 else len(self.text)]

    def add(self, start, end, kind, after, shown=None, sides=None):
        before = self.text[start:end]
        if SKIP_LINE.search(self.lines(start, end)):
            return
        line, column = self.place(start)
        tap = self.name.startswith(TAP_FOLDER) or TAP_TARGET.search(self.lines(start, start)) is not None
        self.sites.append(Site(self.name, start, end, kind, before, after, line, column, "tap" if tap else "logic",
                               extra={"shown": shown or squeeze(after), "sides": sides}))


def chance(f, start, n):
    """A choice among n that does not depend on the run: by the text of the line and the place in it."""
    line, column = f.place(start)
    seed = f"{f.name}|{squeeze(f.lines(start, start))}|{column}"
    return hashlib.sha256(seed.encode()).digest()[0] % n


def neighbour(f, start, text, index):
    """Another value for a literal: one more, one less, or a bit flipped; None where it has no plain value. An index
    falls, so that it stays within what it indexes."""
    if text in ("'0", "'1"):
        return "'1" if text == "'0" else "'0"
    if text.isdigit() and index:
        return str(int(text) - 1) if int(text) > 0 else "1"
    if text.isdigit():
        value = int(text)
        return str(value + 1) if value == 0 or chance(f, start, 2) else str(value - 1)
    m = LITERAL.match(text.replace(" ", ""))
    if not m or not m[1]:
        return None
    width, base = int(m[1]), {"b": 2, "d": 10, "h": 16}[m[3]]
    value = int(m[4].replace("_", ""), base)
    how = chance(f, start, 3)
    other = (value + 1, value - 1, value ^ 1 << chance(f, start + 1, min(width, 64)))[how] % (1 << width)
    digits = {"b": f"{other:0{width}b}", "d": str(other), "h": f"{other:0{(width + 3) // 4}x}"}[m[3]]
    return f"{width}'{m[2]}{m[3]}{digits}"


def name(node):
    return str(node.kind).rsplit(".", 1)[-1]


def is_node(x):
    return isinstance(x, pyslang.SyntaxNode)


def walk_list(f, nodes, ctx):
    for n in nodes:
        if is_node(n):
            walk(f, n, ctx)


def text_of(f, node):
    r = f.range(node)
    return "" if r is None else f.text[r[0]:r[1]]


# ---- expressions -----------------------------------------------------------------------------------
def binary(f, node, ctx, kind):
    whole, left, right = f.range(node), f.range(node.left), f.range(node.right)
    if whole and left and right:
        sep = f.text[left[1]:right[0]]
        old = node.operatorToken.rawText
        after = f.text[whole[0]:left[1]] + sep.replace(old, OPERATORS[kind], 1) + f.text[right[0]:whole[1]]
        f.add(*whole, "operator", after, f"{old} -> {OPERATORS[kind]}")
    walk_list(f, (node.left, node.right), ctx)


def unary(f, node, ctx):
    whole, operand = f.range(node), f.range(node.operand)
    if whole and operand and text_of(f, node) != "!rst_ni":
        text = f.text[operand[0]:operand[1]]
        logical = name(node) == "UnaryLogicalNotExpression"   # one bit, whatever it is asked of
        f.add(*whole, "negation", f"!(!({text}))" if logical else text, "dropped")
    walk(f, node.operand, ctx)


def literal(f, node, ctx):
    whole = f.range(node)
    if not whole:
        return
    text = f.text[whole[0]:whole[1]]
    other = neighbour(f, whole[0], text, ctx.get("index"))
    if other is not None and other != text:
        f.add(*whole, "index" if ctx.get("index") else "constant", other)


def concatenation(f, node, ctx):
    items = [n for n in node.expressions if is_node(n)]
    whole, ranges = f.range(node), [f.range(n) for n in items]
    if whole and all(ranges) and not ctx.get("target"):
        pairs = [i for i in range(len(items) - 1)
                 if f.text[slice(*ranges[i])] != f.text[slice(*ranges[i + 1])]]
        if pairs:
            i = pairs[chance(f, whole[0], len(pairs))]
            (a, b), (c, d) = ranges[i], ranges[i + 1]
            text = f.text
            f.add(*whole, "swap", text[whole[0]:a] + text[c:d] + text[b:c] + text[a:b] + text[d:whole[1]],
                  f"{squeeze(text[a:b])} and {squeeze(text[c:d])} exchanged")
    walk_list(f, items, ctx)


def select(f, node, ctx):
    """The index of an element; of a part with fixed width, its start."""
    kind = name(node)
    if kind == "SimpleRangeSelect":
        return
    expr = node.expr if kind == "BitSelect" else node.left
    whole = f.range(expr)
    fixed = name(expr) in ("IntegerLiteralExpression", "IntegerVectorExpression")
    if ctx.get("target") and (fixed or not ctx.get("clocked") or text_of(f, expr) in ctx["loops"]):
        return
    if whole and not fixed and not ctx.get("lvalue"):
        f.add(*whole, "index", f"({f.text[whole[0]:whole[1]]}) + 1")
    walk(f, expr, {**ctx, "target": False, "index": True})


def condition(f, predicate, ctx, enable):
    """Of an if or a choice: negated, or stuck."""
    for n in predicate.conditions:
        if not is_node(n):
            continue
        whole = f.range(n.expr)
        if whole and text_of(f, n.expr) not in ("rst_ni", "!rst_ni"):
            text = f.text[whole[0]:whole[1]]
            how = chance(f, whole[0], 3)
            after = (f"!({text})", "1'b0", "1'b1")[how]
            f.add(*whole, "enable" if enable else "condition", after)
        walk(f, n.expr, ctx)


def conditional(f, node, ctx):
    condition(f, node.predicate, ctx, False)
    walk_list(f, (node.left, node.right), ctx)


# ---- statements ------------------------------------------------------------------------------------
def assignment(f, node, ctx, kind):
    walk(f, node.left, {**ctx, "target": True})
    right = f.range(node.right)
    plain = name(node.right) in ("UnbasedUnsizedLiteralExpression", "IntegerVectorExpression")
    if kind == "AssignmentExpression" and right and not plain:
        # All zeros or all ones, neither wider nor less signed than what stands there.
        how = chance(f, right[0], 2)
        f.add(*right, "stuck", ("1'sb0", "~1'sb0")[how], ("zeros", "ones")[how])
    walk(f, node.right, ctx)


def statement(f, node, ctx):
    """`a <= b;`: may be left out. Others are mutated in what they hold."""
    if name(node.expr) == "NonblockingAssignmentExpression":
        whole = f.range(node)
        if whole:
            f.add(*whole, "reset" if ctx.get("reset") else "drop", "",
                  sides=(text_of(f, node.expr.left), text_of(f, node.expr.right)))
        # What a reset sets is a site as a whole only once: the constant in it counts as well.
    walk(f, node.expr, ctx)


def if_statement(f, node, ctx):
    condition(f, node.predicate, ctx, ctx.get("clocked"))
    resets = squeeze(text_of(f, node.predicate)) == "!rst_ni"
    walk(f, node.statement, {**ctx, "reset": True} if resets else ctx)
    if node.elseClause:
        walk(f, node.elseClause.clause, ctx)


def case_statement(f, node, ctx):
    """Two arms of one label each, exchanged: by asking for the other's label."""
    whole = f.range(node.expr)
    labels = []
    for item in node.items:
        if is_node(item) and name(item) == "StandardCaseItem":
            texts = [text_of(f, e) for e in item.expressions if is_node(e)]
            if len(texts) == 1 and texts[0]:
                labels.append(texts[0])
            walk(f, item.clause, ctx)
        elif is_node(item):
            walk(f, item.clause, ctx)
    if whole and len(labels) > 1 and name(node.caseKeyword if is_node(node.caseKeyword) else node) == "CaseStatement":
        i = chance(f, whole[0], len(labels) - 1)
        a, b, text = labels[i], labels[i + 1], f.text[whole[0]:whole[1]]
        f.add(*whole, "arms", f"(({text}) == {a} ? {b} : ({text}) == {b} ? {a} : ({text}))", f"arms {a} and {b} exchanged")
    walk(f, node.expr, ctx)


def for_loop(f, node, ctx):
    names = set(re.findall(r"\bint\s+(?:unsigned\s+)?(\w+)", f.text[slice(*_head(f, node))]))
    walk(f, node.statement, {**ctx, "loops": ctx["loops"] | names})


def _head(f, node):
    """From `(` to `)` of a loop, whose keyword may come of a macro."""
    return node.openParen.location.offset, node.closeParen.location.offset


def walk(f, node, ctx):
    kind = name(node)
    if kind in EXCLUDED:
        return
    if kind in OPERATORS:
        binary(f, node, ctx, kind)
    elif kind in UNARY:
        unary(f, node, ctx)
    elif kind in ("AssignmentExpression", "NonblockingAssignmentExpression"):
        assignment(f, node, ctx, kind)
    elif kind in ("IntegerLiteralExpression", "IntegerVectorExpression", "UnbasedUnsizedLiteralExpression"):
        literal(f, node, ctx)
    else:
        OTHER.get(kind, walk_all)(f, node, ctx)


def walk_all(f, node, ctx):
    walk_list(f, node, ctx)


def generate(f, node, ctx):
    """Blocks of a generate construct without what chooses among them."""
    walk(f, node.block, ctx)
    clause = getattr(node, "elseClause", None)
    if clause:
        walk(f, clause.clause, ctx)


def function(f, node, ctx):
    walk_list(f, node.items, {**ctx, "procedural": True})


def block(f, node, ctx):
    clocked = name(node) == "AlwaysFFBlock"
    walk(f, node.statement, {**ctx, "clocked": clocked, "procedural": True})


def declaration(f, node, ctx):
    """Values of variables in a block; those of a module's are what simulation starts with."""
    if not ctx.get("procedural"):
        return
    for d in node.declarators:
        if is_node(d) and d.initializer:
            walk(f, d.initializer.expr, ctx)


def connection(f, node, ctx):
    """A name alone is left as it is: it may be what the other side drives."""
    expr = node.expr
    while expr and name(expr) in ("SimplePropertyExpr", "SimpleSequenceExpr"):
        expr = expr.expr
    if expr and name(expr) not in ("IdentifierName", "IdentifierSelectName", "ScopedName", "MemberAccessExpression"):
        walk(f, expr, ctx)


OTHER = {
    "NamedPortConnection": connection,
    "ConcatenationExpression": concatenation, "ConditionalExpression": conditional,
    "BitSelect": select, "SimpleRangeSelect": select, "AscendingRangeSelect": select, "DescendingRangeSelect": select,
    "CastExpression": lambda f, n, ctx: walk(f, n.right, ctx),
    "MultipleConcatenationExpression": lambda f, n, ctx: walk(f, n.concatenation, ctx),
    "AssignmentPatternItem": lambda f, n, ctx: walk(f, n.expr, ctx),
    "ExpressionStatement": statement, "ConditionalStatement": if_statement, "CaseStatement": case_statement,
    "ForLoopStatement": for_loop, "FunctionDeclaration": function, "DataDeclaration": declaration,
    "IfGenerate": generate, "LoopGenerate": generate, "AlwaysFFBlock": block, "AlwaysCombBlock": block,
    "TimingControlStatement": lambda f, n, ctx: walk(f, n.statement, ctx),
    "CaseGenerate": lambda f, n, ctx: None,
    "HierarchyInstantiation": lambda f, n, ctx: walk_list(f, n.instances, ctx),
    "HierarchicalInstance": lambda f, n, ctx: walk_list(f, n.connections, ctx),
}


def find(name_of_file, text, tree, manager):
    """All sites of one parsed file."""
    f = File(name_of_file, text, manager)
    walk(f, tree.root, {"loops": frozenset()})
    return f.sites


