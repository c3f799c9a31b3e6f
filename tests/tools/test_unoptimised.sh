#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every .cl and .cu of the tree as clang compiles it at -O0, on the model under --undefined strict: nothing is told, and
# the results are right. usage: test_unoptimised.sh HEDDLE SOURCE_TREE
set -uo pipefail
heddle=$(realpath "$1") root=$(realpath "$2")
source "$(dirname "$0")/../lib.sh"
cd "$root"
strict=(--on model --undefined strict)

# ---- kernels with host code, and with what silicon returned
mkdir "$dir/kernels" "$dir/silicon"
for file in firmware/kernels/*.cl; do
  expect 0 "" "$heddle" cc "$file" -o "$dir/kernels/$(basename "$file" .cl).O0.elf" -- -O0
  echo "$file" >>"$dir/done"
done
kernels=("$heddle" kernels --form O0 --programs "$dir/kernels" --scale 0 "${strict[@]}")
expect 0 "$(wc -l <"$dir/done") passed, 0 failed" "${kernels[@]}"
for file in tests/silicon/kernels/*.cl; do
  expect 0 "" "$heddle" cc "$file" -o "$dir/silicon/$(basename "$file" .cl).ptx" -- -O0
  echo "$file" >>"$dir/done"
done
cp tests/silicon/kernels/{cases.json,data.zip} "$dir/silicon"
expect 0 "8 passed, 0 failed" "$heddle" cases "$dir/silicon" "${strict[@]}"

# ---- examples, by the command that stands in them
for file in $(grep -l 'run: heddle' examples/programs/*.cl examples/programs/*.cu); do
  read -ra command <<<"$(sed -n 's/^.*run: heddle //p' "$file")"
  "$heddle" "${command[@]}" --cc -O0 "${strict[@]}" >"$dir/printed" 2>"$dir/said"
  expect 0 "ok: " cat "$dir/said"
  expect 0 "" diff <(tr ' ' '\n' <"tests/tools/examples/$(basename "$file").txt" | sort) \
    <(tr ' ' '\n' <"$dir/printed" | sort) # some print in any order
  echo "$file" >>"$dir/done"
done

# ---- the study's kernels, against its reference in C
mkdir "$dir/in" "$dir/simd"
expect 0 "" cc -std=c11 -O1 -ffp-contract=off lab/study/simd/kernels/reference.c -lm -o "$dir/reference"
expect 0 "" "$dir/reference" "$dir/in"
cat >"$dir/warp" <<ENDWARP
#!/usr/bin/env bash
program=\$1 name=\$2 grid=\$4 block=\$5 args=()
shift 5
for a; do args+=(--arg "\$a"); done
"$heddle" run "\$program" --kernel "\$name" --grid "\$grid" --block "\$block" "\${args[@]}" ${strict[*]}
ENDWARP
chmod +x "$dir/warp"
expect 0 "" "$heddle" cc lab/study/simd/kernels/simd.cu -o "$dir/simd.elf" -- -O0 -ffp-contract=off
expect 0 "ok: " lab/study/simd/heddle.sh "$dir/warp" "$dir/simd.elf" "$dir/in" "$dir/simd" "$dir/simd"
for name in daxpy stencil sgemm sgemm4 mandel; do expect 0 "" cmp "$dir/simd/heddle.$name" "$dir/in/$name.bin"; done
echo lab/study/simd/kernels/simd.cu >>"$dir/done"

# ---- sources of other tests, without a host: the same as at -O2
numbers() { # FILE CODE COUNT EXPRESSION of i, as Python has it
  python3 -c "import struct; open('$dir/$1', 'wb').write(struct.pack('<$3$2', *($4 for i in range($3))))"
}
both() { # FILE KERNEL BLOCK ARGUMENT ...: %i is the file of its number, written at this level
  local file=$1 kernel=$2 block=$3 level args more=()
  shift 3
  [[ $file != *.cl ]] || more=(-cl-std=CL2.0)
  for level in 0 2; do
    args=()
    for a; do args+=(--arg "${a//%/$dir/$level.}"); done
    expect 0 "" "$heddle" cc "$file" -o "$dir/both.ptx" -- "-O$level" "${more[@]}"
    expect 0 "" "$heddle" ptx "$dir/both.ptx" --target model --stack 8192 -o "$dir/both.elf"
    expect 0 "ok: " "$heddle" run "$dir/both.elf" --kernel "$kernel" --grid 1 --block "$block" "${args[@]}" \
      "${strict[@]}"
  done
  for a; do [[ $a == *:%* ]] && expect 0 "" cmp "$dir/0.${a##*%}" "$dir/2.${a##*%}"; done
  echo "$file" >>"$dir/done"
}
numbers ints i 68 'i * 37 % 100'
numbers floats f 33 'i * 0.37 - 3.1'
numbers chars b 32 'i * 29 % 251 - 125'
numbers code B 64 'i'
numbers longs Q 33 'i * i * 123456789 + 5'
numbers pair f 2 'i + 0.5'
numbers zeros i 12 '0'
numbers lines I 8192 'i * 2654435761 % (1 << 31)'
in=in:$dir fuzz=tests/fuzz/cl
both $fuzz/atomics.cl atomics 32 "inout:$dir/zeros:%1" out:4:%2 local:128 "$in/ints" s32:5
both $fuzz/control.cl control 32 out:128:%1 "$in/ints" s32:20
both $fuzz/math.cl math 32 out:1024:%1 "$in/floats" f32:2.5
both $fuzz/narrow.cl narrow 32 out:256:%1 "$in/chars" u16:1234
both $fuzz/private.cl private_arrays 32 out:128:%1 "$in/ints" s32:7
both $fuzz/spaces.cl spaces 32 out:128:%1 "$in/ints" local:64 s16:7
both $fuzz/switch.cl machine 32 out:128:%1 "$in/code" s32:300
both $fuzz/vectors.cl vectors 16 out:384:%1 "$in/ints" out:64:%2 "struct:$dir/pair"
both $fuzz/wide.cl wide 32 out:1024:%1 "$in/longs" f64:1.5
both tests/compiler/calls/calls.cl calls 64 out:4096:%1 s32:7
both tests/compiler/globals/list.cl k 6 out:24:%1
both tests/compiler/globals/table.cl k 64 out:256:%1
both tests/compiler/lines/scale.cl scale 32 out:128:%1 "$in/floats" s32:30
both tests/run/debug/both.cl reverse 64 out:256:%1
both tests/run/debug/both.cu reverse 64 out:256:%1
both tests/tools/planted/pad.cl pad 32 out:128:%1
both tests/tools/planted/partial.cl pieces 32 out:128:%1
both tests/tools/planted/partial.cu leader 32 out:128:%1 u32:100
both tests/tools/planted/partial.cu fields 32 out:128:%1
streams=lab/study/memory/streams.cl
both $streams copy 256 "$in/lines" out:32768:%1
both $streams add 256 "$in/lines" "$in/lines" out:16384:%1
both $streams read 256 "$in/lines" out:4:%1
both $streams write 256 out:32768:%1
both $streams gather 256 "$in/lines" out:4:%1 u32:8191
both $streams seven 256 "$in/lines" out:8:%1 u32:1 u32:0

# ---- those that have a test of their own, which strict passes, too
expect 0 " passed, 0 failed" tests/tools/test_forms.sh "$heddle" tests/tools/forms "${strict[*]}"
ls tests/tools/forms/*.cu >>"$dir/done"
expect 0 " passed, 0 failed" tests/progress/test_locks.sh "$heddle" "${strict[*]}" -O0
echo tests/progress/locks.cu >>"$dir/done"

# ---- and there are no others but those of tests/run/sanitize, most of which are wrong: test_cc.sh runs its own in the
# same way, and compiler/library's, by which they print; whole programs, which have a main, tests/firmware/host/cuda/test_programs.sh
find . \( -name '*.cl' -o -name '*.cu' \) -not -path './build*' -not -path './tests/run/cc/*' \
  -not -path './tests/firmware/host/cuda/*' -not -path './tests/run/sanitize/*' \
  -not -path './compiler/library/*' -not -path './firmware/host/cuda/library/*' -exec grep -L '^int main(' {} + | sed 's|^\./||' | sort >"$dir/all"
expect 0 "" diff "$dir/all" <(sort -u "$dir/done")

# ---- it is heard: a word that nobody has written
echo 'kernel void vecadd(global float *a, global float *b, global float *c, int n) { float x; *c = x; }' >"$dir/v.cl"
expect 0 "" "$heddle" cc "$dir/v.cl" -o "$dir/kernels/vecadd.O0.elf" -- -O0 -w
expect 1 "undefined_read: data for global memory" "${kernels[@]}" vecadd
