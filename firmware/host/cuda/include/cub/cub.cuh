/* SPDX-License-Identifier: Apache-2.0
 * The commonest of cub, by its usual names: docs/cuda-device.md says what is there. */
#ifndef HEDDLE_CUB_CUH
#define HEDDLE_CUB_CUH

#include "block.h"
#include "device.h"
#include "move.h"
#include "traits.h"
#include "warp.h"

#endif
