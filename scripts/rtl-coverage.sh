#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Line coverage of rtl/ by kernels, random programs and traps in lockstep. usage: rtl-coverage.sh HEDDLE KERNEL_DIR CLI_TEST
# Prints "coverage: N of M lines of rtl/ reached (P %)" and the files that are reached least.
set -euo pipefail
heddle=$1 kernels=$2 cli=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export HEDDLE_COVERAGE

HEDDLE_COVERAGE=$dir/kernels
"$heddle" kernels --form asm --dir "$kernels" --on lockstep --config fpga_cover --scale 0 --launches 2 >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
HEDDLE_COVERAGE=$dir/control
"$heddle" fuzz --programs 12 --seed 31 --config fpga_cover >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
HEDDLE_COVERAGE=$dir/scoreboard
"$heddle" fuzz --programs 6 --seed 32 --config fpga_cover --dep scoreboard --hold >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
policies=$(scripts/policies.sh | sed 1d)
for sched in $policies; do
  HEDDLE_COVERAGE=$dir/$sched
  "$heddle" fuzz --programs 3 --seed 33 --config fpga_cover --sched $sched >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
done
HEDDLE_COVERAGE=$dir/traps
"$cli" "$heddle" "$kernels" "--on lockstep --config fpga_cover" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }

verilator_coverage --write-info "$dir/info" $(printf "$dir/%s.* " kernels control scoreboard $policies traps) >/dev/null
awk -F'[:,]' -v least=12 '
  /^SF:/ { file = $2; sub(/^.*rtl\//, "rtl/", file) }
  /^DA:/ && file ~ /^rtl\// { key = file ":" $2; all[key] = file; if ($3 > 0) hit[key] = 1 }
  END {
    for (k in all) { n[all[k]]++; total++; if (k in hit) { h[all[k]]++; reached++ } }
    for (f in n) printf "%6.1f %% of %4d lines  %s\n", 100 * h[f] / n[f], n[f], f | "sort -n | head -" least
    close("sort -n | head -" least)
    printf "coverage: %d of %d lines of rtl/ reached (%.1f %%)\n", reached, total, 100 * reached / total
    exit !(total > 1000 && reached > 0)
  }' "$dir/info"
