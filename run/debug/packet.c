/* SPDX-License-Identifier: Apache-2.0
 * Packets of gdb's remote serial protocol. */
#include "packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void begin_packet(struct packet_reader *r) {
  r->n = 0;
  r->sum = 0;
  r->too_long = false;
  r->state = PACKET_TEXT;
}

static enum packet_event end_packet(struct packet_reader *r, int low) {
  r->state = PACKET_OUTSIDE;
  r->text[r->n] = '\0';
  return low >= 0 && (r->wanted | low) == r->sum && !r->too_long ? PACKET_WHOLE : PACKET_BAD;
}

enum packet_event packet_take(struct packet_reader *r, uint8_t byte) {
  if (byte == '$') { /* also in the middle: the one before was cut off */
    begin_packet(r);
    return PACKET_MORE;
  }
  switch (r->state) {
  case PACKET_TEXT:
    if (byte == '#') {
      r->state = PACKET_SUM_1;
      return PACKET_MORE;
    }
    r->sum = (uint8_t)(r->sum + byte);
    if (r->n < PACKET_MAX)
      r->text[r->n++] = (char)byte;
    else
      r->too_long = true;
    return PACKET_MORE;
  case PACKET_SUM_1:
    if (digit(byte) < 0) return end_packet(r, -1);
    r->wanted = (uint8_t)(digit(byte) << 4);
    r->state = PACKET_SUM_2;
    return PACKET_MORE;
  case PACKET_SUM_2:
    return end_packet(r, digit(byte));
  default:
    return byte == 3 ? PACKET_INTERRUPT : PACKET_MORE;
  }
}

void packet_clear(struct packet *p) {
  p->n = 0;
  p->full = false;
  p->text[0] = '\0';
}

void packet_put(struct packet *p, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  const int n = vsnprintf(p->text + p->n, sizeof p->text - p->n, format, ap);
  va_end(ap);
  if (n < 0) return;
  p->full = p->full || (size_t)n >= sizeof p->text - p->n;
  p->n = p->full ? sizeof p->text - 1 : p->n + (size_t)n;
}

void packet_hex(struct packet *p, const void *bytes, size_t n) {
  static const char digits[] = "0123456789abcdef";
  const uint8_t *at = bytes;
  for (size_t i = 0; i < n; i++) {
    if (p->n + 2 > PACKET_MAX) {
      p->full = true;
      break;
    }
    p->text[p->n++] = digits[at[i] >> 4];
    p->text[p->n++] = digits[at[i] & 15];
  }
  p->text[p->n] = '\0';
}

size_t packet_bytes(struct packet *p, const void *bytes, size_t n) {
  const uint8_t *at = bytes;
  size_t i = 0;
  for (; i < n && p->n + 2 <= PACKET_MAX; i++) {
    const bool special = at[i] == '#' || at[i] == '$' || at[i] == '}' || at[i] == '*';
    if (special) p->text[p->n++] = '}';
    p->text[p->n++] = (char)(special ? at[i] ^ 0x20 : at[i]);
  }
  p->text[p->n] = '\0';
  return i;
}

size_t packet_frame(const struct packet *p, char *out) {
  uint8_t sum = 0;
  char tail[4];
  for (size_t i = 0; i < p->n; i++) sum = (uint8_t)(sum + (uint8_t)p->text[i]);
  out[0] = '$';
  memcpy(out + 1, p->text, p->n);
  snprintf(tail, sizeof tail, "#%02x", sum);
  memcpy(out + 1 + p->n, tail, 3);
  return p->n + 4;
}

bool packet_number(const char **text, uint64_t *value) {
  unsigned n = 0;
  *value = 0;
  for (int d; (d = digit(**text)) >= 0; ++*text, n++) *value = *value << 4 | (unsigned)d;
  return n > 0 && n <= 16;
}

bool packet_unhex(const char **text, uint8_t *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const int high = digit((*text)[0]), low = high < 0 ? -1 : digit((*text)[1]);
    if (low < 0) return false;
    out[i] = (uint8_t)(high << 4 | low);
    *text += 2;
  }
  return true;
}
