/* SPDX-License-Identifier: Apache-2.0 */
#error "cusparse.h: Heddle has no sparse matrices (cuSPARSE)"
