#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program knows what it needs: who lacks it refuses before a launch, and says what works.
# usage: test_needs.sh HEDDLE [CONFIG of a device without unit uni, ...]
set -uo pipefail
heddle=$1
shift
source "$(dirname "$0")/../lib.sh"
cd "$dir" || exit 1
head -c 4096 /dev/zero >z
refusal() { # WORDS: the last command that was refused said so, too
  expect 0 "$1" cat said
}
refuses() { # WORDS COMMAND...
  expect 2 "$@"
  cp out said
}

# ---- a loop that reads many values that a warp has once, more than leave room for other registers; compiled for all
# units that there are, and for where `run` runs
numbers=$(seq 3 62)
each() { for n in $numbers; do echo "  ${1//@/$n}"; done; }
cat >loop.ptx <<END
.version 6.3
.target sm_70
.address_size 64
.visible .entry loop(.param .u64 to, .param .u32 n)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>, %x<63>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [to];
$(each 'mul.lo.u32 %x@, %r1, @;')
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
  mov.u32 %r4, %tid.x;
again:
  mul.wide.u32 %rd4, %r2, 4;
  add.u64 %rd4, %rd1, %rd4;
  ld.global.u32 %r5, [%rd4+64];
  shl.b32 %r6, %r2, 3;
  xor.b32 %r6, %r6, %r1;
  add.u32 %r7, %r6, %r1;
  mad.lo.u32 %r3, %r7, %r4, %r3;
  add.u32 %r3, %r3, %r5;
$(each 'mad.lo.u32 %r3, %r3, %x@, %r4;')
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra again;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
END
expect 0 "" "$heddle" ptx loop.ptx --target model -o all.elf
expect 0 "" "$heddle" ptx loop.ptx -o loop.elf
expect 0 "" "$heddle" ptx loop.ptx -o tiny.elf --config tiny
expect 0 " uni" readelf -p .note.heddle all.elf
uniform=$("$heddle" ptx loop.ptx --target model --figures | awk '$1 == "loop" { print $4 }')
for elf in loop tiny; do
  readelf -p .note.heddle $elf.elf >note
  expect 1 "" grep uni note
done
run=(--grid 1 --block 32 --arg out:128:o.bin --arg u32:10)

# on the model alone: everything; as a machine: what it lacks is refused, with the line, who has it and the command
expect 0 "ok:" "$heddle" run all.elf "${run[@]}" --on model
cp o.bin want.bin
expect 0 "--on model --dep control" "$heddle" run all.elf "${run[@]}" --on model
for c in tiny fpga; do
  refuses "kernel loop needs unit uni, which $c lacks: " "$heddle" run all.elf "${run[@]}" --on model --config $c
  refusal "the first at 0x"
  refusal "(loop.ptx:"
  refusal "Configurations that can run it: duo, gpu, sm. This works: heddle run all.elf --grid 1 --block 32 --arg out:128:o.bin --arg u32:10 --on model --config duo."
  refusal "heddle ptx loop.ptx -o all.elf --config $c"
done
# both commands work as they were said
expect 0 "ok:" "$heddle" run all.elf "${run[@]}" --on model --config duo
expect 0 "ok:" "$heddle" run loop.elf "${run[@]}" --on model --config fpga
expect 0 "" cmp o.bin want.bin
expect 0 "ok:" "$heddle" run tiny.elf "${run[@]}" --on model --config tiny
expect 0 "" cmp o.bin want.bin
expect 0 "ok:" "$heddle" run loop.ptx "${run[@]}" --on model --config tiny
expect 2 '"status": "bad input"' sh -c '"$@" --json -' sh "$heddle" run all.elf "${run[@]}" --on model --config tiny
expect 2 "which tiny lacks" "$heddle" run all.elf "${run[@]}" --on model --config tiny --expect-trap misaligned
# who wants the trap gets it, from the model as from the RTL
expect 0 "trap illegal_instruction" "$heddle" run all.elf "${run[@]}" --on model --config tiny --expect-trap illegal_instruction
# limits
printf '%s\n' '.kernel k' '.shared x 8192' 'EXIT ;' '.end' >k.s
expect 2 "a block has 8 warps, tiny has room for 4. Configurations that can run it: duo, fpga, gpu, mid, sm, wide." \
  "$heddle" run k.s --grid 1 --block 256 --on model --config tiny
expect 2 "a block has 8704 bytes of shared memory (512 of them dynamic), tiny has 8192" \
  "$heddle" run k.s --grid 1 --block 32 --shared 512 --on model --config tiny
expect 0 "ok:" "$heddle" run k.s --grid 1 --block 1024 --shared 512 --on model
expect 2 "No configuration can run it; the model can: heddle run k.s --grid 1 --block 32 --shared 100000 --on model" \
  "$heddle" run k.s --grid 1 --block 32 --shared 100000 --on model --config sm
expect 2 "has 233472" "$heddle" run k.s --grid 1 --block 32 --shared 300000 --on model
# what no launch reaches is not asked for
printf '%s\n' '.kernel k' 'EXIT ;' 'UMOV UR1, 0x1 ;' '.end' >k.s
expect 0 "ok:" "$heddle" run k.s --grid 1 --block 32 --on model --config tiny
# words of a file are quoted as a shell takes them
printf '%s\n' '.kernel k' 'UMOV UR1, 0x1 ;' 'EXIT ;' '.end' >"it's.s"
expect 2 "heddle run 'it'\\''s.s' --grid 1 --block 32 --on model --config duo" \
  "$heddle" run "it's.s" --grid 1 --block 32 --on model --config=tiny

