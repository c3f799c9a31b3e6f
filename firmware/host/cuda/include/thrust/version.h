/* SPDX-License-Identifier: Apache-2.0
 * Which release of thrust programs may take this for: that of CUDA 11.0. */
#ifndef HEDDLE_THRUST_VERSION_H
#define HEDDLE_THRUST_VERSION_H

#define THRUST_VERSION 100909
#define THRUST_MAJOR_VERSION 1
#define THRUST_MINOR_VERSION 9
#define THRUST_SUBMINOR_VERSION 9
#define THRUST_PATCH_NUMBER 0

#endif
