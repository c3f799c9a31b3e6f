/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of this process by fork(), most of whose memory is shared until one of the two writes there: what a session
 * with `wave_last` asks its host for (heddle/session.h). For programs without threads of their own. */
#ifndef HEDDLE_PROCESS_COPY_H
#define HEDDLE_PROCESS_COPY_H

#include <heddle/session.h>

extern const struct heddle_session_copies process_copies;

#endif
