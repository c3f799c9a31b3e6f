# SPDX-License-Identifier: Apache-2.0
"""slang, without leave to be lenient, on the sources of heddle.core in its order: every module of rtl/ as far as a machine has it.
Warnings are errors. A list without its first package must not pass.

usage: test_slang.py SOURCE GEN CONFIG...     in the environment of build/venv (pyslang)"""

import sys
from pathlib import Path

import pyslang

SOURCE, GEN = (Path(p).resolve() for p in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "scripts"))
import ipxact  # noqa: E402


def accepted(files):
    """Without --top all modules that no other instantiates are elaborated too."""
    driver = pyslang.Driver()
    driver.addStandardArgs()
    words = ["slang", "--std", "1800-2017", "-Werror", f"-I{SOURCE}/rtl/lib", *map(str, files)]
    if not (driver.parseCommandLine(" ".join(words), pyslang.CommandLineOptions()) and driver.processOptions()):
        return False
    return driver.parseAllSources() and driver.runFullCompilation()


def main():
    core = (SOURCE / "heddle.core").read_text()
    for config in sys.argv[3:]:
        files = [path for path, include in ipxact.source_files(core, GEN, config) if not include]
        assert accepted(files), f"{config}: slang refuses what heddle.core lists"
        print(f"{config}: {len(files)} files", flush=True)
    assert not accepted(files[1:]), "a list without isa_pkg passes"


main()
