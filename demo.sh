#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every kernel in lockstep, RTL against the model, on two machines of 4 lanes and one of 32; with --all also with two and four
# partitions of 16: two memory seeds, three launches a reset with changed data at the same addresses. A line a kernel, then totals;
# the last line says what was compared.
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
{ cmake --preset release && cmake --build build -j "$(nproc)" --target heddle software "${devices[@]/#/device_}"; } 2>&1 |
  scripts/progress.sh building build/demo.log "${devices[@]/%/=300}" ||
  { grep -E -A20 '^FAILED|error: |Error ' build/demo.log | head -60; exit 1; }
stage 3 "kernels in lockstep: ${configs[*]}"
exec scripts/lockstep-kernels.sh --seeds 2 build/heddle "${configs[@]}"
