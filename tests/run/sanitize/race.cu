// Races: tests/tools/test_sanitize.py says what the comments mean.

// A producer says that it is done before it has stored.
// run: --grid 1 --block 64 --arg in:in --arg out:128:-
__global__ void arrive(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x % 32;
  if (threadIdx.x >= 32) {
    // mended: room[i] = in[i];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    room[i] = in[i]; // broken, told: race with line +3
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[i] = room[i]; // told: init
  }
}

// An atomic orders nothing for a plain load beside it.
// run: --grid 1 --block 64 --arg out:256:- --arg inout:in:-
__global__ void atomic_and_load(int *out, int *count) {
  atomicAdd(&count[0], 1);
  // mended: __syncthreads();
  out[threadIdx.x] = count[0]; // told: race with line -2
}

// One warp reads what another one has stored, and no barrier stands between.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void between_warps(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  room[i] = in[i];
  // mended: __syncthreads();
  out[i] = room[63 - i]; // told: race with line -2, init
}

// Atomics of block scope do not count together with those of another block.
// run: --grid 2 --block 32 --arg out:4:-
__global__ void block_scope(int *out) {
  atomicAdd_block(out, 1); // broken, told: race with itself
  // mended: atomicAdd(out, 1);
}

// A tile is written again while another warp may still read it.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg s32:4
__global__ void next_turn(const int *in, int *out, int turns) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  int sum = 0;
  for (int t = 0; t < turns; t++) {
    room[i] = in[64 * t + i];
    __syncthreads();
    sum += room[63 - i]; // told: race with line -2
    // mended: __syncthreads();
  }
  out[i] = sum;
}

// A flag is handed from block to block, and the data before it has no fence.
// run: --grid 2 --block 32 --arg out:8:-
__global__ void no_fence(int *out) {
  volatile int *flag = out + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = 42;
    // mended: __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {}
    __threadfence();
    out[0] += 1; // told: race with line -6
  }
}

// Threads of one instruction store different values to one place.
// run: --grid 1 --block 64 --arg out:256:-
__global__ void one_place(int *out) {
  const int i = threadIdx.x;
  out[i / 2] = i; // broken, told: race with itself
  // mended: out[i] = i;
}

// One thread writes, all read.
// run: --grid 1 --block 96 --arg in:in --arg out:384:-
__global__ void one_writes(const int *in, int *out) {
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  if (threadIdx.x == 40) all = in[0] + 7;
  // mended: __syncthreads();
  out[threadIdx.x] = all; // told: race with line -2
}

// Threads of two warps store the same value to one place: told, as such.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: both store the same value
__global__ void same_value(const int *in, int *out) {
  if (in[threadIdx.x] >= 0) out[0] = 1; // broken, told: race with itself
  // mended: if (in[threadIdx.x] >= 0) atomicExch(&out[0], 1);
}

// What orders threads of one block alone: a fence of block scope, a barrier; and a flag that nothing fences.
// run: --grid 2 --block 64 --arg out:32:-
// says: threads of two blocks
// from: elf
// says: __threadfence()
__global__ void scopes(volatile int *out) {
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
      plain[4] = plain[0]; // told: race with line -14
      while (out[3] == 0) {}
      __threadfence();
      plain[5] = plain[2]; // told: race with line -12
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
    plain[6 + blockIdx.x] = data; // told: race with line -7
  }
}

// A block reads what its neighbour writes.
// run: --grid 2 --block 32 --arg in:in --arg out:256:-
// says: threads of two blocks
__global__ void two_blocks(const int *in, int *out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (threadIdx.x == 0) out[i] += out[i ^ 32]; // broken, told: race with line -2, race with itself
  // mended: if (threadIdx.x == 0) out[i] += out[i ^ 16];
}

// Threads of one warp exchange values through shared memory as if they ran in step.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: without a __syncwarp
__global__ void within_warp(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = in[i];
  // mended: __syncwarp();
  out[i] = room[i ^ 1]; // told: race with line -2
}
