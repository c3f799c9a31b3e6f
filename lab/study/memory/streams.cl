// SPDX-License-Identifier: Apache-2.0
// Streams of all SMs at once, 128 bits a lane, for what banks and ports of memory carry (docs/lab/several-sms.md). A block of
// `copy`, `read`, `write` has 32 KiB of each array, one of `add` 16 KiB; of fewer threads (-D THREADS=N) as much less.
#ifndef THREADS
#define THREADS 256
#endif
#define EACH 8

kernel void copy(global const uint4 *a, global uint4 *out) {
  const uint at = get_group_id(0) * EACH * THREADS + get_local_id(0);
  uint4 v[EACH];
  for (uint k = 0; k < EACH; k++) v[k] = a[at + k * THREADS];
  for (uint k = 0; k < EACH; k++) out[at + k * THREADS] = v[k];
}

kernel void add(global const uint4 *a, global const uint4 *b, global uint4 *out) {
  const uint at = get_group_id(0) * EACH / 2 * THREADS + get_local_id(0);
  uint4 v[EACH / 2], w[EACH / 2];
  for (uint k = 0; k < EACH / 2; k++) v[k] = a[at + k * THREADS], w[k] = b[at + k * THREADS];
  for (uint k = 0; k < EACH / 2; k++) out[at + k * THREADS] = v[k] + w[k];
}

// Nothing is written: the sum is never that.
kernel void read(global const uint4 *a, global uint *out) {
  const uint at = get_group_id(0) * EACH * THREADS + get_local_id(0);
  uint4 v[EACH], sum = 0;
  for (uint k = 0; k < EACH; k++) v[k] = a[at + k * THREADS];
  for (uint k = 0; k < EACH; k++) sum |= v[k];
  if ((sum.x | sum.y | sum.z | sum.w) == 0x80000001) out[0] = 1;
}

kernel void write(global uint4 *out) {
  const uint at = get_group_id(0) * EACH * THREADS + get_local_id(0);
  for (uint k = 0; k < EACH; k++) out[at + k * THREADS] = at;
}

// A word of each thread, anywhere in the first mask + 1 words.
kernel void gather(global const uint *a, global uint *out, uint mask) {
  uint x = get_global_id(0) * 2654435761u, v[2 * EACH], sum = 0;
  for (uint k = 0; k < 2 * EACH; k++) {
    x = x * 1664525 + 1013904223;
    v[k] = a[x >> 4 & mask];
  }
  for (uint k = 0; k < 2 * EACH; k++) sum |= v[k];
  if (sum == 0x80000001) out[0] = 1;
}

// Warps 1 to 7 of a block read lines of banks 1 to 7 of eight, `times` EACH times; with `hot` warp 0 adds to one word of bank 0
// until they have. `out` begins at a multiple of 1,024.
kernel void seven(global const uint4 *a, global uint *out, uint times, uint hot) {
  local uint over;
  const uint bank = get_local_id(0) / 32, lane = get_local_id(0) % 32;
  if (get_local_id(0) == 0) over = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (bank == 0) {
    while (hot && atomic_or(&over, 0) < 7) atomic_inc(out);
    return;
  }
  uint at = (get_group_id(0) * times * EACH * 4 + lane / 8) * 64 + bank * 8 + lane % 8;
  uint4 sum = 0;
  for (uint i = 0; i < times; i++, at += EACH * 256) {
    uint4 v[EACH];
    for (uint k = 0; k < EACH; k++) v[k] = a[at + k * 256];
    for (uint k = 0; k < EACH; k++) sum |= v[k];
  }
  if ((sum.x | sum.y | sum.z | sum.w) == 0x80000001) out[1] = 1;
  if (lane == 0) atomic_inc(&over);
}
