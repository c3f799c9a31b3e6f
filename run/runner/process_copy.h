/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of this process by fork(), with most memory shared until one of the two writes there: for a session's
 * `wave_last` (heddle/session.h). For programs without threads of their own. */
#ifndef HEDDLE_PROCESS_COPY_H
#define HEDDLE_PROCESS_COPY_H

#include <heddle/session.h>

extern const struct heddle_session_copies process_copies;

#endif
