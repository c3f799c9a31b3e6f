/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocking the device, with a wave that begins late.
 */
#include "cosim/session/internal.h"

static void begin_wave(struct heddle_session *s) {
  s->wave_due = false;
  s->wave_failed = !heddle_dut_wave(s->device, s->cfg.wave);
}

/* Where launches wait an access may wait for a copy of a launch. */
void session_wave_before_host(struct heddle_session *s) {
  const struct heddle_config *m = session_machine(s);
  const uint64_t most = m != NULL && m->launch_queue != 0 ? SESSION_HOST_QUEUE : SESSION_HOST;
  if (s->wave_due && s->wave_from - heddle_dut_cycle(s->device) <= most) begin_wave(s);
}

uint64_t session_step(struct heddle_session *s, uint64_t cycles) {
  if (!s->wave_due) return heddle_dut_step(s->device, cycles);
  const uint64_t now = heddle_dut_cycle(s->device), from = s->wave_from;
  const uint64_t before = from > now ? from - now : 0;
  if (before >= cycles) return heddle_dut_step(s->device, cycles);
  const uint64_t done = before != 0 ? heddle_dut_step(s->device, before) : 0;
  if (done != before) return done;
  begin_wave(s);
  return done + heddle_dut_step(s->device, cycles - before);
}
