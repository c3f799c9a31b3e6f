/* SPDX-License-Identifier: Apache-2.0 */
#error "nvml.h: Heddle has no monitoring (NVML)"
