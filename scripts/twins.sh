#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Thousands of random programs as PTX and as C (tests/twin): both must compute the same, at -O0 and -O2. Failing ones, made small, are left in
# BUILD/twins; the table of what was generated beside them. With --opencl N also N programs of OpenCL C through clang.
# usage: scripts/twins.sh [--programs N] [--seed S] [--jobs J] [--opencl N] [--build DIR] [OPTION OF twins ...]
# example: scripts/twins.sh --programs 10000 --seed 7
set -euo pipefail
cd "$(dirname "$0")/.."
programs=10000 seed=$(date +%s) jobs=$(nproc) opencl=0 build=build rest=()
while [ $# -gt 0 ]; do
  case $1 in
    --programs) programs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --opencl) opencl=$2; shift 2 ;;
    --build) build=$2; shift 2 ;;
    -h | --help) sed -n '3,6p' "$0"; exit 0 ;;
    *) rest+=("$1"); shift ;;
  esac
done
[ -d "$build" ] || { echo "twins.sh: there is no folder $build; run ./demo.sh first, or cmake -B $build" >&2; exit 5; }
targets=(twins)
[ "$opencl" = 0 ] || targets+=(twins_cl)
cmake --build "$build" --target "${targets[@]}" -j "$jobs" >"$build/twins.log" 2>&1 || { tail -30 "$build/twins.log" >&2; exit 2; }
mkdir -p "$build/twins"
status=0
"$build/bin/twins" --programs "$programs" --seed "$seed" --jobs "$jobs" --keep "$build/twins" --table "$build/twins/table.txt" "${rest[@]}" || status=$?
[ "$opencl" = 0 ] || "$build/bin/twins_cl" --programs "$opencl" --seed "$seed" --jobs "$jobs" || status=$?
exit "$status"
