#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what an SoC of LiteX needs besides scripts/setup.sh: LiteX and what belongs to it, into an environment of its own
# (build/venv-litex, scripts/venv.sh); with --software the compiler of its CPU, with --simulate the libraries of its simulation,
# too, from Debian's packages. Does nothing, quickly, when all is there.
set -euo pipefail
usage() {
  echo "usage: lab/fpga/litex/setup.sh [--software] [--simulate]     example: lab/fpga/litex/setup.sh --simulate" >&2
  exit 2
}
packages=()
for option in "$@"; do
  case $option in
    --software) packages+=(gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf) ;;
    --simulate) packages+=(gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf libevent-dev libjson-c-dev) ;;
    *) usage ;;
  esac
done
here=$(cd "$(dirname "$0")" && pwd)
missing=()
for package in "${packages[@]+"${packages[@]}"}"; do
  # shellcheck disable=SC2016  # dpkg's words
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}" >&2
  command -v apt-get >/dev/null || { echo "setup: there is no apt-get on this system: install them, then try again" >&2; exit 1; }
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq >&2
  $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi
exec "$here/../../../scripts/venv.sh" "$here" litex
