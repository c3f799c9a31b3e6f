/* SPDX-License-Identifier: Apache-2.0 */
#error "nccl.h: Heddle has no communication of several devices (NCCL)"
