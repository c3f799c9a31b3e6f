#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what lab/study/simd/run.sh needs beside what scripts/setup.sh has installed: Debian packages.
# As root or with sudo.
# usage: lab/study/simd/setup.sh
set -euo pipefail
[ $# = 0 ] || { echo "usage: lab/study/simd/setup.sh" >&2; exit 2; }
packages=(clang-19 lld-19 llvm-19 qemu-user gnuplot-nox python3)
missing=()
for p in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
echo "setup: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq >&2
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
