/* SPDX-License-Identifier: Apache-2.0
 * Packets for registers and memory. */
#include <stdlib.h>

#include "run/debug/server_internal.h"

static void put_register(struct server *s, unsigned w, unsigned lane, unsigned number, unsigned bytes) {
  uint8_t value[TARGET_REGISTER_BYTES] = {0};
  const bool known = target_read(s->t, w, lane, number, value) == TARGET_KNOWN;
  if (known) packet_hex(&s->out, value, bytes);
  for (unsigned i = 0; i < bytes && !known; i++) packet_put(&s->out, "xx");
}

void answer_registers(struct server *s, const char *text) {
  struct target_register r;
  unsigned w, lane;
  (void)text;
  if (!server_thread(s, s->general, &w, &lane)) {
    packet_put(&s->out, "E01");
    return;
  }
  for (unsigned i = 0; target_register(s->t, i, &r); i++) put_register(s, w, lane, i, r.bytes);
}

void answer_register(struct server *s, const char *text) {
  uint64_t number;
  struct target_register r;
  unsigned w, lane;
  if (!packet_number(&text, &number) || number > UINT16_MAX || !target_register(s->t, (unsigned)number, &r) ||
      !server_thread(s, s->general, &w, &lane))
    packet_put(&s->out, "E01");
  else
    put_register(s, w, lane, (unsigned)number, r.bytes);
}

/* "1f=00000000" */
void answer_write_register(struct server *s, const char *text) {
  uint64_t number;
  struct target_register r;
  uint8_t value[TARGET_REGISTER_BYTES] = {0};
  unsigned w, lane;
  bool good = packet_number(&text, &number) && *text++ == '=' && number <= UINT16_MAX;
  good = good && target_register(s->t, (unsigned)number, &r) && packet_unhex(&text, value, r.bytes) &&
         server_thread(s, s->general, &w, &lane) && target_write(s->t, w, lane, (unsigned)number, value);
  if (good) s->t->others = (struct target_others){0}; /* somebody has seen the stop */
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}

/* "ADDR,BYTES" */
static bool read_range(const char **text, uint64_t *address, uint64_t *bytes) {
  return packet_number(text, address) && *(*text)++ == ',' && packet_number(text, bytes) && *bytes <= PACKET_MAX / 2;
}

void answer_memory(struct server *s, const char *text) {
  uint64_t address, bytes;
  uint8_t b[PACKET_MAX / 2];
  unsigned w = UINT32_MAX, lane = 0; /* global memory is there without a warp */
  (void)server_thread(s, s->general, &w, &lane);
  const size_t n = read_range(&text, &address, &bytes) ? target_look(s->t, w, lane, address, b, (size_t)bytes) : 0;
  if (n > 0)
    packet_hex(&s->out, b, n);
  else
    packet_put(&s->out, "E01");
}

/* "ADDR,BYTES:DATA" */
void answer_write_memory(struct server *s, const char *text) {
  uint64_t address, bytes;
  uint8_t b[PACKET_MAX / 2];
  unsigned w = UINT32_MAX, lane = 0;
  (void)server_thread(s, s->general, &w, &lane);
  const bool good = read_range(&text, &address, &bytes) && *text++ == ':' && packet_unhex(&text, b, (size_t)bytes) &&
                    (bytes == 0 || target_put(s->t, w, lane, address, b, (size_t)bytes));
  if (good) s->t->others = (struct target_others){0}; /* somebody has seen the stop */
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}
