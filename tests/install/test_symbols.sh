#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_symbols.sh BUILD
# The libraries show names that begin with heddle_, and nothing else, neither shared nor as archives;
# what headers declare, and nothing else; no code for the machine that they were built on.
set -uo pipefail
build=$1
source "$(dirname "$0")/../lib.sh"

for name in heddle heddle-sim; do
  nm -D --defined-only "$build/sdk/lib$name.so" | awk '{ print $NF }' | sort >"$dir/$name.shared"
  nm -g --defined-only "$build/sdk/lib$name.a" | awk 'NF == 3 { print $NF }' | sort >"$dir/$name.static"
  holds "lib$name: shared and static differ" cmp "$dir/$name.shared" "$dir/$name.static"
  other=$(grep -v '^heddle_' "$dir/$name.shared" || true)
  holds "lib$name shows $other" test -z "$other"
  holds "lib$name shows hardly anything" test "$(wc -l <"$dir/$name.shared")" -ge 50
done
common=$(comm -12 "$dir/heddle.shared" "$dir/heddle-sim.shared")
holds "in both: $common" test -z "$common"
# libheddle simulates nothing and needs nobody who does.
expect 0 "NEEDED" readelf -d "$build/sdk/libheddle.so"
expect 1 "" grep -E 'NEEDED.*(jansson|heddle-sim|stdc|dl\.)' <(readelf -d "$build/sdk/libheddle.so")
expect 1 "" grep -E '^heddle_(model|sim|session|checker|dut_open)' "$dir/heddle.shared"

# C is compiled for every x86-64; the model's row operations choose when they run (cmodel/sem).
expect 1 "" grep -q -- '-march=native' "$build/compile_commands.json"
if [ "$(uname -m)" = x86_64 ]; then
  objdump -d "$build/sdk/libheddle.a" >"$dir/code"
  expect 1 "" grep -m1 -E '%[yz]mm' "$dir/code" # vectors that not every x86-64 has
fi
