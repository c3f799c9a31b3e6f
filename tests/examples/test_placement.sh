#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/placement/search.py finds the places that the report says are free in all encodings, and where the field lies now.
# usage: test_placement.sh ROOT BUILD
set -uo pipefail
[ $# = 2 ] || { echo "usage: test_placement.sh ROOT BUILD" >&2; exit 2; }
cd "$1" || exit 2
status=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" && ln -s "$2/bin/isa-gen" "$dir/bin/"
free=$("$2/heddle" isa report isa/heddle.isa | sed -n 's/.*in all encodings: //p')
here=$(sed -nE 's/^field +yield +([0-9]+) .*/\1/p' isa/heddle.isa)
[ -n "$free" ] && [ -n "$here" ] || { echo "FAILED: no free bits, or no yield"; exit 1; }
wanted=$({
  tr -d ' ' <<<"$free" | tr ',' '\n' | while IFS=: read -r hi lo; do seq "${lo:-$hi}" "$hi"; done
  echo "$here"
} | sort -n | paste -sd' ')
got=$(examples/placement/search.py yield --list --build "$dir") || { echo "FAILED: exit status"; status=1; }
[ "$got" = "yield, 1 bits, now at $here: $(wc -w <<<"$wanted") places: $wanted" ] ||
  { echo "FAILED: '$got', but the report leaves $wanted"; status=1; }
said=$(examples/placement/search.py nothing --list --build "$dir" 2>&1) && { echo "FAILED: any field will do"; status=1; }
[ "$said" = "search.py: no field 'nothing' in isa/heddle.isa" ] || { echo "FAILED: '$said'"; status=1; }
exit $status
