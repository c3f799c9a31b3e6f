// Barriers that not all come to: tests/tools/test_sanitize.py says what the comments mean.

// A barrier in a branch that a part of a warp takes.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: which are elsewhere
__global__ void half_warp(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = 0;
  if (in[i] > 500) {  // broken
    __syncthreads();  // broken, told: sync with line +4
    room[i] = in[i];  // broken
  }                   // broken
  // mended: if (in[i] > 500) room[i] = in[i];
  __syncthreads();
  out[i] = room[31 - i];
}

// A barrier that a part of the threads comes to; the others have nothing to do, and end.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: have ended and do not come to it
__global__ void leaves(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 20) { // broken
    room[i] = in[i]; // broken
    __syncthreads(); // broken, told: sync
    out[i] = room[19 - i]; // broken
  } // broken
  // mended: if (i < 20) room[i] = in[i];
  // mended: __syncthreads();
  // mended: if (i < 20) out[i] = room[19 - i];
}

// The mask names a lane that ends without coming.
// run: --grid 1 --block 32 --div its --arg in:in --arg out:128:-
// says: which end without coming to it
__global__ void never_comes(const int *in, int *out) {
  const int i = threadIdx.x;
  if (i >= 8) {
    volatile int *mine = out + i;
#pragma unroll 1
    for (int t = 0; t < 200; t++) *mine = in[t];
    return;
  }
  __syncwarp(0x000000ff | (in[1] & 0x100)); // broken, told: sync
  // mended: __syncwarp(0x000000ff);
  out[i] = in[i];
}

// The mask of a __syncwarp does not name all that execute it.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: does not name
__global__ void not_named(const int *in, int *out) {
  __shared__ int room[32];
  const int i = threadIdx.x;
  room[i] = in[i];
  __syncwarp(0x0000ffff); // broken, told: sync
  // mended: __syncwarp();
  out[i] = room[i ^ 1];
}

// A named barrier of two warps, and one of them goes by.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: never completes
__global__ void one_missing(const int *in, int *out) {
  if (threadIdx.x < 32) // broken
    asm volatile("bar.sync 1, 64;" ::: "memory"); // told: sync
  out[threadIdx.x] = in[threadIdx.x];
}

// A shuffle of all lanes in a branch that some take.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
__global__ void shuffle_mask(const int *in, int *out) {
  const int i = threadIdx.x;
  int v = in[i];
  if (in[i] % 2 == 0) { // broken
    v += __shfl_xor_sync(0xffffffff, v, 2); // broken, told: sync
  } // broken
  // mended: v += __shfl_xor_sync(0xffffffff, v, 2);
  out[i] = v;
}

// A named barrier counts more threads than the block has.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: does not fit
__global__ void too_many(const int *in, int *out) {
  asm volatile("bar.sync 1, 96;" ::: "memory"); // broken, told: sync
  // mended: asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = in[threadIdx.x];
}

// Each warp has a barrier of its own in the source; they meet all the same.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: meet at different barriers
__global__ void two_barriers(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 32) {
    room[i] = in[i];
    __syncthreads(); // broken, told: sync
  } else {
    room[i] = in[i] * 2;
    __syncthreads(); // broken
  }
  // mended: __syncthreads();
  out[i] = room[63 - i];
}
