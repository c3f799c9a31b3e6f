#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A campaign on a real Slurm of two nodes: a process is killed, a task cancelled, a node lost while what it runs goes on;
# the same command again does what is left, and the verdicts are those of one machine. usage: test_farm.sh HEDDLE
set -uo pipefail
heddle=$(realpath "$1")
dir=$(mktemp -d)
source "$(dirname "$0")/repeat.sh"
source "$(dirname "$0")/farm.sh"
trap 'farm_down; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

cat >"$dir/m.json" <<'J'
{"version": 1, "configs": ["tiny"], "dep": ["control", "scoreboard"], "port": ["free", "held"], "seeds": [3],
 "programs": 15, "chunk": 5, "fault": 20}
J
chunks=12
campaign() { "$heddle" campaign "$dir/m.json" --dir "$dir/b" --shrink-seconds 0 "$@"; }
done_chunks() { ls "$dir"/b/chunks/*[0-9].json 2>/dev/null | wc -l; }
at_least() { [ "$(done_chunks)" -ge "$1" ]; }
give_up() {
  echo "FAILED: $1"
  squeue 2>/dev/null
  tail -n 5 "$farm"/*.log "$dir"/b/chunks/task-*.out 2>/dev/null
  exit 1
}

# A chunk under way on a node, its process stopped so that it is in the middle: $pid, $chunk, $task (as Slurm names it).
stop_one() { # NODE
  for pid in $(pgrep -f -- "$heddle campaign $dir/m.json --dir $dir/b --chunk "); do
    tr '\0' '\n' <"/proc/$pid/environ" >"$dir/environ" 2>/dev/null
    grep -qx "SLURMD_NODENAME=$1" "$dir/environ" && kill -STOP "$pid" 2>/dev/null || continue
    until_ok 5 grep -q '^State:.T' "/proc/$pid/status" || { kill -CONT "$pid" 2>/dev/null; continue; }
    chunk=$(tr '\0' '\n' <"/proc/$pid/cmdline" | tail -1)
    task=$(sed -n 's/^SLURM_ARRAY_JOB_ID=//p' "$dir/environ")_$chunk
    [ -n "$chunk" ] && [ ! -e "$(printf '%s/b/chunks/%06d.json' "$dir" "$chunk")" ] && return
    kill -CONT "$pid" 2>/dev/null
  done
  return 1
}
open_chunk() { [ ! -e "$(printf '%s/b/chunks/%06d.json' "$dir" "$1")" ]; }

check "one machine" fails "$heddle" campaign "$dir/m.json" --dir "$dir/a" --jobs 2 --shrink-seconds 0
check "some pass, some fail" grep -qE '^[1-9][0-9]* passed, [1-9][0-9]* failed$' "$dir/log"
[ "$failed" = 0 ] || exit 1
verdicts "$dir/a/report.json" >"$dir/a.txt"

farm_up || exit 1
check "submitted" campaign --slurm
check "as one array" grep -q '^Submitted batch job' "$dir/log"

# A process killed on one node, a task cancelled, then a node lost: nobody answers there, but one chunk still runs.
until_ok 60 at_least 1 || give_up "no chunk is done"
until_ok 30 stop_one farm1 || give_up "nothing runs on the first node"
killed=$chunk
kill -9 "$pid"
until_ok 30 stop_one farm1 || give_up "nothing runs on the first node any more"
check "cancelled" scancel "$task"
until_ok 30 stop_one farm2 || give_up "nothing runs on the second node"
straggler=$pid lost=$chunk
kill -9 "$farm2_pid"
check "the node is taken for lost" scontrol update nodename=farm2 state=down reason=lost
check "the rest is cancelled" scancel --name=heddle-campaign
until_ok 30 farm_empty || give_up "jobs do not end"
# Others that ran there end as well, and leave their chunk: then nothing is added to what is done.
straggler_alone() { [ "$(pgrep -f -- "$heddle campaign $dir/m.json --dir $dir/b --chunk ")" = "$straggler" ]; }
until_ok 30 straggler_alone || give_up "other chunks still run"
before=$(done_chunks)
check "broken off after $before of $chunks" test "$before" -ge 1 -a "$before" -le $((chunks - 2))
for c in $killed $lost; do check "chunk $c is open" open_chunk "$c"; done
campaign --report >"$dir/said" 2>&1
check "a report says what is missing, status 4" test $? = 4
check "and how much" grep -q "$((chunks - before)) of $chunks chunks are not done" "$dir/said"

# The node that is left does the rest, and only that.
stat -c '%n %Y %i' "$dir"/b/chunks/*[0-9].json >"$dir/before"
check "submitted again" campaign --slurm
check "what was left" grep -q "$((chunks - before)) of $chunks chunks: " "$dir/log"
until_ok 120 at_least $chunks || give_up "the rest is not done"
until_ok 30 farm_empty || give_up "tasks do not end"
check "what was done is not done again" sh -c 'stat -c "%n %Y %i" $(cut -d" " -f1 "$1") | cmp - "$1"' sh "$dir/before"
check "reports" fails campaign --report --json "$dir/b.json"
verdicts "$dir/b.json" >"$dir/b.txt"
check "the same verdicts" cmp "$dir/a.txt" "$dir/b.txt"

# What ran on the lost node ends now, after the same chunk has been done elsewhere: nothing changes.
kill -CONT "$straggler"
until_ok 30 farm_gone "$straggler" || give_up "the chunk of the lost node does not end"
check "nothing went wrong in it" test "$(grep -c 'did not run to its end' "$dir/b/chunks/task-$lost.out")" = 0
check "reports again" fails campaign --report --json "$dir/c.json"
verdicts "$dir/c.json" | cmp -s - "$dir/a.txt"
check "still the same verdicts" test $? = 0
check "nothing is left to submit" campaign --slurm
check "and it says so" grep -q "all $chunks chunks are done" "$dir/log"

# A chunk that is lost, and a command that waits for its task.
rm "$dir/b/chunks/000005.json"
check "submitted and waited for" env SBATCH_WAIT=1 timeout 120 "$heddle" campaign "$dir/m.json" --dir "$dir/b" --slurm
check "it is there" at_least $chunks

# More chunks than an array may have tasks.
sed 's/"programs": 15, "chunk": 5/"programs": 500, "chunk": 1/' "$dir/m.json" >"$dir/many.json"
check "2000 chunks are taken" "$heddle" campaign "$dir/many.json" --dir "$dir/many" --slurm
check "cancelled" scancel --name=heddle-campaign
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
