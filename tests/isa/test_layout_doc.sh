#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_layout_doc.sh [--write] NAME.md DOCUMENT [KIND]
# The table in the document, between '<!-- NAME.KIND -->' and '<!-- end -->', is what was made of NAME.KIND, a layout
# unless said (--write: puts it there).
set -uo pipefail
write=
[ "$1" = --write ] && write=1 && shift
table=$1 doc=$2 kind=${3:-layout}
mark="<!-- $(basename "$table" .md).$kind -->"
[ -s "$table" ] || { echo "there is no $table: build target '${kind}_files'"; exit 1; }
[ "$(grep -cxF -e "$mark" -e '<!-- end -->' "$doc")" = 2 ] || { echo "$doc: not one '$mark' and '<!-- end -->'"; exit 1; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v table="$table" -v mark="$mark" '
  /^<!-- end -->$/ { inside = 0 }
  !inside { print }
  $0 == mark { inside = 1; while ((getline line < table) > 0) print line }
' "$doc" >"$new"
if [ $write ]; then
  cat "$new" >"$doc"
  exit
fi
diff -u "$doc" "$new" || { echo "the table is old: tests/isa/test_layout_doc.sh --write $table $doc $kind"; exit 1; }
