// SPDX-License-Identifier: Apache-2.0
// One level of breadth-first search over a graph in compressed rows. queue[begin .. end) are the vertices of this level;
// those that are seen for the first time get the next level and go to the end of the queue.
#define UNSEEN 0xffffffff
__kernel void bfs_level(__global const uint *first, __global const uint *neighbour, __global uint *level,
                        __global uint *queue, __global uint *tail, uint begin, uint end, uint now) {
  uint i = begin + get_global_id(0);
  if (i >= end) return;
  uint v = queue[i];
  for (uint e = first[v]; e < first[v + 1]; e++) {
    uint w = neighbour[e];
    if (atomic_cmpxchg(&level[w], UNSEEN, now + 1) == UNSEEN) queue[atomic_inc(tail)] = w;
  }
}
