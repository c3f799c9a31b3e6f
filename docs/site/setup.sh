#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what the site needs besides scripts/setup.sh: MkDocs with Material, into build/venv-site (scripts/venv.sh);
# fst2vcd (gtkwave) reads waves, Chromium looks at the pages (about 500 MB),
# pandoc and weasyprint make the book of the instruction set. Run as root or with sudo at hand.
set -euo pipefail
[ $# = 0 ] || { echo "usage: setup.sh     example: docs/site/setup.sh" >&2; exit 2; }
here=$(dirname "$0")
missing=()
for p in python3-venv gtkwave chromium pandoc weasyprint; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
done
if [ ${#missing[@]} -gt 0 ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  echo "setup: installing ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq >&2
  $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
exec "$here/../../scripts/venv.sh" "$here" site
