#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rows that silicon returned, as programs in lockstep: how many cases a machine must run and pass, and that a fault in
# the hardware is seen in the results alone (--on rtl: no model beside it).
# usage: test_cases.sh HEDDLE DIR CONFIG [--full]
set -uo pipefail
heddle=$1 cases=$2 config=$3 full=${4:-}
source "$(dirname "$0")/../lib.sh"

# FOLDER PASS REFUSED: all of a folder. So many pass; for so many the machine lacks a unit, and no other fails.
whole() {
  expect "$(($3 > 0))" "$2 passed, $3 failed" "$heddle" cases "$cases/$1" --on lockstep --config "$config" --jobs 2 \
    --json "$dir/json"
  expect 0 "refused: $3" python3 -c '
import json, sys
cases = json.load(open(sys.argv[1]))["cases"]
print("refused: %d" % sum(bool(c.get("refused", {}).get("units")) for c in cases))' "$dir/json"
}
one() { expect 0 "1 passed, 0 failed" "$heddle" cases "$cases/$1" --only "$2" --on lockstep --config "$config"; }
# FOLDER CASE FAULT
fault() { expect 1 "1 failed" "$heddle" cases "$cases/$1" --only "$2" --on rtl --config "$config" --fault "$3"; }

case $config in
  fpga) # FP32, its conversions to 32 bits and to halves and back; halves as sequences
    whole nan 15 26
    whole halves 4 0
    [ -z "$full" ] || whole fp8 8 4 ;;
  duo)
    whole nan 41 0
    whole halves 4 0
    [ -z "$full" ] || whole fp8 12 0 ;;
  sm)
    whole nan 41 0
    whole halves 4 0
    if [ -n "$full" ]; then
      whole fp8 12 0
      whole mma 31 0
    else
      for section in f16k16_f16 i32_s8u8_sat f64 e4m3e5m2_f32 wmma_f32_f16; do one mma $section; done
      one fp8 relu.e4m3x2.f32
    fi
    if [ -n "$full" ]; then
      fault mma f16k16_f32 54 # the exponents of zero products count
      fault mma i32_s8u8 55   # B's bytes are signed as A's are
    fi ;;
  *) echo "test_cases.sh: nothing is known of '$config'"; exit 2 ;;
esac
if [ -n "$full" ]; then
  fault halves ex2.approx.f16x2 40      # the squarer loses a row
  fault nan cvt.rzi.s32.f32 21          # F2I wraps
  [ "$config" = fpga ] || fault nan sub.rn.f64 43 # negation acts on a NaN
fi
