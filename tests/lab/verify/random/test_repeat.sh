#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A run of a random program can be done again: alone, after others, in other processes, by the line that a failure
# prints; the same records, the same verdict, every time. usage: test_repeat.sh HEDDLE TIMES
set -uo pipefail
heddle=$1 times=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/repeat.sh"

# Program 3 of 4, whatever ran before it in how many processes: the same trace, byte for byte.
for config in tiny sm; do
  t=$dir/$config
  check "$config: four programs" "$heddle" fuzz --programs 4 --seed 9 --config $config --hold --trace "$t.one"
  check "$config: in three processes" "$heddle" fuzz --programs 4 --seed 9 --config $config --hold --jobs 3 --trace "$t.three"
  for k in 0 1 2 3; do check "$config: trace $k, one process and three" cmp "$t.one.$k" "$t.three.$k"; done
  for k in 1 3; do
    check "$config: program $k alone" "$heddle" fuzz --only $k --seed 9 --config $config --hold --trace "$t.only.$k"
    check "$config: trace $k alone" cmp "$t.one.$k" "$t.only.$k"
  done
  check "$config: the traces are of programs" differ "$t.one.0" "$t.one.1"
done

# The tuple is all: each seed by itself moves the records or the wave, and the seeds that the line names are those.
only=("$heddle" fuzz --only 3 --seed 9 --config tiny --hold)
check "another memory" "${only[@]}" --memory-seed 7 --trace "$dir/memory"
check "moves the records" differ "$dir/tiny.only.3" "$dir/memory"
check "another ready" "${only[@]}" --ready-seed 7 --trace "$dir/ready"
check "moves the records" differ "$dir/tiny.only.3" "$dir/ready"
check "names of seeds" "${only[@]}" --json "$dir/json"
read -ra line < <(said "$dir/json" '["programs"][0]["repeat"]')
check "the line names all" test "$(printf '%s\n' "${line[@]}" | grep -cE '^--(only|on|config|dep|seed|memory-seed|init-seed|ready-seed|hold|max-cycles)$')" = 10
check "the line" "$heddle" "${line[@]:1}" --trace "$dir/line"
trace_body() { tail -c +800 "$1" | head -c -29; } # the header names the command, the end has the sum of all
trace_body "$dir/tiny.only.3" >"$dir/a"
trace_body "$dir/line" >"$dir/b"
check "gives the same records" cmp "$dir/a" "$dir/b"

# A fault is injected: the line of the failure gives the same failure, in every mode.
again() { # NAME OPTION...
  local name=$1
  shift
  check "$name: found" first_failing "$dir/json" --seed 4 "$@"
  read -ra line < <(said "$dir/json" '["programs"][0]["repeat"]')
  grep -A 4 -E '"(why|diagnosis)"' "$dir/json" >"$dir/why"
  check "$name: says what differs" grep -q ' in cycle ' "$dir/why"
  check "$name: repeated" fails "$heddle" "${line[@]:1}" --no-shrink --json "$dir/json"
  grep -A 4 -E '"(why|diagnosis)"' "$dir/json" | cmp -s - "$dir/why"
  check "$name: the same diagnosis, cycle, lanes, values" test $? = 0
}
again "hold" --config tiny --fault 1 --hold
again "scoreboard, calm, its" --config tiny --fault 1 --dep scoreboard --calm --latency 30 --div its
again "policy" --config tiny --fault 18 --sched lrr
again "several SMs" --config quad --fault 5 --hold

# Many times in a row, to the record; and a run that is another one every other time is not taken for the same.
repeat=$(dirname "$0")/../../../../scripts/repeat-failures.sh
export HEDDLE=$heddle
check "a failing program, $times times alike" "$repeat" --times "$times" --seed 4 --config tiny 4
check "all of them" grep -qE "^\| 4 \| tiny \| .* in cycle [0-9]+ \| [0-9]{4,} \| \`[0-9a-f]{12}\` \| $times of $times \|$" "$dir/log"
cat >"$dir/fickle" <<'F'
#!/usr/bin/env bash
echo x >>"$0.runs"
[ $(($(wc -l <"$0.runs") % 2)) = 0 ] || exec "$FICKLE" "$@"
exec "$FICKLE" "$@" --memory-seed 77
F
chmod +x "$dir/fickle"
HEDDLE=$dir/fickle FICKLE=$heddle check "every other run is another" fails "$repeat" --times 4 --seed 4 --config tiny 4
check "two of four" grep -q '2 of 4' "$dir/log"

# What the host does beside the launch is repeated as well, and is not what a program without it sees.
busy=("$heddle" fuzz --only 5 --seed 3 --config tiny --knob)
for k in 1 2; do check "a busy host" "${busy[@]}" program.host=100 --trace "$dir/busy.$k"; done
check "the same records" cmp "$dir/busy.1" "$dir/busy.2"
check "a host that only launches" "${busy[@]}" program.host=0 --trace "$dir/idle"
trace_body "$dir/busy.1" >"$dir/a"
trace_body "$dir/idle" >"$dir/b"
check "is another" differ "$dir/a" "$dir/b"

# A program that does not end is a failure of its own; the others run. A program that ends has a limit, too.
check "a limit" fails "$heddle" fuzz --programs 2 --seed 4 --config tiny --max-cycles 300 --no-shrink --json "$dir/json"
for k in 0 1; do
  check "program $k is at its limit" test "$(said "$dir/json" "[\"programs\"][$k][\"diagnosis\"][\"kind\"]")" = limit
done
check "a program that ends" "$heddle" fuzz --only 1 --seed 4 --config tiny --json "$dir/json" --junit "$dir/xml"
check "has a limit" grep -qE -- '--max-cycles [1-9][0-9]{5}' "$dir/json"

# JUnit: a case a program, with its time; why it failed, and the line.
check "JUnit" fails "$heddle" fuzz --programs 2 --seed 4 --config tiny --fault 5 --no-shrink --junit "$dir/xml"
check "two cases" python3 - "$dir/xml" <<'P'
import re, sys, xml.etree.ElementTree as e
cases = e.parse(sys.argv[1]).getroot().findall("testcase")
assert len(cases) == 2 and all(float(c.get("time")) > 0 for c in cases)
bad = [c.find("failure") for c in cases if c.find("failure") is not None]
assert bad and all("in cycle" in f.get("message") and re.match("repeat: \\S*heddle fuzz ", f.text) and "--fault 5" in f.text for f in bad)
P
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
