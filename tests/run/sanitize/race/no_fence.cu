// A flag is handed from block to block, and the data before it has no fence.
// run: --grid 2 --block 32 --arg out:8:-
__global__ void k(int *out) {
  volatile int *flag = out + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = 42;
    // mended: __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {}
    __threadfence();
    out[0] += 1; // told: race with line 7
  }
}
