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
  /^<!-- heddle ptx --list -->$/ { inside = 1; print "```"; while ((getline line < list) > 0) print line; print "```" }
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
if command -v clang-14 >/dev/null && [ -e /usr/lib/clc/nvptx64--nvidiacl.bc ]; then
  awk '/^```$/ { inside = 0 } inside { print } /^```sh$/ { inside = 1 }' "$doc" |
    sed "s|/tmp/|$dir/|g; s|build/heddle|$heddle|g" >"$dir/commands"
  grep -q 'heddle run' <(sed "s|$heddle|heddle|g" "$dir/commands") || { echo "no commands"; status=1; }
  (cd "$(dirname "$doc")/.." && bash -euo pipefail "$dir/commands") >"$dir/out" 2>&1 || { cat "$dir/out"; status=1; }
  for made in saxpy.x:saxpy.y scale.in:scale.out; do
    [ "$(stat -c %s "$dir/${made#*:}" 2>/dev/null)" = 4000 ] || { echo "no result: ${made#*:}"; status=1; }
    cmp -s "$dir/${made%:*}" "$dir/${made#*:}" && { echo "nothing was computed: ${made#*:}"; status=1; }
  done
else
  echo "clang-14 or libclc-14 is not installed: scripts/setup.sh"
  status=1
fi
exit $status
