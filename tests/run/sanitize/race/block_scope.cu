// Atomics of block scope do not count together with those of another block.
// run: --grid 2 --block 32 --arg out:4:-
__global__ void k(int *out) {
  atomicAdd_block(out, 1); // broken, told: race with line 4
  // mended: atomicAdd(out, 1);
}
