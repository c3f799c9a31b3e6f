#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_install.sh BUILD
# As a stranger: the wheel into an environment that has nothing, with what it asks for from PyPI; the page's programs run there,
# from an empty folder, and nothing in it knows where it was built.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../../.." && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wheels=("$build"/python/heddle-*-py3-none-linux_*.whl)
[ ${#wheels[@]} = 1 ] && [ -e "${wheels[0]}" ] || { echo "one wheel was expected: ${wheels[*]}"; exit 1; }
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check -c "$root/firmware/host/python/requirements.txt" "${wheels[0]}"
installed=$("$work/venv/bin/pip" list --disable-pip-version-check --format freeze | grep -vE '^(pip|setuptools)=' | sed 's/=.*//' | sort | tr '\n' ' ')
[ "$installed" = "cffi heddle numpy pycparser " ] || { echo "it brought: $installed"; exit 1; }

package=$(cd "$work" && "$work/venv/bin/python" -c 'import heddle, os; print(os.path.dirname(heddle.__file__))')
known=$(grep -rlaF -e "$root" -e "$build" "$package" | grep -v '/lib/devices/' || true) # devices name their Verilog in assertions
[ -z "$known" ] || { echo "these know where they were built: $known"; exit 1; }
# All that the libraries want is inside, or in every Linux.
other=$(ldd "$package"/lib/*.so* | sed -nE 's/^\s*(\S+) => \/.*/\1/p' | sort -u |
  grep -vE '^(libc|libm|libdl|libpthread|librt)\.so' || true)
for name in $other; do [ -e "$package/lib/$name" ] || { echo "it wants $name of the system"; exit 1; }; done
cp -r "$root/tests/firmware/host/python" "$work/tests"
mkdir "$work/docs"
cp "$root/docs/python.md" "$work/docs"
mkdir -p "$work/a/b/c/d" && mv "$work/tests" "$work/a/b/c/d/tests" && mv "$work/docs" "$work/a/docs"
cd "$work"
env -i PATH="$PATH" HOME="$work" ${HEDDLE_DEVICES:+HEDDLE_DEVICES="$HEDDLE_DEVICES"} \
  "$work/venv/bin/python" -B "$work/a/b/c/d/tests/test_pages.py" page
