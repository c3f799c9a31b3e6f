# SPDX-License-Identifier: Apache-2.0
"""Commands of the pages that tests/docs/pages.py does not run: why, and what shows that they are there."""
import os
import re
import subprocess


def script(path):
    """A file of the source tree that can be started."""
    return lambda root, build: os.access(os.path.join(root, path), os.X_OK)


def target(name):
    """A target of the build."""
    return lambda root, build: subprocess.run(["ninja", "-C", build, "-t", "query", name], check=False,
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def package(name):
    """A package that setup.sh installs."""
    def there(root, build):
        with open(os.path.join(root, "scripts/packages.txt"), encoding="utf-8") as f:
            return re.search(rf"^[a-z]+ +{name} ", f.read(), re.M) is not None
    return there


def variant(name):
    """An instruction set that the build can be configured with."""
    return lambda root, build: os.path.exists(os.path.join(root, "isa/variants", name + ".isa"))


# command: (why it is not run, what must be there)
NOT_RUN = {
    "./demo.sh": ("builds three devices, minutes; the tests run what it runs", script("demo.sh")),
    "cmake --build build --target device_verilator_tiny_wave": (
        "a build inside a test of that build", target("device_verilator_tiny_wave")),
    "cmake --build build --target device_verilator_fpga_cover": (
        "a build inside a test of that build, which has made it", target("device_verilator_fpga_cover")),
    "lab/verify/coverage/campaign.sh build/heddle tiny 100 1 build/tiny.cov --jobs 2": (
        "minutes of random programs; coverage.command runs a small one", script("lab/verify/coverage/campaign.sh")),
    "gtkwave carry.fst.gtkw": ("needs a display; tests/waves checks the file", package("gtkwave")),
    **{f"gtkwave moves.fst.{view}.gtkw": ("needs a display; tests/waves checks the file", package("gtkwave"))
       for view in ("scheduling", "divergence", "operands", "memory")},
    "gtkwave part.fst.divergence.gtkw": ("needs a display; tests/waves checks the file", package("gtkwave")),
    "scripts/synth.sh tiny lsu": ("a minute of synthesis; synth.command tests the script", script("scripts/synth.sh")),
    "scripts/netlist-lockstep.sh build/heddle tiny netlist 30": ("an hour", script("scripts/netlist-lockstep.sh")),
    "scripts/synth.sh tiny": ("half an hour of place and route", script("scripts/synth.sh")),
    "cmake -S . -B build-scatter -G Ninja -DHEDDLE_ISA=scatter": ("configures a whole build", variant("scatter")),
    "scripts/test-variant.sh scatter rtl": ("builds and tests all of it, minutes", script("scripts/test-variant.sh")),
    "build/heddle isa try isa-try/mine.isa -o try": (
        "a build and its tests, minutes; isa.compare tests the command", script("scripts/test-variant.sh")),
    "build/heddle isa report isa/heddle.isa isa/variants/*.isa -o report": (
        "minutes of synthesis; isa.compare runs it without", script("scripts/synth-encoding.sh")),
    r"sed 's|\.\./isa/|../|' isa-try/mine.isa > isa/variants/mine.isa": (
        "writes into the source tree", script("scripts/test-variant.sh")),
    "scripts/narrow-fields.py -o narrow.txt": ("hours; tools.narrow_fields tests it", script("scripts/narrow-fields.py")),
    "scripts/test-variant.sh mine isa": ("a build of its own, minutes", script("scripts/test-variant.sh")),
    "scripts/setup.sh --more": ("installs what the tests need to run at all", script("scripts/setup.sh")),
    "cmake --preset release -B build": ("configures a whole build", script("scripts/setup.sh")),
    "ninja -C build heddle vecadd vecadd_elf board_sim_tiny board_sim_march board_sim_registers": (
        "a build inside a test of that build", target("board_sim_tiny")),
    "scripts/board.sh ladder led": ("board.bitfile runs it", script("scripts/board.sh")),
    "scripts/board.sh ladder link": ("minutes of place and route", script("scripts/board.sh")),
    "scripts/board.sh ladder memory": ("minutes of place and route", script("scripts/board.sh")),
    "scripts/board.sh ladder registers": ("minutes of place and route", script("scripts/board.sh")),
    "scripts/board.sh ladder core": ("half an hour of place and route", script("scripts/board.sh")),
    "scripts/board.sh ladder core --stream": ("half an hour of place and route", script("scripts/board.sh")),
    "scripts/board.sh ladder core --digest": ("half an hour of place and route", script("scripts/board.sh")),
    "SBATCH_WAIT=1 build/heddle campaign nightly.json --dir nightly --slurm": (
        "needs a farm; random.farm starts one", script("tests/lab/verify/random/test_farm.sh")),
}


def check(root, build, used):
    """What is wrong with the list: an entry that no page has, or something that is not there."""
    for command, (_, there) in NOT_RUN.items():
        if command not in used:
            yield f"exceptions.py: no page says '{command}'; delete the entry"
        elif not there(root, build):
            yield f"exceptions.py: what '{command}' starts is not there"
