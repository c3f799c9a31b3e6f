#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Known failures: told, counted apart, never passed, by every command that finds differences; a waiver that has expired
# or that nothing matches is told. usage: test_waivers.sh HEDDLE TESTS
set -uo pipefail
heddle=$1 tests=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/expect.sh"
here() { # WORDS: the last command said them, too
  if grep -qF -- "$1" "$dir/out"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: it did not say '$1':"
    head -20 "$dir/out"
  fi
}
not_here() { ! grep -qF -- "$1" "$dir/out" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: it said '$1'"; }; }
said() { [ "$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))$2)" "$dir/j")" = "$1" ] &&
  passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: JSON $2 is not $1"; }; }

carry=s1:writeback.value:IADD3/RIR:R
known="$dir/known.txt" old="$dir/old.txt"
echo "$carry 9999-12-31 the carry is lost" >"$known"
echo "$carry 2000-02-29 the carry was lost" >"$old"
"$heddle" as "$tests/expect_fail/carry.s" -o "$dir/carry.elf"
run=("$heddle" run "$dir/carry.elf" --grid 1 --block 32 --config tiny --json "$dir/j")

# run: without and with; what agrees has nothing to waive
expect 1 "signature $carry" "${run[@]}" --fault 1
not_here waived
expect 1 "waived: $carry until 9999-12-31: the carry is lost" "${run[@]}" --fault 1 --waivers "$known" --trace "$dir/t"
here "ages 3, 2; 1 waived"
said "{'until': '9999-12-31', 'reason': 'the carry is lost'}" '["waived"]'
said difference '["status"]'
expect 1 "old.txt:1: the waiver of $carry has expired on 2000-02-29" "${run[@]}" --fault 1 --waivers "$old"
not_here "waived:"
expect 0 "ok:" "${run[@]}" --waivers "$known"
not_here "waived"
expect 2 "known2.txt: No such file" "${run[@]}" --waivers "$dir/known2.txt"
printf '%s\n%s 2027-02-30 x\n' "# one" "$carry" >"$dir/bad.txt"
for command in "run $dir/carry.elf --grid 1 --block 32" "kernels vecadd" "fuzz --programs 1" "cases $tests/silicon/kernels" \
  "check $dir/t $dir/carry.elf"; do
  expect 2 "$dir/bad.txt:2: error: there is no day 2027-02-30" "$heddle" $command --waivers "$dir/bad.txt"
done
head -c 1100000 /dev/zero | tr '\0' '\n' >"$dir/large.txt"
expect 2 "is larger than 1048576 bytes" "${run[@]}" --waivers "$dir/large.txt"

# check
check=("$heddle" check "$dir/t" "$dir/carry.elf" --json "$dir/j")
expect 1 "signature $carry" "${check[@]}"
expect 1 "waived: $carry until 9999-12-31" "${check[@]}" --waivers "$known"
here "1 differences; ages 3, 2; 1 waived"
said "the carry is lost" '["waived"]["reason"]'
expect 1 "has expired on 2000-02-29" "${check[@]}" --waivers "$old"
not_here "waived:"

# kernels: which one fails, and how, is asked first
kernels=("$heddle" kernels reduce vecadd --config tiny --scale 0 --launches 1 --json "$dir/j")
expect 1 "1 passed, 1 failed" "${kernels[@]}" --fault 7
here "signature s1:barrier.release:-:barrier"
echo "s1:barrier.release:-:barrier 9999-12-31 too early" >"$dir/barrier.txt"
expect 1 "waived: reduce: s1:barrier.release:-:barrier until 9999-12-31: too early" \
  "${kernels[@]}" --fault 7 --waivers "$dir/barrier.txt"
here "1 passed, 0 failed, 1 waived"
said 1 '["waived"]'
said 0 '["failed"]'

# fuzz: buckets, smallest example, waived apart
fuzz=("$heddle" fuzz --programs 6 --seed 10 --config tiny --fault 1 --jobs 2 --json "$dir/j")
expect 1 "2 x $carry" "${fuzz[@]}" --no-shrink
here "0 passed, 6 failed"
said 6 '["failed"]'
said 2 "['signatures']['$carry']['count']"
said 2 "['signatures']['$carry']['first']"
expect 1 "2 x $carry" "${fuzz[@]}" --no-shrink --waivers "$known"
here "  waived until 9999-12-31: the carry is lost"
here "0 passed, 4 failed, 2 waived"
said 2 '["waived"]'
expect 1 "0 passed, 6 failed, 0 waived" "${fuzz[@]}" --no-shrink --waivers "$old"
here "has expired on 2000-02-29"
expect 1 "  small: sh $dir/s/seed-10-program-" "$heddle" fuzz --programs 6 --seed 10 --config tiny --fault 1 --jobs 2 \
  --json "$dir/j" --save "$dir/s"
small=$(python3 -c "import json; print(json.load(open('$dir/j'))['signatures']['$carry']['smallest'])")
expect 1 "signature $carry" env -u HEDDLE sh "$small"
head -3 "${small%.sh}.s" >"$dir/out"
here "// $carry"

# campaign: over its machines; what nothing matches is told
echo '{"version": 1, "configs": ["tiny"], "seeds": [10], "programs": 6, "chunk": 3, "fault": 1}' >"$dir/m.json"
campaign=("$heddle" campaign "$dir/m.json" --dir "$dir/c" --shrink-seconds 0 --json "$dir/j")
expect 1 "0 passed, 6 failed" "${campaign[@]}"
here "2 x $carry"
said "{'tiny': 2}" "['signatures']['$carry']['machines']"
said 10 "['signatures']['$carry']['seed']"
printf '%s 9999-12-31 the carry\ns1:hung:-:- 9999-12-31 never seen\ns1:device:-:- 2001-01-01 old\n' "$carry" >"$dir/three.txt"
expect 1 "0 passed, 4 failed, 2 waived" "${campaign[@]}" --report --waivers "$dir/three.txt"
here "three.txt:2: no failure has the signature s1:hung:-:-"
here "three.txt:3: the waiver of s1:device:-:- has expired on 2001-01-01"
here "three.txt:3: no failure has the signature s1:device:-:-"
not_here "three.txt:1:"
said "['s1:hung:-:-', 's1:device:-:-']" '["waivers"]["unused"]'
expect 2 "$dir/bad.txt:2: error: there is no day" "${campaign[@]}" --report --waivers "$dir/bad.txt"
# All of them waived: it still has not passed.
"${fuzz[@]}" --no-shrink >/dev/null 2>&1
python3 -c "import json; [print(s, '9999-12-31 all') for s in json.load(open('$dir/j'))['signatures']]" >"$dir/all.txt"
expect 1 "0 passed, 0 failed, 6 waived" "${campaign[@]}" --report --waivers "$dir/all.txt"
expect 1 "0 passed, 0 failed, 6 waived" "${fuzz[@]}" --no-shrink --waivers "$dir/all.txt"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
