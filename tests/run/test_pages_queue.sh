#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Launches in an address space, one behind the other in the device's queue: results as without, and once translations are
# kept a launch takes at most a fiftieth more cycles than with physical addresses. Memory is calm, so cycles are exact.
# usage: test_pages_queue.sh HEDDLE KERNEL_DIR CONFIG
set -uo pipefail
heddle=$1 kernels=$2 config=$3
source "$(dirname "$0")/../lib.sh"

python3 - "$dir" <<'END'
import struct, sys
for name, k in ("a", 3), ("b", 7):
    with open(f"{sys.argv[1]}/{name}", "wb") as f:
        f.write(struct.pack("<3000f", *(i * k % 101 for i in range(3000))))
END
"$heddle" as "$kernels/vecadd.s" -o "$dir/v.elf"
run=("$heddle" run "$dir/v.elf" --grid 24 --block 128 --arg "in:$dir/a" --arg "in:$dir/b" --on lockstep
  --config "$config" --calm --launches 4)
expect 0 "launches: 4" "${run[@]}" --arg "out:12000:$dir/want" --arg u32:3000
physical=$(sed -n 's/.*cycles of each: //p' "$dir/out")
expect 0 "launches: 4" "${run[@]}" --arg "out:12000:$dir/got" --arg u32:3000 --pages
virtual=$(sed -n 's/.*cycles of each: //p' "$dir/out")
expect 0 "" cmp "$dir/want" "$dir/got"
# of an even seed half of the pages come as the first launch waits for them
expect 0 "launches: 4" "${run[@]}" --arg "out:12000:$dir/got" --arg u32:3000 --pages=2
expect 0 "" cmp "$dir/want" "$dir/got"

echo "cycles of each: $physical; with pages $virtual"
read -r -a p <<<"${physical//,/}"
read -r -a v <<<"${virtual//,/}"
expect 0 "" test "${v[0]}" -gt $((p[0] + p[0] / 50))
for k in 1 2 3; do expect 0 "" test "${v[k]}" -le $((p[k] + p[k] / 50)); done
