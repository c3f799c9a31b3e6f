#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What all commands have in common: the version, manual pages and completion made from the options, one envelope of
# JSON, failures in one sentence. usage: test_command.sh HEDDLE PAGES KERNELS
set -uo pipefail
heddle=$1 pages=$2 kernels=$3
source "$(dirname "$0")/../lib.sh"
commands=$("$heddle" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')

expect 0 "instruction set" "$heddle" --version
expect 0 "configurations built:" "$heddle" --version
mkdir "$dir/none"
expect 0 "configurations built: none, the model alone" env HEDDLE_DEVICES="$dir/none" "$heddle" --version

# configurations: known, and built
touch "$dir/none/verilator_wide.so"
expect 0 "gto     1    1      0  verilator" env HEDDLE_DEVICES="$dir/none" "$heddle" configs
holds "configs --built" test "$(HEDDLE_DEVICES=$dir/none "$heddle" configs --built --names)" = wide
holds "configs --names" test "$("$heddle" configs --names | tr '\n' ' ')" = "backed cached duo fpga gpu mid paged quad sm tiny wide "

# the page of options is that of the table
holds "docs/options.md: cp $pages/options.md there" cmp "$pages/options.md" "$(dirname "$0")/../../docs/options.md"

# every option of --help is in the manual page and in the completion, and groff has nothing to say
for c in $commands; do
  page=$pages/man/heddle-$c.1
  holds "groff has nothing to say of $page" test -z "$(groff -man -ww -Tutf8 "$page" 2>&1 >"$dir/page")"
  "$heddle" "$c" --help | sed -n 's/^  \(--*[a-zA-Z][a-z0-9-]*\)[ [].*/\1/p' >"$dir/options"
  sed 's/-/\\-/g; s/.*/\\fB&\\fR/' "$dir/options" >"$dir/in_page"
  grep -oF -f "$dir/in_page" "$page" | sort -u >"$dir/found"
  holds "all options are in $page" cmp -s <(sort -u "$dir/in_page") "$dir/found"
  sed -n "s/^    $c) options=\"--help *\([^\"]*\)\".*/\1/p" "$pages/completions/heddle" | tr ' ' '\n' | grep . | sort -u >"$dir/completed"
  holds "completion of $c has the same options" cmp -s <(sort -u "$dir/options") "$dir/completed"
done

# completion as bash does it
complete_line() { # WORDS...: the last one is being written
  bash -c 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[*]}"' _ "$pages/completions/heddle" "$@"
}
completes() {
  local want=$1 got
  shift
  got=$(cd "$dir" && complete_line "$@" 2>&1)
  holds "completion of $*: '$got', not '$want'" test "$got" = "$want"
}
touch "$dir/square.elf"
completes "cases campaign" "$heddle" ca
completes "--memory-seed" "$heddle" run x.elf --mem
completes "rtl lockstep" "$heddle" bench --on ""
completes "model" "$heddle" run x.elf --on m
completes "tiny" "$heddle" run x.elf --config t
completes "square.elf" "$heddle" run sq
completes "none" "$heddle" campaign --dir n
completes "report" "$heddle" cov rep

# one envelope, whatever happens; seeds keep all their bits
envelope() { # STATUS WORD COMMAND...: --json is added
  local want=$1 word=$2 got=0
  shift 2
  "$heddle" "$@" --json "$dir/e.json" >"$dir/out" 2>&1 || got=$?
  [ "$got" = "$want" ] && python3 - "$dir/e.json" "$1" "$word" "$got" <<'END' && passed=$((passed + 1)) && return
import json, sys
j = json.load(open(sys.argv[1]))
assert j["version"] == 2 and j["command"] == sys.argv[2] and j["exit"] == int(sys.argv[4]), j
assert j["status"] == sys.argv[3] and set(j["heddle"]) == {"version", "commit", "isa"}, j
assert j["seed"] is None or isinstance(j["seed"], str), j
assert isinstance(j["errors"], list), j
assert set(j["counters"]) <= set("issued not_selected wait stall pipe fetch sync memory const other cache "
                                 "warp_instructions cycles cycles_in_all cases programs".split()), j["counters"]
assert j["status"] not in ("usage", "missing", "limit") or len(j["errors"]) == 1, j["errors"]
END
  fail "$*: status $got (want $want)"
  head -5 "$dir/out" "$dir/e.json"
}
"$heddle" as "$kernels/vecadd.s" -o "$dir/v.elf"
head -c 512 /dev/zero >"$dir/a.bin"
run=(run "$dir/v.elf" --kernel vecadd --grid 1 --block 128 --arg "in:$dir/a.bin" --arg "in:$dir/a.bin"
  --arg "out:512:$dir/c.bin" --arg u32:128 --on model --trace "$dir/t.bin")
