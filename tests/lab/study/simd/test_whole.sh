#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All is compiled, run and counted again: every number is the stored one. Minutes; needs lab/study/simd/setup.sh.
# usage: test_whole.sh STUDY BUILD
set -euo pipefail
[ $# = 2 ] || { echo "usage: test_whole.sh STUDY BUILD" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$1/run.sh" -o "$tmp" --build "$2" >/dev/null
python3 - "$1/results.json" "$tmp/results.json" <<'END'
import json
import sys

stored, new = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
wrong = [f"{kernel}: {name}" for kernel, has in stored["kernels"].items() for name, entry in has["versions"].items()
         if new["kernels"][kernel]["versions"].get(name) != entry]
print("\n".join(f"FAILED: other counts than are stored: {w}" for w in wrong))
print(f"stored by {stored['tools']}, now {new['tools']}")
sys.exit(bool(wrong) or stored["remarks"] != new["remarks"])
END
for picture in "$tmp"/study-simd-*.svg; do
  cmp "$picture" "$1/../../docs/img/${picture##*/}"
done
