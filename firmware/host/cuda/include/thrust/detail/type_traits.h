/* SPDX-License-Identifier: Apache-2.0
 * By thrust's name for it: what programs take from there is C++'s. */
#include <type_traits>
