#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line that scripts depend on: exit statuses, messages, files. usage: test_cli.sh HEDDLE KERNEL_DIR [WHERE ...]
set -uo pipefail
heddle=$1 kernels=$2
shift 2
where=("$@")
[ ${#where[@]} -gt 0 ] || where=("--on model")
source "$(dirname "$0")/../lib.sh"
# Words of 128 bits alone: PCs are named.
source_text() { printf '%s\n' '.pack off' "$@" >"$dir/k.s"; "$heddle" as "$dir/k.s" -o "$dir/k.elf"; }

# commands, help
expect 2 "usage" "$heddle"
expect 2 "there is no command" "$heddle" frobnicate
for c in as dis cc run kernels fuzz isa configs; do
  expect 0 "example:" "$heddle" "$c" --help
  expect 0 "usage: heddle $c" "$heddle" "$c" --help
done
expect 0 "wide" "$heddle" configs
for c in "kernels vecadd --on rtl" "fuzz --programs 2"; do
  expect 5 "verilator_sm is not built: there is no $dir/verilator_sm.so; one of ours" \
    env HEDDLE_DEVICES="$dir" "$heddle" $c --config sm
done

# instruction set descriptions
isa=$kernels/../isa
expect 0 "" "$heddle" isa lint "$isa/heddle.isa"
expect 0 "not in the RTL yet" "$heddle" isa report "$isa/heddle.isa" --json "$dir/isa.json"
expect 0 '"version": 2' cat "$dir/isa.json"
expect 0 "192 registers and 0 uniform registers lost" "$heddle" isa report "$isa/variants/r62.isa"
expect 0 "" "$heddle" isa doc "$isa/heddle.isa" -o "$dir/isa.md"
expect 0 "### IADD3" cat "$dir/isa.md"
expect 0 "GgggOooOoooooooo  RRR" "$heddle" isa map "$isa/heddle.isa"
expect 0 "GgggOooOoooooooo  FFMA RRR" "$heddle" isa map "$isa/heddle.isa" --encodings
expect 0 "" "$heddle" isa map "$isa/heddle.isa" --svg "$dir/isa.svg"
expect 0 "</svg>" cat "$dir/isa.svg"
echo 'isa x 64' >"$dir/bad.isa"
expect 2 "bad.isa:1: error" "$heddle" isa lint "$dir/bad.isa"
expect 2 "bad.isa:1: error" "$heddle" isa report "$dir/bad.isa" --json "$dir/bad.json"
expect 0 'bad.isa:1: error' cat "$dir/bad.json"
# --json -: nothing but JSON on standard output, all else on standard error
alone() { # WORDS COMMAND...
  local words=$1
  shift
  expect 0 "$words" sh -c 'cd "$1" && shift && "$@" 2>&1 >json.out' sh "$dir" "$@"
  expect 0 "whole" python3 -c 'import json, sys; json.load(open(sys.argv[1])); print("whole")' "$dir/json.out"
}
alone "not in the RTL yet" "$heddle" isa report "$(realpath "$isa/heddle.isa")" --json -
alone "2 passed, 0 failed" "$heddle" fuzz --programs 2 --on model --json -
alone "forms executed" "$heddle" fuzz --programs 2 --on model --stats --json=-
expect 1 "" test -e "$dir/-"
expect 2 "one FILE.isa" "$heddle" isa map
expect 2 "lint, report, doc, map, short or try" "$heddle" isa frob

# assembler and files
expect 2 "No such file" "$heddle" as "$dir/none.s" -o "$dir/x.elf"
printf '.kernel k\n FROB ;\n.end\n' >"$dir/bad.s"
expect 2 "bad.s:2:2: error" "$heddle" as "$dir/bad.s" -o "$dir/x.elf"
expect 0 "" "$heddle" as "$kernels/vecadd.s" -o "$dir/vecadd.elf"
expect 0 ".kernel vecadd" "$heddle" dis "$dir/vecadd.elf"
"$heddle" dis "$dir/vecadd.elf" >"$dir/again.s"
expect 0 "" "$heddle" as -g0 "$dir/again.s" -o "$dir/again.elf"
# codes that are right for one machine alone: without --config it is said whose they are not
printf '%s\n' '.kernel k' 'S2R R4, SR_TID.X ;' '[B------:R-:W-:-:S01] IADD3 R6, R4, R4, RZ ;' \
  '[B------:R-:W-:-:S05] IADD3 R7, R6, R4, RZ ;' 'EXIT ;' '.end' >"$dir/short.s"
expect 0 "cycles needed on duo" "$heddle" as "$dir/short.s" -o "$dir/x.elf"
expect 0 "(--config NAME is for one machine alone)" "$heddle" as "$dir/short.s" -o "$dir/x.elf"
cp "$dir/out" "$dir/said"
expect 1 "" grep tiny "$dir/said"
expect 0 "short.s:4:23: warning: a result that this" "$heddle" as "$dir/short.s" -o "$dir/x.elf" --config duo
cp "$dir/out" "$dir/said"
expect 1 "" grep "needed on" "$dir/said"
expect 0 "" "$heddle" as "$dir/short.s" -o "$dir/x.elf" --config tiny
cp "$dir/out" "$dir/said"
expect 1 "" grep warning "$dir/said"
"$heddle" as -g0 "$kernels/vecadd.s" -o "$dir/plain.elf"
expect 0 "" cmp "$dir/plain.elf" "$dir/again.elf"
head -c 100 "$dir/vecadd.elf" >"$dir/cut.elf"
expect 2 "error" "$heddle" dis "$dir/cut.elf"
echo hello >"$dir/text.elf"
expect 2 "not an ELF file" "$heddle" run "$dir/text.elf" --kernel k --grid 1 --block 1

head -c 4000 /dev/zero >"$dir/a.bin"
cp "$dir/a.bin" "$dir/b.bin"
vecadd=(run "$dir/vecadd.elf" --kernel vecadd --grid 8 --block 128)
args=(--arg "in:$dir/a.bin" --arg "in:$dir/b.bin" --arg "out:4000:$dir/c.bin" --arg u32:1000)

expect 2 "no kernel" "$heddle" run "$dir/vecadd.elf" --kernel nope --grid 1 --block 1 --on model
expect 2 "takes 4 arguments" "$heddle" "${vecadd[@]}" --on model
expect 2 "--base 5: expected a multiple of 4096" "$heddle" run "$dir/vecadd.elf" --kernel vecadd --grid 1 --block 1 --base 5
expect 2 "buffers from 0xfffff00000, with code and local memory behind them, end at 0x10004700000: addresses have 40 bits, so --base is 0xfffb800000 at most here" "$heddle" run "$dir/vecadd.elf" --kernel vecadd --grid 1 --block 1 "${args[@]}" --base 0xfffff00000
expect 2 "--base 0x10000000000" "$heddle" run "$dir/vecadd.elf" --kernel vecadd --grid 1 --block 1 --base 0x10000000000
expect 2 "block too large" "$heddle" run "$dir/vecadd.elf" --kernel vecadd --grid 1 --block 2000 "${args[@]}" --on model
expect 2 "unknown type" "$heddle" "${vecadd[@]}" --arg q7:1 --on model
expect 2 "does not fit" "$heddle" "${vecadd[@]}" --arg u8:256 --on model
expect 2 "--grid" "$heddle" run "$dir/vecadd.elf" --kernel vecadd --grid 0 --block 1
expect 5 "not built" "$heddle" "${vecadd[@]}" "${args[@]}" --config nonesuch --on model
expect 2 "expected stack or its" "$heddle" "${vecadd[@]}" "${args[@]}" --div tree --on model
expect 0 "ok:" "$heddle" "${vecadd[@]}" "${args[@]}" --div its --on model

# without short words, as if the file said so
printf '%s\n' '.kernel k' 'MOV R4, 0x1 ;' 'MOV R5, 0x2 ;' 'EXIT ;' '.end' >"$dir/long.s"
source_text '.kernel k' 'MOV R4, 0x1 ;' 'MOV R5, 0x2 ;' 'EXIT ;' '.end'
expect 0 "" "$heddle" as --long "$dir/long.s" -o "$dir/long.elf"
"$heddle" dis "$dir/k.elf" >"$dir/by_file"
"$heddle" dis "$dir/long.elf" >"$dir/by_option"
expect 0 "" cmp "$dir/by_file" "$dir/by_option"

# a lock whose holder waits for its spinning peers: the stack unit's deadlock is reported, with who waits where
source_text '.kernel k' '.param u64 p' 'MOV R2, c[0x0][p] ;' 'MOV R3, c[0x0][p+4] ;' 'MOV R5, 0x1 ;' 'BSSY B0, got ;' 'again:' \
  'ATOMG.E.CAS R6, [R2], RZ, R5 ;' 'ISETP.EQ.AND P0, PT, R6, RZ, PT ;' '@P0 BRA got ;' 'YIELD ;' 'BRA again ;' 'got:' 'BSYNC B0 ;' \
  'STG.E [R2], RZ ;' 'EXIT ;' '.end'
lock=(run "$dir/k.elf" --kernel k --grid 2 --block 64 --arg "out:64:$dir/l.bin" --on model)
expect 4 "lanes 0x00000001 wait at B0, pc 0x0090, for lanes 0xfffffffe" "$heddle" "${lock[@]}"
expect 4 "error: deadlock: no warp can go on" "$heddle" "${lock[@]}" --div stack
expect 0 "ok:" "$heddle" "${lock[@]}" --div its
cp "$dir/k.elf" "$dir/yields.elf"

# a lock whose holder waits for its turn, while the path of those who spin runs
source_text '.kernel k' '.param u64 p' 'MOV R2, c[0x0][p] ;' 'MOV R3, c[0x0][p+4] ;' 'MOV R5, 0x1 ;' 'again:' \
  'ATOMG.E.CAS R6, [R2], RZ, R5 ;' 'ISETP.NE.AND P0, PT, R6, RZ, PT ;' '@P0 BRA again ;' 'LDG.E R7, [R2+0x4] ;' \
  'IADD3 R7, R7, 0x1, RZ ;' 'STG.E [R2+0x4], R7 ;' 'MEMBAR.GPU ;' 'STG.E [R2], RZ ;' 'EXIT ;' '.end'
cp "$dir/k.elf" "$dir/turns.elf"

for w in "${where[@]}"; do
  read -ra on <<<"$w"
  # k.elf of the last source_text, by one warp: with an array, or with no argument
  alone=("$heddle" run "$dir/k.elf" --kernel k --grid 1 --block 32 "${on[@]}")
  with_in=("${alone[@]}" --arg "in:$dir/a.bin")
  expect 0 "ok:" "$heddle" "${vecadd[@]}" "${args[@]}" "${on[@]}" --json "$dir/r.json"
  expect 0 "" cmp "$dir/a.bin" "$dir/c.bin"
  expect 0 '"status": "ok"' cat "$dir/r.json"

  # the divergence unit its: both locks; arms that wait for each other at two places, and for nobody
  expect 0 "ok:" "$heddle" "${vecadd[@]}" "${args[@]}" "${on[@]}" --div its
  for k in yields turns; do
    expect 0 "ok:" "$heddle" run "$dir/$k.elf" --kernel k --grid 2 --block 64 --arg "out:64:$dir/l.bin" "${on[@]}" --div its
  done
  expect 0 " 128" od -A n -j 4 -N 4 -t u4 "$dir/l.bin"
  source_text '.kernel k' 'S2R R0, SR_LANEID ;' 'ISETP.LT.AND P0, PT, R0, 0x5, PT ;' 'BSSY B0, x ;' '@P0 BRA y ;' \
    'BSYNC B0 ;' 'EXIT ;' 'y:' 'BSYNC B0 ;' 'x:' 'EXIT ;' '.end'
  expect 0 "ok:" "${alone[@]}" --div its
  expect 3 "trap divergence_misuse" "${alone[@]}"
  source_text '.kernel k' 'S2R R0, SR_LANEID ;' 'ISETP.LT.AND P0, PT, R0, 0x5, PT ;' 'BSSY B0, x ;' 'BSSY B1, x ;' \
    '@P0 BRA y ;' 'BSYNC B1 ;' 'EXIT ;' 'y:' 'BSYNC B0 ;' 'x:' 'EXIT ;' '.end'
  expect 3 "trap deadlock" "$heddle" run "$dir/k.elf" --kernel k --grid 4 --block 64 "${on[@]}" --div its

  # traps: each with its cause; the named one is a success
  source_text '.kernel k' '.param u64 p' 'MOV R0, c[0x0][p] ;' 'MOV R1, c[0x0][p+4] ;' 'LDG.E R2, [R0+0x2] ;' \
    'EXIT ;' '.end'
  expect 3 "trap misaligned" "${with_in[@]}"
  expect 3 "address 0xff00000002" "${with_in[@]}" --base 0xff00000000
  expect 0 "" "${with_in[@]}" --expect-trap misaligned
  expect 1 "expected trap out_of_range" "${with_in[@]}" --expect-trap out_of_range
  expect 3 '"cause": "misaligned"' sh -c "'$heddle' run '$dir/k.elf' --kernel k --grid 1 --block 32 --arg 'in:$dir/a.bin' ${on[*]} --json '$dir/t.json' 2>/dev/null; s=\$?; cat '$dir/t.json'; exit \$s"
  # a load of constants after the trap goes to memory's unit, too, and is refused there (where there is unit uni)
  source_text '.kernel k' '.shared all 640' 'STS [RZ+0x83], RZ ;' 'ULDC.64 UR4, c[0x0][URZ+0x18] ;' 'EXIT ;' '.end'
  [[ "${on[*]}" =~ "--config "(tiny|cached|fpga|mid|wide) ]] || expect 0 "" "${alone[@]}" --expect-trap misaligned
  source_text '.kernel k' '.param u64 p' 'MOV R0, c[0x0][p] ;' 'MOV R1, c[0x0][p+4] ;' 'LDG.E R2, [R0+0xfa0] ;' \
    'EXIT ;' '.end'
  expect 3 "trap out_of_range" "${with_in[@]}"
  source_text '.kernel k' '.param u64 p' 'MOV R0, c[0x0][p] ;' 'MOV R1, c[0x0][p+4] ;' 'STG.E [R0], RZ ;' 'EXIT ;' \
    '.end'
  expect 3 "trap write_protected" "$heddle" run "$dir/k.elf" --kernel k --grid 2 --block 64 --arg "in:$dir/a.bin" "${on[@]}"
  # memory that answers with errors: a device traps, and names the sector; the model alone knows none
  source_text '.kernel k' '.param u64 p' 'S2R R4, SR_TID.X ;' 'MOV R2, c[0x0][p] ;' 'MOV R3, c[0x0][p+4] ;' \
    'IMAD.WIDE R0, R4, 0x4, R2 ;' 'LDG.E R5, [R0] ;' 'EXIT ;' '.end'
  if [ "${on[1]}" = model ]; then
    expect 2 "--bus-errors: with --on rtl, lockstep or systemc" "${with_in[@]}" --bus-errors 0x100020:32
  else
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0xffffffff" "${with_in[@]}" --bus-errors 0x100020:32
    expect 0 "ok:" "${with_in[@]}" --bus-errors 0x100080:32
  fi
  # the same of code and constants, in lines of 64 bytes: what is read ahead and does not issue is no error
  source_text '.const table u32 1, 2, 3' '.kernel k' 'S2R R4, SR_TID.X ;' 'BRA skip ;' 'NOP ;' 'NOP ;' 'NOP ;' 'NOP ;' 'NOP ;' 'NOP ;' \
    'skip:' 'LDC R5, c[0x3][RZ+0x4] ;' 'EXIT ;' '.end'
  if [ "${on[1]}" != model ]; then
    expect 2 "the code has 160 bytes" "${alone[@]}" --bus-errors code+0xa0:1
    expect 2 "that bank has 0 bytes" "${alone[@]}" --bus-errors bank1+0:1
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0xffffffff pc 0x0080 sequence 2 " "${alone[@]}" --bus-errors code+0x90:4
    expect 0 "ok:" "${alone[@]}" --bus-errors code+0x40:64
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0xffffffff pc 0x0080 sequence 2 " "${alone[@]}" --bus-errors bank3+0x8:4
  fi
  if [ "${on[1]}" = lockstep ]; then # the trace says where errors are
    for at in code+0x90:4 bank3+0x8:4; do
      expect 3 "bus_error" "${alone[@]}" --bus-errors $at --trace "$dir/errors.trace"
      expect 3 " 0 differences" "$heddle" check "$dir/errors.trace" "$dir/k.elf"
      expect 3 "trapped: trap bus_error at pc 0x80" "$heddle" check "$dir/errors.trace" "$dir/k.elf"
    done
  fi
  # local memory, by words of all lanes: eight share a sector
  if [ "${on[1]}" != model ]; then
    source_text '.kernel k' '.local 16' 'S2R R4, SR_TID.X ;' 'STL [RZ+0x4], R4 ;' 'EXIT ;' '.end'
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0xffffffff" "${alone[@]}" --bus-errors local+0x80:4
    expect 0 "ok:" "${alone[@]}" --bus-errors local+0x100:4
  fi
  # ULDC executes once: its trap names the active lanes
  if [[ "${on[*]}" =~ (lockstep|rtl).*" --config "(duo|sm)$ ]]; then
    source_text '.const table u32 1, 2, 3' '.kernel k' 'ULDC.64 UR4, c[0x3][URZ+0x0] ;' 'EXIT ;' '.end'
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0x00000007 pc 0x0000 sequence 0 " \
      "$heddle" run "$dir/k.elf" --kernel k --grid 1 --block 3 "${on[@]}" --bus-errors bank3+0x8:4
  fi
  # a constant operand: precise, whatever the guard says; outside its bank const_range goes first
  source_text '.const table u32 1, 2, 3' '.kernel k' 'S2R R4, SR_TID.X ;' '@!PT MOV R5, c[0x3][0x4] ;' 'EXIT ;' '.end'
  if [ "${on[1]}" != model ]; then
    expect 3 "trap bus_error: block 0,0,0 warp 0 lanes 0x0000ffff pc 0x0010 sequence 1 address 0x4" \
      "$heddle" run "$dir/k.elf" --kernel k --grid 1 --block 16 "${on[@]}" --bus-errors bank3+0x8:4
  fi
  source_text '.kernel k' '.param u64 p' 'S2R R4, SR_TID.X ;' 'MOV R2, c[0x0][p] ;' 'MOV R3, c[0x0][p+4] ;' \
    'IMAD.WIDE R0, R4, 0x4, R2 ;' 'LDG.E R5, [R0] ;' 'EXIT ;' '.end'
  for bad in x 0x100020 0x100020: :4 code+:4 code:4 bank4+0:4 bank1+0x1000000:4 0x100020:0 -1:4 0x10000000000:4 0x100020:4x; do
    expect 2 "expected ADDRESS:BYTES" "${with_in[@]}" --bus-errors "$bad"
  done
  source_text '.kernel k' 'MOV R0, RZ ;' '.word 0xffffffffffffffffffffffffffffffff' 'EXIT ;' '.end'
  expect 3 "trap illegal_instruction" "$heddle" run "$dir/k.elf" --kernel k --grid 4 --block 64 "${on[@]}"
  source_text '.kernel k' 'NOP ;' '.end'
  expect 3 "trap bad_pc" "${alone[@]}"
  source_text '.kernel k' 'S2R R0, SR_LANEID ;' 'ISETP.LT.AND P0, PT, R0, 0x5, PT ;' 'BSSY B0, x ;' '@P0 BRA x ;' \
    'BAR.SYNC 0x0 ;' 'x:' 'BSYNC B0 ;' 'EXIT ;' '.end'
  expect 3 "trap barrier_misuse" "${alone[@]}"
  source_text '.kernel k' 'BSYNC B3 ;' 'EXIT ;' '.end'
  expect 3 "trap divergence_misuse" "${alone[@]}"
  source_text '.kernel k' 'S2R R0, SR_LANEID ;' 'ISETP.LT.AND P0, PT, R0, 0x5, PT ;' 'BSSY B0, x ;' 'BSSY B1, x ;' \
    '@P0 BRA y ;' 'BSYNC B1 ;' 'BSYNC B0 ;' 'EXIT ;' 'y:' 'BSYNC B0 ;' 'x:' 'EXIT ;' '.end'
  expect 3 "trap deadlock" "${alone[@]}"
  # the same with other warps that go on issuing until the trap is noticed
  expect 3 "trap deadlock" "$heddle" run "$dir/k.elf" --kernel k --grid 4 --block 64 "${on[@]}"
  source_text '.kernel k' 'MOV R2, 0x7 ;' 'MOV R3, RZ ;' 'NOP ;' 'BRX R2 ;' 'EXIT ;' '.end'
  expect 3 "trap bad_pc" "$heddle" run "$dir/k.elf" --kernel k --grid 4 --block 64 "${on[@]}"
  source_text '.kernel k' 'NOP ;' 'WARPSYNC 0x0 ;' 'EXIT ;' '.end'
  expect 3 "trap divergence_misuse" "$heddle" run "$dir/k.elf" --kernel k --grid 4 --block 64 "${on[@]}"
  source_text '.kernel k' 'MOV R0, c[0x0][0x800] ;' 'EXIT ;' '.end'
  expect 3 "trap const_range" "${alone[@]}"

  # a kernel that never ends
  source_text '.kernel k' 'again:' 'BRA again ;' '.end'
  expect 4 "limit" "${alone[@]}" --max-cycles 20000
done
