#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_kernels.sh HEDDLE KERNEL_DIR
# heddle kernels over all forms: what the RTL lacks for each is exactly kernels_rtl.txt (which must be updated when the
# RTL learns something); sizes; wrong results are found; kernels that cannot run are not counted as passed.
set -uo pipefail
heddle=$1 kernels=$2 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
line() { holds "no line '$1' in: $(cat "$dir/out")" grep -qxE -- "$1" "$dir/out"; } # REGEX: a line of the last command

# ---- what the RTL lacks
"$heddle" kernels --list --form all >"$dir/list" || exit
holds "the list of what the RTL lacks" diff -u "$here/kernels_rtl.txt" "$dir/list"
for k in vecadd saxpy reduce sgemm histogram transpose; do
  holds "$k runs on the RTL" grep -qx "$k ptx: runs" "$dir/list"
done

# ---- every OpenCL source has both forms, and is in the table
for f in "$kernels"/*.cl; do
  k=$(basename "$f" .cl)
  for form in ptx O0; do
    holds "$k $form is in the table" grep -q "^$k $form: " "$dir/list"
  done
done

# ---- at scale 1 each kernel is at least 10,000 warp instructions
expect 0 " launches " "$heddle" kernels --form all --on model --scale 1 --launches 1
holds "instructions" awk '/ launches / && $4 < 10000 { print $1 " has only " $4 " warp instructions"; bad = 1 } END { exit bad }' "$dir/out"

# ---- options
expect 2 "expected asm, ptx, O0 or all" "$heddle" kernels --form fast
expect 2 "expected 0 or 1" "$heddle" kernels --level 2
expect 2 "no kernel 'nothing'" "$heddle" kernels nothing
expect 0 "" "$heddle" kernels vecadd --form O0 --level 0 --on model --scale 0
line "vecadd.O0 .* ok"
# a kernel that has no such form: nothing ran
expect 1 "" "$heddle" kernels scan --form asm --on model
line "0 passed, 0 failed"
# a block that finds no room in the machine is neither passed nor failed, and alone nothing ran
expect 0 "" "$heddle" kernels saxpy transpose --form ptx --config tiny --on model --scale 0
line "transpose.ptx    does not fit: a block has 8 warps, tiny has room for 4"
line "1 more do not fit tiny"
line "1 passed, 0 failed"
expect 1 "" "$heddle" kernels transpose --form ptx --config tiny --on model --scale 0
line "0 passed, 0 failed"

# ---- wrong results are found
mkdir "$dir/wrong"
sed 's/add.rn.f32/sub.rn.f32/' "$kernels/vecadd.ptx" >"$dir/wrong/vecadd.ptx"
expect 1 "buffer 2 differs" "$heddle" kernels vecadd --form ptx --dir "$dir/wrong" --on model --scale 0
line "0 passed, 1 failed"
sed 's/mov\.u32 \(.*\), %ctaid\.x/mov.u32 \1, %ctaid.y/' "$kernels/scan.ptx" >"$dir/wrong/scan.ptx"
expect 1 "differs" "$heddle" kernels scan --form ptx --dir "$dir/wrong" --on model --scale 0
# a store to what is only read traps
sed 's/\[vecadd_param_2\]/[vecadd_param_0]/' "$kernels/vecadd.ptx" >"$dir/wrong/vecadd.ptx"
expect 1 "trap" "$heddle" kernels vecadd --form ptx --dir "$dir/wrong" --on model --scale 0
