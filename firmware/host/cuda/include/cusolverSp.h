/* SPDX-License-Identifier: Apache-2.0 */
#error "cusolverSp.h: Heddle has no sparse solvers (cuSOLVER)"
