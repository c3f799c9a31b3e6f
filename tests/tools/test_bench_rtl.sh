#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_bench_rtl.sh HEDDLE CONFIG
# heddle bench rtl of the test variant: figures that fit together; a build against itself runs the same program.
set -uo pipefail
heddle=$1 config=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
  echo "error: $1"
  cat "$dir"/*
  exit 1
}
bench() { "$heddle" bench rtl --config "$config" --variant test --kernel reduce --scale 0 --runs 1 "$@"; }

bench --json "$dir/one" >"$dir/out" 2>&1 || fail "bench rtl"
bench --against "$(dirname "$heddle")" --json "$dir/two" >"$dir/out" 2>&1 || fail "a build against itself"
bench --against "$dir/nowhere" >"$dir/out" 2>&1 && fail "a build that is not there"
grep -q "no heddle to run" "$dir/out" || fail "no word about the build that is not there"

python3 - "$dir/one" "$dir/two" <<'END' || fail "figures"
import json, sys
one, two = (json.load(open(name)) for name in sys.argv[1:])
lanes = one["lane_results"]
assert one["warp_instructions"] * 16 < lanes <= one["warp_instructions"] * 32, "lanes of a warp instruction"
rate = one["lockstep_cycles_per_second"]
assert abs(one["lane_results_per_second"] / (lanes / one["cycles"] * rate) - 1) < 1e-6, "lane results a second"
assert 0.5 < one["ratio"] < 3, "cost of lockstep"
assert 0.3 < one["beside_ratio"] < 3 and one["beside_cycles_per_second"] > 0, "judged by a second thread"
assert two["this"]["cycles"] == two["other"]["cycles"], "the same build"
assert 0.2 < two["plain_gain"] < 5 and 0.2 < two["lockstep_gain"] < 5, "the same build"
END
