# SPDX-License-Identifier: Apache-2.0
"""A decoder made from the ISA file and its prose (isa/doc/00-isa-file.md, 01-words-and-control.md), by a reader of its
own: no line of the generator, none of its tables. A word is a number of 128 bits; every encoding is asked in turn."""
import os
import re

WIDTH = 128
PT, RZ = 7, 255


class Isa:
    def __init__(self, path):
        self.sets, self.widths, self.fields, self.formats, self.always, self.insns = {}, {}, {}, {}, [], []
        self.read(path)
        self.encodings = [Encoding(self, name, f, self.formats[f], rest, template)
                          for name, formats, rest, template in self.insns for f in formats]
        self.by_opcode = {}
        for e in self.encodings:
            self.by_opcode.setdefault(e.fixed["op"], []).append(e)

    def read(self, path):
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                words = split(line)
                if words and words[0] == "import":
                    self.read(os.path.join(os.path.dirname(path), words[1]))
                elif words:
                    take = getattr(self, "take_" + words[0], None)
                    if take is None:
                        raise SystemExit(f"{path}:{number}: '{words[0]}' is not known to this reader")
                    take(words[1:])

    def take_isa(self, w):
        assert w[1] == str(WIDTH)

    def take_unit(self, w):
        pass

    def take_least(self, w):
        pass

    def take_set(self, w):
        """Values that have a token; those that only the model knows."""
        values, starred = set(), set()
        for token in w[1:]:
            value = token.rsplit("=", 1)[1]
            number = int(value.rstrip("*"), 0)
            values.add(number)
            if value.endswith("*"):
                starred.add(number)
        self.sets[w[0]] = (values, starred)

    def take_width(self, w):
        self.widths[w[0]] = {int(k): int(v) for k, v in (x.split(":") for x in w[1:])}

    def take_field(self, w):
        hi, _, lo = w[1].partition(":")
        self.fields[w[0]] = Field(w[0], int(hi), int(lo or hi), w[2], w[3] if w[2] == "set" else None)

    def take_move(self, w):
        hi, _, lo = w[1].partition(":")
        self.fields[w[0]].place(int(hi), int(lo or hi))

    def take_shuffle(self, w):
        """Blocks of the word, which follow each other from the top down."""
        top, to = WIDTH, {}
        for block in w:
            hi, _, lo = block.partition(":")
            for bit in range(int(hi), int(lo or hi) - 1, -1):
                top -= 1
                to[bit] = top
        for field in self.fields.values():
            field.place(to[field.hi], to[field.lo])

    def take_always(self, w):
        self.always += w

    def take_format(self, w):
        self.formats[w[0]] = w[1:]

    def take_insn(self, w):
        template = next(x for x in w if x.startswith('"'))
        formats = [x for x in w[1:] if x in self.formats]
        rest = [x for x in w[1:] if x not in self.formats and not x.startswith('"')]
        self.insns.append((w[0], formats, rest, template))

    def decode(self, word):
        """The encoding that owns the word, or None: illegal."""
        op = self.fields["op"].of(word)
        found = [e for e in self.by_opcode.get(op, []) if e.matches(word)]
        assert len(found) <= 1, f"{word:032x} matches {[e.name for e in found]}"
        return found[0] if found and found[0].legal(word) else None


def split(line):
    """Words; a text in quotes is one of them (its first quote stays); a comment ends the line."""
    out = []
    for m in re.finditer(r'"([^"]*)"|#.*|[^\s"#]+', line):
        if m.group(0).startswith("#"):
            break
        out.append('"' + m.group(1) if m.group(1) is not None else m.group(0))
    return out


class Field:
    def __init__(self, name, hi, lo, kind, set_name):
        self.name, self.kind, self.set = name, kind, set_name
        self.place(hi, lo)

    def place(self, hi, lo):
        self.hi, self.lo = hi, lo
        self.ones = (1 << (hi - lo + 1)) - 1
        self.mask = self.ones << lo

    def of(self, word):
        return (word >> self.lo) & self.ones

    def has_sign(self):
        return self.kind == "rel" or re.fullmatch(r"s\d+", self.kind) is not None

    def number(self, word):
        """The topmost bit of the field, where that lies, is the sign of numbers that have one."""
        value = self.of(word)
        return value - self.ones - 1 if self.has_sign() and value > self.ones // 2 else value


