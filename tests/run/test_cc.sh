#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenCL C and CUDA C through each clang that is installed: heddle cc, run, lint. usage: test_cc.sh HEDDLE SOURCE_DIR
set -uo pipefail
heddle=$(realpath "$1") sources=$(realpath "$2")
source "$(dirname "$0")/../lib.sh"
cd "$dir"

ones() { for ((i = 0; i < $1; i++)); do echo 1; done; }
# prints N WORD COMMAND...: the command prints nothing but N times the word
prints() {
  local n=$1 word=$2
  shift 2
  "$@" 2>"$dir/err" | tr ' ' '\n' | sort | uniq -c >"$dir/got"
  expect 0 "$(printf '%7d %s' "$n" "$word")" cat "$dir/got"
  expect 0 "1 $dir/got" sh -c "wc -l $dir/got | sed 's/^ *//'"
}
for ((i = 0; i < 64; i++)); do printf "\\x$(printf %x "$i")\0\0\0"; done >numbers.bin
clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for level in 0 2; do
    for std in CL1.0 CL1.2 CL2.0; do
      prints 33 1 "$heddle" run "$sources/names.cl" --cc "-O$level" --cc "-cl-std=$std" --global 32,2 --local 32,2 \
        --arg out:132:s32:- --arg out:64:x --arg out:64:x --arg local:64 --arg out:64:x --on model --undefined strict
    done
    prints 31 1 "$heddle" run "$sources/names.cu" --cc "-O$level" --global 32 --local 32 --arg out:124:s32:- --arg s32:0 \
      --on model --undefined strict
  done
  for level in 0 2; do
    prints 21 2 "$heddle" run "$sources/groups.cu" --cc "-O$level" --grid 2 --block 64 --arg out:84:s32:- \
      --arg in:numbers.bin --on model --undefined strict
  done
  for level in 0 2; do
    for std in CL2.0:58 CL3.0:49; do
      atomics=("$heddle" run "$sources/atomics.cl" --cc "-O$level" --cc "-cl-std=${std%:*}" --on model)
      prints "${std#*:}" 64 "${atomics[@]}" --undefined strict --kernel atomics --global 64 --local 64 \
        --arg "out:$((4 * ${std#*:})):s32:-" --arg out:8:x
    done
    expect 0 "2 1 4 3 6 5" "${atomics[@]}" --kernel tell --global 64 --local 32 --arg out:128:s32:- --arg out:4:x \
      --arg out:128:x
  done
  for level in 0 1 2 3; do
    prints 128 64 "$heddle" run "$sources/leader.cl" --cc "-O$level" --cc -w --global 128 --local 64 --arg out:512:s32:- \
      --arg out:8:x --on model --undefined strict
  done
  prints 128 64 "$heddle" run "$sources/leader.cl" --cc -w --global 128 --local 64 --arg out:512:s32:- --arg out:8:x \
    --config tiny
  for file in sync.cl sync.cu; do
    prints 64 1111 "$heddle" run "$sources/$file" --undefined strict --global 64 --arg out:256:s32:- --config tiny
    prints 64 1111 "$heddle" run "$sources/$file" --cc -O0 --undefined strict --global 64 --arg out:256:s32:- --on model
  done
  # printf in every form of the calls; the order of what two threads say at the same time is open
  for level in 0 2; do
    "$heddle" run "$sources/print.cl" --cc "-O$level" --cc -w --global 2 --arg out:8:x --arg f32:0.5 --arg s8:97 --on model \
      --undefined strict 2>/dev/null | sort >said
    expect 0 "" diff said <(sort "$sources/print.txt")
    expect 0 "1.500000 5.0e-01 0x1234 9223372036854775808 4000000000 ok" "$heddle" run "$sources/print.cu" --global 2 \
      --cc "-O$level" --undefined strict --arg s32:2 --arg f64:1.5 --on model
  done
  # the same words with and without lines of the source
  for file in names.cl names.cu; do
    expect 0 "" "$heddle" cc "$sources/$file" -o with.elf
    expect 0 "" "$heddle" cc "$sources/$file" -o without.elf -- -g0
    for e in with without; do "$heddle" dis "$e.elf" | grep -v '^ *//' >"$e.s"; done
    expect 0 "" cmp with.s without.s
  done
  expect 0 "proven, 0 findings" "$heddle" lint "$sources/names.cu"
  # blocks that the source requires, or bounds
  echo 'kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global uint *o) {
    o[get_local_id(1) * 8 + get_local_id(0)] = get_local_size(1); }' >rows.cl
  echo '__global__ void __launch_bounds__(64, 2) k(int *o) { o[threadIdx.x] = 2; }' >few.cu
  prints 16 2 "$heddle" run rows.cl --global 8,2 --arg out:64:u32:- --on model
  expect 2 "requires blocks of 8x2x1 (.reqntid); the launch has 4x2x1" "$heddle" run rows.cl --global 8,2 --local 4,2 \
    --arg out:64:x --on model
  prints 64 2 "$heddle" run few.cu --global 64 --local 64 --arg out:256:s32:- --on model
  expect 2 "at most 64 threads (.maxntid); the launch has 96x1x1" "$heddle" run few.cu --grid 1 --block 96 \
    --arg out:384:x --on model
  expect 0 "" "$heddle" cc few.cu -o few.elf
  expect 0 ".maxntid 64" "$heddle" dis few.elf
  expect 0 ".minnctapersm 2" "$heddle" dis few.elf
  expect 0 "takes blocks of at most 64 threads (.maxntid)" "$heddle" lint few.elf
  echo 'kernel void k(global int *x) { x[0] = N + undeclared; }' >bad.cl
  expect 2 "bad.cl:1:43: error" "$heddle" cc bad.cl -o bad.elf -D N=4
  expect 2 "bad.cl: error: $clang makes no program of it" "$heddle" run bad.cl --global 1 --cc -DN=4
  expect 2 "bad.cl" "$heddle" lint bad.cl
  # a file may be called like an option
  cp "$sources/sync.cl" ./-S.cl
  expect 0 "" "$heddle" cc -o minus.ptx -- ./-S.cl
