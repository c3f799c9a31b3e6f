#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sums of scripts/what-runs.sh are those that the ISA file's own report gives, and what it cannot read it refuses.
# usage: test_what_runs.sh HEDDLE
set -uo pipefail
[ $# = 1 ] || { echo "usage: test_what_runs.sh HEDDLE" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
source "$root/tests/lib.sh"
same() { holds "$1: the table says '$2', the report '$3'" test "$2" = "$3"; }

tables=$("$root/scripts/what-runs.sh" "$1") || exit
# A count that is the model's is given as "all".
read -r instructions rtl known encodings < <(sed -n 's/^| all |//p' <<<"$tables" | awk -F'[| of]+' '{ print $2, $4, $5, $6 }')
# "instructions 141, of which 99 are not in the RTL yet", likewise encodings
read -r all lacking < <("$1" isa report "$root/isa/heddle.isa" | sed -n 's/^instructions *\([0-9]*\), of which \([0-9]*\) .*/\1 \2/p')
[ "$rtl" != all ] || rtl=$instructions
same instructions "$instructions $rtl" "$all $((all - lacking))"
for count in $(awk -F'|' '/^\| `sm`/ { print $8 }' <<<"$tables"); do
  same "instructions of a configuration with all pipes" "$count" "$rtl"
done
read -r all lacking < <("$1" isa report "$root/isa/heddle.isa" | sed -n 's/^encodings *\([0-9]*\), of which \([0-9]*\) .*/\1 \2/p')
same encodings "$encodings $known" "$all $((all - lacking))"

# A kernel that does not run is not counted as one that does.
read -r model runs < <(sed -n 's/^| kernels compiled from clang -O2 |//p' <<<"$tables" | awk -F'|' '{ print $1, $2 }')
same kernels "$model $runs" "$(grep -c ' ptx: ' "$root/tests/tools/kernels_rtl.txt") $(grep -c ' ptx: runs' "$root/tests/tools/kernels_rtl.txt")"

# Programs for the RTL have no more kinds of instructions than those for the model.
read -r for_rtl for_model < <(sed -n 's/^| all |//p' <<<"$tables" | awk -F'|' '{ print $5, $6 }')
holds "compiled: $for_rtl, $for_model" test $((0 < for_rtl && for_rtl <= for_model && for_model <= instructions)) = 1

# A tree whose folders are links is counted like one whose folders are not.
for f in "$root"/*; do [[ $f == */build* ]] || ln -s "$f" "$dir/"; done
holds "the same tables by way of links" test "$("$dir/scripts/what-runs.sh" "$1")" = "$tables"
if "$root/scripts/what-runs.sh" /nowhere/heddle >/dev/null 2>&1; then fail "takes any program"; fi
