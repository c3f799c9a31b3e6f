// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of n words, any n. Every comparator puts the smaller word first: a stage of size 2k begins with a step
// that compares i with its mirror image, then steps of k/2, k/4, ... 1 apart. Words behind the end are thought to be the
// largest and thus never move: comparators that would reach them are left out. Steps within a block's words run in local
// memory, wider ones are launches of their own.
#define THREADS 64
#define WORDS (2 * THREADS)

void order(__local uint *s, uint low, uint high) {
  uint a = s[low], b = s[high];
  s[low] = min(a, b);
  s[high] = max(a, b);
}

/* The lower partner of comparator t of steps `apart` apart. */
uint partner(uint t, uint apart) {
  return 2 * t - (t & (apart - 1));
}

void load(__local uint *s, __global const uint *keys, uint n) {
  for (uint t = get_local_id(0); t < WORDS; t += THREADS) {
    uint i = get_group_id(0) * WORDS + t;
    s[t] = i < n ? keys[i] : 0xffffffff;
  }
}

void store(__local const uint *s, __global uint *keys, uint n) {
  for (uint t = get_local_id(0); t < WORDS; t += THREADS) {
    uint i = get_group_id(0) * WORDS + t;
    if (i < n) keys[i] = s[t];
  }
}

void halve(__local uint *s, uint apart) {
  for (; apart > 0; apart /= 2) {
    uint low = partner(get_local_id(0), apart);
    barrier(CLK_LOCAL_MEM_FENCE);
    order(s, low, low + apart);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Each block's words sorted. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void bitonic_block(__global uint *keys, uint n) {
  __local uint s[WORDS];
  load(s, keys, n);
  for (uint size = 2; size <= WORDS; size *= 2) {
    uint low = partner(get_local_id(0), size / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    order(s, low, low ^ (size - 1));
    halve(s, size / 4);
  }
  store(s, keys, n);
}

/* One step: the lower partner with the one `apart` behind it, or with its mirror image in a stage of 2 * `apart`. */
__kernel void bitonic_step(__global uint *keys, uint n, uint apart, int mirror) {
  uint low = partner(get_global_id(0), apart), high = mirror ? low ^ (2 * apart - 1) : low + apart;
  if (high >= n) return;
  uint a = keys[low], b = keys[high];
  if (a > b) {
    keys[low] = b;
    keys[high] = a;
  }
}

/* The steps that stay within a block's words. */
__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void bitonic_merge(__global uint *keys, uint n) {
  __local uint s[WORDS];
  load(s, keys, n);
  halve(s, WORDS / 2);
  store(s, keys, n);
}
