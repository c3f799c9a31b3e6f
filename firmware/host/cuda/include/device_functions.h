/* SPDX-License-Identifier: Apache-2.0
 * All that a kernel finds in this header is there before the file begins. */
