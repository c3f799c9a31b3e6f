# SPDX-License-Identifier: Apache-2.0
"""Two traces of one program: mine, and one that is right.

What may differ between two right machines is left out: cycles, slots, generations, places of registers and of
shared memory, how lanes are cut into beats and accesses into passes, the order of warps and of records of one
instruction. A warp is known by its block and its number in it. What a load has read is compared by the registers that
it wrote, what an atomic found in shared memory too.
"""
import heddle_trace as trace

OPERAND = ["a.0", "a.1", "b.0", "b.1", "b.2/c.0", "b.3/c.1", "a.2", "a.3", "c.2", "c.3"]
UNIFORM = ["a", "b", "c", "c.1"]


class Run:
    """One launch: instructions by warp, as facts: a name and a number each."""

    def __init__(self):
        self.slot, self.base, self.block = {}, {}, {}
        self.facts, self.blocks, self.strays = {}, {}, []
        self.memory, self.cycle, self.order = {}, 0, {}

    def instruction(self, record):
        where = self.slot.get(record.fields["id.slot"])
        if where is None:
            self.strays.append("a record '%s' of warp slot %d, in which no block lives" %
                               (record.kind, record.fields["id.slot"]))
            return {}
        return self.facts.setdefault(where, {}).setdefault(record.fields["id.seq"], {})

    def start(self, f):
        ctaid = tuple(f["ctaid"])
        self.block[f["bslot"]] = ctaid
        self.blocks.setdefault(ctaid, {})["block_start"] = self.blocks.get(ctaid, {}).get("block_start", 0) + 1
        slots = [s for s in range(64) if f["warps"] >> s & 1]
        for number, slot in enumerate(slots):
            self.slot[slot] = (ctaid, number)
            self.base[slot] = f["shared_base"]

    def of_block(self, f, what):
        ctaid = self.block.get(f["bslot"])
        if ctaid is None:
            self.strays.append("a record of block slot %d, in which no block lives" % f["bslot"])
            return
        self.blocks[ctaid][what] = self.blocks[ctaid].get(what, 0) + 1


def lanes_of(mask, beat, lanes):
    return [(i, beat * lanes + i) for i in range(lanes) if mask >> i & 1]


def issue(f, facts, lanes, base):
    facts["issue pc"], facts["issue active"], facts["issue exec"] = f["pc"], f["active"], f["exec"]
    facts["issue word"] = f["word"][1] << 64 | f["word"][0]
    for k, ps in enumerate(f["ps"] or []):
        facts["issue ps[%d]" % k] = ps & f["exec"]
    if f["dhash"] is not None:
        facts["issue dhash"] = f["dhash"]


def write(f, facts, lanes, base):
    for i, lane in lanes_of(f["mask"], f["beat"], lanes):
        facts["write R%d lane %d" % (f["rd"], lane)] = f["data"][i]


def predicate(f, facts, lanes, base):
    for k in range(7):
        if f["used"] >> k & 1:
            for i, lane in lanes_of(f["value.mask"][k], f["beat"], lanes):
                facts["predicate P%d lane %d" % (f["value.index"][k], lane)] = f["value.data"][k] >> i & 1


def operands(f, facts, lanes, base):
    for row in range(4):
        if f["used"] >> row & 1:
            word = f["index"][row]
            name = OPERAND[word] if word < len(OPERAND) else "word %d" % word
            for i, lane in lanes_of(f["mask"], f["beat"], lanes):
                facts["operands %s lane %d" % (name, lane)] = f["data"][row][i]


def uniform_read(f, facts, lanes, base):
    for k in range(4):
        if f["used"] >> k & 1:
            facts["uniform_read %s" % UNIFORM[k]] = f["data"][k]


def uniform_write(f, facts, lanes, base):
    for k in range(2):
        if f["used"] >> k & 1:
            facts["uniform_write UR%d" % (f["rd"] + k)] = f["data"][k]
    for k in range(7):
        if f["pred"] >> k & 1:
            facts["uniform_write UP%d" % k] = f["value"] >> k & 1


def global_(f, facts, lanes, base):
    local = f["access"] >= 3
    where = "sector 0x%x" % f["sector"] if not local else \
        "local word %d lanes %d.." % (f["sector"] >> 2 & 0x3FFFF, 8 * (f["sector"] & 3))
    facts["global %s access" % where] = f["access"]
    facts["global %s lanes" % where] = f["lanes"]
    facts["global %s wstrb" % where] = f["wstrb"]
    for i in range(32):
        if f["wstrb"] >> i & 1:
            facts["global %s wdata[%d]" % (where, i)] = f["wdata"][i]
            if f["access"] == 2:
                facts["global %s rdata[%d]" % (where, i)] = f["rdata"][i]


def shared(f, facts, lanes, base):
    facts["shared access"] = f["access"]
    facts["shared lanes"] = facts.get("shared lanes", 0) | f["lanes"]
    for bank in range(32):
        if f["bank_en"] >> bank & 1:
            at = 4 * (32 * f["row"][bank] + bank) - base
            facts.setdefault("shared word 0x%x" % at, 1)
            for i in range(4):
                if f["wstrb"][bank] >> i & 1:
                    facts["shared byte 0x%x" % (at + i)] = f["wdata"][bank] >> 8 * i & 255


def trap(f, facts, lanes, base):
    for name in ("cause", "pc", "lanes", "addr"):
        facts["trap %s" % name] = f[name]


