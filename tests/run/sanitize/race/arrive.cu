// A producer says that it is done before it has stored.
// run: --grid 1 --block 64 --arg in:in --arg out:128:-
__global__ void k(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x % 32;
  if (threadIdx.x >= 32) {
    // mended: room[i] = in[i];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    room[i] = in[i]; // broken, told: race with line 12
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[i] = room[i]; // told: init
  }
}
