#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SoCs of LiteX with Heddle, elaborated: the SoC's Verilog has the core with all its ports connected, software's headers say where
# it is, constraints have pins. No tool of a vendor runs. A configuration that cannot be is refused in words.
# usage: test_elaborate.sh BUILD BOARD...
set -uo pipefail
build=$1
shift
litex=$(cd "$(dirname "$0")/../../../../lab/fpga/litex" && pwd)
export HEDDLE_GEN_DIR=$build/gen HEDDLE_BUILD=$build
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { # WHAT [FILE]
  echo "FAILED  $1"
  failed=1
  [ $# = 1 ] || tail -12 "$2" | sed 's/^/        | /'
}
"$litex/setup.sh" || exit 1
python=$litex/../../../build/venv-litex/bin/python3

# What elaborate() leaves for BOARD.
look() { # BOARD FOLDER
  "$python" -B - "$1" "$2" "$litex" <<'PY'
import pathlib, re, sys
board, out, litex = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
def need(condition, what):
    if not condition:
        sys.exit(f"{board}: {what}")
headers = {p.name: p.read_text() for p in (out / "software/include/generated").glob("*.h")}
for header, names in {"csr.h": ["CSR_HEDDLE_CONTROL_ADDR", "CSR_HEDDLE_EV_ENABLE_ADDR"], "mem.h": ["HEDDLE_BASE", "MAIN_RAM_BASE"],
                      "soc.h": ["HEDDLE_INTERRUPT", "HEDDLE_MEMORY_BASE", "HEDDLE_MEMORY_BYTES", "HEDDLE_CONFIG"]}.items():
    for name in names:
        need(re.search(rf"#define {name}\b", headers[header]), f"{header} has no {name}")
value = lambda header, name: int(re.search(rf"#define {name} (0x[0-9a-f]+|\d+)", headers[header])[1], 0)
ram, size = value("mem.h", "MAIN_RAM_BASE"), value("mem.h", "MAIN_RAM_SIZE")
at, n = value("soc.h", "HEDDLE_MEMORY_BASE"), value("soc.h", "HEDDLE_MEMORY_BYTES")
need(ram < at and at + n <= ram + size and n >= 1 << 20, "the device's memory is not a part of main_ram")
need(value("mem.h", "HEDDLE_BASE") >= 0x80000000, "its registers are where the CPU caches")
tops = [p for p in (out / "gateware").glob("*.v") if re.search(r"^heddle_soc\b", p.read_text(), re.M)]
need(len(tops) == 1, "no Verilog with heddle_soc")
text = tops[0].read_text()
body = re.search(r"^heddle_soc\b.*?\n\);", text, re.M | re.S)[0]
connected = dict(re.findall(r"\.(\w+) *\((.*?)\)[,\n]", body))
ports = re.findall(r"^  (?:input|output) +logic.*?(\w+),?(?: *//.*)?$", (litex / "rtl/heddle_soc.sv").read_text(), re.M)
need(len(ports) == 55 and set(ports) <= set(connected),
     f"ports that are not connected: {sorted(set(ports) - set(connected))} of {len(ports)}")
for port in ports:
    need(connected[port].strip(), f"nothing at {port}")
if board != "sim":
    pins = [p for p in (out / "gateware").iterdir() if p.suffix in (".xdc", ".lpf", ".cst")]
    need(pins and all(re.search(r"LOC|IO_LOC", p.read_text()) for p in pins), "no constraints with pins")
PY
}
for board in "$@"; do
  if ! timeout 900 "$litex/make.py" --board "$board" --no-compile --output "$dir/$board" >"$dir/$board.log" 2>&1; then
    fail "$board" "$dir/$board.log"
  elif ! look "$board" "$dir/$board" >"$dir/look" 2>&1; then
    fail "$board" "$dir/look"
  else
    tail -1 "$dir/$board.log"
  fi
done

# A machine with two memory ports has no place.
if timeout 300 "$litex/make.py" --board sim --config quad --no-compile --output "$dir/quad" >"$dir/quad.log" 2>&1; then
  fail "a configuration with two memory ports" "$dir/quad.log"
fi
grep -q "several memory ports" "$dir/quad.log" || fail "what is said of two memory ports" "$dir/quad.log"
[ "$failed" = 0 ] && echo ok
exit $failed
