#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A campaign that is killed goes on where it was and ends with the verdicts of one that was not; failures are sorted and
# made small; a farm's jobs do the same chunks. usage: test_campaign.sh HEDDLE
set -uo pipefail
heddle=$(realpath "$1")
source "$(dirname "$0")/../../../lib.sh"
source "$(dirname "$0")/repeat.sh"
unset HEDDLE

cat >"$dir/m.json" <<'J'
{"version": 1, "configs": ["tiny"], "dep": ["control", "scoreboard"], "port": ["free", "held"], "seeds": [8],
 "programs": 3, "chunk": 1, "fault": 20}
J

# Unbroken: some programs show the fault, others do not.
check "unbroken" fails "$heddle" campaign "$dir/m.json" --dir "$dir/a" --jobs 2 --shrink-seconds 3
tail -1 "$dir/log" >"$dir/closing"
check "12 programs" grep -qE '^([1-9]|1[01]) passed, ([1-9]|1[01]) failed$' "$dir/closing"
verdicts "$dir/a/report.json" >"$dir/a.txt"
check "a row a setting" test "$(ls "$dir/a/chunks" | grep -c '^[0-9]*.json$')" = 12
check "each a line" test "$(cat "$dir"/a/chunks/*.json | wc -l)" = 12
small=$(python3 -c "import json; print(next(iter(json.load(open('$dir/a/report.json'))['signatures'].values()))['smallest'])")
check "made small: ${small##*/}" fails env HEDDLE="$heddle" sh "$small"
check "with a wave" test -s "${small%.sh}.fst"
check "small is right without the fault" env HEDDLE="$heddle" sh "$small" --fault 0

# Killed in the middle.
"$heddle" campaign "$dir/m.json" --dir "$dir/b" --shrink-seconds 0 >/dev/null 2>&1 &
victim=$!
for _ in $(seq 600); do
  [ "$(ls "$dir"/b/chunks/*.json 2>/dev/null | wc -l)" -ge 2 ] && break
  sleep 0.05
