/* SPDX-License-Identifier: Apache-2.0
 * By cub's name for it. */
#include "../move.h"
