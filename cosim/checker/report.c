/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference: as a structure with its signature, for people, and for programs.
 */
#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "cosim/checker/internal.h"

/* Signatures of failures. */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_plain(char c) {
  return is_letter(c) || is_digit(c) || (c != '\0' && strchr("._-#/", c) != NULL);
}

void signature_op(struct heddle_isa_word word, char *op, size_t bytes) {
  struct heddle_isa_dec d;
  if (word.lo == 0 && word.hi == 0)
    op[0] = '\0';
  else if (!heddle_isa_decode(word, &d))
    snprintf(op, bytes, "illegal");
  else
    snprintf(op, bytes, "%s/%s", heddle_isa_op_name((enum heddle_isa_op)d.op),
             heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->format);
}

/* What the report names, up to " = " and without numbers: "operand a.0 = R2" is "operand a". */
static void subject_class(const char *subject, char *what, size_t bytes) {
  const char *equals = strstr(subject, " = "), *end = equals != NULL ? equals : subject + strlen(subject);
  size_t n = 0;
  for (const char *p = subject; p < end && n + 1 < bytes;) {
    if (is_digit(*p)) {
      p += p[0] == '0' && p[1] == 'x' ? 2 + strspn(p + 2, "0123456789abcdef") : strspn(p, "0123456789");
      continue;
    }
    if (is_letter(*p))
      what[n++] = *p;
    else if (n != 0 && what[n - 1] != ' ')
      what[n++] = ' ';
    p++;
  }
  while (n != 0 && what[n - 1] == ' ') n--;
  what[n] = '\0';
}

/* The cause that a difference about a trap speaks of. */
static const char *cause_in(const struct heddle_checker_difference *d) {
  if (strncmp(heddle_checker_kind_name(d->kind), "trap.", 5) != 0 && d->kind != HEDDLE_CHECKER_ISSUE_TRAP) return NULL;
  for (int c = HEDDLE_TRAP_NONE + 1; c < HEDDLE_CAUSES; c++)
    if (strstr(d->note, heddle_cause_name((enum heddle_cause)c)) != NULL)
      return heddle_cause_name((enum heddle_cause)c);
  return NULL;
}

void signature_of(const struct heddle_checker_difference *d, struct signature *s) {
  memset(s, 0, sizeof *s);
  snprintf(s->kind, sizeof s->kind, "%s", heddle_checker_kind_name(d->kind));
  if (d->has_warp) signature_op(d->word, s->op, sizeof s->op);
  const char *cause = cause_in(d);
  if (cause != NULL)
    snprintf(s->what, sizeof s->what, "%s", cause);
  else
    subject_class(d->subject, s->what, sizeof s->what);
}

/* One part: whatever is not plain becomes an underline. */
static size_t put_part(char *buf, size_t n, const char *part) {
  buf[n++] = ':';
  if (*part == '\0') buf[n++] = '-';
  for (; *part != '\0'; part++) buf[n++] = is_plain(*part) ? *part : '_';
  return n;
}

const char *signature_text(const struct signature *s, char buf[SIGNATURE_BYTES]) {
  _Static_assert(sizeof s->kind + sizeof s->op + sizeof s->what + 8 <= SIGNATURE_BYTES, "a signature has no room");
  size_t n = (size_t)snprintf(buf, 8, "s%d", SIGNATURE_VERSION);
  n = put_part(buf, n, s->kind);
  n = put_part(buf, n, s->op);
  n = put_part(buf, n, s->what);
  buf[n] = '\0';
  return buf;
}

bool signature_equal(const struct signature *a, const struct signature *b) {
  return strcmp(a->kind, b->kind) == 0 && strcmp(a->op, b->op) == 0 && strcmp(a->what, b->what) == 0;
}

