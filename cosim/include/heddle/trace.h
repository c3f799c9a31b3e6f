/* SPDX-License-Identifier: Apache-2.0
 *
 * A retire trace on disk: what the checker needs to judge a run later, or a run on a board.
 *
 *   file    = "HDLTRACE" header { launch } footer
 *   launch  = launch section, code and constant sections, initial memory { record } final memory, end section
 *   section = tag (1 byte), length (u32), payload; all numbers little-endian
 *
 * The header carries version, ISA hash, configuration and its hash, and how old what the port shows is; a record its
 * kind, version and size; the footer counts and a checksum of every byte
 * before it. A file without a footer, with trailing bytes, or with another ISA is refused. Files are untrusted: every
 * length is bounded before anything is allocated.
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#include <stdio.h>

#include "heddle/model.h"
#include "heddle/record.h"

#define TRACE_VERSION 6u
#define TRACE_MEMORY_MAX (UINT64_C(1) << 30) /* bytes of global memory that a trace may describe */

struct trace_header {
  char config[32];   /* name of the configuration */
  char command[256]; /* what made the trace; for people */
  uint64_t isa_hash, config_hash;
  uint32_t sm, sms; /* number of the SM, 0..255; how many there are (0 counts as 1) */
  uint32_t lanes, warp_slots, block_slots, shared_bytes;
  bool scoreboard, its, bus_errors;
  uint8_t read_age, pred_age; /* of the retire port: see checker_config */
};

/* ---- writing ---- */
struct trace_writer;
struct trace_writer *trace_create(const char *path, const struct trace_header *h, char *err, size_t err_bytes);
bool trace_launch(struct trace_writer *w, const struct heddle_launch *l, uint64_t base, const uint8_t *memory,
                  uint64_t bytes);
bool trace_record(struct trace_writer *w, const struct retire_record *r);
bool trace_launch_end(struct trace_writer *w, const uint8_t *memory,
                      uint64_t cycle); /* memory: final contents, same size */
/* Footer, flush, close. False: the file is not complete (a disk is full, a launch is open). The writer is gone. */
bool trace_close(struct trace_writer *w);

/* ---- reading ---- */
enum trace_item {
  TRACE_LAUNCH, /* trace_launched, trace_memory: initial contents */
  TRACE_RECORD, /* *r */
  TRACE_END,    /* trace_memory: final contents; r->cycle: the last cycle */
  TRACE_DONE,   /* footer seen, counts and checksum right, nothing behind it */
  TRACE_ERROR   /* trace_error */
};
struct trace_reader;
struct trace_reader *trace_open(const char *path, char *err, size_t err_bytes);
void trace_free(struct trace_reader *t);
const struct trace_header *trace_read_header(const struct trace_reader *t);
enum trace_item trace_next(struct trace_reader *t, struct retire_record *r);
const struct heddle_launch *trace_launched(const struct trace_reader *t); /* valid until the next TRACE_LAUNCH */
uint64_t trace_memory_base(const struct trace_reader *t);
const uint8_t *trace_memory(const struct trace_reader *t, uint64_t *bytes);
const char *trace_error(const struct trace_reader *t);

/* For tests: a record as the payload of a section, and back. `bytes` of buf >= TRACE_RECORD_MAX. */
#define TRACE_RECORD_MAX 1024u
size_t trace_encode(const struct retire_record *r, unsigned lanes, uint64_t last_cycle, uint8_t *buf);
/* False: `why` says what the record is. */
bool trace_decode(const uint8_t *buf, size_t bytes, unsigned lanes, uint64_t last_cycle, struct retire_record *r,
                  char *why, size_t why_bytes);

#endif
