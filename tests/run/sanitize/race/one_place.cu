// Threads of one instruction store different values to one place.
// run: --grid 1 --block 64 --arg out:256:-
__global__ void k(int *out) {
  const int i = threadIdx.x;
  out[i / 2] = i; // broken, told: race with line 5
  // mended: out[i] = i;
}