enum signature_form signature_check(const char *text, size_t length) {
  unsigned parts = 0;
  size_t at = 1, digits = 0, most[] = {0, 47, 31, 95}, part = 0;
  if (length >= SIGNATURE_BYTES || length < 2 || text[0] != 's') return SIGNATURE_MALFORMED;
  while (at < length && is_digit(text[at])) at++, digits++;
  if (digits == 0 || digits > 4 || at == length || text[at] != ':') return SIGNATURE_MALFORMED;
  char version[8];
  snprintf(version, sizeof version, "%d", SIGNATURE_VERSION);
  if (digits != strlen(version) || memcmp(text + 1, version, digits) != 0) return SIGNATURE_OTHER_VERSION;
  for (; at < length; at++) {
    if (text[at] == ':') {
      if ((parts != 0 && part == 0) || ++parts > 3) return SIGNATURE_MALFORMED;
      part = 0;
    } else if (!is_plain(text[at]) || ++part > most[parts]) {
      return SIGNATURE_MALFORMED;
    }
  }
  return parts == 3 && part != 0 ? SIGNATURE_OK : SIGNATURE_MALFORMED;
}

/* The first difference, as a structure. */

static void describe_warp(struct heddle_checker *c, struct heddle_checker_difference *d) {
  const struct warp *w = c->w;
  if (w == NULL) return;
  d->has_warp = true;
  d->sm = w->sm->number;
  d->slot = warp_slot(w);
  d->gen = w->gen;
  d->bslot = w->bslot;
  d->warp_in_block = w->index;
  memcpy(d->ctaid, warp_block(w)->ctaid, sizeof d->ctaid);
  if (c->e != NULL) {
    d->seq = c->e->seq;
    d->pc = c->e->pc;
    /* Of what was refused at its issue the entry has no word of its own yet. */
    if (!code_word(c, d->pc, &d->word)) d->word = (struct heddle_isa_word){0, 0};
  } else if (c->now != NULL && heddle_record_id_of(c->now) != NULL) {
    d->seq = heddle_record_id_of(c->now)->seq;
  }
}

static struct heddle_checker_difference *begin_difference(struct heddle_checker *c, enum heddle_checker_kind k,
                                                          const char *subject) {
  struct heddle_checker_difference *d = &c->first;
  c->stats.differences++;
  if (d->kind != HEDDLE_CHECKER_NONE) return NULL;
  memset(d, 0, sizeof *d);
  d->kind = k;
  d->sms = c->sms;
  snprintf(d->subject, sizeof d->subject, "%s", subject);
  if (c->now != NULL) {
    d->has_record = true;
    d->record = *c->now;
    d->cycle = c->now->cycle;
  }
  describe_warp(c, d);
  return d;
}

static void note_of(struct heddle_checker_difference *d, const char *note, va_list ap) {
  vsnprintf(d->note, sizeof d->note, note, ap);
}

bool differ(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, const char *note, ...) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  va_list ap;
  va_start(ap, note);
  if (d != NULL) note_of(d, note, ap);
  va_end(ap);
  return false;
}

bool differ_value(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint64_t expected,
                  uint64_t got) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  if (d == NULL) return false;
  d->expected_value = expected;
  d->got_value = got;
  snprintf(d->note, sizeof d->note, "%s: expected 0x%llx, got 0x%llx", subject, (unsigned long long)expected,
           (unsigned long long)got);
  return false;
}

bool differ_lanes(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                  const uint32_t *expected, const uint32_t *got, unsigned first) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  if (d == NULL) return false;
  d->lanes = lanes;
  for (unsigned i = first; i < HEDDLE_RECORD_LANES; i++) {
    if ((lanes & lane_bit(i)) == 0) continue;
    d->expected[i] = expected[i];
    d->got[i] = got[i - first];
  }
  const unsigned low = lanes != 0 ? (unsigned)__builtin_ctz(lanes) : 0;
  snprintf(d->note, sizeof d->note, "%s: %d lane(s) differ; lane %u: expected 0x%08x, got 0x%08x", subject,
           __builtin_popcount(lanes), low, d->expected[low], d->got[low]);
  return false;
}

bool differ_mask(struct heddle_checker *c, enum heddle_checker_kind k, const char *subject, uint32_t lanes,
                 const char *note, ...) {
  struct heddle_checker_difference *d = begin_difference(c, k, subject);
  va_list ap;
  va_start(ap, note);
  if (d != NULL) {
    d->lanes = lanes;
    note_of(d, note, ap);
  }
  va_end(ap);
  return false;
}

/* The first difference for people; who waits for what, for watchdogs. */

