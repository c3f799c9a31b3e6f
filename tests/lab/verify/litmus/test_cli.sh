#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The words of heddle litmus: what they write, what they refuse, their exit statuses. usage: test_cli.sh HEDDLE FILES
set -uo pipefail
heddle=$1 files=$2
source "$(dirname "$0")/../../../lib.sh"

# gen: 2,000 tests that differ, a file of each kind; the same number gives the same
expect 0 "2000 tests in $dir/a" "$heddle" litmus gen "$dir/a"
expect 0 "2000 tests in $dir/b" "$heddle" litmus gen "$dir/b" --from-seed 1
expect 0 "" diff -rq "$dir/a" "$dir/b"
for end in litmus s ptx outcomes; do
  [ "$(find "$dir/a" -name "*.$end" | wc -l)" = 2000 ] || fail "not 2000 files .$end"
done
[ "$(for f in "$dir"/a/*.litmus; do tail -n +2 "$f" | md5sum; done | sort -u | wc -l)" = 2000 ] ||
  fail "two tests are the same"
first=$(ls "$dir"/a/*-MP-block.litmus | head -1)
expect 0 "1 passed, 0 failed" "$heddle" litmus run "$first" --on model
expect 0 "outcomes: PTX" "$heddle" litmus import "$first"
expect 0 "" "$heddle" as "${first%.litmus}.s" -o "$dir/x.elf"
expect 0 "" "$heddle" ptx "${first%.litmus}.ptx" -o "$dir/x.elf"
[ "$("$heddle" litmus import "$first" | sed 's/.*Heddle \([0-9]*\);.*/\1/')" = "$(wc -l <"${first%.litmus}.outcomes")" ] ||
  fail "import and .outcomes differ"

# run: files, a form each; layouts
expect 0 "0 failed" "$heddle" litmus run "$files"/*.litmus --on model --form both
expect 0 "passed, 0 failed" "$heddle" litmus run --count 9 --on model --layout 1 --rounds 1 --groups 1 --jobs 2
expect 2 "--layout" "$heddle" litmus run --layout 3 --on model
expect 0 "1 passed, 0 failed" "$heddle" litmus run --count 30 --on model --only 0007-IRIW-blocks.s.1
expect 2 "there is no such test" "$heddle" litmus run --count 3 --on model --only 0007-IRIW-blocks.s.1
expect 0 "3 passed, 0 failed" "$heddle" litmus run --count 30 --on model --part 2/10 --times 3 --histogram "$dir/h.csv"
[ "$(awk -F, 'NR > 1 { n[$1] += $6; all[$1] = $4 } END { for (t in n) k += n[t] == all[t]; print k }' "$dir/h.csv")" = 3 ] ||
  fail "the histogram does not count every instance once"
expect 2 "--form" "$heddle" litmus run --form c --on model
expect 0 '"command": "litmus"' "$heddle" litmus run "$first" --on model --json -

# import: conditions; kernels; refusals with their place
for f in "$files"/*.litmus; do expect 0 "is so: PTX yes, Heddle yes" "$heddle" litmus import "$f"; done
mkdir "$dir/k"
expect 0 "" "$heddle" litmus import "$files/barrier-load.litmus" --kernels "$dir/k"
expect 0 "" "$heddle" as "$dir/k/barrier-load.s" -o "$dir/x.elf"
printf 'PTX t\n{\nx=0;\n}\n P0@cta 0,gpu 0 ;\n bne r0, 1, L ;\n' >"$dir/bad.litmus"
expect 2 "bad.litmus:6:2: error: 'bne' is not taken" "$heddle" litmus import "$dir/bad.litmus"
expect 2 "bad.litmus:6:2: error:" "$heddle" litmus run "$dir/bad.litmus" --on model
expect 2 "none.litmus" "$heddle" litmus import "$dir/none.litmus"
expect 0 '"ptx_condition": "yes"' "$heddle" litmus import "$files/self-made.litmus" --json -

# launches: one outcome each, which hangs on their order alone
for f in "$files"/../launches/*.litmus; do
  expect 0 "outcomes: PTX 1, Heddle 1; what it says is so: PTX yes, Heddle yes" "$heddle" litmus import "$f"
  expect 1 "refuted" "$heddle" litmus check "$f" --weaken 'effect=com | dep | waits | follows | emptied'
done
expect 0 "4 passed, 0 failed" "$heddle" litmus run "$files"/../launches/*.litmus --on model --times 3
expect 0 "30 passed, 0 failed" "$heddle" litmus run --count 30 --launches --on model --rounds 1
expect 2 "message has two launches" "$heddle" litmus check --agree "$files/../launches/message.litmus"
expect 1 "in PTX there is one launch" "$heddle" litmus run "$files/../launches/message.litmus" --on model --form ptx
printf 'PTX t\n{\nx=0;\n}\n P0@cta 0,gpu 0 ;\n launch ;\n launch ;\n' >"$dir/bad.litmus"
expect 2 "bad.litmus:7:2: error: a third launch" "$heddle" litmus import "$dir/bad.litmus"

# check
expect 0 "included" "$heddle" litmus check --events 2
expect 0 "agreed" "$heddle" litmus check --agree --events 2 --words plain
expect 0 "agreed" "$heddle" litmus check --agree "$files/barrier-load.litmus"
expect 1 "refuted" "$heddle" litmus check --events 2 --weaken 'own=dep'
expect 2 "own:1:5: error: 'nobody' is not defined" "$heddle" litmus check --weaken 'own=po |nobody'
expect 2 "nothing here defines 'ours'" "$heddle" litmus check --weaken 'ours=po'
expect 2 "expected NAME=EXPRESSION" "$heddle" litmus check --weaken own
expect 2 "--part" "$heddle" litmus check --part 3/2
expect 2 "--events" "$heddle" litmus check --events 7
expect 0 "3 events: 0 programs" "$heddle" litmus check --events 3 --from 24596
expect 0 "3 events: 1 programs" "$heddle" litmus check --events 3 --from 24595
expect 1 "by causality" "$heddle" litmus check --narrow fence.sc "$files/acquire-atomic-fence-sc.litmus"
expect 2 "--narrow" "$heddle" litmus check --narrow fence
expect 2 "--narrow" "$heddle" litmus check --narrow fence.sc --agree
expect 0 '"candidates": 2128' "$heddle" litmus check --events 2 --json -

# all that a machine of several SMs can do: with what the page asks of it the model is right, with less it is not; on
# one SM less is enough
small=("$files/own-store.litmus" "$files/block-flag.litmus" "$files/racing-weak.litmus" "$files/barrier-load.litmus")
expect 0 "4 tests, 0 can end as the model forbids" "$heddle" litmus check --machine performed "${small[@]}"
expect 1 "the machine can end with P0:r0=1 P2:r0=1" "$heddle" litmus check --machine passed "$files/barrier-load.litmus"
expect 0 "4 tests, 0 can end as the model forbids" "$heddle" litmus check --machine passed --one-sm "${small[@]}"
# what one queue for each SM cannot show: stores and loads overtake nothing; a copy does
some=$(dirname "$0")/mechanisms
expect 0 "load-buffering: 4 of 4 allowed outcomes, weak 1 of 1" "$heddle" litmus check --machine performed "$some/load-buffering.litmus"
expect 0 "weak 0 of 1" "$heddle" litmus check --machine performed --in-order "$some/load-buffering.litmus"
expect 0 "weak 1 of 1" "$heddle" litmus check --machine performed --in-order "$some/store-buffering-copies.litmus"
expect 2 "expected gen, run, check or import" "$heddle" litmus