done
kill -9 $victim
wait $victim 2>/dev/null
done=$(ls "$dir"/b/chunks/*.json | wc -l)
check "killed after $done of 12" test "$done" -ge 2 -a "$done" -lt 12
stat -c '%n %Y %i' "$dir/b/chunks/000000.json" >"$dir/before"
check "goes on" fails "$heddle" campaign "$dir/m.json" --dir "$dir/b" --jobs 2 --shrink-seconds 0
stat -c '%n %Y %i' "$dir/b/chunks/000000.json" | cmp -s - "$dir/before"
check "what was done is not done again" test $? = 0
verdicts "$dir/b/report.json" | cmp -s - "$dir/a.txt"
check "the same verdicts" test $? = 0

# In turns: program 0 of each setting, then program 1 of each; as a whole the same.
sed 's/"fault": 20/"fault": 20, "turns": true/' "$dir/m.json" >"$dir/turns.json"
for i in 0 1 2 3; do "$heddle" campaign "$dir/turns.json" --dir "$dir/t" --chunk "$i" >/dev/null 2>&1; done
for i in 0 1 2 3; do said "$dir/t/chunks/00000$i.json" '["warp_instructions"]'; done >"$dir/in_turns"
for i in 00 03 06 09; do said "$dir/a/chunks/0000$i.json" '["warp_instructions"]'; done >"$dir/one_by_one"
check "a program of each setting first" cmp "$dir/in_turns" "$dir/one_by_one"
check "the others" fails "$heddle" campaign "$dir/turns.json" --dir "$dir/t" --jobs 2 --shrink-seconds 0
check "as many pass and fail" test "$(tail -1 "$dir/log")" = "$(cat "$dir/closing")"
sed 's/"fault": 20/"turns": 1/' "$dir/m.json" >"$dir/wrong.json"
expect 2 '"turns": expected true or false' "$heddle" campaign "$dir/wrong.json" --dir "$dir/w"

# A farm: one job a chunk, in any order; then the same command reports.
mkdir "$dir/bin"
cat >"$dir/bin/sbatch" <<'S'
#!/usr/bin/env bash
last=$(sed -nE 's/^#SBATCH --array=0-([0-9]+)$/\1/p' "$1")
for i in $(seq "$last" -1 0); do SLURM_ARRAY_TASK_ID=$i sh "$1" || exit 9; done
S
chmod +x "$dir/bin/sbatch"
check "a job array" env PATH="$dir/bin:$PATH" "$heddle" campaign "$dir/m.json" --dir "$dir/c" --slurm
check "reports" fails "$heddle" campaign "$dir/m.json" --dir "$dir/c" --shrink-seconds 0 --json "$dir/c.json"
verdicts "$dir/c.json" | cmp -s - "$dir/a.txt"
check "the same verdicts from a farm" test $? = 0
expect 5 "can be submitted where Slurm is" env PATH=/nowhere "$heddle" campaign "$dir/m.json" --dir "$dir/e" --slurm
expect 2 "there are 12, from 0" "$heddle" campaign "$dir/m.json" --dir "$dir/c" --chunk 12

# More chunks than Slurm takes tasks, in a folder with a name that a shell would read: a task does each thousandth chunk.
odd="$dir/it's \$HOME"
cat >"$dir/many.json" <<'J'
{"version": 1, "configs": ["tiny"], "seeds": [1], "programs": 2500, "chunk": 1}
J
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/sbatch"
submit() { env PATH="$dir/bin:$PATH" "$heddle" campaign "$dir/many.json" --dir "$odd" --slurm; }
tasks() { grep -qx "#SBATCH --array=$1" "$odd/campaign.sbatch"; }
check "2500 chunks" submit
check "1000 tasks" tasks 0-999
check "a task" env SLURM_ARRAY_TASK_ID=700 sh "$odd/campaign.sbatch"
check "its chunks" test "$(cd "$odd/chunks" && echo *.json)" = "000700.json 001700.json"
check "again" submit
check "without that task" tasks 0-699,701-999
rm -f "$odd/chunks/001700.json"
check "a chunk is lost" submit
check "with that task" tasks 0-999
expect 4 "2499 of 2500 chunks are not done" "$heddle" campaign "$dir/many.json" --dir "$odd" --report
expect 2 "at a time" "$heddle" campaign "$dir/many.json" --dir "$odd" --report --slurm

# Another build of a machine is a device of its own; here it is not built.
printf '{"version": 1, "configs": ["tiny_fast"], "seeds": [4], "programs": 1}\n' >"$dir/variant.json"
mkdir "$dir/none"
expect 5 "verilator_tiny_fast is not built" env HEDDLE_DEVICES="$dir/none" \
  "$heddle" campaign "$dir/variant.json" --dir "$dir/v" --shrink-seconds 0

# Knobs lie beside the manifest, wherever the command runs.
mkdir "$dir/k"
echo 'launches = 1..1' >"$dir/k/one.knobs"
echo '{"version": 1, "configs": ["tiny"], "seeds": [4], "programs": 1, "knobs": ["one.knobs"]}' >"$dir/k/m.json"
expect 0 "1 passed, 0 failed" "$heddle" campaign "$dir/k/m.json" --dir "$dir/k/d"
same_from_within() { (cd "$dir/k" && "$heddle" campaign m.json --dir d); }
expect 0 "1 passed, 0 failed" same_from_within
echo 'launches = 2..2' >"$dir/k/one.knobs"
expect 2 "other knobs" "$heddle" campaign "$dir/k/m.json" --dir "$dir/k/d"
echo 'launches = 0..1' >"$dir/k/one.knobs"
expect 2 "$dir/k/one.knobs:1:" "$heddle" campaign "$dir/k/m.json" --dir "$dir/k/e"

# What a folder holds is not trusted, nor is a manifest.
sed 's/"fault": 20/"fault": 21/' "$dir/m.json" >"$dir/other.json"
expect 2 "belongs to another manifest" "$heddle" campaign "$dir/other.json" --dir "$dir/c"
head -c 20 "$dir/c/chunks/000003.json" >"$dir/cut" && cp "$dir/cut" "$dir/c/chunks/000003.json"
expect 2 "000003.json" "$heddle" campaign "$dir/m.json" --dir "$dir/c"
refused() { # WORDS JSON
  printf '%s\n' "$2" >"$dir/bad.json"
  expect 2 "$1" "$heddle" campaign "$dir/bad.json" --dir "$dir/d"
}
refused '"speed": nothing has that name' '{"version": 1, "configs": ["tiny"], "seeds": [1], "programs": 1, "speed": 2}'
refused '"configs": not a configuration' '{"version": 1, "configs": ["huge"], "seeds": [1], "programs": 1}'
refused '"seeds": seeds are numbers' '{"version": 1, "configs": ["tiny"], "seeds": [-1], "programs": 1}'
refused '"seeds": expected a list' '{"version": 1, "configs": ["tiny"], "programs": 1}'
refused '"programs": expected a number' '{"version": 1, "configs": ["tiny"], "seeds": [1], "programs": 0}'
refused '"dep": an unknown word' '{"version": 1, "configs": ["tiny"], "seeds": [1], "programs": 1, "dep": ["hope"]}'
refused '"version": expected' '{"version": 2, "configs": ["tiny"], "seeds": [1], "programs": 1}'
refused 'bad.json:2:0: ' '{"version": 1'
expect 2 "No such file" "$heddle" campaign "$dir/none.json" --dir "$dir/d"
expect 2 "--dir DIR are needed" "$heddle" campaign "$dir/m.json"
expect 0 "example:" "$heddle" campaign --help
