// Programs that are right: tests/tools/test_sanitize.py says what the comments mean.

// One warp waits for the flag of another one, in global memory; then parts of a warp meet by masks.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg out:4:-
__global__ void flag_in_block(const int *in, int *out, int *flag) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 32) {
    room[i] = in[i];
    __threadfence_block();
    atomicAdd(flag, 1);
  } else {
    while (*(volatile int *)flag < 32) {}
    __threadfence_block();
    room[i] = room[i - 32] + 1;
  }
  __syncthreads();
  const unsigned half = i % 32 < 16 ? 0x0000ffff : 0xffff0000;
  __syncwarp(half);
  const int other = room[i ^ 5];
  __syncwarp(half);
  room[i] = other;
  __syncthreads();
  out[i] = room[63 - i];
}

// A barrier of the whole grid, counted by one thread of each block.
// run: --grid 4 --block 64 --arg in:in --arg out:1024:- --arg out:8:-
__device__ void grid_barrier(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < goal) {}
    __threadfence();
  }
  __syncthreads();
}
__global__ void barrier_of_the_grid(const int *in, int *out, unsigned *count) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int v = in[i];
  for (int t = 1; t <= 3; t++) {
    out[i] = v;
    grid_barrier(count, (2 * t - 1) * 4);
    v += out[(i + 77) % 256];
    grid_barrier(count, 2 * t * 4);
  }
  out[i] = v;
}

// The block that comes last adds up what the others have left (threadFenceReduction of the CUDA samples).
// run: --grid 4 --block 64 --arg in:in --arg out:16:/dev/null --arg out:4:- --arg out:4:-
__global__ void last_block(const int *in, volatile int *part, int *out, unsigned *count) {
  __shared__ int room[64];
  __shared__ bool last;
  const int i = threadIdx.x;
  room[i] = in[blockIdx.x * 64 + i];
  for (int s = 32; s > 0; s /= 2) {
    __syncthreads();
    if (i < s) room[i] += room[i + s];
  }
  if (i == 0) {
    part[blockIdx.x] = room[0];
    __threadfence();
    last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && i == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += part[b];
    out[0] = sum;
  }
}

// A lock between blocks and the lanes of a warp.
// run: --grid 2 --block 64 --div its --arg out:8:-
__global__ void lock(int *out) {
  int *lock = out + 1;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  out[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Two warps make, two warps take, with two named barriers for each of two rooms.
// run: --grid 1 --block 128 --arg in:in --arg out:1024:/dev/null
#define WAIT(n) asm volatile("bar.sync " #n ", 128;" ::: "memory")
#define ARRIVE(n) asm volatile("bar.arrive " #n ", 128;" ::: "memory")
__global__ void producer(const int *in, int *out) {
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

// A block that is no multiple of a warp, threads that leave behind the barrier, padding that nobody writes, a partial last warp.
// run: --grid 3 --block 50 --arg in:in --arg out:1200:/dev/null --arg s32:130
struct pair {
  char c;
  int v;
};
__global__ void ragged(const int *in, int *out, int n) {
  __shared__ int room[64];
  const int i = blockIdx.x * 50 + threadIdx.x;
  struct pair p;
  p.c = (char)in[i];
  p.v = in[i + 1];
  room[threadIdx.x] = __shfl_sync(__activemask(), p.v, 0);
  __syncthreads();
  if (i >= n) return;
  out[2 * i] = p.c;
  out[2 * i + 1] = room[threadIdx.x % 10];
}

// A helper with a barrier in it, called from several places, and a loop that clang unrolls.
// run: --grid 1 --block 64 --launches 2 --arg in:in --arg out:256:-
__device__ void put(int *room, int i, int v) {
  room[i] = v;
  __syncthreads();
}
__global__ void two_places(const int *in, int *out) {
  __shared__ int room[2][64];
  const int i = threadIdx.x;
  int v = in[i];
#pragma unroll
  for (int t = 0; t < 6; t++) {
    put(room[t % 2], i, v);
    v += room[t % 2][(i + 9) % 64];
  }
  put(room[0], i, v);
  out[i] = room[0][i ^ 33];
}
