#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SIMT beside SIMD: the same kernels on Heddle, x86 with AVX2 and RISC-V V, every executed instruction counted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
usage() {
  cat <<'END'
usage: lab/study/simd/run.sh [-o DIR] [--build BUILD] [--store] [--json]

Compiles the kernels of lab/study/simd/kernels for Heddle, x86 (scalar, AVX2) and RISC-V (scalar, V with
registers of 128, 256 and 1024 bits), runs them, compares every result with a reference in C bit for bit, and
counts each instruction that the kernel itself executes. Minutes; two runs give equal numbers.

  -o DIR         where all goes: DIR/results.json, tables.md, pictures, programs, logs (default: build/study-simd)
  --build BUILD  where heddle was built (default: build)
  --store        results, pictures and the tables of docs/study-simd.md replace those in the tree
  --json         results.json also on stdout, instead of the tables

example: lab/study/simd/run.sh -o /tmp/simd
exit status: 0 ok, 1 a result differs, or two ways of counting do, 2 usage, 5 something is not installed or built
END
}
out=$root/build/study-simd build=$root/build store="" json=""
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=${2:?-o needs a folder}; shift 2 ;;
    --build) build=${2:?--build needs a folder}; shift 2 ;;
    --store) store=1; shift ;;
    --json) json=1; shift ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

missing=""
for tool in cc clang-19 ld.lld-19 llvm-objdump-19 qemu-x86_64 qemu-riscv64 gnuplot python3; do
  command -v "$tool" >/dev/null || missing+=" $tool"
done
[ -z "$missing" ] || { echo "run.sh: not installed:$missing; lab/study/simd/setup.sh installs what is needed" >&2; exit 5; }
for program in bin/simd_count bin/simd_warp heddle; do
  [ -x "$build/$program" ] && continue
  echo "run.sh: $build/$program is not built; cmake --build $build, or --build names another folder" >&2
  exit 5
done
mkdir -p "$out"/{bin,log,counts,reference,results}
out=$(cd "$out" && pwd) build=$(cd "$build" && pwd)
cd "$here/kernels"
log() { [ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2; } # progress, on a terminal alone
sockets=$(mktemp -d) stepping="" # a socket's name is short
trap 'log ""; rm -rf "$sockets"; [ -z "$stepping" ] || kill "$stepping" 2>/dev/null' EXIT
kernels=(daxpy stencil sgemm sgemm4 mandel)
# Whatever a program may need of the C library it brings along; no compiler may make two roundings one.
flags=(-O2 -ffp-contract=off -ffreestanding -nostdlib -static -fuse-ld=lld -fno-builtin-memset)

same() { # WHAT KERNEL
  cmp -s "$out/results/$1.$2" "$out/reference/$2.bin" && return
  echo "run.sh: $2 on $1: the result differs from the reference: $out/results/$1.$2" >&2
  exit 1
}

reference() {
  cc -std=c11 -O1 -ffp-contract=off reference.c -lm -o "$out/bin/reference"
  "$out/bin/reference" "$out/reference" >"$out/reference.json"
}

# A program for each kernel: counted by QEMU's log of executed instructions.
cpu() { # NAME MACHINE VLEN KERNELS FLAGS...
  local name=$1 machine=$2 vlen=$3 which=$4 number=0 kernel elf sources=() extra=()
  local qemu=(qemu-riscv64 -cpu rv64) target=riscv64 classes=riscv
  shift 4
  case $machine in
    x86) qemu=(qemu-x86_64 -cpu max) target=x86_64 classes=x86 ;;
    rvv) qemu=(qemu-riscv64 -cpu "rv64,v=true,vlen=$vlen,elen=64,vext_spec=v1.0") ;;
  esac
  for flag; do [[ $flag == *.c ]] && sources+=("$flag") || extra+=("$flag"); done
  for kernel in "${kernels[@]}"; do
    number=$((number + 1))
    case $which:$kernel in
      all:* | plain:daxpy | plain:stencil | plain:sgemm | "$kernel:$kernel") ;;
      *) continue ;;
    esac
    log "$name: $kernel"
    elf=$out/bin/$name.$kernel
    clang-19 --target=$target-linux-gnu "${flags[@]}" "${extra[@]}" -DKERNEL=$number program.c plain.c \
      "${sources[@]}" -o "$elf"
    llvm-objdump-19 -d "$elf" >"$elf.lst"
    "${qemu[@]}" -singlestep -d exec,nochain -dfilter "$("$build/bin/simd_count" range "$elf" "$kernel")" \
      -D "$out/log/$name.$kernel" "$elf" >"$out/results/$name.$kernel"
    same "$name" "$kernel"
    "$build/bin/simd_count" log "$elf" "$kernel" "$elf.lst" "$here/classes/$classes.txt" \
      <"$out/log/$name.$kernel" >"$out/counts/$name.$kernel.json"
    rm "$out/log/$name.$kernel"
    [ "$machine" != rvv ] || stepped
  done
}

