/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the arguments and results of a function are; the rules are at the head of call.h.
 */
#include "compiler/calls/call.h"

enum { STACKED_MOST = 1 << 16, COUNT_MOST = 4096 };

bool call_in_memory(const struct ptx_variable *v) {
  return v->space == PTX_PARAM && (v->array || v->vector > 1);
}

static struct call_place argument_place(const struct ptx_variable *v) {
  bool address = call_in_memory(v);
  return (struct call_place){.address = address, .wide = !address && ptx_type_bytes(v->type) == 8};
}

/* The words that the places take, the first `limit` of them in registers, others behind each other in memory. */
static uint32_t assign(struct call_place *p, uint32_t n, uint32_t limit, uint32_t *stacked) {
  uint32_t word = 0, byte = 0;
  bool full = false;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t words = p[k].wide ? 2 : 1, at = (word + words - 1) / words * words;
    full = full || at + words > limit;
    p[k].stacked = full;
    if (full) {
      byte = (byte + 4 * words - 1) / (4 * words) * (4 * words);
      p[k].at = byte;
      byte += 4 * words;
    } else {
      p[k].at = at;
      word = at + words;
    }
  }
  *stacked = byte;
  return word;
}

static uint32_t count_variables(const struct ptx_variable *v, uint32_t *in_memory) {
  uint32_t n = 0;
  *in_memory = 0;
  for (; v && n <= COUNT_MOST; v = v->next, n++) *in_memory += call_in_memory(v);
  return n;
}

const char *call_layout(struct ptx_arena *a, const struct ptx_function *f, struct call_layout *y) {
  uint32_t none, arrays, k = 0, stacked = 0;
  *y = (struct call_layout){0};
  y->arguments = count_variables(f->parameters, &none);
  uint32_t results = count_variables(f->results, &arrays);
  if (y->arguments > COUNT_MOST || results > COUNT_MOST) return "has too many parameters or results";
  y->memory_results = arrays;
  y->results = results - arrays;
  if (y->results > IR_DST_MAX) return "has more than 8 results that are no arrays";
  y->place = ptx_alloc(a, ((size_t)y->arguments + arrays + 1) * sizeof *y->place);
  y->result = ptx_alloc(a, ((size_t)y->results + 1) * sizeof *y->result);
  for (const struct ptx_variable *v = f->parameters; v; v = v->next) y->place[k++] = argument_place(v);
  for (const struct ptx_variable *v = f->results; v; v = v->next)
    if (call_in_memory(v)) y->place[k++] = argument_place(v);
  k = 0;
  for (const struct ptx_variable *v = f->results; v; v = v->next)
    if (!call_in_memory(v)) y->result[k++] = argument_place(v);
  const uint32_t places = y->arguments + arrays;
  y->stacked_word = assign(y->place, places, CALL_WORDS, &y->stacked_bytes);
  if (y->stacked_bytes) y->stacked_word = assign(y->place, places, CALL_WORDS - 1, &y->stacked_bytes);
  (void)assign(y->result, y->results, CALL_WORDS, &stacked);
  if (stacked) return "has results of more than 12 words";
  return y->stacked_bytes > STACKED_MOST ? "has too many parameters" : NULL;
}
