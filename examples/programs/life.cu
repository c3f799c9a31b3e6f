// SPDX-License-Identifier: Apache-2.0
// A glider of Conway's Game of Life, on a board that has no border, and how many cells live after each step.
// run: heddle run examples/programs/life.cu --grid 1 --block 8,8 --arg u32:4
#define SIDE 8

__constant__ char start[SIDE][SIDE + 1] = {".#......", "..#.....", "###.....", "........",
                                           "........", "........", "........", "........"};
__device__ char board[SIDE][SIDE + 1];

template <int DX, int DY> __device__ int alive(int x, int y) {
  return board[(y + DY + SIDE) % SIDE][(x + DX + SIDE) % SIDE] == '#';
}

__global__ void life(int steps) {
  const int x = threadIdx.x, y = threadIdx.y;
  board[y][x] = start[y][x];
  __syncthreads();
  for (int step = 1; step <= steps; step++) {
    const int neighbours = alive<-1, -1>(x, y) + alive<0, -1>(x, y) + alive<1, -1>(x, y) + alive<-1, 0>(x, y) +
                           alive<1, 0>(x, y) + alive<-1, 1>(x, y) + alive<0, 1>(x, y) + alive<1, 1>(x, y);
    const bool lives = neighbours == 3 || (neighbours == 2 && board[y][x] == '#');
    const int cells = __syncthreads_count(lives);
    board[y][x] = lives ? '#' : '.';
    __syncthreads();
    if (x == 0 && y == 0) printf("%d cells live after step %d\n", cells, step);
  }
  if (x == 0 && y == 0)
    for (int row = 0; row < SIDE; row++) printf("%s\n", board[row]);
}
