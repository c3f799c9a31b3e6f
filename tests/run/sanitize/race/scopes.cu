// What orders threads of one block alone: a fence of block scope, a barrier; and a flag that nothing fences.
// run: --grid 2 --block 64 --arg out:32:-
// says: threads of two blocks
// from: elf
// says: __threadfence()
__global__ void k(volatile int *out) {
  __shared__ volatile int flag;
  __shared__ int data;
  int *plain = (int *)out;
  const int i = threadIdx.x;
  if (i == 0) flag = 0;
  if (blockIdx.x == 0) {
    if (i == 0) {
      plain[0] = 42;
      __threadfence_block(); // broken
      // mended: __threadfence();
      out[1] = 1;
    }
    if (i == 40) plain[2] = 43;
    __syncthreads();
    // mended: if (i == 0) __threadfence();
    if (i == 0) out[3] = 1;
  } else {
    __syncthreads();
    if (i == 0) {
      while (out[1] == 0) {}
      __threadfence();
      plain[4] = plain[0]; // told: race with line 14
      while (out[3] == 0) {}
      __threadfence();
      plain[5] = plain[2]; // told: race with line 19
    }
  }
  if (i == 0) {
    data = 44;
    // mended: __threadfence_block();
    flag = 1;
  }
  if (i == 32) {
    while (flag == 0) {}
    __threadfence_block();
    plain[6 + blockIdx.x] = data; // told: race with line 35
  }
}
