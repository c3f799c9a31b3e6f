#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what the site needs besides scripts/setup.sh: pandoc and doxygen make it, fst2vcd (gtkwave) reads waves, Chromium
# looks at it. About 550 MB, most of it Chromium's, so that scripts/setup.sh leaves it out. Run as root or with sudo at hand.
set -euo pipefail
[ $# = 0 ] || { echo "usage: setup.sh     example: docs/site/setup.sh" >&2; exit 2; }
missing=()
for p in pandoc doxygen gtkwave chromium weasyprint; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
echo "setup: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq >&2
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
