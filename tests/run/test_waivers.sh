#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Known failures: told, counted apart, never passed, by every command that finds differences; a waiver that has expired
# or that nothing matches is told. usage: test_waivers.sh HEDDLE TESTS
set -uo pipefail
heddle=$1 tests=$2
source "$(dirname "$0")/../lib.sh"
json() { # VALUE PATH
  holds "JSON $2 is $1" test "$(python3 -c "import json, sys; print(json.load(open(sys.argv[1]))$2)" "$dir/j")" = "$1"
}

carry=s1:writeback.value:IADD3/RIR:R
known="$dir/known.txt" old="$dir/old.txt"
echo "$carry 9999-12-31 the carry is lost" >"$known"
echo "$carry 2000-02-29 the carry was lost" >"$old"
"$heddle" as "$tests/expect_fail/carry.s" -o "$dir/carry.elf"
run=("$heddle" run "$dir/carry.elf" --grid 1 --block 32 --config tiny --json "$dir/j")

# run: without and with; what agrees has nothing to waive
expect 1 "signature $carry" "${run[@]}" --fault 1
unsaid waived
expect 1 "waived: $carry until 9999-12-31: the carry is lost" "${run[@]}" --fault 1 --waivers "$known" --trace "$dir/t"
said "ages 3, 2; 1 waived"
json "{'until': '9999-12-31', 'reason': 'the carry is lost'}" '["waived"]'
json difference '["status"]'
expect 1 "old.txt:1: the waiver of $carry has expired on 2000-02-29" "${run[@]}" --fault 1 --waivers "$old"
unsaid "waived:"
expect 0 "ok:" "${run[@]}" --waivers "$known"
unsaid "waived"
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
said "1 differences; ages 3, 2; 1 waived"
json "the carry is lost" '["waived"]["reason"]'
expect 1 "has expired on 2000-02-29" "${check[@]}" --waivers "$old"
unsaid "waived:"

# kernels: which one fails, and how, is asked first
kernels=("$heddle" kernels reduce vecadd --config tiny --scale 0 --launches 1 --json "$dir/j")
expect 1 "1 passed, 1 failed" "${kernels[@]}" --fault 7
said "signature s1:barrier.release:-:barrier"
echo "s1:barrier.release:-:barrier 9999-12-31 too early" >"$dir/barrier.txt"
expect 1 "waived: reduce: s1:barrier.release:-:barrier until 9999-12-31: too early" \
  "${kernels[@]}" --fault 7 --waivers "$dir/barrier.txt"
said "1 passed, 0 failed, 1 waived"
json 1 '["waived"]'
json 0 '["failed"]'

# fuzz: buckets, smallest example, waived apart
fuzz=("$heddle" fuzz --programs 6 --seed 10 --config tiny --fault 1 --jobs 2 --json "$dir/j")
expect 1 "2 x $carry" "${fuzz[@]}" --no-shrink
said "0 passed, 6 failed"
json 6 '["failed"]'
json 2 "['signatures']['$carry']['count']"
json 2 "['signatures']['$carry']['first']"
expect 1 "2 x $carry" "${fuzz[@]}" --no-shrink --waivers "$known"
said "  waived until 9999-12-31: the carry is lost"
said "0 passed, 4 failed, 2 waived"
json 2 '["waived"]'
expect 1 "0 passed, 6 failed, 0 waived" "${fuzz[@]}" --no-shrink --waivers "$old"
said "has expired on 2000-02-29"
expect 1 "  small: sh $dir/s/seed-10-program-" "$heddle" fuzz --programs 6 --seed 10 --config tiny --fault 1 --jobs 2 \
  --json "$dir/j" --save "$dir/s"
small=$(python3 -c "import json; print(json.load(open('$dir/j'))['signatures']['$carry']['smallest'])")
expect 1 "signature $carry" env -u HEDDLE sh "$small"
head -3 "${small%.sh}.s" >"$dir/out"
said "// $carry"

# campaign: over its machines; what nothing matches is told
echo '{"version": 1, "configs": ["tiny"], "seeds": [10], "programs": 6, "chunk": 3, "fault": 1}' >"$dir/m.json"
campaign=("$heddle" campaign "$dir/m.json" --dir "$dir/c" --shrink-seconds 0 --json "$dir/j")
expect 1 "0 passed, 6 failed" "${campaign[@]}"
said "2 x $carry"
json "{'tiny': 2}" "['signatures']['$carry']['machines']"
json 10 "['signatures']['$carry']['seed']"
printf '%s 9999-12-31 the carry\ns1:hung:-:- 9999-12-31 never seen\ns1:device:-:- 2001-01-01 old\n' "$carry" >"$dir/three.txt"
expect 1 "0 passed, 4 failed, 2 waived" "${campaign[@]}" --report --waivers "$dir/three.txt"
said "three.txt:2: no failure has the signature s1:hung:-:-"
said "three.txt:3: the waiver of s1:device:-:- has expired on 2001-01-01"
said "three.txt:3: no failure has the signature s1:device:-:-"
unsaid "three.txt:1:"
json "['s1:hung:-:-', 's1:device:-:-']" '["waivers"]["unused"]'
expect 2 "$dir/bad.txt:2: error: there is no day" "${campaign[@]}" --report --waivers "$dir/bad.txt"
# All of them waived: it still has not passed.
"${fuzz[@]}" --no-shrink >/dev/null 2>&1
python3 -c "import json; [print(s, '9999-12-31 all') for s in json.load(open('$dir/j'))['signatures']]" >"$dir/all.txt"
expect 1 "0 passed, 0 failed, 6 waived" "${campaign[@]}" --report --waivers "$dir/all.txt"
expect 1 "0 passed, 0 failed, 6 waived" "${fuzz[@]}" --no-shrink --waivers "$dir/all.txt"
