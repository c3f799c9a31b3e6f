// SPDX-License-Identifier: Apache-2.0
// The heap of a kernel, used by all threads of two warps at once: lists of new, blocks of many sizes that hold what they
// should, blocks that come again, more than there is. Each thread: the sum of its list, how often a block was not its
// own any more, whether a block given back served again, whether too much and nothing gave none, two rounds each.
// run: --grid 1 --block 48 --arg out:32:u32:-
// with: --heap 24000
// prints: 4968 0 48 48 48 4968 0 0
// cc: -Wno-unused-result
struct item {
  item *next;
  unsigned value;
  __device__ item(item *before, unsigned v) : next(before), value(v) {}
};
__device__ unsigned wrong(unsigned seed) {
  unsigned *block[3], bad = 0;
  for (unsigned k = 0; k < 3; k++) {
    block[k] = (unsigned *)malloc(4 * (k + 1 + seed % 5));
    for (unsigned w = 0; block[k] && w <= k + seed % 5; w++) block[k][w] = seed * 1000 + k * 100 + w;
  }
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned w = 0; block[k] && w <= k + seed % 5; w++) bad += block[k][w] != seed * 1000 + k * 100 + w;
    bad += !block[k] || ((size_t)block[k] & 15) != 0;
    free(block[k]);
  }
  return bad;
}
extern "C" __global__ void k(unsigned *out) {
  const unsigned i = threadIdx.x;
  for (unsigned round = 0; round < 2; round++) {
    item *list = nullptr;
    unsigned sum = 0;
    for (unsigned k = 0; k < 3; k++) list = new item(list, i + 36 * (k == 0) - k);
    while (list) {
      item *const next = list->next;
      sum += list->value;
      delete list;
      list = next;
    }
    atomicAdd(&out[round * 5], sum);
    atomicAdd(&out[1 + round * 5], wrong(i));
    __syncthreads();
  }
  char *volatile block = new char[100]; /* volatile: clang leaves calls out whose blocks nobody needs */
  delete[] block;
  block = (char *)malloc(90);
  atomicAdd(&out[2], block != nullptr);
  free(block);
  block = (char *)malloc(24000);
  void *volatile more = malloc(1ull << 40);
  atomicAdd(&out[3], !block && !more);
  more = malloc(0);
  free(nullptr);
  atomicAdd(&out[4], more == nullptr);
}
