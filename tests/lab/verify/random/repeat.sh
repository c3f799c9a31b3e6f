# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of heddle fuzz: checks that are counted, and what JSON results say. $dir is the test's folder.
passed=0 failed=0
check() { # NAME COMMAND...: the command must succeed
  local name=$1
  shift
  if "$@" >"$dir/log.new" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $name"
    head -20 "$dir/log.new"
  fi
  mv "$dir/log.new" "$dir/log" # what a command said stays for the next check to read
}
differ() { [ -s "$1" ] && [ -s "$2" ] && ! cmp -s "$1" "$2"; }
# A value in a JSON file, as Python finds it: said FILE '["programs"][0]["repeat"]'
said() { python3 -c "import json, sys; print(json.load(open(sys.argv[1]))$2)" "$1"; }
# The first of the programs that fails with these options, as JSON in FILE; its number is in $program.
first_failing() { # FILE OPTION...
  local file=$1
  shift
  for program in 0 1 2 3 4 5 6 7 8 9 10 11; do
    fails "$heddle" fuzz --only "$program" --no-shrink "$@" --json "$file" && return 0
  done
  return 1
}
# Exit status 1, a failed case, is what is wanted.
fails() {
  local status=0
  "$@" || status=$?
  [ "$status" = 1 ]
}
# What a report says but for times and places.
verdicts() {
  python3 - "$1" <<'P'
import json, sys
j = json.load(open(sys.argv[1]))
keep = {k: j[k] for k in ("campaign", "passed", "failed", "warp_instructions")}
keep["signatures"] = {k: {n: v[n] for n in ("count", "chunk", "program", "why", "repeat")} for k, v in j["signatures"].items()}
print(json.dumps(keep, sort_keys=True, indent=1))
P
}
