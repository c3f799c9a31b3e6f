#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole site: two builds give equal files, Chromium opens every page without an error and searches; a link to a heading
# that is not there, planted, ends a build. usage: test_whole.sh BUILD
set -uo pipefail
[ $# = 1 ] || { echo "usage: test_whole.sh BUILD" >&2; exit 2; }
build=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
wrong() { echo "FAILED: $*"; status=1; }

make() { "$root/scripts/site.sh" --build "$build" -o "$dir/$1"; }
make one || { echo "FAILED: no site"; exit 1; }
make two >/dev/null || wrong "no second site"
make two >/dev/null || wrong "a site is not written over"
diff -rq "$dir/one" "$dir/two" || wrong "two builds differ"
for page in index docs/index isa/map isa/doc/12-adding-an-instruction docs/tutorial-move-a-field rtl/sm/index isa/heddle.isa \
  include/heddle/attach.h; do
  [ -s "$dir/one/$page.html" ] || wrong "no page $page"
done
! grep -rlF -e "$root" -e "$build" -e "$dir" "$dir/one" || wrong "a page names the folder where it was made"
[ ! -e "${HEDDLE_DEVICES:-$build/devices}/verilator_tiny_wave.so" ] || grep -q 'pushed lanes' "$dir/one/docs/views.divergence.svg" || wrong "no picture of divergence"
"$root/build/venv-site/bin/python" -B "$root/docs/site/check_pages.py" "$dir/one" || wrong "a page in Chromium"

mkdir "$dir/pages"
printf '# Planted\n\n[try it](README.md#try-it), [gone](README.md#gone)\n' >"$dir/pages/planted.md"
if HEDDLE_SITE_PAGES=$dir/pages NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 "$root/build/venv-site/bin/mkdocs" build --strict \
  -f "$root/docs/site/mkdocs.yml" -d "$dir/three" >"$dir/log" 2>&1; then
  wrong "a dead link is not found"
fi
grep -q "WARNING.*planted.md.*README.md#gone" "$dir/log" || wrong "the dead link is not named: $(cat "$dir/log")"
[ "$(grep -c WARNING "$dir/log")" = 1 ] || wrong "more is wrong than what was planted: $(cat "$dir/log")"
exit $status
