# SPDX-License-Identifier: Apache-2.0
"""What a LUT says, in the operators of Verilog: as few of them as a short search finds.

A table is a number: bit i is the output where the inputs are the bits of i, input 0 the lowest.
"""
import functools
import itertools

CONSTANTS = {"1'b0": 0, "1'b1": 1}


def cofactor(table, size, var, value):
    """The table without an input, where that has a value."""
    out = 0
    for i in range(1 << (size - 1)):
        low = i & ((1 << var) - 1)
        entry = (i >> var) << (var + 1) | value << var | low
        out |= (table >> entry & 1) << i
    return out


def grown(table, size, inputs):
    """A table of some inputs as one of `size` inputs."""
    out = 0
    for i in range(1 << size):
        entry = sum((i >> at & 1) << k for k, at in enumerate(inputs))
        out |= (table >> entry & 1) << i
    return out


def renamed(text, inputs):
    """A text over inputs 0, 1 ... as one over others."""
    return text.format(*(f"{{{at}}}" for at in inputs))


@functools.lru_cache(maxsize=None)
def of_table(table, size):
    """The operators and the text of a table; inputs are {0}, {1} ... in it."""
    full = (1 << (1 << size)) - 1
    if table in (0, full):
        return 0, "1'b1" if table else "1'b0"
    best = None
    for cost, text in itertools.chain(by_one(table, size, full), by_pairs(table, size)):
        if best is None or (cost, len(text)) < (best[0], len(best[1])):
            best = cost, text
    return best


def by_one(table, size, full):
    """Ways to say it by one input and what is left of the table where that is 0, and 1."""
    half = (1 << (1 << (size - 1))) - 1
    for var in range(size):
        others = [at for at in range(size) if at != var]
        zero, one = (cofactor(table, size, var, value) for value in (0, 1))
        name = f"{{{var}}}"
        if zero == one:
            cost, text = of_table(zero, size - 1)
            yield cost, renamed(text, others)
        elif (zero, one) in ((0, half), (half, 0)):
            yield (0, name) if one else (1, f"~{name}")
        else:
            yield by_choice(name, zero, one, half, size - 1, others)


def by_choice(name, zero, one, half, size, others):
    def said(part):
        cost, text = of_table(part, size)
        return cost, renamed(text, others)

    if zero in (0, half):
        cost, text = said(one)
        return (cost + 1, f"({name} & {text})") if zero == 0 else (cost + 2, f"(~{name} | {text})")
    if one in (0, half):
        cost, text = said(zero)
        return (cost + 2, f"(~{name} & {text})") if one == 0 else (cost + 1, f"({name} | {text})")
    (cost0, text0), (cost1, text1) = said(zero), said(one)
    if zero == one ^ half:
        return cost0 + 1, f"({name} ^ {text0})"
    return cost0 + cost1 + 3, f"({name} ? {text1} : {text0})"


# What two tables are combined by, the second one from what the first one and all of it say.
OPERATORS = {"&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}


@functools.lru_cache(maxsize=None)
def pairs(size):
    """{table: (cost, text)} of what two tables of two inputs each say together, of four inputs."""
    found = {}
    splits = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))) if size == 4 else ()
    for (left, right), a, b in itertools.product(splits, range(1, 15), range(1, 15)):
        (cost_a, text_a), (cost_b, text_b) = of_table(a, 2), of_table(b, 2)
        for sign, does in OPERATORS.items():
            table = does(grown(a, size, left), grown(b, size, right))
            cost = cost_a + cost_b + 1
            if table not in found or cost < found[table][0]:
                found[table] = cost, f"({renamed(text_a, left)} {sign} {renamed(text_b, right)})"
    return found


def by_pairs(table, size):
    if size == 4 and table in pairs(size):
        yield pairs(size)[table]


def of_lut(init, nets):
    """The expression of a LUT over the texts of its inputs, some of which may be constants or the same."""
    names = list(dict.fromkeys(net for net in nets if net not in CONSTANTS))
    table = 0
    for i in range(1 << len(names)):
        bits = [CONSTANTS[net] if net in CONSTANTS else i >> names.index(net) & 1 for net in nets]
        table |= (init >> sum(bit << k for k, bit in enumerate(bits)) & 1) << i
    return of_table(table, len(names))[1].format(*names)
