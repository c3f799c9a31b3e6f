// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum over many blocks, work-efficient (Blelloch): a tree up, a tree down. A block of 128 threads scans
// 256 words and leaves their sum; the sums are scanned in the same way, then added to the blocks behind.
#define THREADS 128
#define PLACE(i) ((i) + (i) / 32) /* neighbours of a level lie in different banks */

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void scan_blocks(__global const uint *in,
                                                                               __global uint *out,
                                                                               __global uint *sums, uint n) {
  __local uint s[PLACE(2 * THREADS)];
  uint t = get_local_id(0), low = get_group_id(0) * 2 * THREADS + t, high = low + THREADS;
  s[PLACE(t)] = low < n ? in[low] : 0;
  s[PLACE(t + THREADS)] = high < n ? in[high] : 0;
  uint apart = 1;
  for (uint pairs = THREADS; pairs > 0; pairs /= 2, apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < pairs) s[PLACE((2 * t + 2) * apart - 1)] += s[PLACE((2 * t + 1) * apart - 1)];
  }
  if (t == 0) {
    sums[get_group_id(0)] = s[PLACE(2 * THREADS - 1)];
    s[PLACE(2 * THREADS - 1)] = 0;
  }
  for (uint pairs = 1; pairs <= THREADS; pairs *= 2) {
    apart /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < pairs) {
      uint left = s[PLACE((2 * t + 1) * apart - 1)];
      s[PLACE((2 * t + 1) * apart - 1)] = s[PLACE((2 * t + 2) * apart - 1)];
      s[PLACE((2 * t + 2) * apart - 1)] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (low < n) out[low] = s[PLACE(t)];
  if (high < n) out[high] = s[PLACE(t + THREADS)];
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void scan_add(__global uint *out,
                                                                            __global const uint *before, uint n) {
  uint i = get_group_id(0) * 2 * THREADS + get_local_id(0), more = before[get_group_id(0)];
  if (i < n) out[i] += more;
  if (i + THREADS < n) out[i + THREADS] += more;
}
