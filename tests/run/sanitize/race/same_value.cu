// Threads of two warps store the same value to one place: told, as such.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: both store the same value
__global__ void k(const int *in, int *out) {
  if (in[threadIdx.x] >= 0) out[0] = 1; // broken, told: race with line 5
  // mended: if (in[threadIdx.x] >= 0) atomicExch(&out[0], 1);
}
