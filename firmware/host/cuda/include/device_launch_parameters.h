/* SPDX-License-Identifier: Apache-2.0
 * All that a kernel finds in this header is there before the file begins: no step of a launch
 * (docs/how-a-launch-travels.md). */
