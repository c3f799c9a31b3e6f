/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of this folder: one function a kernel (`NAME_prepare` of NAME.cl, `NAME_assembly` of NAME.s). */
#ifndef HEDDLE_KERNEL_HOST_H
#define HEDDLE_KERNEL_HOST_H

#include "firmware/kernels/kernels.h"

kernel_prepare_fn bfs_prepare, bitonic_prepare, conv2d_prepare, histogram_assembly, histogram_prepare, ifelse_prepare,
    mandelbrot_prepare, nested_prepare, permute_prepare, reduce_assembly, reduce_prepare, saxpy_prepare, scan_prepare,
    sgemm8x8_assembly, sgemm_assembly, sgemm_prepare, spmv_prepare, transpose_prepare, vecadd_prepare;
kernel_prepare_fn blackscholes_prepare, fft_prepare, fft_clc_prepare, gemv_async_prepare, hgemm_mma_prepare,
    nbody_prepare, sgemm8x8_prepare, sha256_prepare, vm_prepare;

#endif