/* The disassembler counts relative targets from a long word behind `pc`; behind a short one the next lies nearer. */
static uint32_t pc_as_long(const struct heddle_checker *c, uint32_t pc) {
  struct heddle_isa_word w;
  uint32_t bytes;
  if (pc % ISA_STEP != 0 || pc >= c->launch->code_bytes || c->launch->code == NULL) return pc;
  (void)heddle_isa_fetch(c->launch->code, pc, &w, &bytes);
  return pc + bytes - ISA_WORD_BYTES;
}

void checker_disassemble(const struct heddle_checker *c, struct heddle_isa_word w, uint32_t pc, char *buf,
                         size_t bytes) {
  buf[0] = '\0';
  if (c->cfg.disasm != NULL)
    c->cfg.disasm(c->cfg.disasm_ctx, w, pc_as_long(c, pc), buf, bytes);
  else
    snprintf(buf, bytes, "%016" PRIx64 "_%016" PRIx64, w.hi, w.lo);
}

static void print_lanes(FILE *f, const struct heddle_checker_difference *d) {
  if (d->lanes == 0) return;
  fprintf(f, "  lanes     0x%08x\n", d->lanes);
  const bool values = memcmp(d->expected, d->got, sizeof d->got) != 0;
  for (unsigned i = 0; values && i < HEDDLE_RECORD_LANES; i++)
    if ((d->lanes >> i & 1u) != 0)
      fprintf(f, "    lane %2u  expected 0x%08x  got 0x%08x\n", i, d->expected[i], d->got[i]);
}

static void print_history(const struct heddle_checker *c, const struct warp *w, FILE *f) {
  const uint32_t from = w->next_seq > RING ? w->next_seq - RING : 0;
  fprintf(f, "  history of the warp (seq, cycle, pc, active, executing; open: what is still owed)\n");
  for (uint32_t s = from; s <= w->next_seq; s++) {
    const struct past *p = &w->ring[s % RING];
    if (!p->valid || p->seq != s) continue;
    const bool open = p->entry != NULL && p->entry->open;
    char text[160], owed[160] = "";
    checker_disassemble(c, p->word, p->pc, text, sizeof text);
    if (open) owed_text(p->entry, owed, sizeof owed);
    fprintf(f, "    %6u %8" PRIu64 " 0x%05x %08x %08x  %s%s%s\n", p->seq, p->cycle, p->pc, p->active, p->exec, text,
            open ? "   ; open:" : "", owed);
  }
}

static void print_place(const struct heddle_checker *c, const struct heddle_checker_difference *d, FILE *f) {
  if (!d->has_warp) return;
  char text[160];
  checker_disassemble(c, d->word, d->pc, text, sizeof text);
  char sm[SM_TEXT];
  fprintf(f, "  warp      %sslot %u generation %u, warp %u of block (%u,%u,%u) in block slot %u\n",
          sm_text(c, d->sm, sm), d->slot, d->gen, d->warp_in_block, d->ctaid[0], d->ctaid[1], d->ctaid[2], d->bslot);
  fprintf(f, "  at        seq %u pc 0x%x  %s\n", d->seq, d->pc, text);
}

/* How old a write must be for a read to have seen it: what the device says, and the judgement of order rests on. */
static void print_ages(const struct heddle_checker *c, FILE *f) {
  fprintf(f, "  ages      a register write is seen after %u cycles", c->stats.read_age);
  if (c->stats.pred_age != 0)
    fprintf(f, ", a predicate's after %u\n", c->stats.pred_age);
  else
    fprintf(f, "; of predicates' the device does not say it\n");
}

/* What was not judged is said, whatever the verdict is. */
static void print_profile(const struct heddle_checker *c, FILE *f) {
  char hidden[256];
  heddle_record_hidden_text(c->cfg.hidden, hidden, sizeof hidden);
  if (hidden[0] != '\0')
    fprintf(f, "  profile   %s; not judged: %s\n", heddle_record_profile_name(c->cfg.hidden), hidden);
}

static void print_signature(const struct heddle_checker_difference *d, FILE *f) {
  struct signature s;
  char text[SIGNATURE_BYTES];
  signature_of(d, &s);
  fprintf(f, "  signature %s\n", signature_text(&s, text));
}

