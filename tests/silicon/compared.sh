#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which instruction forms worked on the inputs of each case that silicon has run, and whether the model's results are
# the same: what `heddle run --fidelity` looks up. The first line names the device. What is said of each part is in
# FOLDER/PART.json, which tests judge (results.py).
# usage: compared.sh HEDDLE FOLDER OUT     FOLDER: of ops forms nan mma halves fp8
set -eu
heddle=$1 folder=$2 out=$3
device=$(sed -nE 's/.*"device": *"([^"]*)".*/\1/p' "$folder/ops/ops.json" | head -1)
echo "# ${device:?ops.json names none}" >"$out.tmp"
for part in ops:ops ops:forms cases:nan cases:mma cases:halves cases:fp8; do
  status=0
  "$heddle" ${part%:*} "$folder/${part#*:}" --on model --undefined strict --jobs 2 --compared "$out.tmp" \
    --json "$folder/${part#*:}.json" >"$out.log" 2>&1 || status=$?
  [ $status -le 1 ] || { cat "$out.log" >&2 && exit 1; } # 1: some differ, and the file says which
done
mv "$out.tmp" "$out"
rm -f "$out.log"
