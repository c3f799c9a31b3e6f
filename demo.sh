#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels in assembly in lockstep, RTL against the model, on two machines of 4 lanes and one of 32; with --all also on
# machines of two and four partitions: two memory seeds, three launches a reset with changed data at the same addresses. A
# line a kernel, then totals; the last line says what was compared.
set -euo pipefail
cd "$(dirname "$0")"
configs=(tiny fpga wide)
case "$*" in
  "") ;;
  --all) configs+=(duo sm) ;;
  *)
    echo "usage: ./demo.sh [--all]     example: ./demo.sh --all (also the machines of two and four partitions)" >&2
    exit 2
    ;;
esac

# On a terminal a line that moves, in a pipe a line a stage.
stage() { echo "$1 of 3: $2" >&2; }
mkdir -p build
stage 1 "packages"
scripts/setup.sh --simulate
stage 2 "building (log in build/demo.log)"
# A few large devices rather than many small files: each is compiled by more than one process.
export JOBS=2
devices=("${configs[@]/#/verilator_}")
# What a machine takes beside a file of C.
weights=("sm_tiny=300" "sm_tiny_faults=300" "sm_fpga=300" "sm_wide=700")
[ $# = 0 ] || weights+=("sm_duo=700" "sm_sm=2300")
{ cmake --preset release && cmake --build build -j "$(nproc)" --target heddle software "${devices[@]/#/device_}" \
  device_verilator_tiny_faults; } 2>&1 |
  scripts/progress.sh building build/demo.log "${weights[@]}" ||
  { grep -E -A20 '^FAILED|error: |Error ' build/demo.log | head -60; exit 1; }
stage 3 "kernels in lockstep: ${configs[*]}"
scripts/lockstep-kernels.sh --seeds 2 build/heddle "${configs[@]}"
[ ! -t 2 ] || echo "next: a kernel of your own (README.md, Try it); build/heddle --help" >&2
