#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole site: its links lead somewhere, two builds give equal files, Chromium opens every page without an error; a dead link
# and an error that are planted in it are found. usage: test_whole.sh BUILD
set -uo pipefail
[ $# = 1 ] || { echo "usage: test_whole.sh BUILD" >&2; exit 2; }
build=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
wrong() { echo "FAILED: $*"; status=1; }
waves=()
[ -e "${HEDDLE_DEVICES:-$build/devices}/verilator_tiny_wave.so" ] || waves=(--without-waves)

make() { "$root/scripts/site.sh" --build "$build" -o "$dir/$1" "${waves[@]+"${waves[@]}"}"; }
make one || { echo "FAILED: no site"; exit 1; }
make two >/dev/null || wrong "no second site"
make two >/dev/null || wrong "a site is not written over"
diff -rq "$dir/one" "$dir/two" || wrong "two builds differ"
for page in index docs/index isa/manual isa/map isa/doc/12-adding-an-instruction docs/tutorial-move-a-field \
  docs/tutorial-read-a-difference docs/attach-your-core api/index api/attach_8h; do
  [ -s "$dir/one/$page.html" ] || wrong "no page $page"
  grep -q 'aria-current="page"' "$dir/one/$page.html" || [[ $page == api/attach* ]] || wrong "$page is not marked at its side"
done
! grep -rlF -e "$root" -e "$build" -e "$dir" "$dir/one" || wrong "a page names the folder where it was made"
if [ ${#waves[@]} = 0 ]; then
  grep -q 'pushed lanes' "$dir/one/docs/views-divergence.svg" || wrong "no picture of divergence"
fi
python3 -B "$root/docs/site/check_pages.py" "$dir/one" || wrong "a page in Chromium"

sed -i 's|</main>|<a href="gone.html#x">planted</a><script>console.error("planted")</script></main>|' "$dir/two/docs/units.html"
if python3 -B "$root/docs/site/check_links.py" "$dir/two" >"$dir/log"; then wrong "a dead link is not found"; fi
grep -q '^docs/units.html:[0-9]*: gone.html#x does not exist$' "$dir/log" || wrong "the dead link is not named: $(cat "$dir/log")"
if python3 -B "$root/docs/site/check_pages.py" "$dir/two" docs/units.html >"$dir/log"; then wrong "an error is not found"; fi
grep -q '^docs/units.html: console: planted$' "$dir/log" || wrong "the error is not named: $(cat "$dir/log")"
exit $status
