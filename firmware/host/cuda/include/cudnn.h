/* SPDX-License-Identifier: Apache-2.0 */
#error "cudnn.h: Heddle has no neural networks (cuDNN)"
