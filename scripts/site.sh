#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make the project's site: every page, the manual of the instruction set, headers, pictures of real runs, for file:// alone.
# usage: scripts/site.sh [-o DIR] [--build DIR] [--check]
#   -o DIR       where it goes (default: build/site); a folder that is there and is no site is left alone
#   --build DIR  the build whose heddle, headers and device `tiny` with waves are used (default: build)
#   --check      open every page in Chromium besides (minutes): no error, nothing from outside the folder; search finds
#   example: scripts/site.sh -o /tmp/site && xdg-open /tmp/site/index.html
# Links are checked always. docs/site/setup.sh installs MkDocs, into build/venv-site, and what else is needed.
# Exit status: 0, 1 a link is dead or a tool said no, 2 usage, 5 a tool is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n 's/^# \{0,1\}//; 4,8p' "$0"; }
wrong() { echo "site: error: $2" >&2; exit "$1"; }

out="" build=$root/build check=0
while [ $# -gt 0 ]; do
  case $1 in
    -o | --build)
      [ $# -gt 1 ] || wrong 2 "$1 needs a folder"
      if [ "$1" = -o ]; then out=$2; else build=$2; fi
      shift
      ;;
    --check) check=1 ;;
    -h | --help) usage; exit 0 ;;
    *) wrong 2 "unknown option $1 ('scripts/site.sh --help' says more)" ;;
  esac
  shift
done
out=$(realpath -m "${out:-$build/site}")
venv=$root/build/venv-site/bin
[ -e "$out/assets/site.css" ] || [ -z "$(ls -A "$out" 2>/dev/null)" ] || wrong 2 "$out is there and is no site; name another folder"
[ -x "$venv/mkdocs" ] || wrong 5 "no MkDocs here; docs/site/setup.sh installs it"
[ -x "$build/heddle" ] || wrong 5 "$build/heddle is not built: cmake --build $build --target heddle"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$root/docs/site/generated.py" "$root" "$build" "$work"
# One time for all files, so that two builds are equal.
HEDDLE_SITE_PAGES=$work/pages SOURCE_DATE_EPOCH=0 NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 \
  "$venv/mkdocs" -q build --strict -f "$root/docs/site/mkdocs.yml" -d "$work/site"
rm "$work"/site/404.html "$work"/site/sitemap.xml* # for an address, which a site on the disk has not
mkdir -p "$(dirname "$out")"
rm -rf "$out"
mv "$work/site" "$out"
[ $check = 0 ] || "$venv/python" -B "$root/docs/site/check_pages.py" "$out"
