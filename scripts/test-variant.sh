#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the project under another encoding and run its tests there. Last line: N passed, N failed.
# usage: scripts/test-variant.sh NAME|FILE.isa [isa|model|rtl] [BUILD_FOLDER]     example: scripts/test-variant.sh scatter model
# NAME: of a file in isa/variants; FILE.isa: one that lies elsewhere.
#   isa    instruction set, assembler, programs (the default)
#   model  those, the model, the results of real silicon
#   rtl    those, the hardware: module benches, the checker, fuzzers' seeds, kernels at tiny and fpga, faults that must be
#          found, random programs
set -euo pipefail
name=${1:?usage: scripts/test-variant.sh NAME|FILE.isa [isa|model|rtl] [BUILD_FOLDER]} depth=${2:-isa}
case $name in
  *.isa)
    [ -f "$name" ] || { echo "$name: no such file" >&2; exit 2; }
    name=$(realpath "$name") ;;
esac
cd "$(dirname "$0")/.."
build=${3:-build-variant/$(basename "$name" .isa)}
[[ $name = *.isa ]] || [ -f "isa/variants/$name.isa" ] || { echo "no variant '$name'; there are: $(cd isa/variants && echo *.isa)" >&2; exit 2; }

isa='tests_isa|tests_asm|isa_sv_decode'
model='tests_cmodel|tests_silicon|silicon_ops|tests_firmware|driver_story|vecadd'
case $depth in
  isa) tests='^(isa|asm)\.' targets=$isa ;;
  model) tests='^(isa|asm|cmodel|silicon|firmware)\.' targets="$isa|$model" ;;
  rtl) tests='^(isa|asm|cmodel|silicon|firmware|rtl|cosim|fuzz)\.'
       targets="$isa|$model|rtl_.*|tests_cosim|tests_checker|cosim_.*|fuzz_.*|heddle|expect_fail|device_verilator_fpga(_faults)?" ;;
  *) echo "'$depth' is none of isa, model, rtl" >&2; exit 2 ;;
esac
mkdir -p "$build"
log=$build/build.log
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DHEDDLE_ISA="$name" >"$log" 2>&1 || { cat "$log"; exit 1; }
chosen=$(ninja -C "$build" -t targets all | sed -n 's/^\([A-Za-z0-9_]*\): .*$/\1/p' | grep -Ex "$targets" | sort -u)
# shellcheck disable=SC2086
ninja -C "$build" -j "$(nproc)" $chosen >"$log" 2>&1 || { grep -E -A20 'FAILED|error' "$log" | head -60; exit 1; }

export SKIP=reserved # of faults: words in hex
status=0
ctest --test-dir "$build" -R "$tests" -E yosys -j "$(nproc)" --output-on-failure --output-junit junit.xml >"$build/ctest.log" 2>&1 || status=$?
scripts/test-summary.sh "$build/ctest.log" "$status" || status=1
if [ "$depth" = rtl ]; then
  scripts/lockstep-kernels.sh "$build/heddle" fpga || status=1
  "$build/bin/expect_fail" fpga | grep -v '^ok' || status=1
  "$build/heddle" fuzz --programs 60 --seed 31 --config fpga --jobs "$(nproc)" || status=1
  "$build/heddle" fuzz --programs 20 --seed 32 --config fpga --dep scoreboard --jobs "$(nproc)" || status=1
fi
exit "$status"
