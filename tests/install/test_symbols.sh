#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_symbols.sh BUILD
# The libraries show names that begin with heddle_, and nothing else, neither shared nor as archives;
# what headers declare, and nothing else; no code for the machine that they were built on.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*"
  exit 1
}

for name in heddle heddle-sim; do
  nm -D --defined-only "$build/sdk/lib$name.so" | awk '{ print $NF }' | sort >"$work/$name.shared"
  nm -g --defined-only "$build/sdk/lib$name.a" | awk 'NF == 3 { print $NF }' | sort >"$work/$name.static"
  cmp "$work/$name.shared" "$work/$name.static" || fail "lib$name: shared and static differ"
  other=$(grep -v '^heddle_' "$work/$name.shared" || true)
  [ -z "$other" ] || fail "lib$name shows $other"
  [ "$(wc -l <"$work/$name.shared")" -ge 50 ] || fail "lib$name shows hardly anything"
  readelf -d "$build/sdk/lib$name.so" | grep -q "SONAME.*lib$name\.so\.0\]" || fail "lib$name has no version"
done
common=$(comm -12 "$work/heddle.shared" "$work/heddle-sim.shared")
[ -z "$common" ] || fail "in both: $common"
# libheddle simulates nothing and needs nobody who does.
! readelf -d "$build/sdk/libheddle.so" | grep -E 'NEEDED.*(jansson|heddle-sim|stdc|dl\.)' || fail "what libheddle needs"
! grep -E '^heddle_(model|sim|session|checker|dut_open)' "$work/heddle.shared" || fail "libheddle simulates"

# C is compiled for every x86-64; the model's row operations choose when they run (cmodel/sem).
! grep -q -- '-march=native' "$build/compile_commands.json" || fail "-march=native"
if [ "$(uname -m)" = x86_64 ]; then
  objdump -d "$build/sdk/libheddle.a" >"$work/code"
  ! grep -m1 -E '%[yz]mm' "$work/code" || fail "libheddle has vectors that not every x86-64 has"
fi
