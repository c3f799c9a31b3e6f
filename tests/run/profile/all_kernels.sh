#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: all_kernels.sh HEDDLE CONFIG [KERNEL ...]
# Every kernel that the machine can run, compiled and in assembly, with --profile-out: the sums are asserted by the program,
# and made again here from what it wrote.
set -euo pipefail
heddle=$1 config=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$heddle" kernels "$@" --on rtl --config "$config" --scale 0 --launches 1 --profile-out "$dir" --profile-window 500:500 |
  tail -4
profiles=("$dir"/*/)
for p in "${profiles[@]}"; do python3 -B "$here/check.py" "${p%/}" >"$dir/said" || { cat "$dir/said"; exit 1; }; done
echo "${#profiles[@]} profiles, each adds up to the counters"
[ ${#profiles[@]} -ge 5 ]