# ---- the machine of `cases` is told the same way
mkdir cases
cp all.elf cases
cp z cases/to.bin
head -c 128 want.bin | cat - <(head -c 3968 /dev/zero) >cases/gold.bin
echo '{"cases": [{"name": "loop", "ptx": "all.elf", "kernel": "loop", "grid": [1, 1, 1], "block": [32, 1, 1],
  "args": [{"buffer": "to.bin", "type": "uint32", "count": 1024, "kind": "out", "golden": "gold.bin"},
           {"scalar": "uint32", "bits": "0xa"}]}]}' >cases/cases.json
expect 0 "1 passed, 0 failed" "$heddle" cases cases --on model
expect 1 "loop: kernel loop needs unit uni, which fpga lacks: " "$heddle" cases cases --on model --config fpga --json cases.json
cp out said
refusal "(loop.ptx:"
refusal "can run it: duo, gpu, sm. This works: --config duo"
refusal "1 refused: they need more than the machine has"
refusal "0 passed, 1 failed"
expect 5 "not built" "$heddle" cases cases --on model --config nonesuch

# ---- the same as data, of `run` and of `cases`
"$heddle" run all.elf "${run[@]}" --on model --config fpga --json run.json 2>/dev/null
printf '%s\n' '.kernel k' '.regs 4' 'EXIT ;' '.end' >k.s
"$heddle" run k.s --grid 1 --block 256 --shared 100000 --on model --config tiny --json room.json 2>/dev/null
cat >data.py <<'END'
import json, subprocess, sys
run, cases, room = (json.load(open(f)) for f in ("run.json", "cases.json", "room.json"))
assert run["status"] == "usage" and run["exit"] == 2, run
assert run["result"]["diagnosis"]["kind"] == "refused", run
assert cases["status"] == "difference" and (cases["passed"], cases["failed"]) == (0, 1), cases
one = cases["cases"][0]
assert not one["passed"] and one["diagnosis"]["kind"] == "refused" and "lacks" in one["why"], one
said = run["result"]["refused"]
assert said == one["refused"], (said, one)
assert (said["kernel"], said["machine"], said["limits"]) == ("loop", "fpga", []), said
assert said["configurations"] == said["built"] == ["duo", "gpu", "sm"], said
(unit,) = said["units"]
listing = subprocess.run([sys.argv[1], "dis", "all.elf"], capture_output=True, text=True, check=True).stdout
assert unit["unit"] == "uni" and unit["instructions"] >= 2, unit
assert unit["first"]["instruction"] in listing and int(unit["first"]["pc"], 16) % 16 == 0, unit
source = open(unit["first"]["file"]).read().splitlines()
assert source[unit["first"]["line"] - 1].strip().endswith((";", ":")), unit
said = room["result"]["refused"]
assert (said["kernel"], said["machine"], said["units"], said["configurations"]) == ("k", "tiny", [], []), said
assert [(l["limit"], l["wants"], l["has"]) for l in said["limits"]] == \
    [("warps", 8, 4), ("shared_bytes", 100000, 8192)], said
END
expect 0 "" python3 data.py "$heddle"

# ---- who has what
expect 0 "tiny     alu fma cvt mem br" "$heddle" configs --units
expect 0 '"units": "alu fma cvt mem br half fp64 sfu warp uni tensor async fatom"' "$heddle" configs --json -

# ---- lint
expect 0 "proven" "$heddle" lint all.elf
expect 0 "proven" "$heddle" lint all.elf --config sm
expect 1 "all.elf: kernel loop needs unit uni, which wide lacks: " "$heddle" lint all.elf --config wide
expect 1 " 1 findings" "$heddle" lint all.elf --config wide # codes are not judged by latencies of a unit that is not there
expect 0 "proven" "$heddle" lint loop.ptx
sed 's/br uni/br sfu/' all.elf >lies.elf
expect 1 "kernel loop: its note says units 'alu fma mem br sfu' and $uniform uniform registers, its words need 'alu fma mem br uni' and $uniform" \
  "$heddle" lint lies.elf --json lies.json
expect 0 '"kind": "note"' cat lies.json
expect 0 "ok:" "$heddle" run lies.elf "${run[@]}" --on model --config sm # words are believed
sed 's/br uni/br unx/' all.elf >broken.elf
expect 2 "kernel loop: note of needs: a name of a unit is unknown" "$heddle" run broken.elf "${run[@]}" --on model

# ---- devices: built ones are told from known ones
for c in "$@"; do
  refuses "kernel loop needs unit uni, which $c lacks: " "$heddle" run all.elf "${run[@]}" --config "$c"
  expect 0 "" "$heddle" ptx loop.ptx -o own.elf --config "$c"
  expect 0 "ok:" "$heddle" run own.elf "${run[@]}" --config "$c"
  expect 0 "" cmp o.bin want.bin
  expect 0 "trap illegal_instruction" "$heddle" run all.elf "${run[@]}" --config "$c" --expect-trap illegal_instruction
  built=$(sed -n 's/.*This works: \(heddle .*\)\. Compiled.*/\1/p' said)
  if [ -n "$built" ]; then # its devices are there: the command is taken as it was said
    expect 0 "ok:" bash -c "${built/#heddle/\"$heddle\"}"
  else
    refusal "not built"
  fi
done
