// Reads of what nobody wrote: tests/tools/test_sanitize.py says what the comments mean.

// A branch on what nobody wrote.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void branch(const int *in, int *out) {
  __shared__ int limit;
  if (threadIdx.x == 0 && in[0] == 1) limit = in[1]; // broken
  // mended: if (threadIdx.x == 0) limit = in[1];
  __syncthreads();
  if (in[threadIdx.x] < limit) // told: init
    out[threadIdx.x] = in[threadIdx.x];
}

// A counter in shared memory that does not begin with 0.
// run: --grid 1 --block 64 --arg in:in --arg out:4:-
__global__ void counter(const int *in, int *out) {
  __shared__ int count;
  // mended: if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] > 500) atomicAdd(&count, 1); // told: init
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

// Elements of the thread's own array that the input leaves out.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
__global__ void own_array(const int *in, int *out) {
  int own[16];
  for (int i = 0; i < 8; i++) own[in[i] % 8] = i; // broken
  // mended: for (int i = 0; i < 16; i++) own[i] = in[i];
  out[threadIdx.x] = own[in[threadIdx.x] % 16]; // told: init
}

// The last element is written by nobody.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
__global__ void shared_tail(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  if (i < 63) room[i] = in[i]; // broken
  // mended: room[i] = in[i];
  __syncthreads();
  out[i] = room[63 - i]; // told: init
}
