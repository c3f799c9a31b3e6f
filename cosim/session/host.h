/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside host*.c only: a host that does more than it must (heddle_session_config.host_seed). A false result: the device
 * answered wrongly; the session's result says how.
 */
#ifndef HEDDLE_SESSION_HOST_H
#define HEDDLE_SESSION_HOST_H

#include "cosim/session/internal.h"

/* host_access.c: what is drawn, */
uint32_t host_below(struct heddle_session *s, uint32_t n); /* 0 to n - 1 */
bool host_chance(struct heddle_session *s, unsigned percent);
uint32_t host_any_register(struct heddle_session *s); /* launch registers, capabilities, any other word */

bool host_has_queue(const struct heddle_session *s);

/* single accesses that must go well, */
bool host_wrong(struct heddle_session *s, const char *what, uint32_t reg, uint32_t got,
                uint32_t want); /* always false */
bool host_read32(struct heddle_session *s, uint32_t reg, uint32_t *value);
bool host_expect(struct heddle_session *s, const char *what, uint32_t reg, uint32_t want);
bool host_look(struct heddle_session *s, uint32_t reg); /* it holds what it must, as far as that is known */

/* and those of no use. */
bool host_scribble(struct heddle_session *s, uint32_t reg, bool dropped);
bool host_part_of_word(struct heddle_session *s);
bool host_beside(struct heddle_session *s, uint32_t reg, bool dropped);
bool host_fiddle(struct heddle_session *s); /* one of them, while nothing runs */

/* host_running.c: reads that depend on the launch, while it runs (may read STATUS again), */
bool host_pass(struct heddle_session *s, uint64_t cycles); /* clocks, and judges what is shown */
bool host_look_running(struct heddle_session *s, uint32_t *status);
/* and when it has ended. */
bool host_counted(struct heddle_session *s);
bool host_trap_as_told(struct heddle_session *s); /* also before a launch, after an abort, a refusal, a reset */
bool host_trap_stays(struct heddle_session *s);   /* it has trapped */

/* host_launch.c */
bool host_command(struct heddle_session *s, uint32_t value); /* writes CONTROL */
bool host_wait_without(struct heddle_session *s, uint32_t bits,
                       uint32_t *status);                    /* STATUS no longer has any of them */
bool host_quiet(struct heddle_session *s, const char *when); /* AXI comes to rest, nothing has failed */
bool host_one_more(struct heddle_session *s); /* a launch that is none, a reset, or a look at everything */
bool host_given_up(struct heddle_session *s); /* the session's launch, for a while */

#endif
