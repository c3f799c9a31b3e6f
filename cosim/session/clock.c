/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocking the device, with a wave that begins late.
 */
#include "cosim/session/internal.h"

static void begin_wave(struct session *s) {
  s->wave_due = false;
  s->wave_failed = !device_wave(s->device, s->cfg.wave);
}

void session_wave_before_host(struct session *s) {
  if (s->wave_due && s->cfg.wave_from - device_cycle(s->device) <= SESSION_HOST) begin_wave(s);
}

uint64_t session_step(struct session *s, uint64_t cycles) {
  if (!s->wave_due) return device_step(s->device, cycles);
  const uint64_t now = device_cycle(s->device), from = s->cfg.wave_from;
  const uint64_t before = from > now ? from - now : 0;
  if (before >= cycles) return device_step(s->device, cycles);
  const uint64_t done = before != 0 ? device_step(s->device, before) : 0;
  if (done != before) return done;
  begin_wave(s);
  return done + device_step(s->device, cycles - before);
}
