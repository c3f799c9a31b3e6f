// A lock between blocks and the lanes of a warp.
// run: --grid 2 --block 64 --div its --arg out:8:-
__global__ void k(int *out) {
  int *lock = out + 1;
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  out[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
