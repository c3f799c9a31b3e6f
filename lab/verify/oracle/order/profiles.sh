#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Profiles that show less (docs/retire-port.md), on the conformance set: right traces hold at P0, P1, P2, and what is
# hidden is named; what is broken at P2 is broken at P1 and P0, too, or lower_profiles.txt says why not.
# usage: profiles.sh HEDDLE
set -uo pipefail
[ $# = 1 ] || { echo "usage: profiles.sh HEDDLE" >&2; exit 2; }
heddle=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 held=0 found=0 listed=0
fail() { echo "FAILED: $*"; failed=$((failed + 1)); }

"$heddle" conform "$dir/set" >"$dir/out" || { cat "$dir/out"; exit 1; }
for trace in "$dir"/set/golden/*.trace; do
  profile=${trace%.trace} profile=${profile##*.}
  "$heddle" order "$trace" >"$dir/out" 2>&1 || { fail "$trace"; cat "$dir/out"; }
  said=$(grep -c "^profile $profile; not judged: .*global.stamp, global.bank" "$dir/out")
  [ "$said" = "$([ "$profile" = P2 ] && echo 0 || echo 1)" ] || fail "$trace: what is hidden"
  held=$((held + 1))
done
[ "$held" -ge 180 ] || fail "the set has $held golden traces"

broken() { # TRACE; false, too, if the set has no such trace
  [ -f "$1" ] && { "$heddle" order "$1" >"$dir/out" 2>&1; [ $? = 1 ]; }
}
for trace in "$dir"/set/spoiled/*.P2.trace; do
  name=$(basename "$trace" .P2.trace)
  broken "$trace" || continue
  found=$((found + 1))
  for profile in P1 P0; do
    want=yes got=no
    awk -v n="$name" -v p="$profile" '$1 == n && index($2, p) { hit = 1 } END { exit !hit }' \
      "$here/lower_profiles.txt" && want=no listed=$((listed + 1))
    broken "$dir/set/spoiled/$name.$profile.trace" && got=yes
    [ "$want" = "$got" ] || fail "$name at $profile: broken $got, want $want"
  done
done
[ "$found" -ge 60 ] || fail "$found spoiled traces are broken at P2"
[ "$listed" = "$(awk '!/^#/ && NF { n += split($2, p, ",") } END { print n }' "$here/lower_profiles.txt")" ] ||
  fail "lower_profiles.txt names what is not broken at P2"
echo "$held right traces, $found spoiled ones, $failed failed"
[ "$failed" = 0 ]
