/* SPDX-License-Identifier: Apache-2.0
 *
 * port_words TRACE WRITTEN SPOIL: the records of a trace of one launch as a core's port would show them, as lines:
 *   sizes LANES WARPS BLOCKS PARTITIONS SHARED READ_AGE PRED_AGE CLOCK_AHEAD SCOREBOARD ITS
 *   image SUM              of every 32-bit word of global memory, code and constant banks
 *   record CYCLE KIND PARTITION PORT WORD...
 *   left OFFSET WORD       of global memory, each word that is another at the end
 *   end CYCLE
 * WRITTEN becomes the same trace. SPOIL n > 0: in both, the lowest lane of the n-th `write` record has bit 0 wrong.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/retire_fields.h>
#include <heddle/trace.h>

static const struct heddle_trace_header *head;

static void put_words(const uint8_t *p, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t w;
    memcpy(&w, p + i, 4);
    printf(" %08" PRIx32, w);
  }
}

/* How many of the columns or rows of a dimension the port has: 32 banks are shown. */
static unsigned at_port(int dim, unsigned n) {
  return dim == HEDDLE_RECORD_DIM_LANES ? head->lanes : n;
}

static void put_record(const struct heddle_retire_record *r) {
  const struct heddle_record_id *id = heddle_record_id_of(r);
  const struct heddle_record_layout *l = &record_layouts[r->kind];
  const uint8_t *from = (const uint8_t *)&r->u;
  printf("record %" PRIu64 " %" PRIu32 " %u %u", r->cycle, r->kind, id != NULL ? id->partition : 0,
         r->kind == HEDDLE_RECORD_WRITE ? r->u.write.port : 0);
  put_words(from, l->head);
  for (unsigned i = 0; i < l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[l->first + i];
    if (f->dim == HEDDLE_RECORD_DIM_LANES || f->outer == HEDDLE_RECORD_DIM_LANES)
      for (unsigned k = 0; k < f->rows; k++)
        put_words(from + f->offset + k * f->row_step, (size_t)at_port(f->dim, f->columns) * f->bytes);
    else if (f->outer == HEDDLE_RECORD_DIM_BANKS)
      put_words(from + f->offset, (size_t)f->rows * f->row_step);
  }
  printf("\n");
}

static uint32_t sum(uint32_t s, const uint8_t *p, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++) s += (uint32_t)p[i] << 8 * (i % 4);
  return s;
}

static void put_image(const struct heddle_trace_reader *t) {
  uint64_t bytes;
  const struct heddle_launch *l = heddle_trace_launched(t);
  const uint8_t *memory = heddle_trace_memory(t, &bytes);
  uint32_t s = sum(0, memory, bytes);
  s = sum(s, l->code, l->code_bytes);
  for (unsigned i = 0; i < 4; i++) s = sum(s, l->cbank[i], l->cbank_bytes[i]);
  printf("image %08" PRIx32 "\n", s);
}

/* Words that the launch has changed. */
static void put_left(const uint8_t *before, const uint8_t *after, uint64_t bytes) {
  for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t w;
    if (memcmp(before + i, after + i, 4) == 0) continue;
    memcpy(&w, after + i, 4);
    printf("left %08" PRIx64 " %08" PRIx32 "\n", i, w);
  }
}

static void fail(const char *what) {
  fprintf(stderr, "port_words: %s\n", what);
  exit(2);
}

static void spoil(struct heddle_retire_record *r, long *left) {
  if (r->kind != HEDDLE_RECORD_WRITE || r->u.write.mask == 0 || --*left != 0) return;
  r->u.write.data[__builtin_ctz(r->u.write.mask)] ^= 1;
}

static uint8_t *copy_memory(const struct heddle_trace_reader *t) {
  uint64_t bytes;
  const uint8_t *from = heddle_trace_memory(t, &bytes);
  uint8_t *to = malloc(bytes);
  if (to == NULL) fail("no memory");
  memcpy(to, from, bytes);
  return to;
}

static void convert(struct heddle_trace_reader *t, struct heddle_trace_writer *w, long left) {
  struct heddle_retire_record r;
  uint8_t *before = NULL;
  for (;;) {
    uint64_t bytes = 0;
    const uint8_t *memory = NULL;
    switch (heddle_trace_next(t, &r)) {
    case HEDDLE_TRACE_LAUNCH:
      if (before != NULL) fail("one launch is wanted");
      put_image(t);
      before = copy_memory(t);
      memory = heddle_trace_memory(t, &bytes);
      if (heddle_trace_launch(w, heddle_trace_launched(t), heddle_trace_memory_base(t), memory, bytes, NULL) !=
          HEDDLE_SUCCESS)
        fail("launch");
      break;
    case HEDDLE_TRACE_RECORD:
      spoil(&r, &left);
      put_record(&r);
      if (heddle_trace_record(w, &r, NULL) != HEDDLE_SUCCESS) fail("record");
      break;
    case HEDDLE_TRACE_END:
      memory = heddle_trace_memory(t, &bytes);
      put_left(before, memory, bytes);
      printf("end %" PRIu64 "\n", r.cycle);
      if (heddle_trace_launch_end(w, memory, r.cycle, NULL) != HEDDLE_SUCCESS) fail("end");
      break;
    case HEDDLE_TRACE_DONE:
      free(before);
      if (left > 0) fail("there are fewer write records than that");
      return;
    default:
      fail(heddle_trace_error(t));
    }
  }
}

int main(int argc, char **argv) {
  struct heddle_message msg;
  if (argc != 4) fail("TRACE WRITTEN SPOIL");
  struct heddle_trace_reader *t;
  if (heddle_trace_open(argv[1], &t, &msg) != HEDDLE_SUCCESS) fail(msg.text);
  head = heddle_trace_read_header(t);
  struct heddle_trace_writer *w;
  if (heddle_trace_create(argv[2], head, &w, &msg) != HEDDLE_SUCCESS) fail(msg.text);
  printf("sizes %u %u %u %u %u %u %u %" PRIu64 " %d %d\n", head->lanes, head->warp_slots, head->block_slots,
         head->partitions, head->shared_bytes, head->read_age, head->pred_age, head->clock_ahead, head->scoreboard,
         head->its);
  convert(t, w, atol(argv[3]));
  heddle_trace_free(t);
  if (heddle_trace_close(w, NULL) != HEDDLE_SUCCESS) fail("the trace was not written");
  return 0;
}
