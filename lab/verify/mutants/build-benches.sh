#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make the module benches of tests/rtl with the mutants that build.sh has placed: judges of what programs leave.
# usage: build-benches.sh [--out DIR] [BENCH ...]     BENCH: a target (rtl_gpu_mid); default all, which takes long
#   example: lab/verify/mutants/build.sh tiny && lab/verify/mutants/build-benches.sh rtl_gpu_mid rtl_memory_mid
# Afterwards, in DIR/benches (DIR: build/mutants): bin/, the programs; tests.json, how tests call them;
# present/BENCH.txt, the numbers of the mutants in each.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
out=$root/build/mutants
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift 2 ;;
    -h | --help) sed -n '3,7s/^# //p' "$0"; exit 0 ;;
    -*) echo "build-benches.sh: no option $1 (see --help)" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ -f "$out/tree/mutants.jsonl" ] || { echo "build-benches.sh: $out/tree is not there; make it: lab/verify/mutants/build.sh" >&2; exit 5; }
copy=$(cd "$out/tree" && pwd) benches=$out/benches

touch "$copy/made"
# Warnings are about the mutants.
cmake -S "$root" -B "$benches" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_FAULT_TEXT="$copy" \
  -DHEDDLE_RTL_TEST_FLAGS="-Wno-fatal" >"$out/benches.log"
if [ $# -eq 0 ]; then
  mapfile -t all < <(ninja -C "$benches" -t targets all | sed -n 's/^bin\/\(rtl_[a-z0-9_]*\): .*/\1/p' | sort -u)
  set -- "${all[@]}"
fi
cmake --build "$benches" -j "${JOBS:-2}" --target "$@" >>"$out/benches.log" 2>&1 ||
  { grep -E -A5 'error:|%Error' "$out/benches.log" | head -40 >&2; echo "build-benches.sh: $out/benches.log" >&2; exit 1; }
ctest --test-dir "$benches" --show-only=json-v1 >"$benches/tests.json"   # names commands of what is built

# What Verilator has kept of each mutant in each bench.
mkdir -p "$benches/present"
for bench; do
  model=$(ninja -C "$benches" -t query "bin/$bench" | grep -m1 -o '[^ ]*/libVtop\.a$')
  "$root/lab/verify/mutants/present.sh" "$benches/$(dirname "$model")" >"$benches/present/$bench.txt"
  echo "$bench: $(wc -l <"$benches/present/$bench.txt") mutants in the bench"
done