# The same by stepping, which sees vector lengths and masks: must count as the log did.
stepped() {
  local socket=$sockets/$name.$kernel status=0
  "${qemu[@]}" -g "$socket" "$elf" >"$out/log/result" &
  stepping=$!
  "$build/bin/simd_count" lanes "$elf" "$kernel" "$elf.lst" "$here/classes/riscv.txt" "$socket" \
    >"$out/counts/$name.$kernel.lanes.json" || status=$?
  kill "$stepping" 2>/dev/null || true
  wait "$stepping" 2>/dev/null || true
  stepping=""
  [ "$status" = 0 ] || exit "$status"
  python3 -B "$here/collect.py" --same "$out/counts/$name.$kernel.json" "$out/counts/$name.$kernel.lanes.json"
  mv "$out/counts/$name.$kernel.lanes.json" "$out/counts/$name.$kernel.json"
}

heddle() {
  local r=$out/reference kernel
  (cd "$root" && "$build/heddle" cc lab/study/simd/kernels/simd.cu -o "$out/simd.ptx" -- -ffp-contract=off -g0)
  cmp -s "$out/simd.ptx" simd.ptx || { [ -n "$store" ] && cp "$out/simd.ptx" simd.ptx; } ||
    echo "run.sh: note: clang makes other PTX than lab/study/simd/kernels/simd.ptx; --store keeps it" >&2
  "$here/heddle.sh" "$build/bin/simd_warp" "$out/simd.ptx" "$r" "$out/results" "$out/counts"
  for kernel in "${kernels[@]}"; do same heddle "$kernel"; done
}

# What the compiler says of the loops of plain.c that it does not vectorise.
remarks() {
  local target
  for target in "x86_64 -march=haswell" "riscv64 -march=rv64gcv"; do
    # shellcheck disable=SC2086
    clang-19 --target=${target%% *}-linux-gnu ${target#* } -O2 -ffp-contract=off -ffreestanding \
      -fno-caret-diagnostics -Rpass=loop-vectorize -Rpass-missed=loop-vectorize -Rpass-analysis=loop-vectorize \
      -c plain.c -o "$out/bin/plain.o" 2>"$out/log/remarks.${target%% *}"
  done
}

reference
heddle
while read -r name machine vlen which options; do
  # shellcheck disable=SC2086
  cpu "$name" "$machine" "$vlen" "$which" $options
done < <(grep -v '^#' "$here/versions.txt")
remarks
log ""
python3 -B "$here/collect.py" "$out" "$here/versions.txt" >"$out/results.json"
python3 -B "$here/report.py" --results "$out/results.json" --plot "$out"
python3 -B "$here/report.py" --results "$out/results.json" all >"$out/tables.md"
if [ -n "$store" ]; then
  cp "$out/results.json" "$here/results.json"
  cp "$out"/study-simd-*.svg "$root/docs/img/"
  python3 -B "$here/page.py" --write "$root/docs/study-simd.md"
fi
if [ -n "$json" ]; then cat "$out/results.json"; else cat "$out/tables.md"; fi
