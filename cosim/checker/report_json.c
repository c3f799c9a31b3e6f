/* SPDX-License-Identifier: Apache-2.0
 *
 * The first difference for programs.
 */
#include <inttypes.h>
#include <jansson.h>

#include "report_json.h"
#include "cosim/checker/signature.h"
#include "cosim/checker/waiting.h"

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

static json_t *waiting_warp(const struct heddle_checker *c, const struct warp *w, const struct heddle_standing *s) {
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
      json_array_append_new(all, waiting_warp(c, &c->warp[i], &s));
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
