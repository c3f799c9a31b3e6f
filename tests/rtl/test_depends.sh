#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# When a file of the planted text changes, the benches are made anew for which it was read, and no others.
# usage: test_depends.sh BUILD     example: tests/rtl/test_depends.sh build
set -euo pipefail
[ $# = 1 ] || { sed -n '4p' "$0" >&2; exit 2; }
cd "$1"
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# While Ninja has to ask whether CMake must run first, it says nothing else.
sed '/^build build\.ninja/,/^$/d' build.ninja >"$dir/build.ninja"
verilated() { ninja -n -f "$dir/build.ninja" rtl_lib_stream rtl_atom_add_mid rtl_divergence_mid | sed -n 's/.*Verilating //p' | sort; }

# expect FILE [BENCH...]: with FILE newer than it is, these beside what would be in any case.
expect() {
  local file=$1
  shift
  touch -r "$file" "$dir/time"
  verilated >"$dir/before"
  touch "$file"
  verilated >"$dir/after"
  touch -r "$dir/time" "$file"
  [ "$(comm -13 "$dir/before" "$dir/after" | paste -sd ' ')" = "$*" ] && return
  echo "FAILED  $file: expected '$*'"
  comm -13 "$dir/before" "$dir/after"
  failed=1
}
expect faults/rtl/memory/atom_add.sv rtl_atom_add_mid
expect faults/rtl/issue/divergence_row.sv rtl_divergence_mid
expect faults/rtl/kind_pkg.sv rtl_atom_add_mid rtl_divergence_mid
expect faults/rtl/mmu/mmu.sv
exit $failed
