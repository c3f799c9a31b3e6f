// SPDX-License-Identifier: Apache-2.0
// The sum and the largest of 256 numbers: shuffles inside a warp, one atomic operation a warp.
// run: heddle run examples/programs/reduce.cu --grid 2 --block 128 --arg in:examples/programs/x.npy --arg out:4:s32:- --arg out:4:s32:-
__global__ void reduce(const float *x, int *sum, int *most) {
  int mine = (int)(1000 * x[blockIdx.x * blockDim.x + threadIdx.x]), largest = mine;
  for (int apart = warpSize / 2; apart > 0; apart /= 2) {
    mine += __shfl_down_sync(0xffffffff, mine, apart);
    largest = max(largest, __shfl_down_sync(0xffffffff, largest, apart));
  }
  if (threadIdx.x % warpSize == 0) {
    atomicAdd(sum, mine);
    atomicMax(most, largest);
  }
}
