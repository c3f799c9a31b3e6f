#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The judges over many programs: threads over random programs (twice) and all kernels on the model, order over random programs
# and kernels on devices, the decoder over random words. A line each; exit status 1 if one says no.
# usage: campaign.sh HEDDLE DECODE_DUMP [--programs N] [--device-programs N] [--words N] [--seed N] [CONFIG ...]
# default: 2000 programs for each divergence unit, 40 on each device, 1000000 words, seed 1, configurations tiny and sm
set -uo pipefail
[ $# -ge 2 ] || { sed -n 's/^# //p' "$0" | sed -n 4,5p >&2; exit 2; }
heddle=$1 dump=$2
shift 2
programs=2000 on_device=40 words=1000000 seed=1 configs=()
while [ $# -gt 0 ]; do
  case $1 in
    --programs | --device-programs | --words | --seed)
      [ $# -ge 2 ] || { echo "campaign.sh: $1 needs a number" >&2; exit 2; }
      case $1 in
        --programs) programs=$2 ;;
        --device-programs) on_device=$2 ;;
        --words) words=$2 ;;
        --seed) seed=$2 ;;
      esac
      shift 2
      ;;
    -*) echo "campaign.sh: $1 is not known" >&2; exit 2 ;;
    *) configs+=("$1"); shift ;;
  esac
done
[ ${#configs[@]} -gt 0 ] || configs=(tiny sm)
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# Programs that branch, call, meet and leave more than others do.
flow=(--knob node.if=30 --knob node.loop=10 --knob node.call=15 --knob node.jump=15 --knob node.save=10
  --knob node.share=15 --knob node.sync=15 --knob node.leave=15 --knob node.control=20 --knob stream.flow=30
  --knob program.leaves=80 --knob operand.guarded=50)

# say WHAT JUDGE [NAME ...]: what the judge says of each trace that the command before it has made, but for those of
# the names; the sums of what it counts
say() {
  local what=$1 judge=$2 t name said bad=0
  shift 2
  for name in "$@"; do rm -f "$dir"/t.bin."$name".*; done
  : >"$dir/said.txt"
  for t in "$dir"/t.bin*; do
    [ -s "$t" ] || continue
    if said=$("$heddle" "$judge" "$t" 2>&1); then
      head -1 <<<"$said" >>"$dir/said.txt"
    else
      bad=$((bad + 1))
      echo "$what: ${t##*/}:"
      sed 's/^/  | /' <<<"$said"
    fi
  done
  rm -f "$dir"/t.bin*
  echo "$what: $(wc -l <"$dir/said.txt") traces hold, $bad do not; $(sums <"$dir/said.txt")"
  [ $bad = 0 ] && [ -s "$dir/said.txt" ] || failed=1
}

# "12 launches, 3 blocks, ...: words" of many lines: the sum of each number
sums() {
  awk -F'[,:] | and ' '{ for (i = 1; i < NF; i++) if (split($i, w, " ") > 1 && w[1] ~ /^[0-9]+$/) {
      name = substr($i, length(w[1]) + 2); if (!(name in sum)) order[++n] = name; sum[name] += w[1] } }
    END { for (i = 1; i <= n; i++) printf "%s%.0f %s", (i > 1 ? ", " : ""), sum[order[i]], order[i]; print "" }'
}

made() { "$heddle" "$@" --trace "$dir/t.bin" >"$dir/made.txt" 2>&1 || { failed=1; tail -5 "$dir/made.txt"; }; }

python3 "$here/decode/compare.py" "$here/../../../isa/heddle.isa" "$dump" --words "$words" --seed "$seed" || failed=1
for div in stack its; do
  if [ "$programs" -gt 0 ]; then
    made fuzz --programs "$programs" --seed "$seed" --div $div --config sm --on model
    say "threads, $div, $programs programs of seed $seed" threads
    made fuzz --programs "$programs" --seed "$seed" --div $div --config sm --on model "${flow[@]}"
    say "threads, $div, $programs programs of seed $seed, much divergence" threads
  fi
  # bfs and histogram keep what atomics return: which thread gets which number is free.
  made kernels --form all --scale 0 --on model --div $div
  say "threads, $div, kernels" threads bfs histogram
done
for config in "${configs[@]}"; do
  for div in stack its; do
    [ "$on_device" -gt 0 ] || continue
    made fuzz --programs "$on_device" --seed "$seed" --div $div --config "$config" --on lockstep
    say "order, $config $div, $on_device programs of seed $seed" order
  done
  [ "$on_device" -gt 0 ] || continue
  made kernels --form asm --scale 0 --on rtl --config "$config"
  say "order, $config, kernels asm" order
done
exit $failed
