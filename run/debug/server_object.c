/* SPDX-License-Identifier: Apache-2.0
 * Packets for what is larger than one: descriptions, and the program, which gdb opens as if it were a file. */
#include <stdlib.h>
#include <string.h>

#include "run/debug/description.h"
#include "run/debug/server_internal.h"

#define PROGRAM_NAME "/heddle-program"
enum { PROGRAM_FD = 3, STAT_BYTES = 64, STAT_SIZE_AT = 28, STAT_MODE_AT = 8, MODE_FILE = 0100444 };

/* "OFFSET,BYTES" of an object; m: there is more behind it. */
static void piece(struct server *s, const char *text, const void *object, size_t size) {
  uint64_t offset, bytes;
  if (!object || !packet_number(&text, &offset) || *text++ != ',' || !packet_number(&text, &bytes) || offset > size) {
    packet_put(&s->out, "E01");
    return;
  }
  const uint64_t left = size - offset, want = bytes < left ? bytes : left;
  packet_put(&s->out, "m");
  const size_t put = packet_bytes(&s->out, (const char *)object + offset, (size_t)want);
  if (put == left) s->out.text[0] = 'l';
}

/* Behind "NAME:read:ANNEX:"; NULL: it is another object. */
static const char *object_text(const char *text, const char *name) {
  const size_t n = strlen(name);
  return strncmp(text, name, n) == 0 ? text + n : NULL;
}

void answer_object(struct server *s, const char *text) {
  const char *rest = object_text(text, "features:read:target.xml:");
  if (rest) {
    if (!s->registers) s->registers = description_registers(s->t, &s->registers_size);
    piece(s, rest, s->registers, s->registers_size);
    return;
  }
  rest = object_text(text, "threads:read::");
  if (rest) {
    if (!s->threads || strncmp(rest, "0,", 2) == 0) { /* a list is of the moment in which its beginning is read */
      if (s->unseen) s->t->focus = s->last.thread;
      s->t->others = (struct target_others){0};
      s->unseen = false;
      free(s->threads);
      s->threads = description_threads(s->t, &s->threads_size);
    }
    piece(s, rest, s->threads, s->threads_size);
    return;
  }
  const char *colon = strncmp(text, "exec-file:read:", 15) == 0 ? strchr(text + 15, ':') : NULL;
  if (colon) piece(s, colon + 1, PROGRAM_NAME, strlen(PROGRAM_NAME));
}

/* ---- files ---- */

static void read_program(struct server *s, const char *text) {
  uint64_t fd, bytes, offset;
  const bool good = packet_number(&text, &fd) && *text++ == ',' && packet_number(&text, &bytes) && *text++ == ',' &&
                    packet_number(&text, &offset);
  if (!good || fd != PROGRAM_FD) {
    packet_put(&s->out, "F-1,9");
    return;
  }
  const size_t left = offset < s->program_size ? s->program_size - (size_t)offset : 0;
  size_t want = bytes < left ? (size_t)bytes : left;
  if (want > PACKET_MAX / 2 - 32) want = PACKET_MAX / 2 - 32; /* each byte may need an escape */
  packet_put(&s->out, "F%zx;", want);
  (void)packet_bytes(&s->out, s->program + (want > 0 ? offset : 0), want);
}

/* struct stat of the protocol: numbers with their highest byte first. */
static void stat_program(struct server *s) {
  uint8_t b[STAT_BYTES] = {0};
  for (unsigned i = 0; i < 4; i++) b[STAT_MODE_AT + i] = (uint8_t)(MODE_FILE >> (24 - 8 * i));
  for (unsigned i = 0; i < 8; i++) b[STAT_SIZE_AT + i] = (uint8_t)((uint64_t)s->program_size >> (56 - 8 * i));
  packet_put(&s->out, "F%x;", STAT_BYTES);
  (void)packet_bytes(&s->out, b, sizeof b);
}

static void open_program(struct server *s, const char *text) {
  char name[sizeof PROGRAM_NAME] = "";
  const char *comma = strchr(text, ',');
  const size_t n = comma ? (size_t)(comma - text) / 2 : 0;
  const bool same =
      n == sizeof PROGRAM_NAME - 1 && packet_unhex(&text, (uint8_t *)name, n) && strcmp(name, PROGRAM_NAME) == 0;
  if (same)
    packet_put(&s->out, "F%x", PROGRAM_FD);
  else
    packet_put(&s->out, "F-1,2"); /* no such file */
}

void answer_file(struct server *s, const char *text) {
  if (strncmp(text, "setfs:", 6) == 0 || strncmp(text, "close:", 6) == 0)
    packet_put(&s->out, "F0");
  else if (strncmp(text, "open:", 5) == 0)
    open_program(s, text + 5);
  else if (strncmp(text, "pread:", 6) == 0)
    read_program(s, text + 6);
  else if (strncmp(text, "fstat:", 6) == 0)
    stat_program(s);
}
