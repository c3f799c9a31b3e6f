/* SPDX-License-Identifier: Apache-2.0 */
#error "cublasLt.h: Heddle has no matrix products of cuBLASLt: cublas_v2.h has cublasSgemm and its kin"
