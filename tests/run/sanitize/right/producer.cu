// Two warps make, two warps take, with two named barriers for each of two rooms.
// run: --grid 1 --block 128 --arg in:in --arg out:1024:/dev/null
#define WAIT(n) asm volatile("bar.sync " #n ", 128;" ::: "memory")
#define ARRIVE(n) asm volatile("bar.arrive " #n ", 128;" ::: "memory")
__global__ void k(const int *in, int *out) {
  __shared__ int room[2][64];
  const int i = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int t = 0; t < 4; t += 2) {
      if (t > 0) WAIT(3);
      room[0][i] = in[64 * t + i];
      ARRIVE(1);
      if (t > 0) WAIT(4);
      room[1][i] = in[64 * t + 64 + i];
      ARRIVE(2);
    }
  } else {
    for (int t = 0; t < 4; t += 2) {
      WAIT(1);
      out[64 * t + i] = room[0][63 - i];
      if (t == 0) ARRIVE(3);
      WAIT(2);
      out[64 * t + 64 + i] = room[1][63 - i];
      if (t == 0) ARRIVE(4);
    }
  }
}