void heddle_checker_report_text(const struct heddle_checker *c, FILE *f) {
  const struct heddle_checker_difference *d = &c->first;
  if (d->kind == HEDDLE_CHECKER_NONE) {
    fprintf(f, "no difference: %" PRIu64 " warp instructions issued, %" PRIu64 " retired, %" PRIu64 " lanes compared\n",
            c->stats.issued, c->stats.retired, c->stats.lanes_compared);
    print_profile(c, f);
    print_ages(c, f);
    return;
  }
  fprintf(f, "difference: %s (%s) in cycle %" PRIu64 "\n  %s\n", heddle_checker_kind_name(d->kind),
          heddle_checker_kind_what(d->kind), d->cycle, d->note);
  print_place(c, d, f);
  if (d->lanes == 0 && d->expected_value != d->got_value)
    fprintf(f, "  model     %s = 0x%" PRIx64 "\n  device    %s = 0x%" PRIx64 "\n", d->subject, d->expected_value,
            d->subject, d->got_value);
  print_lanes(f, d);
  if (d->has_record) {
    char text[3072];
    heddle_record_text(&d->record, c->cfg.lanes, c->cfg.hidden, text, sizeof text);
    char sm[SM_TEXT];
    fprintf(f, "  record    %s%s\n", sm_text(c, heddle_record_sm(&d->record), sm), text);
  }
  print_profile(c, f);
  print_ages(c, f);
  print_signature(d, f);
  if (d->has_warp) print_history(c, &sm_numbered(c, d->sm)->warp[d->slot], f);
  if (is_watchdog(d->kind)) heddle_checker_waiting_text(c, f);
}

static void print_sentence(void *sink, const char *sentence) {
  fprintf(sink, "    awaits %s\n", sentence);
}

static void print_waiting_warp(const struct heddle_checker *c, const struct warp *w, FILE *f) {
  const uint32_t *id = warp_block(w)->ctaid;
  struct heddle_standing s;
  char text[160], sm[SM_TEXT];
  if (!heddle_warp_standing(c->model, warp_at(c, w), &s)) return;
  waiting_instruction(c, s.pc, text, sizeof text);
  fprintf(f, "  %swarp slot %u (warp %u of block (%u,%u,%u)): ", sm_text(c, w->sm->number, sm), warp_slot(w), w->index,
          id[0], id[1], id[2]);
  if (s.ended)
    fprintf(f, "has ended");
  else
    fprintf(f, "next seq %u pc 0x%x lanes 0x%08x  %s", s.seq, s.pc, s.active, text);
  fprintf(f, "; last moved in cycle %" PRIu64 "\n", w->moved);
  waiting_each(c, w, &s, print_sentence, f);
}

void heddle_checker_waiting_text(const struct heddle_checker *c, FILE *f) {
  fprintf(f, "waiting: %" PRIu64 " of %" PRIu64 " blocks started, %" PRIu64 " ended\n", c->blocks_started,
          c->grid_blocks, c->blocks_ended);
  for (unsigned i = 0; i < c->warps; i++)
    if (c->warp[i].live) print_waiting_warp(c, &c->warp[i], f);
}

/* The first difference for programs. */

static json_t *json_number(uint64_t v) {
  return json_integer((json_int_t)v);
}

static json_t *json_hex(uint64_t v, int digits) {
  return json_sprintf("0x%0*" PRIx64, digits, v);
}

static json_t *statistics(const struct heddle_checker_stats *s) {
  char hidden[256];
  heddle_record_hidden_text(s->hidden, hidden, sizeof hidden);
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:s, s:s}", "records",
                   json_number(s->records), "issued", json_number(s->issued), "retired", json_number(s->retired),
                   "lanes_executed", json_number(s->lanes_executed), "lanes_compared", json_number(s->lanes_compared),
                   "lanes_unjudged", json_number(s->lanes_unjudged), "performs", json_number(s->performs),
                   "bytes_compared", json_number(s->bytes_compared), "divergent_branches",
                   json_number(s->divergent_branches), "barrier_waits", json_number(s->barrier_waits), "blocks",
                   json_number(s->blocks), "differences", json_number(s->differences), "read_age", s->read_age,
                   "pred_age", s->pred_age, "profile", heddle_record_profile_name(s->hidden), "not_judged", hidden);
}

/* {"3": "0x00000001", ...}: of the lanes in the mask */
static json_t *values(uint32_t lanes, const uint32_t *v) {
  json_t *of = json_object();
  for (unsigned i = 0; i < HEDDLE_RECORD_LANES; i++) {
    char lane[4];
    if ((lanes >> i & 1u) == 0) continue;
    snprintf(lane, sizeof lane, "%u", i);
    json_object_set_new(of, lane, json_hex(v[i], 8));
  }
  return of;
}

