#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Outcomes alone find a cache's bug: without a checker, on the RTL with an L1 in C before its memory.
# usage: test_finds.sh HEDDLE FILES
set -uo pipefail
heddle=$1 files=$2
source "$(dirname "$0")/../../../lib.sh"
on="--on rtl --config tiny_port"

expect 0 "2 passed, 0 failed" "$heddle" litmus run "$files/own-store.litmus" "$files/block-flag.litmus" $on --l1 1024
expect 1 "ended as the model forbids" "$heddle" litmus run "$files/own-store.litmus" $on --l1 1024,bug=drop_lost
copy="--rounds 8 --times 4 --layout 0" # it shows where P1 has read before P0 stores
expect 0 "1 passed, 0 failed" "$heddle" litmus run "$files/block-barrier.litmus" $on --l1 1024 $copy
expect 1 "ended as the model forbids" "$heddle" litmus run "$files/block-barrier.litmus" $on --l1 1024,bug=drop_lost $copy
# MEMBAR.CTA empties nothing: where PTX's fences of block scope would hide it
late="--narrow fence.sc --rounds 60 --layout 0"
expect 0 "1 passed, 0 failed" "$heddle" litmus run "$files/block-flag.litmus" $on --l1 1024 $late
expect 1 "ended as the model forbids" "$heddle" litmus run "$files/block-flag.litmus" $on --l1 1024,bug=drop_lost $late
