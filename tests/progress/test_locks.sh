#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each kernel of locks.cu under `its`, compiled with each of LEVELS by clang: it ends, the lock is free
# (word 0), and all 32 lanes have had it (word 1). usage: test_locks.sh HEDDLE OPTIONS-OF-RUN LEVELS [KERNEL]
# KERNEL: one that the machine cannot run
set -uo pipefail
heddle=$1 on=$2 levels=$3 without=${4:-} here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
for level in $levels; do
  "$heddle" cc "$here/locks.cu" -o "$dir/locks.elf" -- "$level" || exit 1
  for kernel in $(sed -n 's/^KERNEL \([a-z]*\)(.*/\1/p' "$here/locks.cu"); do
    [ "$kernel" = "$without" ] && continue
    got=$("$heddle" run "$dir/locks.elf" --kernel "$kernel" --grid 1 --block 32 --arg "out:256:u32:-" $on --div its \
      2>"$dir/said" | head -1 | cut -d' ' -f1,2)
    if [ "$got" = "0 32" ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED: $kernel $level: '$got'"
      head -5 "$dir/said"
    fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -ge 29 ]
