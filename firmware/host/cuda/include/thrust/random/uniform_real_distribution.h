/* SPDX-License-Identifier: Apache-2.0
 * By thrust's name for it. */
#include <thrust/random.h>
