#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The conformance set: what must be said of each trace is said, also by `heddle check`; a verdict that must not come is
# noticed; every kind of record and every row of the port's page has a wrong one.
# usage: test_conform.sh HEDDLE
set -uo pipefail
heddle=$1
here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../../../docs
source "$here/../../lib.sh"
export NO_COLOR=1

expect 0 "example:" "$heddle" conform --help
expect 2 "one folder is needed" "$heddle" conform
expect 2 "one folder is needed" "$heddle" conform --mistakes "$dir"
expect 2 "verdicts.json" "$heddle" conform "$dir" --check
expect 2 "cannot be written" "$heddle" conform "$dir/a/b"
expect 0 "" "$heddle" conform "$dir/set"
expect 0 " 0 with another verdict than must come; wrong records of 14 kinds named" "$heddle" conform "$dir/set" --check

# As a user asks, of some of each.
check() {
  local file=$1 outcome=$2 kind=$3 status=1
  case $outcome in ok) status=0 ;; trapped | undefined) status=3 ;; esac
  expect $status "$kind" "$heddle" check "$dir/set/$file"
}
python3 - "$dir/set/verdicts.json" >"$dir/list" <<'LIST'
import json, sys
for i, v in enumerate(json.load(open(sys.argv[1]))):
    if i % 7 == 0 or v["file"].startswith("mistakes"):
        print(v["file"], v["outcome"], v.get("kind", ""))
LIST
while read -r file outcome kind; do check "$file" "$outcome" "$kind"; done <"$dir/list"

# A wrong verdict is noticed, and so is a trace that is gone.
sed 's/"kind": "issue.pc"/"kind": "issue.word"/' "$dir/set/verdicts.json" >"$dir/other"
cp "$dir/other" "$dir/set/verdicts.json"
expect 1 "difference issue.word must come, and difference issue.pc came" "$heddle" conform "$dir/set" --check
rm "$dir"/set/golden/few.8.P0.trace
expect 1 "golden/few.8.P0.trace: ok  must come, and failed" "$heddle" conform "$dir/set" --check

# Every entry of "When a record is due" has a mistake, and the page shows the table.
"$heddle" conform --mistakes >"$dir/mistakes.md"
rows() {
  sed -n '/^## When a record is due/,/^Before BAR/p' "$docs/retire-port.md" |
    sed -n 's/^- \(`[a-z_`, ]*\):.*/\1/p' | grep -o '[a-z_]*[a-z]'
}
expect 0 "" test "$(rows | wc -l)" = 13
for row in $(rows); do
  case $row in
    block_start | warp_start | uniform_read) continue ;; # spoiled/ has those: 14 kinds, above
  esac
  expect 0 "| \`$row\` |" cat "$dir/mistakes.md"
done
