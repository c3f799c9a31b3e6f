#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Launches in an address space, from the command line: results as without, whatever the seed; what traps; what is
# refused. usage: test_pages.sh HEDDLE KERNEL_DIR CONFIG     CONFIG has an MMU
set -uo pipefail
heddle=$1 kernels=$2
source "$(dirname "$0")/../lib.sh"

# two arrays of 5,000 numbers, which no page ends with
python3 -c 'import struct, sys
for name, k in (("a", 3), ("b", 7)): open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack("<5000f", *(i * k % 101 for i in range(5000))))' "$dir"
"$heddle" as "$kernels/vecadd.s" -o "$dir/v.elf"
run=("$heddle" run "$dir/v.elf" --grid 40 --block 128 --arg "in:$dir/a" --arg "in:$dir/b" --on model)
expect 0 "ok: " "${run[@]}" --arg "out:20000:$dir/want" --arg u32:5000
# of an even seed about half of the pages come when they are waited for
for pages in --pages --pages=2 --pages=4 --pages=6 --pages=65534 --pages=65535; do
  expect 0 "ok: " "${run[@]}" --arg "out:20000:$dir/got" --arg u32:5000 $pages
  expect 0 "" cmp "$dir/want" "$dir/got"
done
expect 0 "--dep control --pages=1 --seed 1" "${run[@]}" --arg "out:20000:$dir/got" --arg u32:5000 --pages
# buffers that lie high, so that code and constants lie low; three launches with one set of tables
expect 0 "ok: " "${run[@]}" --arg "out:20000:$dir/got" --arg u32:5000 --pages=9 --base 0x9000000000 --launches 3
expect 0 "" cmp "$dir/want" "$dir/got"

# beyond a buffer's last page, into a buffer for reading, at a null pointer
expect 3 "trap page_fault" "${run[@]}" --arg out:4:- --arg u32:5000 --pages
expect 3 "trap write_protected" "${run[@]}" --arg "in:$dir/b" --arg u32:5000 --pages
expect 0 "" "${run[@]}" --arg u64:0 --arg u32:5000 --pages --expect-trap page_fault
expect 0 "" "${run[@]}" --arg u64:0 --arg u32:5000 --pages=2 --expect-trap page_fault

# the report has the access's address, not its line's; of the RTL alone, whose registers have the line, it says so
cat >"$dir/wild.s" <<'S'
.kernel wild
.param u64 out
        S2R R4, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        STG.E [R2+0x200014], R4 ;
        EXIT ;
.end
S
wild=("$heddle" run "$dir/wild.s" --grid 1 --block 1 --arg "out:64:$dir/got" --pages)
expect 3 "address 0x300014" "${wild[@]}" --on model
expect 3 "2097112 bytes beyond its end" "${wild[@]}" --on model
expect 3 '"address": "0x300014"' "${wild[@]}" --on model --json -
expect 3 "address 0x300014" "${wild[@]}" --config "$3"
expect 3 "in the line of 128 bytes at 0x300000" "${wild[@]}" --config "$3" --on rtl
expect 3 '"within": 128' "${wild[@]}" --config "$3" --on rtl --json -

expect 2 "--pages=0: expected a number from 1 to 65535" "${run[@]}" --arg out:4:- --arg u32:1 --pages=0
expect 2 "--pages: with --on model, rtl or lockstep" "${run[@]}" --arg out:4:- --arg u32:1 --pages --on systemc
expect 2 "--pages: without --sanitize" "${run[@]}" --arg out:4:- --arg u32:1 --pages --sanitize all
expect 2 "--pages: without --trace" "${run[@]}" --arg out:4:- --arg u32:1 --pages --trace "$dir/t"
expect 2 "--pages: of run, kernels, cases, ops, fuzz and litmus alone" "$heddle" debug "$dir/v.elf" --grid 1 --block 32 --on model --pages
# random programs; those that are meant to meet regions or errors of memory keep physical addresses
expect 0 "" "$heddle" fuzz --programs 20 --seed 5 --on model --pages=3
expect 0 "" "$heddle" fuzz --programs 20 --seed 5 --on model --pages=4
