/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka wants these headers, in this order.
 */
#ifndef HEDDLE_TEST_CHECK_H
#define HEDDLE_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
