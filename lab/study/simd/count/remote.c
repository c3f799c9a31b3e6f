/* SPDX-License-Identifier: Apache-2.0
 *
 * A program under QEMU: stepped through its debugger's port, or read from its log.
 */
#include "remote.h"

#include <errno.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* GDB's remote protocol, as much of it as stepping takes. */

static bool fail_remote(struct simd_remote *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail_remote(struct simd_remote *r, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (r->error[0] == '\0') (void)vsnprintf(r->error, sizeof r->error, format, ap);
  va_end(ap);
  return false;
}

bool simd_remote_open(struct simd_remote *r, const char *path) {
  *r = (struct simd_remote){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  if (r->fd < 0 || strlen(path) >= sizeof to.sun_path) return fail_remote(r, "%s: no socket of this name", path);
  (void)snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
  for (unsigned tries = 0; tries < 500; tries++) {
    if (connect(r->fd, (const struct sockaddr *)&to, sizeof to) == 0) return true;
    const struct timespec pause = {.tv_nsec = 20000000};
    (void)nanosleep(&pause, NULL);
  }
  return fail_remote(r, "%s: %s", path, strerror(errno));
}

void simd_remote_close(struct simd_remote *r) {
  if (r->fd >= 0) (void)close(r->fd);
  r->fd = -1;
}

static bool send_bytes(struct simd_remote *r, const char *text, size_t n) {
  for (ssize_t sent; n > 0; text += sent, n -= (size_t)sent)
    if ((sent = send(r->fd, text, n, MSG_NOSIGNAL)) <= 0) return fail_remote(r, "the program's port is closed");
  return true;
}

static bool next_char(struct simd_remote *r, size_t *at, char *c) {
  if (*at == r->have) {
    const ssize_t n = recv(r->fd, r->buffer, sizeof r->buffer, 0);
    if (n <= 0) return fail_remote(r, "the program ended before the function returned");
    r->have = (size_t)n;
    *at = 0;
  }
  *c = r->buffer[(*at)++];
  return true;
}

/* "$TEXT#XX" to r->reply, behind whatever stands in front of it. */
static bool receive(struct simd_remote *r) {
  size_t at = 0, n = 0;
  char c = 0, sum[2];
  r->have = 0;
  while (c != '$')
    if (!next_char(r, &at, &c)) return false;
  unsigned char real = 0;
  for (;;) {
    if (!next_char(r, &at, &c)) return false;
    if (c == '#') break;
    if (n + 1 == sizeof r->reply) return fail_remote(r, "the program's port sends more than it may");
    r->reply[n++] = c;
    real = (unsigned char)(real + (unsigned char)c);
  }
  r->reply[n] = '\0';
  char want[3];
  (void)snprintf(want, sizeof want, "%02x", real);
  if (!next_char(r, &at, &sum[0]) || !next_char(r, &at, &sum[1])) return false;
  if (memcmp(sum, want, 2) != 0) return fail_remote(r, "the program's port sends a wrong checksum");
  return send_bytes(r, "+", 1);
}

static bool ask_stub(struct simd_remote *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool ask_stub(struct simd_remote *r, const char *format, ...) {
  char text[128], packet[140];
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  unsigned char sum = 0;
  for (const char *p = text; *p != '\0'; p++) sum = (unsigned char)(sum + (unsigned char)*p);
  const int n = snprintf(packet, sizeof packet, "$%s#%02x", text, sum);
  return send_bytes(r, packet, (size_t)n) && receive(r);
}

/* A stop by a breakpoint or a step. */
static bool stopped(struct simd_remote *r) {
  return strncmp(r->reply, "T05", 3) == 0 || fail_remote(r, "the program stopped by itself: %.20s", r->reply);
}

static bool simd_remote_run_to(struct simd_remote *r, uint64_t at) {
  if (!ask_stub(r, "Z0,%" PRIx64 ",1", at)) return false;
  if (strcmp(r->reply, "OK") != 0) return fail_remote(r, "no breakpoint at 0x%" PRIx64, at);
  return ask_stub(r, "c") && stopped(r) && ask_stub(r, "z0,%" PRIx64 ",1", at);
}

bool simd_remote_step(struct simd_remote *r) {
  return ask_stub(r, "s") && stopped(r);
}

/* The whole of a description, as the port gives it in parts: owned by the caller. */
static char *description(struct simd_remote *r, const char *file) {
  char *text = NULL;
  for (size_t n = 0; n < 1u << 20;) {
    const bool ok =
        ask_stub(r, "qXfer:features:read:%s:%zx,800", file, n) && (r->reply[0] == 'm' || r->reply[0] == 'l');
    const size_t more = ok ? strlen(r->reply + 1) : 0;
    char *longer = ok ? realloc(text, n + more + 1) : NULL;
    if (!longer) break;
    text = longer;
    memcpy(text + n, r->reply + 1, more + 1);
    n += more;
    if (r->reply[0] == 'l') return text;
    if (more == 0) break;
  }
  free(text);
  fail_remote(r, "the port does not describe its registers: %s", file);
  return NULL;
}

static bool attribute_is(xmlNode *node, const char *attribute, const char *value) {
  xmlChar *is = xmlGetProp(node, (const xmlChar *)attribute);
  const bool same = is && strcmp((const char *)is, value) == 0;
  xmlFree(is);
  return same;
}

bool simd_remote_number(struct simd_remote *r, const char *file, const char *name, unsigned *number) {
  char *text = description(r, file);
  if (!text) return false;
  xmlDoc *d = xmlReadMemory(text, (int)strlen(text), file, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
  free(text);
  xmlNode *root = d ? xmlDocGetRootElement(d) : NULL;
  bool found = false;
  for (xmlNode *n = root ? root->children : NULL; n && !found; n = n->next)
    if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "reg") == 0 && attribute_is(n, "name", name)) {
      xmlChar *value = xmlGetProp(n, (const xmlChar *)"regnum");
      found = value && sscanf((const char *)value, "%u", number) == 1;
      xmlFree(value);
    }
  xmlFreeDoc(d);
  return found || fail_remote(r, "%s does not name register %s", file, name);
}

bool simd_remote_register(struct simd_remote *r, unsigned number, uint8_t to[SIMD_REGISTER_MAX], size_t *bytes) {
  if (!ask_stub(r, "p%x", number)) return false;
  const size_t digits = strlen(r->reply);
  if (digits == 0 || digits % 2 != 0 || digits / 2 > SIMD_REGISTER_MAX) return fail_remote(r, "no register %u", number);
  for (size_t i = 0; i < digits / 2; i++)
    if (sscanf(r->reply + 2 * i, "%2hhx", &to[i]) != 1) return fail_remote(r, "register %u: %.20s", number, r->reply);
  *bytes = digits / 2;
  return true;
}

bool simd_remote_word(struct simd_remote *r, unsigned number, uint64_t *value) {
  uint8_t raw[SIMD_REGISTER_MAX];
  size_t bytes;
  if (!simd_remote_register(r, number, raw, &bytes)) return false;
  if (bytes != 8) return fail_remote(r, "register %u has %zu bytes, not 8", number, bytes);
  *value = 0;
  for (unsigned i = 8; i-- > 0;) *value = *value << 8 | raw[i];
  return true;
}

/* How many elements vector instructions work on. The fields of vtype and the meaning of vl, masks and whole registers:
 * The RISC-V Instruction Set Manual, Volume I, chapter "V" Standard Extension, Version 1.0. */

enum { REGISTER_RA = 1, REGISTER_PC = 32 };
#define STEPS_MAX 100000000u

unsigned simd_vlmax(uint64_t vtype, unsigned vlenb) {
  const unsigned lmul = vtype & 7, sew = 1u << (vtype >> 3 & 7); /* bytes of an element */
  if (vtype >> 63 != 0 || sew > 8 || lmul == 4) return 0;
  return lmul < 4 ? (vlenb << lmul) / sew : (vlenb >> (8 - lmul)) / sew;
}

unsigned simd_whole(const char *mnemonic, uint64_t vtype, unsigned vlenb) {
  const char *digit = mnemonic + strcspn(mnemonic, "0123456789");
  if (*digit == '\0') return 0;
  const unsigned registers = (unsigned)(*digit - '0');
  const char *width = strstr(digit, "re"); /* vl2re64.v: elements of 64 bits */
  const unsigned element = width ? (unsigned)strtoul(width + 2, NULL, 10) / 8 : 1u << (vtype >> 3 & 7);
  return element == 0 ? 0 : registers * vlenb / element;
}

unsigned simd_selected(const uint8_t *mask, size_t bytes, uint64_t vl) {
  unsigned n = 0;
  for (uint64_t i = 0; i < vl && i / 8 < bytes; i++) n += mask[i / 8] >> (i % 8) & 1;
  return n;
}

struct stepper {
  struct simd_remote *r;
  unsigned vl, vtype, v0; /* numbers of registers */
  unsigned vlenb;         /* bytes of a vector register */
};

static bool refuse_insn(struct stepper *s, const char *what, const char *why) {
  (void)snprintf(s->r->error, sizeof s->r->error, "%.40s: %s", what, why);
  return false;
}

static bool open_stepper(struct stepper *s) {
  static const char file[] = "riscv-vector.xml";
  unsigned number;
  uint64_t vlenb;
  if (!simd_remote_number(s->r, file, "vl", &s->vl) || !simd_remote_number(s->r, file, "vtype", &s->vtype) ||
      !simd_remote_number(s->r, file, "v0", &s->v0) || !simd_remote_number(s->r, file, "vlenb", &number) ||
      !simd_remote_word(s->r, number, &vlenb))
    return false;
  if (vlenb == 0 || vlenb > SIMD_REGISTER_MAX) return refuse_insn(s, "vlenb", "no vector register is of this length");
  s->vlenb = (unsigned)vlenb;
  return true;
}

/* Before `i` is executed. */
static bool count_lanes(struct stepper *s, struct simd_insn *i) {
  uint64_t vl = 0, vtype = 0;
  uint8_t mask[SIMD_REGISTER_MAX];
  size_t bytes;
  if (!simd_remote_word(s->r, s->vl, &vl) || !simd_remote_word(s->r, s->vtype, &vtype)) return false;
  const bool whole = i->kind == SIMD_WHOLE;
  const unsigned width = whole ? simd_whole(i->mnemonic, vtype, s->vlenb) : simd_vlmax(vtype, s->vlenb);
  if (width == 0 || (!whole && vl > width)) return refuse_insn(s, i->text, "vl, vtype and vlenb contradict each other");
  if (i->guarded && !simd_remote_register(s->r, s->v0, mask, &bytes)) return false;
  i->width += width;
  i->lanes += whole ? width : i->guarded ? simd_selected(mask, bytes, vl) : vl;
  return true;
}

bool simd_lanes(struct simd_listing *l, struct simd_remote *r) {
  struct stepper s = {.r = r};
  uint64_t pc = l->start, back;
  if (!simd_remote_run_to(r, l->start) || !open_stepper(&s) || !simd_remote_word(r, REGISTER_RA, &back)) return false;
  for (unsigned n = 0; n < STEPS_MAX; n++) {
    struct simd_insn *i = simd_listing_at(l, pc);
    if (!i) {
      if (pc == back) return true;
      (void)snprintf(r->error, sizeof r->error, "%s leaves its code to 0x%" PRIx64 ": it calls other code", l->function,
                     pc);
      return false;
    }
    if ((i->kind == SIMD_VECTOR || i->kind == SIMD_WHOLE) && !count_lanes(&s, i)) return false;
    i->executed++;
    if (!simd_remote_step(r) || !simd_remote_word(r, REGISTER_PC, &pc)) return false;
  }
  (void)snprintf(r->error, sizeof r->error, "%s: more than %u steps", l->function, STEPS_MAX);
  return false;
}

/* QEMU's log of executed instructions. */

/* "Trace 0: 0x7f22 [0000000000000000/0000000000011790/03206688/00000201] mandel": the second number. */
static bool program_counter(const char *line, uint64_t *pc) {
  if (strncmp(line, "Trace ", 6) != 0) return false;
  const char *p = strchr(line, '[');
  p = p ? strchr(p, '/') : NULL;
  if (!p) return false;
  char *end;
  *pc = strtoull(p + 1, &end, 16);
  return end != p + 1 && *end == '/';
}

bool simd_execlog_read(struct simd_listing *l, FILE *from, char err[SIMD_ERROR]) {
  char line[512];
  uint64_t pc, counted = 0;
  for (unsigned long n = 1; fgets(line, sizeof line, from); n++) {
    line[strcspn(line, "\n")] = '\0';
    if (!program_counter(line, &pc)) {
      (void)snprintf(err, SIMD_ERROR, "line %lu of the log is no executed instruction: %.80s", n, line);
      return false;
    }
    if (pc < l->start || pc >= l->start + l->bytes) continue;
    struct simd_insn *i = simd_listing_at(l, pc);
    if (!i) {
      (void)snprintf(err, SIMD_ERROR, "line %lu of the log: no instruction of %s begins at 0x%" PRIx64, n, l->function,
                     pc);
      return false;
    }
    i->executed++;
    counted++;
  }
  if (counted > 0) return true;
  (void)snprintf(err, SIMD_ERROR, "the log has no instruction of %s", l->function);
  return false;
}
