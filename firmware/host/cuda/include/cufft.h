/* SPDX-License-Identifier: Apache-2.0 */
#error "cufft.h: Heddle has no FFT (cuFFT)"
