#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_silicon.sh VENDORS HOST BOARD...
# What a real GPU returned, by an OpenCL host: the kernels of tests/silicon/kernels from their OpenCL C, through each
# clang that is installed. A BOARD has all units.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) host=$2
export OCL_ICD_VENDORS=$1
shift 2
kernels=$here/../../../silicon/kernels
source "$here/../../../lib.sh"
export XDG_CACHE_HOME=$dir/cache
python3 -m zipfile -e "$kernels/data.zip" "$dir/data"

clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for board in "$@"; do
    export HEDDLE_BOARD=$board
    expect 0 "8 equal" bash -c '"$@" >"$0" && echo "$(grep -c equal "$0") equal"' "$dir/lines" "$host" "$kernels" "$dir/data"
  done
done
expect 0 "" test "$clangs" -gt 0

# One bit that silicon did not return is seen.
export HEDDLE_BOARD=model
printf '\x01' | dd of="$dir/data/histogram.1.gold.bin" bs=1 seek=255 conv=notrunc status=none
expect 1 "histogram.1.gold.bin: 256 bytes differ" "$host" "$kernels" "$dir/data"
