// Accesses out of bounds: tests/tools/test_sanitize.py says what the comments mean.

// A histogram of ten bins, and a value that belongs to none.
// run: --grid 1 --block 64 --arg in:in --arg out:40:-
// says: 28 bytes beyond its end
__global__ void atomic(const int *in, int *out) {
  const int bin = in[threadIdx.x] / 55;
  atomicAdd(&out[bin], 1); // broken, told: memory
  // mended: if (bin < 10) atomicAdd(&out[bin], 1);
}

// The first thread loads in front of the buffer.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: 4 bytes before its beginning
__global__ void before(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = in[i - 1]; // broken, told: memory
  // mended: out[i] = i > 0 ? in[i - 1] : 0;
}

// Dynamic shared memory for 32 numbers, and 64 threads.
// run: --grid 1 --block 64 --shared 128 --arg in:in --arg out:256:-
// says: shared memory of the block (128 bytes)
__global__ void dynamic_shared(const int *in, int *out) {
  extern __shared__ int room[];
  const int i = threadIdx.x;
  room[i] = in[i]; // broken, told: memory
  // mended: if (i < 32) room[i] = in[i];
  out[i] = i < 32 ? room[i] : 0;
}

// Eight bytes at an address that is a multiple of four.
// run: --grid 1 --block 32 --arg in:in --arg out:256:/dev/null
// says: misaligned
__global__ void misaligned(const int *in, long long *out) {
  out[threadIdx.x] = *(const long long *)(in + threadIdx.x); // broken, told: memory
  // mended: out[threadIdx.x] = *(const long long *)(in + 2 * threadIdx.x);
}

// A row too many: with less room between buffers it would be the neighbour that is overwritten.
// run: --grid 1 --block 64 --arg out:4096:/dev/null --arg inout:in:/dev/null --arg s32:20
// says: argument 0
__global__ void neighbour(int *out, int *other, int rows) {
  for (int r = 0; r < rows; r++) out[64 * r + threadIdx.x] = r; // broken, told: memory
  // mended: for (int r = 0; r < 16; r++) out[64 * r + threadIdx.x] = r;
  other[threadIdx.x] = rows;
}

// The last thread stores behind the end of the buffer.
// run: --grid 1 --block 64 --arg in:in --arg out:252:- --arg s32:63
// says: argument 1, int* (252 bytes at 0x111000): 4 bytes beyond its end
__global__ void one_behind(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  if (i <= n) out[i] = in[i]; // broken, told: memory
  // mended: if (i < n) out[i] = in[i];
}

// An array of the thread's own, and an index from the input that lies far behind.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: local memory
__global__ void own_array(const int *in, int *out) {
  int own[8];
  for (int i = 0; i < 8; i++) own[i] = in[i];
  out[threadIdx.x] = own[in[1] + threadIdx.x]; // broken, told: memory
  // mended: out[threadIdx.x] = own[(in[1] + threadIdx.x) % 8];
}

// A store to what the host gave for reading.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: write_protected
__global__ void read_only(int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];
  in[threadIdx.x] = 0; // broken, told: memory
}

// A shared array of 64 elements, and an index of 64.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: array "static_shared(int const*, int*)::room" (256 bytes at 0x0): 4 bytes beyond its end
__global__ void static_shared(const int *in, int *out) {
  __shared__ int room[64];
  const int i = threadIdx.x;
  room[i] = in[i];
  __syncthreads();
  out[i] = room[i + 1]; // broken, told: memory
  // mended: out[i] = room[(i + 1) % 64];
}
