#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a machine of several SMs: no forbidden outcome, threads on several SMs, and where a copy in an L1 can be the reason
# of a weak outcome it does come. usage: test_quad.sh HEDDLE MECHANISMS CONFIG SEED
set -uo pipefail
heddle=$1 files=$2 config=$3 seed=$4
source "$(dirname "$0")/../../../lib.sh"
on="--on lockstep --config $config --groups 4 --times 8 --rounds 2 --layout 0"
copies=(stale-copy store-buffering-copies iriw-copies)
expect 0 "3 passed, 0 failed" "$heddle" litmus run "$files"/{stale-copy,store-buffering-copies,iriw-copies}.litmus $on --histogram "$dir/h.csv"
for t in "${copies[@]}"; do
  grep -q "^$t,0,[234],.*,weak\$" "$dir/h.csv" || fail "$t: nothing weak came on several SMs"
done
expect 0 "2 passed, 0 failed" "$heddle" litmus run "$files"/{coherence,two-writes}.litmus $on
# Two launches in the device's queue.
expect 0 "10 passed, 0 failed" "$heddle" litmus run "$files"/../launches/*.litmus --count 6 --launches --on lockstep \
  --config "$config" --rounds 1 --from-seed "$seed" --seed "$seed"
