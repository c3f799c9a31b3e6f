#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_bench_compiler.sh HEDDLE KERNEL_DIR
# heddle bench compiler: no kernel spills, every kernel is timed, registers are within 1.3 times those of ptxas on the
# median. How long a kernel takes is for the reader: a loaded machine would fail any limit now and then.
set -uo pipefail
heddle=$1 kernels=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$heddle" bench compiler --runs 3 --json "$dir/json" >"$dir/out" || { cat "$dir/out"; exit 1; }
"$heddle" bench compiler --runs 3 "$kernels"/O0/*.ptx >"$dir/O0" || { cat "$dir/O0"; exit 1; }

# "26 kernels, 0 with spills, the slowest 4.10 ms"
cat "$dir/out" "$dir/O0" | awk -v own="$(cat "$kernels"/*.ptx | grep -c '\.entry')" \
  -v plain="$(cat "$kernels"/O0/*.ptx | grep -c '\.entry')" '
  / with spills, / { n[++tables] = $1; if ($3 != 0) bad = $3 " kernels spill"
    if (!($(NF - 1) + 0 > 0)) bad = "no time is given" }
  /^registers beside ptxas/ { ratio = $6 }
  END {
    if (tables != 3 || n[1] != 8 || n[2] != own || n[3] != plain) bad = "not every kernel is in the tables: " n[1] " " n[2] " " n[3]
    if (!(ratio > 0 && ratio <= 1.3)) bad = "the median ratio of registers is " ratio
    if (bad) print "error: " bad
    exit bad != ""
  }' || { cat "$dir/out" "$dir/O0"; exit 1; }
