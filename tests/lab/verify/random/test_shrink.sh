#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A random program that an injected fault makes fail shrinks to ten instructions or fewer, which fail with the same
# diagnosis, are right without the fault, and run without the generator. usage: test_shrink.sh HEDDLE [--full]
set -uo pipefail
heddle=$1 full=${2:-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/repeat.sh"
export HEDDLE=$heddle

seed=1
shrinks() { # FAULT OPTION...: in the first program of $seed that shows it
  local fault=$1 small name
  shift
  set -- --seed "$seed" "$@"
  rm -rf "$dir/s"
  check "fault $fault: a program shows it" first_failing "$dir/first" --config tiny --fault "$fault" "$@"
  name=$dir/s/seed-$seed-program-$program-tiny
  fails "$heddle" fuzz --only "$program" --config tiny --fault "$fault" "$@" --save "$dir/s" --json "$dir/json" >/dev/null 2>"$dir/err"
  check "fault $fault: fails" test $? = 0
  small=$(sed -nE 's/^program [0-9]+: ([0-9]+) instructions are left of [0-9]+,.*/\1/p' "$dir/err")
  check "fault $fault: ${small:-no} instructions" test "${small:-99}" -le 10
  check "fault $fault: the listing has as many" test "$(grep -cE '^ *\[B.*;' "$name.s")" = "${small:-99}"
  check "fault $fault: runs by itself" fails sh "$name.sh" --json "$dir/again"
  check "fault $fault: the same diagnosis" test "$(said "$dir/again" '["result"]["diagnosis"]')" = "$(said "$dir/json" '["programs"][0]["diagnosis"]')"
  check "fault $fault: without the fault it is right" sh "$name.sh" --fault 0
  check "fault $fault: and so it is on the model alone" sh "$name.sh" --on model --fault 0
}
shrinks 1
shrinks 9 --hold
shrinks 18 --dep scoreboard
seed=3 shrinks 2 # a jump through a register, to a place that is moved there
if [ "$full" = --full ]; then
  shrinks 34 # every 16th issue: of one warp no fewer than 16 instructions would do
  seed=13 shrinks 1 --knob program.traps=100 # memory answers with errors in a constant bank, which is not why it fails
  shrinks 57 --div its --shrink-seconds 300 # the 64th jump of a loop that goes on while others wait
  seed=7 shrinks 57 --div its --shrink-seconds 300 # a loop that waits for a lock counts instead, constants are moved before lanes part
  shrinks 56 --div its --shrink-seconds 300 # two lanes wait at two places, by a bit of what was loaded
  shrinks 3 --shrink-seconds 300  # every 16th sector of a store under a guard that is made of data
  shrinks 22 --shrink-seconds 300 # two constants a cache's size apart, where only the length of the code puts them
  shrinks 24 --shrink-seconds 300 # three ways at two branches, each by another bit of what was loaded
  shrinks 46 --shrink-seconds 300 # a store and a load of four registers, whose address is made of data
fi

# What the host does beside launching is left out only if the program fails without it as well: where time is over soon
# after that was tried, nothing else hides it.
check "time is over" fails "$heddle" fuzz --only 0 --config tiny --fault 16 --shrink-seconds 5 --save "$dir/h" --json "$dir/json"
check "it fails by itself" fails sh "$dir/h/seed-1-program-0-tiny.sh" --json "$dir/again"
check "as it did" test "$(said "$dir/again" '["result"]["diagnosis"]')" = "$(said "$dir/json" '["programs"][0]["diagnosis"]')"

# The time is bounded, and a seed of memory that the failure needs stays.
check "a program" first_failing "$dir/first" --config tiny --fault 1
check "no time" fails "$heddle" fuzz --only "$program" --config tiny --fault 1 --shrink-seconds 0 --save "$dir/n"
check "says so" grep -q 'all the time there was' "$dir/log"
check "what is left fails, too" fails sh "$dir/n/seed-1-program-$program-tiny.sh"
check "a folder that cannot be" fails "$heddle" fuzz --only "$program" --config tiny --fault 1 --no-shrink --save /proc/none
check "is told" grep -q '/proc/none: ' "$dir/log"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
