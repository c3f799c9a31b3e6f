/* SPDX-License-Identifier: Apache-2.0
 * Messages as text. How an argument is found is what compiler/library/printf.cu does, conversion by conversion. */
#include <heddle/printf.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/options.h"

#define PIECE 4096u    /* characters of a string that are read at once */
#define WIDTH_MAX 4095 /* of a number or a string: as many as any C library takes */
#define HEAD 16u       /* bytes in front of the first message, and of its arguments */

struct message {
  const struct heddle_printf *h;
  const uint8_t *argument;
  size_t bytes, end; /* of all arguments; of those that were taken */
};

struct conversion {
  char flags[8];
  int width, precision; /* -1: not given */
  unsigned elements, halves, longs;
  bool in_vector;
  char what;
};

static uint64_t load_number(const uint8_t *p, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned b = 0; b < bytes; b++) v |= (uint64_t)p[b] << (8 * b);
  return v;
}

static bool read_byte(const struct heddle_printf *h, uint64_t at, char *c) {
  const struct heddle_program *p = h->program;
  if (at >= HEDDLE_CONST_MAX) return h->read(h->ctx, at, c, 1);
  if (at >= p->const_bytes) return false;
  *c = (char)p->konst[at];
  return true;
}

/* Characters up to a zero, or as many as fit; false: it has no end that can be read. */
static bool read_text(const struct heddle_printf *h, uint64_t at, char *text, size_t room) {
  size_t k = 0;
  for (text[0] = '\0'; k + 1 < room; k++) {
    if (!read_byte(h, at + k, &text[k])) return false;
    if (text[k] == '\0') return true;
  }
  text[k] = '\0';
  return true;
}

/* All of it, malloc'ed; NULL: it has no end, or there is no memory. */
static char *read_format(const struct heddle_printf *h, uint64_t at) {
  for (size_t room = PIECE;; room *= 2) {
    char *text = malloc(room);
    const bool well = text && read_text(h, at, text, room);
    if (well && strlen(text) + 1 < room) return text;
    free(text);
    if (!well) return NULL;
  }
}

static void put_message_text(const struct message *m, const char *text, int bytes) {
  if (bytes > 0) m->h->put(m->h->ctx, text, (size_t)bytes);
}

/* The next argument: *at, NULL where the message does not hold it. */
static const uint8_t *next_argument(struct message *m, unsigned size, unsigned n) {
  const size_t room = (size_t)size * (n == 3 ? 4 : n), first = (m->end + room - 1) / room * room;
  m->end = first + room;
  return first + (size_t)size * n <= m->bytes ? m->argument + first : NULL;
}

/* A width or a precision that is an argument. */
static int take_width(struct message *m) {
  const uint8_t *at = next_argument(m, 4, 1);
  const int32_t v = at ? (int32_t)(uint32_t)load_number(at, 4) : 0;
  return v > WIDTH_MAX ? WIDTH_MAX : v < -WIDTH_MAX ? -WIDTH_MAX : v;
}

static void add_digit(int *to, char digit) {
  *to = (*to < 0 ? 0 : *to) * 10 + (digit - '0');
  if (*to > WIDTH_MAX) *to = WIDTH_MAX;
}

static void add_flag(struct conversion *c, char flag) {
  const size_t n = strlen(c->flags);
  if (!strchr(c->flags, flag) && n + 1 < sizeof c->flags) c->flags[n] = flag;
}

static void take_star(struct message *m, struct conversion *c, bool precise) {
  const int v = take_width(m);
  if (precise)
    c->precision = v;
  else if (v < 0)
    add_flag(c, '-');
  if (!precise) c->width = v < 0 ? -v : v;
}

/* From behind the %; where it ends. */
static const char *read_conversion(struct message *m, const char *f, struct conversion *c) {
  bool precise = false;
  *c = (struct conversion){.width = -1, .precision = -1, .elements = 1};
  for (;; f++) {
    const bool digit = *f >= '0' && *f <= '9';
    if (*f == 'v') {
      c->in_vector = true;
      c->elements = 0;
    } else if (*f == '*') {
      take_star(m, c, precise);
    } else if (*f == 'h') {
      c->halves++;
    } else if (*f != '\0' && strchr("ljzt", *f)) {
      c->longs++;
    } else if (digit && c->in_vector) {
      c->elements = (c->elements * 10 + (unsigned)(*f - '0')) & 31;
    } else if (digit && (*f != '0' || c->width >= 0 || precise)) {
      add_digit(precise ? &c->precision : &c->width, *f);
    } else if (*f == '.') {
      precise = true;
      c->precision = 0;
    } else if (*f != '\0' && strchr("-+ #0", *f)) {
      add_flag(c, *f);
    } else {
      break;
    }
  }
  c->what = *f;
  return *f ? f + 1 : f;
}

/* "%-5.3" and what follows. */
static void specify(const struct conversion *c, const char *end, char text[48]) {
  int n = snprintf(text, 48, "%%%s", c->flags);
  if (c->width >= 0) n += snprintf(text + n, 48 - (size_t)n, "%d", c->width);
  if (c->precision >= 0) n += snprintf(text + n, 48 - (size_t)n, ".%d", c->precision);
  (void)snprintf(text + n, 48 - (size_t)n, "%s", end);
}

static double half_value(uint64_t bits) {
  const int exponent = (int)(bits >> 10 & 31), digits = (int)(bits & 1023);
  double v = exponent == 0 ? ldexp(digits, -24) : ldexp(digits + 1024, exponent - 25);
  if (exponent == 31) v = digits ? (double)NAN : (double)INFINITY;
  return bits >> 15 & 1 ? -v : v;
}

