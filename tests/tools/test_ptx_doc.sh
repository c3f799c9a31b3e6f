#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_ptx_doc.sh [--write] HEDDLE docs/ptx.md
# The table of instructions in the document is what `heddle ptx --list` says (--write: puts it there), the JSON says the
# same, and the commands in it work; without clang-14 and libclc-14 it fails.
set -uo pipefail
write=
[ "$1" = --write ] && write=1 && shift
heddle=$(realpath "$1") doc=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

"$heddle" ptx --list >"$dir/list" || exit 1
awk -v list="$dir/list" '
  /^<!-- end -->$/ { inside = 0 }
  !inside { print }
  /^<!-- heddle ptx --list -->$/ { inside = 1; print "```text"; while ((getline line < list) > 0) print line; print "```" }
' "$doc" >"$dir/doc"
if [ $write ]; then
  cp "$dir/doc" "$doc"
  exit
fi
diff -u "$doc" "$dir/doc" || { echo "the table is old: test_ptx_doc.sh --write"; status=1; }

# ---- as JSON: as many instructions, and each name
"$heddle" ptx --list --json "$dir/list.json" || status=1
for name in $(grep -v '^[#%]' "$dir/list" | cut -d' ' -f1 | sort -u); do
  grep -q "\"name\": \"$name\"" "$dir/list.json" || { echo "$name is not in the JSON"; status=1; }
done
"$heddle" ptx --list something.ptx 2>/dev/null && { echo "--list takes a file"; status=1; }

# ---- the commands, elsewhere
awk '/^```$/ { inside = 0 } inside { print } /^```sh$/ { inside = 1 }' "$doc" |
  sed "s|/tmp/|$dir/|g; s|build/heddle|$heddle|g" >"$dir/commands"
grep -q 'heddle run' <(sed "s|$heddle|heddle|g" "$dir/commands") || { echo "no commands"; status=1; }
(cd "$(dirname "$doc")/.." && bash -euo pipefail "$dir/commands") >"$dir/out" 2>&1 || { cat "$dir/out"; status=1; }
[ "$(stat -c %s "$dir/saxpy.y" 2>/dev/null)" = 4000 ] || { echo "no result: saxpy.y"; status=1; }
cmp -s "$dir/saxpy.x" "$dir/saxpy.y" && { echo "nothing was computed: saxpy.y"; status=1; }
exit $status
