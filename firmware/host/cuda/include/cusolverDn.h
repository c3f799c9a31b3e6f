/* SPDX-License-Identifier: Apache-2.0 */
#error "cusolverDn.h: Heddle has no dense solvers (cuSOLVER)"
