#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_command.sh ROOT
# scripts/synth.sh gives a table with every column and JSON with every key for one small module (the
# figures may change), tells mapping how long a cycle is, refuses what is not there, names what is missing.
source "$(dirname "$0")/checks.sh"

synth() {
  "${tree:-$root}/scripts/synth.sh" "$@" >"$dir/out" 2>"$dir/err" </dev/null
  got=$?
}

# ---- one small module
synth --json "$dir/a.json" tiny arb_rr
[ $got = 0 ] || fail "arb_rr: status $got"
for word in module LUT4 FF DP16KD MULT18X18D DPR16X4 CCU2C sites; do
  head -n 1 "$dir/out" | grep -qw "$word" || fail "no column $word"
done
grep -qE '^arb_rr +[1-9][0-9]* ' "$dir/out" || fail "no row of arb_rr"
[ -s "$dir/err" ] && fail "something was said on standard error"
grep -q $'[\r\033]' "$dir/out" "$dir/err" && fail "progress in a pipe"
cat >"$dir/keys.py" <<END
import json, sys
f = json.load(open(sys.argv[1]))
assert f["version"] == 1 and f["config"] == "tiny" and f["pnr"] is None and f["missing"] == []
(row,) = f["rows"]
assert row["top"] == row["title"] == "arb_rr" and row["depth"] == 0 and row["lut4"] > 0
for key in "lut4 ff dp16kd mult18x18d dpr16x4 ccu2c sites seconds".split():
    assert isinstance(row[key], int), key
END
$python "$dir/keys.py" "$dir/a.json" || fail "the JSON lacks something"
(cd "$dir" && "$root/scripts/synth.sh" --json b.json tiny arb_rr >/dev/null) && [ -s "$dir/b.json" ] ||
  fail "--json is not relative to where the command was given"

# ---- mapping knows the cycle
synth --freq 40 tiny arb_rr
[ $got = 0 ] && grep -qx 'scratchpad -set abc9.D 25000' "$generated/../synth/tiny/arb_rr.map.ys" ||
  fail "mapping does not aim at the cycle of --freq"
grep -q 'abc9 -W 1000 -script "+&scorr; .*; &synch2 -K 4; .*; &mfs";' "$generated/../synth/tiny/arb_rr.map.ys" ||
  fail "mapping does not know what a wire takes"

# ---- Yosys' own flow, for comparison: none of our steps, in a folder of its own
before=$(cat "$generated/../synth/tiny/arb_rr.stat.json")
synth --stock tiny arb_rr
[ $got = 0 ] && grep -qE '^arb_rr +[1-9][0-9]* ' "$dir/out" || fail "--stock: status $got"
[ "$(grep -c synth_ecp5 "$generated/../synth/tiny.stock/arb_rr.ys")" = 1 ] &&
  ! grep -qE 'techmap|script' "$generated/../synth/tiny.stock/arb_rr.ys" || fail '--stock has steps of ours'
[ "$before" = "$(cat "$generated/../synth/tiny/arb_rr.stat.json")" ] || fail '--stock wrote over the other figures'

# ---- another family: its own columns, in a folder of its own
synth --family gw5a --json "$dir/g.json" tiny arb_rr
[ $got = 0 ] && grep -qE '^arb_rr +[1-9][0-9]* ' "$dir/out" || fail "--family gw5a: status $got"
for word in LUT1-4 MUX2_LUT ALU FF BSRAM RAM16 sites; do
  head -n 1 "$dir/out" | grep -qw "$word" || fail "no column $word"
done
grep -q '"name": "GW5AST-138C"' "$dir/g.json" || fail "the JSON of gw5a does not name the part"
[ "$before" = "$(cat "$generated/../synth/tiny/arb_rr.stat.json")" ] || fail '--family wrote over the other figures'

# ---- refused: status 2, nothing but a message
refuse() {
  local words=$1
  shift
  synth "$@"
  [ $got = 2 ] && [ ! -s "$dir/out" ] && grep -qF -- "$words" "$dir/err" || fail "'$*' is not refused ($got)"
}
refuse 'which configuration'
refuse "no configuration 'huge'" huge
refuse "no configuration '../configs/tiny'" ../configs/tiny
refuse "no configuration ''" ''
refuse "no configuration 'tin.'" tin.
for name in nothing core_pkg rtl/lib/arb_rr arb_rr.sv '../arb_rr' 'l.c' '.*' '' 'arb_rr; touch /tmp/x' '$(true)' $'arb_rr\nfifo'; do
  refuse "no module '" tiny "$name"
done
refuse 'no option' --fast tiny
refuse 'takes a number' --seed one tiny
refuse 'takes a number' --jobs -1 tiny arb_rr
refuse 'at least 1' --jobs 0 tiny arb_rr
refuse 'at most 1000' --freq 1001 tiny arb_rr
refuse 'leave nothing' --no-whole --no-blocks tiny
refuse '6, 7 or 8' --grade 9 tiny
refuse "an ECP5's" --family gw5a --grade 7 tiny
refuse 'ecp5, gw5a or xc7' --family ice40 tiny
refuse 'takes a value' tiny --json
refuse 'cannot write' --json "$dir/no/folder.json" tiny arb_rr
synth --help
[ $got = 0 ] && grep -q 'example: ' "$dir/out" || fail 'no help'

# ---- what is missing: status 5; what breaks: status 1
tree=$dir/tree
mkdir -p "$tree/build"
mkdir -p "$tree/isa" "$tree/lab" && cp -r scripts rtl "$tree" && cp -r isa/configs "$tree/isa" && cp -r lab/fpga "$tree/lab"
mkdir "$dir/bin"
for tool in awk bash cat dirname find grep nproc realpath sed sort; do ln -s "$(command -v $tool)" "$dir/bin"; done
PATH=$dir/bin synth tiny arb_rr
[ $got = 5 ] && grep -q 'scripts/setup.sh' "$dir/err" || fail "no Yosys: status $got"
printf '#!/bin/sh\nexit 0\n' >"$dir/yosys"
chmod +x "$dir/yosys"
YOSYS=$dir/yosys HEDDLE_GEN_DIR=$dir/none synth tiny arb_rr
[ $got = 5 ] && grep -q 'scripts/gen.sh' "$dir/err" || fail "no packages: status $got"
unset tree
YOSYS=$dir/yosys synth tiny arb_rr
[ $got = 1 ] && grep -q 'arb_rr: Yosys failed' "$dir/err" || fail "a Yosys that does nothing: status $got"

[ $failures = 0 ]
