#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# absent.c with all that judges, built by clang with MemorySanitizer: fields that are not shown are never read; and one
# that is shown and was never written is noticed. usage: absent.sh BUILD CLANG
set -euo pipefail
build=$1 clang=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Every source of these libraries, with the folders of headers that it is compiled with.
python3 - "$build/compile_commands.json" "$here/absent.c" >"$dir/sources" <<'LIST'
import json, re, sys
parts = ("heddle_model", "heddle_sem_base", "heddle_isa", "heddle_asm", "heddle_checker", "heddle_conform_streams")
folders = []
for c in json.load(open(sys.argv[1])):
    part = re.search(r"CMakeFiles/(\w+)\.dir/", c["command"].split(" -o ")[1])
    if not part or part[1] not in parts:
        continue
    given = re.findall(r"-(?:I|isystem )(\S+)", c["command"])
    folders += [f for f in given if f not in folders]
    print(c["file"], *("-I" + f for f in given), *re.findall(r"-DSEM_BUILD=\w+", c["command"]))
print(sys.argv[2], *("-I" + f for f in folders))
LIST
[ "$(wc -l <"$dir/sources")" -gt 100 ]

compile() {
  local n=$1 words
  shift
  read -ra words <<<"$*"
  "$clang" -std=gnu11 -O1 -gline-tables-only -fsanitize=memory -fno-sanitize-memory-param-retval -w -c "${words[@]}" -o "$dir/$n.o"
}
n=0
while read -r line; do
  n=$((n + 1))
  compile $n "$line"
done <"$dir/sources"
"$clang" -fsanitize=memory "$dir"/*.o -lelf -ljansson -lm -o "$dir/absent"
"$dir/absent"
if "$dir/absent" shown >"$dir/out" 2>&1; then
  echo "a field that is read and was never written is not noticed"
  exit 1
fi
grep -q "use-of-uninitialized-value" "$dir/out"
echo "a shown field that was never written is noticed"
