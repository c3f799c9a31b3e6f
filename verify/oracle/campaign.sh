#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The judges over many programs: threads over random programs and all kernels on the model, order over random programs
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

# say WHAT JUDGE: what the judge says of the trace that the command before it has made
say() {
  local got=0
  [ -s "$dir/t.bin" ] || { echo "$1: no trace"; failed=1; return; }
  "$heddle" "$2" "$dir/t.bin" >"$dir/out.txt" 2>&1 || got=$?
  echo "$1: $(head -1 "$dir/out.txt")"
  [ $got = 0 ] || { failed=1; sed 's/^/  | /' "$dir/out.txt"; }
  rm -f "$dir/t.bin"
}

made() { "$heddle" "$@" --trace "$dir/t.bin" >"$dir/made.txt" 2>&1 || { failed=1; tail -5 "$dir/made.txt"; }; }

python3 "$here/decode/compare.py" "$here/../../isa/heddle.isa" "$dump" --words "$words" --seed "$seed" || failed=1
for div in stack its; do
  for ((from = 0; from < programs; from += 250)); do
    n=$((programs - from < 250 ? programs - from : 250))
    made fuzz --programs $n --seed $((seed * 1000 + from / 250)) --div $div --config sm --on model
    say "threads, $div, $n programs of seed $((seed * 1000 + from / 250))" threads
  done
  for form in asm ptx O0; do
    made kernels --form $form --scale 0 --on model --div $div
    say "threads, $div, kernels $form" threads
  done
done
for config in "${configs[@]}"; do
  for div in stack its; do
    made fuzz --programs "$on_device" --seed "$seed" --div $div --config "$config" --on lockstep
    say "order, $config $div, $on_device programs of seed $seed" order
  done
  made kernels --form asm --scale 0 --on rtl --config "$config"
  say "order, $config, kernels asm" order
done
exit $failed
