/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a trace. Nothing in the file is believed: lengths are bounded, order of sections is checked, numbers are
 * checked before they become sizes.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cosim/trace/stream.h"
#include "cosim/trace/wire.h"
#include "isa/lib/message.h"

#define ADDRESSES (UINT64_C(1) << 40)

enum phase { PHASE_BETWEEN, PHASE_LOADING, PHASE_RUNNING, PHASE_FINAL, PHASE_DONE };

struct heddle_trace_reader {
  FILE *f;
  struct heddle_trace_header header;
  struct heddle_launch launch;
  uint8_t *code, *bank[4], *memory, *buf;
  size_t buf_bytes;
  uint64_t sum, records, launches, cycle, base, bytes;
  enum phase phase;
  uint32_t code_got;
  unsigned banks_got;
  uint8_t tag;
  uint32_t length;
  uint64_t sum_before;           /* of everything before the present section */
  struct stream_decoder *stream; /* NULL: the file has records */
  size_t given;                  /* bytes of the present section that the decoder has */
  heddle_trace_bytes_fn take;    /* who gets the bytes of a stream in its place, or NULL */
  void *take_ctx;
  char error[320];
};

static enum heddle_trace_item fail_trace(struct heddle_trace_reader *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static enum heddle_trace_item fail_trace(struct heddle_trace_reader *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(t->error, sizeof t->error, fmt, ap);
  va_end(ap);
  return HEDDLE_TRACE_ERROR;
}

static bool read_raw(struct heddle_trace_reader *t, void *p, size_t n) {
  if (n != 0 && fread(p, 1, n, t->f) != n) return false;
  t->sum = trace_sum(t->sum, p, n);
  return true;
}

/* The next section into t->buf. False with an error: the end of the file is never a good place to stop. */
static bool section(struct heddle_trace_reader *t) {
  uint8_t head[5];
  t->sum_before = t->sum;
  if (!read_raw(t, head, sizeof head)) return (void)fail_trace(t, "the file ends without a footer"), false;
  t->tag = head[0];
  t->length = (uint32_t)head[1] | (uint32_t)head[2] << 8 | (uint32_t)head[3] << 16 | (uint32_t)head[4] << 24;
  if (t->length > TRACE_SECTION_MAX) return (void)fail_trace(t, "a section of %u bytes", t->length), false;
  if (t->length >= t->buf_bytes) { /* an empty section has a buffer too */
    uint8_t *p = realloc(t->buf, t->length + 1u);
    if (p == NULL) return (void)fail_trace(t, "no memory for a section of %u bytes", t->length), false;
    t->buf = p;
    t->buf_bytes = t->length + 1u;
  }
  if (!read_raw(t, t->buf, t->length)) return (void)fail_trace(t, "the file ends inside a section"), false;
  return true;
}

static struct wire payload(const struct heddle_trace_reader *t) {
  return (struct wire){t->buf, t->buf + t->length, false};
}

/* False: no machine is like this. What was too short for it shows in `w`. */
static bool take_header(struct wire *w, struct heddle_trace_header *h) {
  h->size = sizeof *h;
  h->isa_hash = wire_get(w, 8);
  h->config_hash = wire_get(w, 8);
  wire_take(w, h->config, sizeof h->config);
  wire_take(w, h->command, sizeof h->command);
  h->config[sizeof h->config - 1] = h->command[sizeof h->command - 1] = '\0';
  h->sm = (uint32_t)wire_get(w, 4);
  h->sms = (uint32_t)wire_get(w, 4);
  h->lanes = (uint32_t)wire_get(w, 4);
  h->warp_slots = (uint32_t)wire_get(w, 4);
  h->block_slots = (uint32_t)wire_get(w, 4);
  h->shared_bytes = (uint32_t)wire_get(w, 4);
  const uint64_t mode = wire_get(w, 1);
  h->scoreboard = (mode & 1u) != 0;
  h->its = (mode & 2u) != 0;
  h->bus_errors = wire_get(w, 1) != 0;
  h->read_age = (uint8_t)wire_get(w, 1);
  h->pred_age = (uint8_t)wire_get(w, 1);
  h->partitions = (uint32_t)wire_get(w, 4);
  h->regs = (uint32_t)wire_get(w, 4);
  h->register_banks = (uint32_t)wire_get(w, 4);
  h->hidden.kinds = (uint32_t)wire_get(w, 4);
  h->hidden.options = (uint32_t)wire_get(w, 4);
  h->clock_ahead = wire_get(w, 8);
  h->cache_sectors = (uint32_t)wire_get(w, 4);
  h->cache_promises = (uint32_t)wire_get(w, 4);
  h->shown = (uint32_t)wire_get(w, 4);
  h->memory_banks = (uint32_t)wire_get(w, 4);
  h->reorder = (uint32_t)wire_get(w, 4);
  return (h->lanes == 4 || h->lanes == 8 || h->lanes == 16 || h->lanes == 32) && h->warp_slots >= 1 &&
         h->warp_slots <= HEDDLE_RECORD_WARPS && h->block_slots >= 1 && h->block_slots <= HEDDLE_RECORD_WARPS &&
         h->shared_bytes < 1u << 24 && mode < 4 && h->sms <= 256 && h->sm < h->sms && h->shown >= 1 &&
         h->shown <= HEDDLE_MODEL_SMS && h->shown <= h->sms - h->sm && h->memory_banks <= HEDDLE_CHECKER_BANKS_MAX &&
         h->reorder <= HEDDLE_CHECKER_REORDER_MAX && h->read_age <= HEDDLE_RECORD_AGE_MAX &&
         h->pred_age <= HEDDLE_RECORD_AGE_MAX && h->partitions <= HEDDLE_RECORD_WARPS && h->regs <= UINT16_MAX + 1u &&
         (h->register_banks & (h->register_banks - 1)) == 0 && h->register_banks <= 256 &&
         h->cache_sectors <= HEDDLE_CHECKER_CACHE_MAX && (h->cache_promises & ~HEDDLE_CHECKER_CACHE_PROMISES) == 0;
}

static bool read_trace_header(struct heddle_trace_reader *t) {
  char magic[8];
  struct heddle_trace_header *h = &t->header;
  if (!read_raw(t, magic, 8)) return (void)fail_trace(t, "not a retire trace"), false;
  const bool stream = memcmp(magic, TRACE_MAGIC_STREAM, 8) == 0;
  if (!stream && memcmp(magic, TRACE_MAGIC, 8) != 0) return (void)fail_trace(t, "not a retire trace"), false;
  if (stream && (t->stream = heddle_stream_new()) == NULL) return (void)fail_trace(t, "no memory"), false;
  if (!section(t)) return false;
  struct wire w = payload(t);
  const uint64_t version = wire_get(&w, 4);
  if (t->tag != TAG_HEADER || version != TRACE_VERSION)
    return (void)fail_trace(t, "a trace of version %llu; this program reads version %u: record it again",
                            (unsigned long long)version, TRACE_VERSION),
           false;
  const bool sane = take_header(&w, h);
  if (w.bad || w.at != w.end || !sane) return (void)fail_trace(t, "a header that describes no machine"), false;
  if (heddle_record_profile(h->hidden) < 0)
    return (void)fail_trace(t, "a machine that does not even show profile P0 (docs/retire-port.md)"), false;
  if (h->isa_hash != heddle_isa_hash()) return (void)fail_trace(t, "made with another instruction set"), false;
  return true;
}

enum heddle_error heddle_trace_open(const char *path, struct heddle_trace_reader **out, struct heddle_message *msg) {
  struct heddle_trace_reader *t = *out = calloc(1, sizeof *t);
  enum heddle_error e = HEDDLE_SUCCESS;
  message_clear(msg);
  if (t == NULL) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  t->sum = TRACE_SUM_START;
  t->f = fopen(path, "rb");
  if (t->f == NULL)
    e = message_fail(msg, HEDDLE_ERROR_FILE, NULL, "%s: %s", path, strerror(errno));
  else if (!read_trace_header(t))
    e = message_fail(msg, HEDDLE_ERROR_FILE, NULL, "%s: %s", path, t->error);
  if (e == HEDDLE_SUCCESS) return e;
  heddle_trace_free(t);
  *out = NULL;
  return e;
}

static void launch_free(struct heddle_trace_reader *t) {
  free(t->code);
  free(t->memory);
  t->code = t->memory = NULL;
  for (unsigned i = 0; i < 4; i++) {
    free(t->bank[i]);
    t->bank[i] = NULL;
  }
}

void heddle_trace_free(struct heddle_trace_reader *t) {
  if (t == NULL) return;
  launch_free(t);
  free(t->buf);
  heddle_stream_free(t->stream);
  if (t->f != NULL) fclose(t->f);
  free(t);
}

static bool launch_sane(const struct heddle_trace_reader *t) {
  const struct heddle_launch *l = &t->launch;
  bool ok = l->code_bytes != 0 && l->code_bytes <= 16u << 20 && l->code_bytes % ISA_WORD_BYTES == 0 &&
            l->regions <= 16 && t->bytes <= HEDDLE_TRACE_MEMORY_MAX && t->base + t->bytes >= t->base &&
            l->shared_bytes < 1u << 24 && l->local_bytes <= 512u << 10 && l->local_bytes % 16 == 0;
  ok = ok && l->errors.limit <= ADDRESSES && l->code_at < ADDRESSES && l->local_at < ADDRESSES;
  for (unsigned i = 0; i < 4; i++) ok = ok && l->cbank_bytes[i] <= 65536 && l->cbank_at[i] < ADDRESSES;
  uint64_t blocks = 1;
  for (unsigned i = 0; i < 3 && ok; i++) { /* the checker keeps a bit for each block */
    ok = l->grid[i] != 0 && l->grid[i] <= (1u << 28) / blocks;
    blocks *= l->grid[i];
  }
  return ok;
}

static bool read_launch(struct heddle_trace_reader *t) {
  struct wire w = payload(t);
  struct heddle_launch *l = &t->launch;
  launch_free(t);
  *l = (struct heddle_launch){.size = sizeof *l, .rtl_only = true};
  for (unsigned i = 0; i < 3; i++) l->grid[i] = (uint32_t)wire_get(&w, 4);
  for (unsigned i = 0; i < 3; i++) l->block[i] = (uint32_t)wire_get(&w, 4);
  l->entry_pc = (uint32_t)wire_get(&w, 4);
  l->regs = (uint32_t)wire_get(&w, 4);
  l->shared_bytes = (uint32_t)wire_get(&w, 4);
  l->local_bytes = (uint32_t)wire_get(&w, 4);
  l->units = (uint32_t)wire_get(&w, 4);
  l->code_bytes = (uint32_t)wire_get(&w, 4);
  for (unsigned i = 0; i < 4; i++) l->cbank_bytes[i] = (uint32_t)wire_get(&w, 4);
  t->base = wire_get(&w, 8);
  t->bytes = wire_get(&w, 8);
  l->regions = (unsigned)wire_get(&w, 1);
  for (unsigned i = 0; i < l->regions && i < 16; i++) {
    l->region[i].base = wire_get(&w, 8);
    l->region[i].limit = wire_get(&w, 8);
    l->region[i].writable = wire_get(&w, 1) != 0;
  }
  l->errors.base = wire_get(&w, 8);
  l->errors.limit = wire_get(&w, 8);
  l->code_at = wire_get(&w, 8);
  for (unsigned i = 0; i < 4; i++) l->cbank_at[i] = wire_get(&w, 8);
  l->local_at = wire_get(&w, 8);
  if (w.bad || w.at != w.end || !launch_sane(t)) return (void)fail_trace(t, "a launch that cannot be"), false;
  t->memory = calloc(1, (size_t)t->bytes + 1);
  if (t->memory == NULL) return (void)fail_trace(t, "no memory for %llu bytes", (unsigned long long)t->bytes), false;
  t->phase = PHASE_LOADING;
  t->code_got = t->banks_got = 0;
  t->cycle = 0;
  t->launches++;
  return true;
}

/* A copy of the present section. */
static uint8_t *keep_section(const struct heddle_trace_reader *t) {
  uint8_t *p = malloc((size_t)t->length + 1);
  if (p != NULL) memcpy(p, t->buf, t->length);
  return p;
}

static bool load_piece(struct heddle_trace_reader *t) {
  struct wire w = payload(t);
  const uint64_t at = wire_get(&w, 8), n = (uint64_t)(w.end - w.at);
  if (w.bad || at > t->bytes || n > t->bytes - at) return (void)fail_trace(t, "a piece of memory outside of it"), false;
  memcpy(t->memory + at, w.at, n);
  return true;
}

static bool load_code(struct heddle_trace_reader *t) {
  if (t->code != NULL || t->length != t->launch.code_bytes) return (void)fail_trace(t, "code of the wrong size"), false;
  t->launch.code = t->code = keep_section(t);
  return t->code != NULL || ((void)fail_trace(t, "no memory"), false);
}

static bool load_bank(struct heddle_trace_reader *t) {
  while (t->banks_got < 4 && t->launch.cbank_bytes[t->banks_got] == 0) t->banks_got++;
  const unsigned i = t->banks_got++;
  if (i >= 4 || t->length != t->launch.cbank_bytes[i])
    return (void)fail_trace(t, "a constant bank of the wrong size"), false;
  t->launch.cbank[i] = t->bank[i] = keep_section(t);
  return t->bank[i] != NULL || ((void)fail_trace(t, "no memory"), false);
}

/* Is everything there that the launch announced? */
static bool launch_loaded(const struct heddle_trace_reader *t) {
  bool ok = t->code != NULL;
  for (unsigned i = 0; i < 4; i++) ok = ok && (t->launch.cbank_bytes[i] == 0) == (t->bank[i] == NULL);
  return ok;
}

static enum heddle_trace_item read_record(struct heddle_trace_reader *t, struct heddle_retire_record *r) {
  struct heddle_message msg;
  if (heddle_trace_decode(t->buf, t->length, &t->header, t->cycle, r, &msg) != HEDDLE_SUCCESS)
    return fail_trace(t, "record %llu %.200s", (unsigned long long)t->records, msg.text);
  t->cycle = r->cycle;
  t->records++;
  return HEDDLE_TRACE_RECORD;
}

/* ---- a stream in place of records ---- */

/* Are its bytes read here? */
static bool decodes(const struct heddle_trace_reader *t) {
  return t->stream != NULL && t->take == NULL;
}

/* Of another machine than the header's no record can be read. */
static bool same_machine(const struct heddle_trace_reader *t) {
  const struct stream_state *s = heddle_stream_look(t->stream);
  const struct heddle_trace_header *h = &t->header;
  return !s->begun || (s->lanes == h->lanes && s->warps == h->warp_slots && s->blocks == h->block_slots);
}

/* The next record of the present section. */
static bool streamed(struct heddle_trace_reader *t, struct heddle_retire_record *r) {
  while (!heddle_stream_next(t->stream, r)) {
    if (t->given == t->length) return false;
    t->given += heddle_stream_give(t->stream, t->buf + t->given, t->length - t->given);
  }
  t->cycle = r->cycle;
  return true;
}

/* The stream of this launch is through: was it whole? */
static bool stream_whole(struct heddle_trace_reader *t) {
  char text[256];
  heddle_stream_over(t->stream);
  heddle_stream_text(t->stream, text, sizeof text);
  if (heddle_stream_look(t->stream)->lost) return (void)fail_trace(t, "the stream is %s", text), false;
  if (!same_machine(t)) return (void)fail_trace(t, "the stream is of another machine than the file"), false;
  return true;
}

static bool take_part(struct heddle_trace_reader *t) {
  t->given = 0;
  t->records += t->length;
  if (t->take != NULL && !t->take(t->take_ctx, t->buf, t->length))
    return (void)fail_trace(t, "its taker refuses more of it"), false;
  return t->length != 0 || ((void)fail_trace(t, "an empty part of a stream"), false);
}

/* Pieces of zeros are left out, so the final contents start from zero again. */
static bool fresh_memory(struct heddle_trace_reader *t) {
  free(t->memory);
  t->memory = calloc(1, (size_t)t->bytes + 1);
  t->phase = PHASE_FINAL;
  return t->memory != NULL || ((void)fail_trace(t, "no memory for %llu bytes", (unsigned long long)t->bytes), false);
}

static enum heddle_trace_item read_end(struct heddle_trace_reader *t, struct heddle_retire_record *r) {
  struct wire w = payload(t);
  memset(r, 0, sizeof *r);
  r->cycle = wire_get(&w, 8);
  if (decodes(t) && t->phase == PHASE_RUNNING && !stream_whole(t)) return HEDDLE_TRACE_ERROR;
  if (decodes(t)) r->cycle = heddle_stream_look(t->stream)->end_cycle; /* the board's own count */
  if (t->phase != PHASE_FINAL && !fresh_memory(t)) return HEDDLE_TRACE_ERROR;
  t->phase = PHASE_BETWEEN;
  return w.bad || w.at != w.end ? fail_trace(t, "a malformed end") : HEDDLE_TRACE_END;
}

static enum heddle_trace_item read_footer(struct heddle_trace_reader *t) {
  struct wire w = payload(t);
  const uint64_t launches = wire_get(&w, 8), records = wire_get(&w, 8), sum = wire_get(&w, 8);
  if (w.bad || w.at != w.end || t->phase != PHASE_BETWEEN) return fail_trace(t, "a footer in the wrong place");
  if (launches != t->launches || records != t->records)
    return fail_trace(t, "the footer counts other records than there are");
  if (sum != t->sum_before) return fail_trace(t, "the checksum is wrong");
  if (fgetc(t->f) != EOF) return fail_trace(t, "bytes behind the footer");
  t->phase = PHASE_DONE;
  return HEDDLE_TRACE_DONE;
}

static bool read_final(struct heddle_trace_reader *t) {
  if (decodes(t) && t->phase == PHASE_RUNNING && !stream_whole(t)) return false;
  return (t->phase == PHASE_FINAL || fresh_memory(t)) && load_piece(t);
}

static enum heddle_trace_item read_go(struct heddle_trace_reader *t) {
  if (!launch_loaded(t) || t->length != 0) return fail_trace(t, "code or constants are missing");
  t->phase = PHASE_RUNNING;
  t->given = t->length;
  if (t->stream != NULL) heddle_stream_launch(t->stream);
  return HEDDLE_TRACE_LAUNCH;
}

/* Sections that only load something: *done says whether this was one. */
static bool load_section(struct heddle_trace_reader *t, bool *done) {
  *done = true;
  if (t->phase == PHASE_BETWEEN && t->tag == TAG_LAUNCH) return read_launch(t);
  if (t->phase == PHASE_LOADING && t->tag == TAG_CODE) return load_code(t);
  if (t->phase == PHASE_LOADING && t->tag == TAG_BANK) return load_bank(t);
  if (t->phase == PHASE_LOADING && t->tag == TAG_MEMORY) return load_piece(t);
  if ((t->phase == PHASE_RUNNING || t->phase == PHASE_FINAL) && t->tag == TAG_FINAL) return read_final(t);
  *done = false;
  return true;
}

enum heddle_trace_item heddle_trace_next(struct heddle_trace_reader *t, struct heddle_retire_record *r) {
  if (t->error[0] != '\0') return HEDDLE_TRACE_ERROR;
  if (t->phase == PHASE_DONE) return HEDDLE_TRACE_DONE;
  bool done;
  do {
    if (decodes(t) && t->phase == PHASE_RUNNING && streamed(t, r)) {
      if (same_machine(t)) return HEDDLE_TRACE_RECORD;
      return fail_trace(t, "the stream is of another machine than the file");
    }
    if (!section(t) || !load_section(t, &done)) return HEDDLE_TRACE_ERROR;
    if (t->stream != NULL && t->phase == PHASE_RUNNING && t->tag == TAG_STREAM) done = take_part(t);
    if (t->error[0] != '\0') return HEDDLE_TRACE_ERROR;
  } while (done);
  if (t->phase == PHASE_LOADING && t->tag == TAG_GO) return read_go(t);
  if (t->phase == PHASE_RUNNING && t->tag == TAG_RECORD && t->stream == NULL) return read_record(t, r);
  if ((t->phase == PHASE_RUNNING || t->phase == PHASE_FINAL) && t->tag == TAG_END) return read_end(t, r);
  if (t->tag == TAG_FOOTER) return read_footer(t);
  return fail_trace(t, "a section of tag 0x%02x in the wrong place", t->tag);
}

bool heddle_trace_take_bytes(struct heddle_trace_reader *t, heddle_trace_bytes_fn take, void *ctx) {
  t->take = take;
  t->take_ctx = ctx;
  return t->stream != NULL;
}

const struct heddle_trace_header *heddle_trace_read_header(const struct heddle_trace_reader *t) {
  return &t->header;
}
const struct heddle_launch *heddle_trace_launched(const struct heddle_trace_reader *t) {
  return &t->launch;
}
uint64_t heddle_trace_memory_base(const struct heddle_trace_reader *t) {
  return t->base;
}
const char *heddle_trace_error(const struct heddle_trace_reader *t) {
  return t->error;
}
const uint8_t *heddle_trace_memory(const struct heddle_trace_reader *t, uint64_t *bytes) {
  *bytes = t->bytes;
  return t->memory;
}