envelope 0 ok "${run[@]}" --seed 18446744073709551615
expect 0 '"seed": "18446744073709551615"' cat "$dir/e.json"
expect 0 '"warp_instructions":' cat "$dir/e.json"
printf '%s\n' '.kernel k' 'MOV R2, 0xffffff00 ;' 'MOV R3, 0xffffffff ;' 'STG.E [R2], RZ ;' 'EXIT ;' '.end' >"$dir/far.s"
envelope 3 fault run "$dir/far.s" --grid 1 --block 1 --on model
expect 0 '"address": "0xffffffffffffff00"' cat "$dir/e.json"
expect 1 "" grep '": -[0-9]' "$dir/e.json"
envelope 4 limit "${run[@]}" --max-cycles 3
envelope 2 usage run "$dir/none.elf" --grid 1 --block 1
envelope 2 usage run --frob
envelope 5 missing run "$dir/v.elf" --grid 1 --block 1 --config huge
envelope 0 ok configs
envelope 0 ok ptx --list
envelope 0 ok lint "$dir/v.elf"
envelope 0 ok kernels vecadd --on model --scale 0
envelope 0 ok fuzz --programs 1 --on model
envelope 0 ok fuzz --programs 1 --on rtl --config tiny
envelope 0 ok threads "$dir/t.bin"
envelope 2 usage check "$dir/t.bin" "$dir/t.bin"
envelope 2 usage cov report "$dir/none.cov"
envelope 2 usage campaign "$dir/none.json" --dir "$dir/c"
envelope 2 usage isa report "$dir/none.isa"
expect 2 "cannot write JSON" "$heddle" configs --json "$dir/no/where.json"
# An argument may be left out only where the table says so, "[=SEED]": not of "[FROM:]N".
expect 2 "--profile-window needs its [FROM:]N" "$heddle" run x.s --profile-window
expect 2 "--grid and --block are needed" "$heddle" run x.s --on model --pages

# a failure is one sentence, said once
once() {
  "$heddle" "$@" >"$dir/said" 2>&1
  [ "$(grep -c . "$dir/said")" = 1 ] && passed=$((passed + 1)) && return
  fail "$*: said in more than a line:"
  cat "$dir/said"
}
once frob
for c in $commands; do once "$c" --frob; done
once run "$dir/none.elf" --grid 1 --block 1
once run "$dir/v.elf" --grid 1 --block 1 --config huge
once run "$dir/v.elf" --grid 1 --block 1 --on model
once as "$dir/none.s" -o "$dir/x.elf"
once ptx "$dir/none.ptx" -o "$dir/x.elf"
once ptx "$dir/a.bin" --dump tree
once dis "$dir/a.bin"
once cases "$dir/none"
once ops "$dir"
once kernels nosuch
once bench rtl --config huge
once isa lint "$dir/none.isa"
HEDDLE_DEVICES=$dir/none once run "$dir/v.elf" --grid 1 --block 128 "${run[@]:8:8}" --on rtl --config tiny
HEDDLE_DEVICES=$dir/none once kernels vecadd --on rtl --config tiny

# a device that is older than the RTL is warned of, once, and runs (here: is no device) as ever; not where no RTL is known
mkdir -p "$dir/data/rtl/execute" "$dir/bare"
touch -d 2001-01-01 "$dir/none/verilator_tiny.so" "$dir/none/verilator_tiny_wave.so"
touch -d 2001-01-02 "$dir/data/rtl/core_pkg.sv"
touch -d 2001-01-03 "$dir/data/rtl/execute/lanes.svh"
old=(run "$dir/v.elf" --grid 1 --block 128 "${run[@]:8:8}" --on rtl --config tiny)
ages() { expect 5 "${2:-}" env HEDDLE_DEVICES="$dir/none" HEDDLE_DATA="$dir/$1" "$heddle" "${old[@]}" --json "$dir/e.json" "${@:3}"; }
told() { # N: warnings
  holds "$1 warnings, not: $(cat "$dir/out")" test "$(grep -c warning "$dir/out")" = "$1"
}
newer="is older than rtl/execute/lanes.svh: cmake --build build --target device_verilator_tiny"
ages data "heddle: warning: verilator_tiny.so $newer"
told 1
expect 1 "" grep older "$dir/e.json"
ages data "warning: verilator_tiny_wave.so ${newer}_wave" --wave "$dir/w.fst"
told 1
ages bare
told 0
touch "$dir/none/verilator_tiny.so"
ages data
told 0
