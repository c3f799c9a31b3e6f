/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_runtime_api.h"