static double float_value(uint64_t bits, unsigned size) {
  const uint32_t word = (uint32_t)bits;
  double d;
  float f;
  if (size == 2) return half_value(bits);
  memcpy(&f, &word, sizeof f);
  memcpy(&d, &bits, sizeof d);
  return size == 4 ? (double)f : d;
}

static void print_float(const struct message *m, const struct conversion *c, uint64_t bits, unsigned size) {
  char text[WIDTH_MAX + 400], format[48];
  specify(c, (char[]){c->what, '\0'}, format);
  const number_unit host = number_unit_begin(); /* where a float that is subnormal is one */
  const double v = float_value(bits, size);
  number_unit_end(host);
  put_message_text(m, text, number_print(text, sizeof text, format, v)); /* 310 digits, then those of WIDTH_MAX */
}

static void print_integer(const struct message *m, const struct conversion *c, uint64_t bits, unsigned size) {
  char text[WIDTH_MAX + 40], format[48];
  const bool is_signed = c->what == 'd' || c->what == 'i';
  if (!c->in_vector && size == 4 && c->halves > 0) size = c->halves == 1 ? 2 : 1; /* passed as int, printed as less */
  const unsigned unused = 64 - 8 * size;
  specify(c, (char[]){'l', 'l', c->what, '\0'}, format);
  bits <<= unused;
  put_message_text(m, text,
                   is_signed ? snprintf(text, sizeof text, format, (long long)((int64_t)bits >> unused))
                             : snprintf(text, sizeof text, format, (unsigned long long)(bits >> unused)));
}

/* One that is longer than a piece is longer than its width; without a precision all of it is printed. */
static void print_string(const struct message *m, const struct conversion *c, uint64_t at) {
  char string[PIECE + 1], text[PIECE + WIDTH_MAX + 1], format[48];
  if (at == 0)
    snprintf(string, sizeof string, "(null)");
  else if (!read_text(m->h, at, string, sizeof string))
    snprintf(string, sizeof string, "(a string that the host cannot read)");
  specify(c, "s", format);
  put_message_text(m, text, snprintf(text, sizeof text, format, string));
  while (c->precision < 0 && at != 0 && strlen(string) == PIECE) {
    at += PIECE;
    if (!read_text(m->h, at, string, sizeof string)) snprintf(string, sizeof string, "(and what cannot be read)");
    put_message_text(m, string, (int)strlen(string));
  }
}

static void print_other(const struct message *m, const struct conversion *c, uint64_t bits) {
  char text[WIDTH_MAX + 40], format[48];
  if (c->what == 's') {
    print_string(m, c, bits);
    return;
  }
  specify(c, c->what == 'c' ? "c" : "s", format);
  if (c->what == 'c') {
    put_message_text(m, text, snprintf(text, sizeof text, format, (int)(unsigned char)bits));
    return;
  }
  char address[24];
  (void)snprintf(address, sizeof address, "0x%" PRIx64, bits);
  put_message_text(m, text, snprintf(text, sizeof text, format, address));
}

/* Bytes of an element. */
static unsigned element_size(const struct conversion *c) {
  if (strchr("eEfFgGaA", c->what))
    return !c->in_vector || (c->longs && !c->halves) ? 8 : c->halves && !c->longs ? 2 : 4;
  if (strchr("diuoxX", c->what))
    return c->longs && !c->halves ? 8 : !c->in_vector || c->longs || !c->halves ? 4 : c->halves == 1 ? 2 : 1;
  return c->what == 'c' ? 4 : 8;
}

static void print_argument(struct message *m, struct conversion *c) {
  const unsigned size = element_size(c);
  if (strchr("csp", c->what)) c->elements = 1;
  const uint8_t *at = next_argument(m, size, c->elements);
  if (!at) put_message_text(m, "(no argument)", 13);
  for (unsigned k = 0; at && k < c->elements; k++) {
    const uint64_t bits = load_number(at + (size_t)k * size, size);
    if (k > 0) put_message_text(m, ",", 1);
    if (strchr("csp", c->what))
      print_other(m, c, bits);
    else if (strchr("diuoxX", c->what))
      print_integer(m, c, bits, size);
    else
      print_float(m, c, bits, size);
  }
}

static void print_message(struct message *m, const char *format) {
  while (*format) {
    const size_t plain = strcspn(format, "%");
    struct conversion c;
    put_message_text(m, format, (int)plain);
    format += plain;
    if (*format == '\0') break;
    const char *end = read_conversion(m, format + 1, &c);
    if (c.what == '%')
      put_message_text(m, "%", 1);
    else if (c.what != '\0' && strchr("eEfFgGaAdiuoxXcsp", c.what) && c.elements > 0)
      print_argument(m, &c);
    else
      put_message_text(m, format, (int)(end - format)); /* nothing that we know: as it stands */
    format = end;
  }
}

struct heddle_printf_totals heddle_printf_text(const struct heddle_printf *given, const uint8_t *variable,
                                               size_t bytes) {
  struct heddle_printf_totals t = {0};
  struct heddle_printf own;
  const struct heddle_printf *h = &own;
  if (!options_take(&own, sizeof own, given)) return (struct heddle_printf_totals){.lost = UINT32_MAX};
  if (bytes < HEAD) return t;
  t.lost = (uint32_t)load_number(variable + 4, 4);
  for (size_t at = HEAD; bytes - at >= HEAD;) {
    const size_t n = (size_t)load_number(variable + at, 4);
    if (n < HEAD || n % 8 != 0 || n > bytes - at) break;
    struct message m = {.h = h, .argument = variable + at + HEAD, .bytes = n - HEAD};
    char *format = read_format(h, load_number(variable + at + 8, 8));
    if (format)
      print_message(&m, format);
    else
      put_message_text(&m, "(a format that the host cannot read)\n", 37);
    free(format);
    t.messages++;
    at += n;
  }
  return t;
}
