/* SPDX-License-Identifier: Apache-2.0
 * Host code alone, which calls the runtime. */
#include <cuda_runtime.h>

int plain(int x) {
  const dim3 size(2, 3);
  int n = 0;
  return cudaGetDeviceCount(&n) == cudaSuccess ? 1000 * n + x + int(size.z) - 1 : -1;
}