done
unset HEDDLE_CLANG
expect 0 "" test "$clangs" -gt 0
expect 2 "one input file" "$heddle" cc -o x.elf
expect 2 "ends in .cl" "$heddle" cc x.c -o x.elf
expect 2 "" "$heddle" cc nothing.cu -o x.elf
expect 5 "there is no program clang-none" env HEDDLE_CLANG=clang-none "$heddle" cc bad.cl -o x.elf
expect 5 "apt-get install clang-19" env PATH=/nowhere "$heddle" run bad.cl --global 1
expect 5 "apt-get install clang-19" env PATH=/nowhere "$heddle" lint bad.cl

# printf in lockstep, on a machine without FP64: widened by integers; what finds no room is counted
"$heddle" run "$sources/print.cl" --cc -w --global 2 --arg out:8:x --arg f32:0.5 --arg s8:97 --config tiny 2>/dev/null |
  sort >said
expect 0 "" diff said <(sort "$sources/print.txt")
expect 0 "printf: 123 of 129 messages found no room in 200 bytes" "$heddle" run "$sources/print.cu" --global 64 \
  --arg s32:2 --arg f64:1.5 --on model --printf 200
"$heddle" run "$sources/print.cu" --global 64 --arg s32:2 --arg f64:1.5 --on model --printf 200 --json said.json >/dev/null 2>&1
expect 0 '"lost": 123' cat said.json
expect 2 "--printf 8: expected bytes" "$heddle" run "$sources/print.cu" --global 64 --printf 8

