#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rows that silicon returned, as programs in lockstep: how many cases a machine must run and pass, and that a fault in
# the hardware is seen in the results alone (--on rtl: no model beside it).
# usage: test_cases.sh HEDDLE DIR CONFIG [--full]
set -uo pipefail
heddle=$1 cases=$2 config=$3 full=${4:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/../tools/expect.sh"

# FOLDER CASES: all of a folder; the first line is empty where the machine lacks nothing.
whole() {
  local said
  said=$("$heddle" cases "$cases/$1" --on lockstep --config "$config" --jobs 2 2>"$dir/why" | grep -v ': does not run: ')
  if [ "$said" = "$2" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1 on $config says '$said', want '$2':"
    head -20 "$dir/why"
  fi
}
lacks() { printf '%s more need instructions that the machine lacks\n%s passed, 0 failed' "$1" "$2"; }
one() { expect 0 "1 passed, 0 failed" "$heddle" cases "$cases/$1" --only "$2" --on lockstep --config "$config"; }
# FOLDER CASE FAULT
fault() { expect 1 "1 failed" "$heddle" cases "$cases/$1" --only "$2" --on rtl --config "$config" --fault "$3"; }

case $config in
  fpga) # FP32, its conversions to 32 bits and to halves and back; halves as sequences
    whole nan "$(lacks 26 15)"
    whole halves "4 passed, 0 failed"
    [ -z "$full" ] || whole fp8 "$(lacks 4 8)" ;;
  duo)
    whole nan "41 passed, 0 failed"
    whole halves "4 passed, 0 failed"
    [ -z "$full" ] || whole fp8 "12 passed, 0 failed" ;;
  sm)
    whole nan "41 passed, 0 failed"
    whole halves "4 passed, 0 failed"
    if [ -n "$full" ]; then
      whole fp8 "12 passed, 0 failed"
      whole mma "31 passed, 0 failed"
    else
      for section in f16k16_f16 i32_s8u8_sat f64 e4m3e5m2_f32 wmma_f32_f16; do one mma $section; done
      one fp8 relu.e4m3x2.f32
    fi
    fault mma f16k16_f32 54 # the exponents of zero products count
    fault mma i32_s8u8 55 ;; # B's bytes are signed as A's are
  *) echo "test_cases.sh: nothing is known of '$config'"; exit 2 ;;
esac
fault halves ex2.approx.f16x2 40      # the squarer loses a row
fault nan cvt.rzi.s32.f32 21          # F2I wraps
[ "$config" = fpga ] || fault nan sub.rn.f64 43 # negation acts on a NaN

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