OF_KIND = {"issue": issue, "write": write, "predicate": predicate, "operands": operands, "operands_memory": operands,
           "uniform_read": uniform_read, "uniform_write": uniform_write, "global": global_, "shared": shared,
           "trap": trap}


def runs(path):
    """The header, and what each launch did."""
    with open(path, "rb") as file:
        reader, found = trace.Reader(file), []
        for item in reader:
            if isinstance(item, trace.Launch):
                found.append(Run())
                found[-1].program = (item.code, item.section[:24])
            elif isinstance(item, trace.End):
                found[-1].memory = dict(item.memory)
            else:
                add(found[-1], item, reader.header["lanes"])
        return reader.header, found


def add(run, record, lanes):
    f = record.fields
    if record.kind == "block_start":
        run.start(f)
    elif record.kind in ("barrier", "block_end"):
        run.of_block(f, record.kind if record.kind != "barrier" else "barrier %d" % f["id"])
    elif record.kind in OF_KIND:
        OF_KIND[record.kind](f, run.instruction(record), lanes, run.base.get(f["id.slot"], 0))


def compared(header):
    """First words of facts that this trace can have."""
    kinds = {k for k in OF_KIND if trace.shows(header, k)}
    return {k for k in kinds if k != "operands_memory"}, {n for n, i in trace.OPTION.items()
                                                          if not header["hidden_options"] >> i & 1}


class Difference:
    def __init__(self, mine, golden, most):
        self.most, self.lines = most, 0
        (kinds, options), (kinds2, options2) = compared(mine), compared(golden)
        self.kinds, self.options = kinds & kinds2, options & options2
        left = sorted((kinds | kinds2) - self.kinds) + sorted((options | options2) - self.options)
        if left:
            print("not compared, since one of them does not show it: %s" % ", ".join(left))

    def say(self, text):
        self.lines += 1
        if self.lines <= self.most:
            print(text)

    def counts(self, fact):
        word = fact.split()
        if word[0] not in self.kinds:
            return False
        return word[0] != "issue" or "issue." + word[1].split("[")[0] in self.options or \
            word[1] in ("pc", "active", "exec", "word")

    def instruction(self, who, seq, mine, golden):
        """True: the same. Of one that differs the first facts are told, and none of what follows from it."""
        mine = {k: v for k, v in mine.items() if self.counts(k)}
        golden = {k: v for k, v in golden.items() if self.counts(k)}
        wrong = [k for k in list(golden) + [k for k in mine if k not in golden] if mine.get(k) != golden.get(k)]
        if not wrong:
            return True
        pc = golden.get("issue pc", mine.get("issue pc"))
        for k in wrong[:3]:
            self.say("%s, instruction %d%s: %s: mine %s, golden %s" %
                     (who, seq, " at pc 0x%x" % pc if pc is not None else "", k, number(mine.get(k)),
                      number(golden.get(k))))
        if len(wrong) > 3:
            self.say("%s, instruction %d: ... and %d more" % (who, seq, len(wrong) - 3))
        return False

    def launch(self, n, mine, golden):
        if mine.program != golden.program:
            self.say("launch %d: another program, or another grid" % n)
            return
        for stray in mine.strays[:3]:
            self.say("launch %d: mine has %s" % (n, stray))
        for ctaid in sorted(set(mine.blocks) | set(golden.blocks)):
            a, b = mine.blocks.get(ctaid, {}), golden.blocks.get(ctaid, {})
            for what in sorted(set(a) | set(b)):
                if a.get(what, 0) != b.get(what, 0):
                    self.say("launch %d, block %s: %s: mine has %d, golden %d" %
                             (n, ctaid, what, a.get(what, 0), b.get(what, 0)))
        for warp in sorted(set(mine.facts) | set(golden.facts)):
            a, b = mine.facts.get(warp, {}), golden.facts.get(warp, {})
            who = "launch %d, block %s warp %d" % (n, warp[0], warp[1])
            for seq in sorted(set(a) | set(b)):
                if not self.instruction(who, seq, a.get(seq, {}), b.get(seq, {})):
                    break
        self.memory(n, mine.memory, golden.memory)

    def memory(self, n, mine, golden):
        for at in sorted(set(mine) | set(golden)):
            a, b = mine.get(at, b""), golden.get(at, b"")
            a, b = a.ljust(len(b), b"\0"), b.ljust(len(a), b"\0")
            if a != b:
                i = next(i for i in range(len(b)) if a[i] != b[i])
                self.say("launch %d: memory at the end, byte 0x%x of it: mine 0x%02x, golden 0x%02x" %
                         (n, at + i, a[i], b[i]))
                return


def number(value):
    return "none" if value is None else "0x%x" % value


def main(mine, golden, most):
    (my_header, my_runs), (golden_header, golden_runs) = runs(mine), runs(golden)
    d = Difference(my_header, golden_header, most)
    if len(my_runs) != len(golden_runs):
        d.say("mine has %d launches, golden %d" % (len(my_runs), len(golden_runs)))
    for n, (a, b) in enumerate(zip(my_runs, golden_runs), 1):
        d.launch(n, a, b)
    if d.lines > most:
        print("... %d more lines (--most)" % (d.lines - most))
    if d.lines == 0:
        print("the same: %d launches, %d warps" % (len(my_runs), sum(len(r.facts) for r in my_runs)))
    return 1 if d.lines else 0
