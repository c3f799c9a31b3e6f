# SPDX-License-Identifier: Apache-2.0
"""rtl/ as slang reads it: where mutants may stand, and the copy that holds them."""
import pathlib
import re
import sys

import pyslang

import plant
import sites
import sites_sv
import watch_sv

ELABORATION = re.compile(r"^  decode_cases #\(.*?\) u_\w+ \(\);", re.M | re.S)


class Language:
    """rtl/ as slang reads it."""

    def __init__(self, root, gen, configs, watch=None):
        self.root, self.gen, self.configs, self.watch = root, gen, configs, watch
        missing = [f for f in [gen / "isa_pkg.sv"] + [gen / c / "cfg_pkg.sv" for c in configs] if not f.exists()]
        if missing:
            sys.exit(f"error: {missing[0]} is not there; build it first: cmake --build build --target gen")

    def sources(self, root):
        packages = sorted(root.glob("rtl/**/*_pkg.sv"), key=lambda f: (f.name != "core_pkg.sv", str(f)))
        modules = sorted(f for f in root.glob("rtl/**/*.sv") if not f.name.endswith("_pkg.sv"))
        return packages + modules

    def driver(self, root, config):
        d = pyslang.Driver()
        d.addStandardArgs()
        generated = [plant.PACKAGE, self.gen / "isa_pkg.sv", self.gen / "host_regs_pkg.sv", self.gen / config / "cfg_pkg.sv",
                     self.gen / "retire_pkg.sv", self.gen / "mufu_pkg.sv"]
        line = f"slang -I{root}/rtl/lib -DHEDDLE_KEEP_LOOPS -DVERILATOR --top heddle_gpu -GSTRAPS=1 " \
            + " ".join(map(str, generated + self.sources(root)))
        if not (d.parseCommandLine(line, pyslang.CommandLineOptions()) and d.processOptions() and d.parseAllSources()):
            sys.exit("error: slang cannot read rtl/")
        return d

    def names(self):
        return [str(f.relative_to(self.root)) for f in self.sources(self.root)]

    def find(self, names):
        """The sites of these files. Each is parsed by itself: what its names mean does not matter yet."""
        d = pyslang.Driver()
        d.addStandardArgs()
        line = f"slang -I{self.root}/rtl/lib -DHEDDLE_KEEP_LOOPS -DVERILATOR " + " ".join(str(self.root / n) for n in names)
        if not (d.parseCommandLine(line, pyslang.CommandLineOptions()) and d.processOptions() and d.parseAllSources()):
            sys.exit("error: slang cannot read rtl/")
        found = []
        for tree in d.syntaxTrees:
            path = pathlib.Path(d.sourceManager.getFullPath(tree.root.getFirstToken().location.buffer))
            name = str(path.relative_to(self.root))
            found += sites_sv.find(name, path.read_text(encoding="latin-1"), tree, d.sourceManager)
        return found

    def texts(self):
        """All text of hardware that devices are made of; without the checks that ask decoders at elaboration (no hardware),
        which forbid that these change."""
        found = {name: ELABORATION.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
                 for name, text in plant.texts(self.root).items()}
        if self.watch:
            watch_sv.add_reset(found)
        return found

    def rewrite(self, text, taken):
        if self.watch:
            return sites.rewrite(text, taken, self.watch.select_text, self.watch.unless_text)
        return sites.rewrite(text, taken, plant.select, plant.unless)

    def head(self, name, _has):
        """What stands in front of the file in the copy."""
        return watch_sv.PACKAGE if self.watch and name == watch_sv.FIRST else ""

    def errors(self, out):
        """(file, offset, message) of what slang refuses in the copy."""
        found = []
        for config in self.configs:
            d = self.driver(out, config)
            for diagnostic in d.createCompilation().getAllDiagnostics():
                if diagnostic.isError():
                    path = pathlib.Path(d.sourceManager.getFullPath(diagnostic.location.buffer))
                    name = str(path.relative_to(out)) if out in path.parents else str(path)
                    found.append((name, diagnostic.location.offset, d.diagEngine.formatMessage(diagnostic)))
        return found
