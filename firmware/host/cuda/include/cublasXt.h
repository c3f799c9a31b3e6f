/* SPDX-License-Identifier: Apache-2.0 */
#error "cublasXt.h: Heddle has no matrix products of cuBLASXt: cublas_v2.h has cublasSgemm and its kin"
