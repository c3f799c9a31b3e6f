#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# heddle lint, cases and ops on small folders: what passes, what fails and how it is told. usage: test_suites.sh HEDDLE KERNEL_DIR
set -uo pipefail
heddle=$1 kernels=$2
source "$(dirname "$0")/../lib.sh"
# The last line of stdout.
closing() { "$@" 2>/dev/null | tail -1; }
# little-endian words
words() { for w in "$@"; do printf "\\x$(printf %02x $((w & 255)))\\x$(printf %02x $((w >> 8 & 255)))\\x$(printf %02x $((w >> 16 & 255)))\\x$(printf %02x $((w >> 24 & 255)))"; done; }

for c in lint cases ops; do
  expect 0 "example:" "$heddle" "$c" --help
  expect 0 "usage: heddle $c" "$heddle" "$c" --help
done

# ---- lint
for k in "$kernels"/*.s; do
  "$heddle" as "$k" -o "$dir/k.elf"
  expect 0 "proven, 0 findings" "$heddle" lint "$dir/k.elf"
done
expect 2 "one file" "$heddle" lint
expect 2 "cannot open the file" "$heddle" lint "$dir/none.elf"
expect 5 "not built" "$heddle" lint "$dir/k.elf" --config nonesuch
expect 0 "proven" "$heddle" lint "$dir/k.elf" --config fpga
printf '%s\n' '.pack off' '.kernel k' '.stalls 5 6 8 7 6 12' '[B------:R-:W1:-:S03] LDS R4, [R0] ;' '[B-----5:R-:W-:-:S04] FADD R5, R4, R4 ;' \
  '[B------:R-:W-:-:S01] FADD R6, R5, R5 ;' 'EXIT ;' '.end' >"$dir/bad.s"
"$heddle" as "$dir/bad.s" -o "$dir/bad.elf" 2>/dev/null
expect 1 "bad.elf: k: 0x0010: FADD R5, R4, R4: R4 is read before 0x0000 'LDS R4, [R0]' has written it: wait on SB1" "$heddle" lint "$dir/bad.elf"
expect 1 "R5 is read before 0x0010 'FADD R5, R4, R4' has written it: stall 4 more at 0x0010 (S04 now)" "$heddle" lint "$dir/bad.elf"
expect 1 "3 findings" "$heddle" lint "$dir/bad.elf" --json "$dir/lint.json"
expect 0 '"place": "R5"' cat "$dir/lint.json"
printf '%s\n' '.kernel k' '.stalls 5 6 8 7 6 12' '[B------:R-:W-:-:S08] MOV R4, R5 ;' 'MOV R6, R4 ;' 'EXIT ;' '.end' >"$dir/slow.s"
"$heddle" as "$dir/slow.s" -o "$dir/slow.elf"
expect 0 "a cycle of S08 is spare: no result takes that long" "$heddle" lint "$dir/slow.elf" --spare

# ---- ops: forms in assembly, since what is tested here is what becomes of them
ops=$dir/ops
mkdir "$ops"
form() { # NAME INSTRUCTION
  printf '%s\n' '.pack off' '.kernel k' '.param u64 a' '.param u64 b' '.param u64 c' '.param u64 d' 'S2R R0, SR_CTAID.X ;' 'S2R R1, SR_TID.X ;' \
    'IMAD R0, R0, c[0x0][0x0], R1 ;' 'MOV R2, c[0x0][a] ;' 'MOV R3, c[0x0][a+4] ;' 'IMAD.WIDE R2, R0, 0x4, R2 ;' 'LDG.E R4, [R2] ;' \
    'MOV R6, c[0x0][d] ;' 'MOV R7, c[0x0][d+4] ;' 'IMAD.WIDE R6, R0, 0x4, R6 ;' "$2" 'STG.E [R6], R4 ;' 'EXIT ;' '.end' >"$ops/$1.s"
}
statement=""
json() { # forms: NAME:TYPE ...; $statement is the PTX of all
  local list="" f
  for f in "$@"; do list="$list${list:+, }{\"op\": \"${f%:*}\", \"ptx\": \"$statement\", \"a\": \"${f#*:}\", \"b\": null, \"c\": null, \"d\": \"${f#*:}\", \"approx\": false}"; done
  echo "{\"count\": 3, \"ops\": [$list]}" >"$ops/ops.json"
}
words 5 6 0xfffffff7 >"$ops/i32.0.bin"
form inc 'IADD3 R4, R4, 0x1, RZ ;'
words 6 7 0xfffffff8 >"$ops/inc.gold.bin"
form dec 'IADD3 R4, R4, -0x1, RZ ;'
words 4 9 8 >"$ops/dec.gold.bin"
form same 'NOP ;'
form trap 'LDS R4, [R4] ;'
words 0 0 0 >"$ops/trap.gold.bin"
form skip '@PT EXIT ;'
words 0 0 0 >"$ops/skip.gold.bin"
json inc:s32
expect 0 "1 passed, 0 failed" "$heddle" ops "$ops" --on model
# The same in the folder's archive; a loose file goes first.
archive=$(dirname "$0")/../../scripts/data_archive.py
cp -r "$ops" "$dir/packed"
"$archive" pack "$dir/packed" '*.bin' >/dev/null
expect 0 "" test ! -e "$dir/packed/inc.gold.bin"
expect 0 "1 passed, 0 failed" "$heddle" ops "$dir/packed" --on model
cp "$ops/dec.gold.bin" "$dir/packed/inc.gold.bin"
expect 1 "inc: element 0: got 0x00000006 (6), want 0x00000004 (4)" "$heddle" ops "$dir/packed" --on model
rm "$dir/packed/inc.gold.bin"
LC_ALL=C sed -i 's/inc[.]gold[.]bin\x06/inc.gold.bin\x16/' "$dir/packed/data.zip"
expect 1 "data.zip is damaged" "$heddle" ops "$dir/packed" --on model
# A form without a file is made of its PTX.
words 7 8 0xfffffff9 >"$ops/made.gold.bin"
statement='add.s32 d,a,2;' json made:s32
expect 0 "1 passed, 0 failed" "$heddle" ops "$ops" --on model
statement='add.s32 d,a,1;' json made:s32
expect 1 "made: element 0: got 0x00000006 (6), want 0x00000007 (7)" "$heddle" ops "$ops" --on model
statement='add.s32 d,e,1;' json made:s32
expect 1 "made: made:10:11: 'e' is not declared" "$heddle" ops "$ops" --on model
json inc:s32 dec:s32 same:u32 trap:b32 skip:u32 absent:u32 odd:f33
words 0 0 0 >"$ops/absent.gold.bin"
for jobs in 1 3; do
  expect 1 "dec: element 1: got 0x00000005 (5), want 0x00000009 (9); a = 0x00000006 (6) (2 of 3 elements differ)" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 1 "same: golden file: same.gold.bin: No such file" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 1 "trap: trap misaligned at pc 0x00a0 (LDS R4, [R4])" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 1 "skip: element 0: got 0xa5a5a5a5" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 1 "absent.s" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 1 "type 'f33' is not supported" "$heddle" ops "$ops" --on model --jobs $jobs
  expect 0 "" test "$(closing "$heddle" ops "$ops" --on model --jobs $jobs)" = "1 passed, 6 failed"
done
expect 0 "1 passed, 0 failed" "$heddle" ops "$ops" --on model --only inc --json "$dir/ops.json" --junit "$dir/ops.xml"
expect 0 '"passed": 1' cat "$dir/ops.json"
expect 0 'failures="0"' cat "$dir/ops.xml"
expect 1 "repeat: $heddle ops $ops --only dec --on model" "$heddle" ops "$ops" --on model --only dec --json "$dir/ops.json"
expect 0 '"why": "element 1: got' cat "$dir/ops.json"
expect 2 "no forms" "$heddle" ops "$ops" --on model --only nonesuch
expect 2 "go with --only" "$heddle" ops "$ops" --on model --trace "$dir/t"
expect 2 "expected a list \"ops\"" sh -c "echo '{\"count\": 3}' > '$dir/ops.json'; '$heddle' ops '$dir' --on model"
json
expect 2 "no forms" "$heddle" ops "$ops" --on model
expect 2 "one folder" "$heddle" ops
expect 2 "ops.json" "$heddle" ops "$dir/none"

# ---- cases
cases=$dir/cases
mkdir "$cases"
cp "$kernels/vecadd.s" "$cases"
words 0x3f800000 0x40000000 >"$cases/a.bin"
words 0x40400000 0x40800000 >"$cases/b.bin"
words 0 0 >"$cases/c.bin"
words 0x40800000 0x40c00000 >"$cases/c.gold.bin"
words 0x40800000 0x40c00001 >"$cases/wrong.gold.bin"
one() { # NAME GOLDEN-MEMBER SCALAR
  echo "{\"name\": \"$1\", \"ptx\": \"vecadd.s\", \"kernel\": \"vecadd\", \"grid\": [1, 1, 1], \"block\": [32, 1, 1], \"compare\": \"exact\", \"args\": [" \
    '{"buffer": "a.bin", "type": "float32", "count": 2, "kind": "in"}, {"buffer": "b.bin", "type": "float32", "count": 2, "kind": "in"},' \
    "{\"buffer\": \"c.bin\", \"type\": \"float32\", \"count\": 2, \"kind\": \"out\"$2}, {\"scalar\": \"int32\", \"bits\": \"$3\"}]}"
}
list() { printf '{"cases": [%s]}' "$1" >"$cases/cases.json"; }
good=$(one good ', "golden": "c.gold.bin"' 0x2)
list "$good"
expect 0 "1 passed, 0 failed" "$heddle" cases "$cases" --on model
cp -r "$cases" "$dir/packed-cases"
"$archive" pack "$dir/packed-cases" '*.bin' >/dev/null
expect 0 "1 passed, 0 failed" "$heddle" cases "$dir/packed-cases" --on model
list "$good, $(one wrong ', "golden": "wrong.gold.bin"' 0x2), $(one less ', "golden": "c.gold.bin"' 0x1), $(one more ', "golden": "c.gold.bin"' 0x3)"
expect 1 "wrong: argument 2 (wrong.gold.bin), element 1: got 0x40c00000 (6), want 0x40c00001" "$heddle" cases "$cases" --on model
expect 1 "argument 0 there = 0x40000000 (2), argument 1 there = 0x40800000 (4), argument 2 there = 0x00000000 (0), argument 3 = 0x00000002 (2)" "$heddle" cases "$cases" --on model
expect 1 "more: trap out_of_range" "$heddle" cases "$cases" --on model --jobs 2
expect 0 "" test "$(closing "$heddle" cases "$cases" --on model)" = "1 passed, 3 failed"
list "$(one bare '' 0x2), $(one gone ', "golden": "none.bin"' 0x2), {\"name\": \"empty\"}, 7"
expect 1 "bare: buffer that is written has no golden file" "$heddle" cases "$cases" --on model
expect 1 "gone: golden file: none.bin: No such file" "$heddle" cases "$cases" --on model
expect 1 "0 passed, 4 failed" "$heddle" cases "$cases" --on model
list ""
expect 2 "no cases" "$heddle" cases "$cases" --on model
echo '{' >"$cases/cases.json"
expect 2 "cases.json:" "$heddle" cases "$cases" --on model
