#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_bench_compiler.sh HEDDLE KERNEL_DIR
# heddle bench compiler: no kernel spills, every kernel is timed, registers are within 1.3 times those of ptxas on the
# median. How long a kernel takes is for the reader: a loaded machine would fail any limit now and then. What kernels
# execute is there for each form, as `heddle kernels` counts it, the same each time, and compared with a file of before.
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

fail() {
  echo "error: $*"
  exit 1
}
rows=$(sed -n '/^executed$/,$p' "$dir/out" | grep -c ' warp instructions$')
want=$(ls "$kernels"/*.ptx "$kernels"/O0/*.ptx | wc -l)
[ "$rows" = "$want" ] || fail "$rows rows of what kernels execute for $want PTX files"

"$heddle" bench compiler --runs 1 --against "$dir/json" >"$dir/same" || fail "--against: exit status $?"
grep -q "^warp instructions of before: median 1.000, best 1.000, worst 1.000 of $want\$" "$dir/same" ||
  { tail -3 "$dir/same"; fail "two runs of one build differ"; }
"$heddle" bench compiler --runs 1 --without fold --against "$dir/json" >"$dir/without" ||
  fail "--without: exit status $?"
grep -Eq '^warp instructions of before: median .* worst 1\.[1-9][0-9]* of '"$want"'$' "$dir/without" ||
  { tail -3 "$dir/without"; fail "without folding no kernel executes a tenth more"; }
counted=$("$heddle" kernels sgemm --form ptx --on model --launches 1 --target rtl |
  awk '$1 == "sgemm.ptx" { print $4 }')
grep -Eq "^sgemm +$counted warp instructions" "$dir/same" || fail "'heddle kernels' counts $counted in sgemm"
echo '{}' >"$dir/empty"
"$heddle" bench compiler --runs 1 --against "$dir/empty" >"$dir/wrong" 2>&1
status=$?
[ $status = 2 ] && grep -q 'no figures' "$dir/wrong" || fail "a file without figures: exit status $status"
