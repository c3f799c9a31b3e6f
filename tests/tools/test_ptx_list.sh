#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_ptx_list.sh HEDDLE
# What `heddle ptx --list` prints: every instruction of the kernels is in it, and the JSON has the same names.
set -uo pipefail
heddle=$(realpath "$1") kernels=$(cd "$(dirname "$0")/../../firmware/kernels" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

"$heddle" ptx --list >"$dir/list" || exit 1
grep -v '^[#%]' "$dir/list" | cut -d' ' -f1 | sort -u >"$dir/names"
[ "$(wc -l <"$dir/names")" -gt 100 ] || { echo "only $(wc -l <"$dir/names") instructions"; status=1; }
grep -qx '%tid.x' <(tr ' ' '\n' <"$dir/list") || { echo "no special register %tid.x"; status=1; }
for used in $(sed -nE 's/^\t(@!?%p[0-9]+ )?([a-z0-9]+)[. ;].*;.*/\2/p' "$kernels"/*.ptx | sort -u); do
  grep -qx "$used" "$dir/names" || { echo "$used is compiled and not in the list"; status=1; }
done

"$heddle" ptx --list --json "$dir/list.json" || status=1
while read -r name; do
  grep -q "\"name\": \"$name\"" "$dir/list.json" || { echo "$name is not in the JSON"; status=1; }
done <"$dir/names"
"$heddle" ptx --list something.ptx 2>/dev/null && { echo "--list takes a file"; status=1; }
exit $status