# dynamic shared memory, numbers in and out, what is too much
cat >dynamic.cu <<'END'
struct pair { int a; float b; };
__global__ void dynamic(int *out, pair p, unsigned short half) {
  extern __shared__ int room[];
  __shared__ int own;
  if (threadIdx.x == 0) own = p.a;
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x] * own + (int)p.b + half;
}
__global__ void other() {}
END
printf '\003\000\000\000\000\000\200\077' >pair.bin
run=("$heddle" run dynamic.cu --kernel _Z7dynamicPi4pairt --global 8 --shared 32)
expect 0 "15382 15379 15376 15373 15370 15367 15364 15361" "${run[@]}" --arg out:32:s32:- --arg struct:pair.bin --arg f16:1 \
  --config tiny
expect 0 "" "${run[@]}" --arg out:32:s32:out.npy --arg struct:pair.bin --arg f16:1 --on model
expect 0 "'descr': '<i4', 'fortran_order': False, 'shape': (8, )" cat out.npy
expect 0 "22 19 16" "${run[@]}" --arg inout:out.npy:- --arg struct:pair.bin --arg f16:0 --on model
expect 2 "the kernel wants 8 bytes, the file has 4" "${run[@]}" --arg out:32:- --arg struct:<(printf 1234) --arg f16:1
expect 2 "tiny has 8192" "${run[@]}" --shared 8192 --arg out:32:- --arg struct:pair.bin --arg f16:1 --config tiny
expect 3 "out_of_range" "${run[@]}" --shared 0 --arg out:32:- --arg struct:pair.bin --arg f16:1 --config tiny
expect 2 "--kernel is needed: the program has _Z7dynamicPi4pairt _Z5otherv" "$heddle" run dynamic.cu --global 1
expect 2 "--shared" "${run[@]}" --shared 99999999
cut -c1-20 out.npy | head -1 >bad.npy
expect 2 "bad.npy: " "${run[@]}" --arg in:bad.npy
cat >cases.json <<'END'
{"cases": [{"name": "dynamic", "ptx": "dynamic.cu", "kernel": "_Z7dynamicPi4pairt", "grid": [1, 1, 1], "block": [8, 1, 1],
  "shared": 32, "args": []},
 {"name": "local", "ptx": "local.cl", "kernel": "local_sum", "grid": [1, 1, 1], "block": [32, 1, 1], "args": [
  {"buffer": "x.bin", "kind": "inout", "type": "u32", "count": 32, "golden": "y.bin"}, {"local": 128}]},
 {"name": "shared", "ptx": "shared.cu", "kernel": "shared", "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 128, "args": [
  {"buffer": "x.bin", "kind": "inout", "type": "u32", "count": 32, "golden": "y.bin"}]},
 {"name": "large", "ptx": "shared.cu", "kernel": "shared", "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 9000, "args": [
  {"buffer": "x.bin", "kind": "inout", "type": "u32", "count": 32, "golden": "y.bin"}]}]}
END
cat >local.cl <<'END'
kernel void local_sum(global uint *x, local uint *room) {
  const uint i = get_local_id(0);
  room[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint k = 0; k < 32; k++) sum += room[k];
  x[i] = sum;
}
END
sed -e 's/kernel void local_sum(global uint \*x, local uint \*room)/extern "C" __global__ void shared(unsigned *x)/' \
  -e 's/const uint i.*/extern __shared__ unsigned room[]; const unsigned i = threadIdx.x;/' -e 's/barrier.*/__syncthreads();/' \
  -e 's/uint /unsigned /g' local.cl >shared.cu
for ((i = 0; i < 32; i++)); do printf '\001\000\000\000' >&3; printf '\040\000\000\000' >&4; done 3>x.bin 4>y.bin
expect 0 "1 passed, 0 failed" "$heddle" cases . --only local --config tiny
expect 0 "1 passed, 0 failed" "$heddle" cases . --only shared --config tiny
expect 1 "a block has 9000 bytes of shared memory (9000 of them dynamic), tiny has 8192" "$heddle" cases . --only large --config tiny
expect 1 "takes 3 arguments" "$heddle" cases . --only dynamic --config tiny
