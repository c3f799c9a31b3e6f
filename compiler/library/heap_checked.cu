/* SPDX-License-Identifier: Apache-2.0
 * heap.cu as a sanitizer wants it. */

#define HEDDLE_HEAP_CHECKED
#include "heap.cu"
