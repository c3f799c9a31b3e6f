// No bug: one thread of a warp alone knows a number, and tells it to all. What the others have there nobody has written.
extern "C" __global__ void leader(unsigned *out, unsigned seed) {
  unsigned number;
  if (threadIdx.x == 7)
    number = seed;
  number = __shfl_sync(0xffffffffu, number, 7);
  out[threadIdx.x] = number + threadIdx.x;
}

struct flags {
  unsigned low : 3;
  unsigned middle : 5;
  int high : 7;
};

// No bug: fields of a word of which nobody has written the rest.
extern "C" __global__ void fields(int *out) {
  flags f;
  f.low = threadIdx.x;
  f.middle = 9;
  f.high = -2;
  if (f.middle == 9)
    out[threadIdx.x] = f.low + f.middle + f.high;
}