class Encoding:
    def __init__(self, isa, name, format_name, format_words, words, template):
        self.isa, self.name, self.format = isa, name, format_name
        self.fixed, self.owned, self.operand, self.wide = {}, set(isa.always), {}, {}
        self.unit = self.wide_unit = self.imm = None
        self.model = False
        flags = {o: f for o, f in re.findall(r"\{([abc]):([^}]*)\}", template)}
        for w in format_words + words:
            self.take(w, flags)
        for f in re.findall(r"\{(\w+)(?::[^}]*)?\}", template):
            if f not in "abc":
                self.owned.add(f)
        self.match = self.mask = 0
        for f, v in self.fixed.items():
            self.mask |= isa.fields[f].mask
            self.match |= v << isa.fields[f].lo
        used = self.mask
        for f in self.owned:
            assert used & isa.fields[f].mask == 0, f"{name} {format_name}: {f} overlaps"
            used |= isa.fields[f].mask
        self.mask |= ~used & ((1 << WIDTH) - 1)  # what nobody owns is zero

    def take(self, w, flags):
        key, equals, value = w.partition("=")
        if not equals:
            if key != "drains":
                self.owned.add(key)
        elif key in ("a", "b", "c"):
            self.take_operand(key, value.split(","), flags.get(key, ""))
        elif key == "only":
            self.model = True
        elif key == "wide":
            self.wide = dict(x.split(":") for x in value.split(","))
        elif key in ("unit", "wide_unit", "imm"):
            setattr(self, key, value)
        elif key not in ("sem", "mem", "flow", "part"):  # nothing of these is in the word
            self.fixed[key] = int(value, 0)

    def take_operand(self, name, slot, flags):
        """Fields of minus, bars and part belong to it where the template allows them, and it is no immediate."""
        const = slot[0] == "const"
        kind = "const" if const else self.isa.fields[slot[0]].kind
        immediate = kind == "imm32" or re.fullmatch(r"u\d+", kind)
        self.owned |= {"coff", "cbank"} if const else {slot[0]}
        self.operand[name] = dict(kind="imm" if immediate else kind, field=None if const else slot[0])
        for place, flag in ((1, "-~"), (2, "|"), (3, ".")):
            if len(slot) > place and not immediate and any(c in flags for c in flag):
                self.operand[name][("neg", "abs", "part")[place - 1]] = slot[place]
                self.owned.add(slot[place])

    def get(self, field, word):
        return self.isa.fields[field].of(word)

    def matches(self, word):
        return word & self.mask == self.match

    def words_of(self, what, word):
        wide = self.wide.get(what)
        if wide is None:
            return 1
        if wide.isdigit():
            return int(wide)
        return self.isa.widths[self.isa.fields[wide].set].get(self.get(wide, word), 1)

    def register(self, field, word):
        """Its number; all ones of the field, however narrow, is RZ."""
        v = self.get(field, word)
        return RZ if v == self.isa.fields[field].ones else v

    def destination(self):
        return next((f for f in self.owned if self.isa.fields[f].kind in ("gpr.write", "ugpr.write")), None)

    def aligned(self, field, words, word):
        number = self.register(field, word)
        uniform = self.isa.fields[field].kind.startswith("u")
        return number == RZ or (number % words == 0 and (not uniform or number + words <= self.isa.fields[field].ones))

    def legal(self, word):
        for f in self.owned:
            field = self.isa.fields[f]
            if field.kind == "set" and field.of(word) not in self.isa.sets[field.set][0]:
                return False
            if field.kind == "sbset" and field.of(word) == 6:
                return False
        for o, slot in self.operand.items():
            words = self.words_of(o, word)
            if slot["kind"] == "const" and self.get("coff", word) % (4 * words) != 0:
                return False
            if slot["kind"] in ("gpr.read", "ugpr.read") and not self.aligned(slot["field"], words, word):
                return False
        rd = self.destination()
        return rd is None or self.aligned(rd, self.words_of("rd", word), word)

    # ---- the same lines as decode_dump.c prints ----

    def text_operand(self, o, word):
        slot = self.operand.get(o)
        if slot is None:
            return f"{o}=-"
        kind, words = slot["kind"], self.words_of(o, word)
        flags = [self.get(slot[x], word) if x in slot else 0 for x in ("neg", "abs", "part")]
        if kind == "imm":
            value = f"imm:0x{self.get(slot['field'], word):x}"
        elif kind == "const":
            value = f"const:{self.get('cbank', word)}:0x{self.get('coff', word):x}"
        else:
            value = f"{'ureg' if kind == 'ugpr.read' else 'reg'}:{self.register(slot['field'], word)}"
        return f"{o}={value}:{words}:{flags[0]}:{flags[1]}:{flags[2]}"

    def kind_of(self, *kinds):
        return next((f for f in sorted(self.owned) if self.isa.fields[f].kind in kinds), None)

    def text_pred(self, field, word, bit):
        v = self.get(field, word) if field in self.owned else PT
        return f"{v & 7}{'!' if v >> bit & 1 else ''}"

    def in_rtl(self, word):
        starred = any(self.isa.fields[f].kind == "set" and self.get(f, word) in self.isa.sets[self.isa.fields[f].set][1]
                      for f in self.owned)
        return not self.model and not starred

    def text(self, word):
        rd, wide = self.destination(), max([self.words_of("rd", word)] + [self.words_of(o, word) for o in self.operand])
        guard = self.kind_of("guard", "uguard")
        uniform = [self.kind_of(k) is not None for k in ("uguard", "ugpr.write", "upred.write", "upred.read")]
        pd = [next((f for f in (p, "u" + p) if f in self.owned), "") for p in ("pd0", "pd1")]
        ps = [next((f for f in (p, "u" + p) if f in self.owned), "") for p in ("ps0", "ps1", "ps2")]
        unit = self.wide_unit if self.wide_unit and wide > 1 else self.unit
        parts = [self.name, self.format, unit, "guard=" + self.text_pred(guard, word, 3),
                 "uniform=" + "".join(str(int(u)) for u in uniform),
                 f"rd={self.register(rd, word)}:{self.words_of('rd', word)}" if rd else "rd=-",
                 "pd=" + ",".join(str(self.get(f, word)) if f else "-" for f in pd),
                 "ps=" + ",".join(self.text_pred(f, word, 3) for f in ps)]
        parts += [self.text_operand(o, word) for o in "abc"]
        ctl = [self.get(f, word) if f in self.owned else 0 for f in ("stall", "yield", "wbar", "rbar", "wait", "reuse")]
        fields = [self.isa.fields[f] for f in self.isa.fields if f in self.owned]
        numbers = [f"{f.name}={f.number(word)}" for f in fields
                   if f.has_sign() or f.kind == "breg" or re.fullmatch(r"u\d+", f.kind)]
        return " ".join(parts + ["ctl=" + ":".join(map(str, ctl)), f"rtl={int(self.in_rtl(word))}"] + numbers)
