#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: scripts/profile-picture.sh [HEDDLE]
# docs/img/profile.png: the page of --profile-out for firmware/kernels/reduce.cl on tiny, as Chromium shows it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=${1:-$root/build/heddle}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$root"
head -c 32768 /dev/zero >"$dir/in.bin"
"$heddle" run firmware/kernels/reduce.cl --grid 4 --block 64 --arg "in:$dir/in.bin" --arg "out:16:$dir/out.bin" \
  --arg local:256 --arg u32:8192 --config tiny --profile-out "$dir"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,1760 \
  --screenshot="$dir/profile.png" "file://$dir/profile.html"
mv "$dir/profile.png" docs/img/profile.png