static void add_warp(json_t *j, const struct heddle_checker *c, const struct heddle_checker_difference *d) {
  char text[160];
  checker_disassemble(c, d->word, d->pc, text, sizeof text);
  if (c->sms > 1) json_object_set_new(j, "sm", json_number(d->sm));
  json_object_set_new(j, "slot", json_number(d->slot));
  json_object_set_new(j, "generation", json_number(d->gen));
  json_object_set_new(
      j, "block", json_pack("[o, o, o]", json_number(d->ctaid[0]), json_number(d->ctaid[1]), json_number(d->ctaid[2])));
  json_object_set_new(j, "warp", json_number(d->warp_in_block));
  json_object_set_new(j, "seq", json_number(d->seq));
  json_object_set_new(j, "pc", json_hex(d->pc, 1));
  json_object_set_new(j, "word", json_sprintf("%016" PRIx64 "%016" PRIx64, d->word.hi, d->word.lo));
  json_object_set_new(j, "instruction", json_string(text));
}

static void add_sentence(void *array, const char *sentence) {
  json_array_append_new(array, json_string(sentence));
}

static json_t *json_of_waiting_warp(const struct heddle_checker *c, const struct warp *w,
                                    const struct heddle_standing *s) {
  const uint32_t *id = warp_block(w)->ctaid;
  char text[160];
  waiting_instruction(c, s->pc, text, sizeof text);
  json_t *awaits = json_array();
  waiting_each(c, w, s, add_sentence, awaits);
  json_t *j = json_pack("{s:i, s:i, s:[o, o, o], s:o, s:o, s:s, s:b, s:o, s:o}", "slot", (int)warp_slot(w), "warp",
                        (int)w->index, "block", json_number(id[0]), json_number(id[1]), json_number(id[2]), "seq",
                        json_number(s->seq), "pc", json_hex(s->pc, 1), "instruction", text, "ended", s->ended, "moved",
                        json_number(w->moved), "awaits", awaits);
  if (c->sms > 1) json_object_set_new(j, "sm", json_number(w->sm->number));
  return j;
}

struct json_t *checker_waiting_json(const struct heddle_checker *c) {
  json_t *all = json_array();
  for (unsigned i = 0; i < c->warps; i++) {
    struct heddle_standing s;
    if (c->warp[i].live && heddle_warp_standing(c->model, i, &s))
      json_array_append_new(all, json_of_waiting_warp(c, &c->warp[i], &s));
  }
  return all;
}

static json_t *difference(const struct heddle_checker *c) {
  const struct heddle_checker_difference *d = &c->first;
  if (d->kind == HEDDLE_CHECKER_NONE) return json_null();
  struct signature s;
  char signature[SIGNATURE_BYTES];
  signature_of(d, &s);
  json_t *j = json_pack("{s:i, s:s, s:s, s:s, s:o, s:s, s:s}", "version", REPORT_JSON_VERSION, "signature",
                        signature_text(&s, signature), "kind", heddle_checker_kind_name(d->kind), "what",
                        heddle_checker_kind_what(d->kind), "cycle", json_number(d->cycle), "subject", d->subject,
                        "note", d->note);
  if (d->has_warp) add_warp(j, c, d);
  json_object_set_new(j, "lanes", json_hex(d->lanes, 8));
  json_object_set_new(j, "expected", d->lanes != 0 ? values(d->lanes, d->expected) : json_hex(d->expected_value, 1));
  json_object_set_new(j, "got", d->lanes != 0 ? values(d->lanes, d->got) : json_hex(d->got_value, 1));
  if (d->has_record) {
    char text[3072];
    heddle_record_text(&d->record, c->cfg.lanes, c->cfg.hidden, text, sizeof text);
    json_object_set_new(j, "record", json_string(text));
  }
  if (is_watchdog(d->kind)) json_object_set_new(j, "waiting", checker_waiting_json(c));
  return j;
}

struct json_t *checker_report_json(const struct heddle_checker *c) {
  return json_pack("{s:o, s:o}", "statistics", statistics(&c->stats), "difference", difference(c));
}
