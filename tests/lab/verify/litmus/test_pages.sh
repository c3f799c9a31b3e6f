#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In address spaces in which each place has two virtual addresses: no forbidden outcome, threads on several SMs, and
# outcomes that only a copy in an L1 explains come as without. usage: test_pages.sh HEDDLE TESTS CONFIG SEED
set -uo pipefail
heddle=$1 tests=$2 config=$3 drawn="--from-seed $4 --seed $4"
source "$(dirname "$0")/../../../lib.sh"
on="--on lockstep --config $config"
copies=(stale-copy store-buffering-copies iriw-copies)
for pages in 1 2; do # of an even seed half of the pages come when they are waited for
  expect 0 "3 passed, 0 failed" "$heddle" litmus run "$tests"/mechanisms/{stale-copy,store-buffering-copies,iriw-copies}.litmus \
    $on --pages=$pages --groups 4 --times 4 --rounds 2 --layout 0 --histogram "$dir/h.csv"
  for t in "${copies[@]}"; do
    grep -q "^$t,0,[234],.*,weak\$" "$dir/h.csv" || fail "$t: nothing weak came on several SMs"
  done
done
expect 0 "17 passed, 0 failed" "$heddle" litmus run "$tests"/files/*.litmus $on --pages=3 --rounds 2
expect 0 "2 passed, 0 failed" "$heddle" litmus run "$tests"/mechanisms/{coherence,two-writes}.litmus $on --pages=4 --times 3 --rounds 2
expect 0 "6 passed, 0 failed" "$heddle" litmus run "$tests"/launches/*.litmus --count 2 --launches $on --pages=5 --rounds 2 $drawn
expect 0 "8 passed, 0 failed" "$heddle" litmus run --count 4 --form both $on --pages=6 --rounds 2 $drawn
expect 2 "--pages: machine 'quad' has no MMU" "$heddle" litmus run --count 1 --on rtl --config quad --pages
