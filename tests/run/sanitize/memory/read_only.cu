// A store to what the host gave for reading.
// run: --grid 1 --block 32 --arg in:in --arg out:128:-
// says: write_protected
__global__ void k(int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];
  in[threadIdx.x] = 0; // broken, told: memory
}
