#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_ptx_list.sh HEDDLE KERNEL_DIR
# What `heddle ptx --list` prints: every instruction of the kernels is in it, and the JSON has the same names.
set -uo pipefail
heddle=$(realpath "$1") kernels=$2
source "$(dirname "$0")/../lib.sh"

"$heddle" ptx --list >"$dir/list" || exit
grep -v '^[#%]' "$dir/list" | cut -d' ' -f1 | sort -u >"$dir/names"
holds "only $(wc -l <"$dir/names") instructions" test "$(wc -l <"$dir/names")" -gt 100
holds "special register %tid.x" grep -qx '%tid.x' <(tr ' ' '\n' <"$dir/list")
for used in $(sed -nE 's/^\t(@!?%p[0-9]+ )?([a-z0-9]+)[. ;].*;.*/\2/p' "$kernels"/*.ptx | sort -u); do
  holds "$used is compiled and not in the list" grep -qx "$used" "$dir/names"
done

expect 0 "" "$heddle" ptx --list --json "$dir/list.json"
while read -r name; do
  holds "$name is not in the JSON" grep -q "\"name\": \"$name\"" "$dir/list.json"
done <"$dir/names"
expect 2 "" "$heddle" ptx --list something.ptx
