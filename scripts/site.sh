#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make the project's site: every page, the manual of the instruction set, headers, pictures of real runs, for file:// alone.
# usage: scripts/site.sh [-o DIR] [--build DIR] [--without-waves] [--check]
#   -o DIR           where it goes (default: build/site); a folder that is there and is no site is left alone
#   --build DIR      the build whose heddle, headers and devices are used (default: build)
#   --without-waves  no pictures of waves, for which the device `tiny` with waves must have been built
#   --check          open every page in Chromium besides (minutes): no error, nothing from outside the folder; search finds
#   example: scripts/site.sh -o /tmp/site && xdg-open /tmp/site/index.html
# Links are checked always. docs/site/setup.sh installs MkDocs, into build/venv-site, and what else is needed.
# Exit status: 0, 1 a link is dead or a tool said no, 2 usage, 5 a tool or a device is missing.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage() { sed -n 's/^# \{0,1\}//; 4,9p' "$0"; }
missing() { echo "site: error: $1" >&2; exit 5; }

out="" build=$root/build check=0 waves=()
while [ $# -gt 0 ]; do
  case $1 in
    -o | --build)
      [ $# -gt 1 ] || { echo "site: error: $1 needs a folder" >&2; exit 2; }
      if [ "$1" = -o ]; then out=$2; else build=$2; fi
      shift
      ;;
    --without-waves) waves=(--without-waves) ;;
    --check) check=1 ;;
    -h | --help) usage; exit 0 ;;
    *) echo "site: error: unknown option $1 ('scripts/site.sh --help' says more)" >&2; exit 2 ;;
  esac
  shift
done
out=$(realpath -m "${out:-$build/site}")
venv=$root/build/venv-site/bin
[ ! -e "$out" ] || [ -e "$out/assets/site.css" ] || [ -z "$(ls -A "$out")" ] ||
  { echo "site: error: $out is there and is no site; name another folder" >&2; exit 2; }
[ -x "$venv/mkdocs" ] || missing "no MkDocs here; docs/site/setup.sh installs it"
[ -x "$build/heddle" ] || missing "$build/heddle is not built: cmake --build $build --target heddle"
if [ ${#waves[@]} = 0 ]; then
  [ -e "${HEDDLE_DEVICES:-$build/devices}/verilator_tiny_wave.so" ] ||
    missing "no device tiny with waves: cmake --build $build --target device_verilator_tiny_wave, or --without-waves"
  command -v fst2vcd >/dev/null || missing "no fst2vcd here; docs/site/setup.sh installs it"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -B "$root/docs/site/generated.py" "$root" "$build" "$work" "${waves[@]+"${waves[@]}"}"
# One time for all files, so that two builds are equal.
HEDDLE_SITE_PAGES=$work/pages SOURCE_DATE_EPOCH=0 NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 \
  "$venv/mkdocs" -q build --strict -f "$root/docs/site/mkdocs.yml" -d "$work/site"
rm "$work"/site/404.html "$work"/site/sitemap.xml* # for an address, which a site on the disk has not
mkdir -p "$(dirname "$out")"
rm -rf "$out"
mv "$work/site" "$out"
[ $check = 0 ] || "$venv/python" -B "$root/docs/site/check_pages.py" "$out"
