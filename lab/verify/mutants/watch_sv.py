# SPDX-License-Identifier: Apache-2.0
"""Where a mutant would have made a difference: each place of the copy also says, in the design as it is, whether the
value of the mutant differs from the one that stands there (watch.hpp counts it).

The two values are worked out side by side and compared. Arithmetic is compared at 64 bits at least, so that a carry is
not lost that the context would take; a value wider than the place (a negation of a narrow net) may be said to differ
where the place itself would not have shown it. So much is said to differ that does not; only a carry out of 64 bits is
missed. An index that is one off is said to differ always, whatever stands in the two elements."""
from sites import squeeze

# In front of core_pkg.sv, which every order of the sources puts before what uses it; on its first line, so that lines keep
# their numbers. Linked from watch.hpp; elsewhere (slang) nothing.
FIRST = "rtl/core_pkg.sv"
PACKAGE = ("package heddle_watch; `ifdef VERILATOR "
           "import \"DPI-C\" function bit heddle_saw(input int unsigned number, input bit writes, input bit differs); "
           "import \"DPI-C\" function void heddle_reset(input bit released); "
           "`else function automatic bit heddle_saw(input int unsigned number, input bit writes, input bit differs); "
           "return writes && differs && number == heddle_fault::id; endfunction "
           "function automatic void heddle_reset(input bit released); endfunction `endif endpackage ")
TOP = "rtl/gpu/heddle_gpu.sv"
RESET = "always_ff @(posedge clk_i) heddle_watch::heddle_reset(rst_ni); endmodule"


def add_reset(texts):
    """The top says when reset is over: until then much is random, and only what a register keeps counts."""
    if texts[TOP].count("\nendmodule\n") != 1:
        raise SystemExit(f"error: {TOP}: expected one line endmodule")
    texts[TOP] = texts[TOP].replace("\nendmodule\n", f"\n{RESET}\n")


def differs(site):
    """An expression: is the mutant's value another one?"""
    old, new = squeeze(site.before), squeeze(site.after)
    if site.drops:
        left, right = (squeeze(t) for t in site.extra["sides"])
        return f"({left}) != ({right})"
    if site.kind in ("condition", "enable"):
        return f"!({old}) != !({new})"
    if site.kind == "stuck":
        return f"!(&({old}))" if new.startswith("~") else f"(64'sb0 | ({old})) != 64'sb0"
    return f"(64'sb0 | ({new})) != ({old})"


class Watch:
    """The words for sites.rewrite. `plain`: (key, occurrence) of those whose comparison is refused; they count as
    different whenever they are reached."""

    def __init__(self):
        self.plain = set()

    def saw(self, site):
        text = "1'b1" if (site.key, site.occurrence) in self.plain else differs(site)
        writes = int(site.drops or site.kind == "enable")
        return f"heddle_watch::heddle_saw({site.number}, {writes}, {text})"

    def select_text(self, site, mutant, original):
        return f"(heddle_fault::id == {site.number} || {self.saw(site)} ? ({mutant}) : ({original}))"

    def unless_text(self, site, original):
        return f"begin if (heddle_fault::id != {site.number} && !{self.saw(site)}) {original} end"
