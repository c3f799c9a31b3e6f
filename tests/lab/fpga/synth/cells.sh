# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the models of cells, after checks.sh: how cells_tb.sv is built in the test's folder, what a model refuses.
include=$(dirname "$VERILATOR")/../include

# cells_built [FILE...]: from {right,wrong}_{memories,products}.v; `./cells CYCLES SEED` runs it, count NAME is what it counted. Cells
# are in files of their names, or in FILEs.
cells_built() {
  built() { # in $dir
    OPT=-O0 "$root/cmake/verilate.sh" obj Vcells_tb --cc --top-module cells_tb --x-assign unique --x-initial unique --assert \
      -Wno-PINMISSING -Wno-WIDTHEXPAND -Wno-WIDTHTRUNC -Wno-UNOPTFLAT -y . cells_pkg.sv cells_subjects.sv "$@" \
      {right,wrong}_{memories,products}.v cells_tb.sv &&
      # shellcheck disable=SC2046  # several words
      "$CXX" $(cat obj/Vcells_tb.flags) -Iobj -I"$include" -I"$root" cells_main.cpp \
        obj/libVcells_tb.a -lpthread -o cells
  }
  (cd "$dir" && built "$@") >"$dir/out" 2>"$dir/err" || { fail 'Verilator does not take the netlists'; exit 1; }
}
count() { sed -n "s/^$1 //p" "$dir/out"; }

# refused MODULE PARAMETER VALUE [FILE]: as the design is elaborated, with its name.
lint() {
  VERILATOR_ROOT=$include/.. "$VERILATOR" --lint-only -Wno-PINMISSING -y "$dir" --top "$1" "-G$2=$3" "$dir/${4:-$1.v}" \
    >"$dir/out" 2>"$dir/err"
}
refused() {
  if lint "$@" || ! grep -q "USERFATAL.*: $1: " "$dir/err"; then fail "$1 takes $2=$3"; fi
}
