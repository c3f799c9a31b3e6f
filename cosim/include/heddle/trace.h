/* SPDX-License-Identifier: Apache-2.0
 *
 * A retire trace on disk: input of the checker for a run of earlier, or a run on a board.
 *
 *   file    = "HDLTRACE" header { launch } footer
 *   launch  = launch section, code and constant sections, initial memory { record } final memory, end section
 *   section = tag (1 byte), length (u32), payload; all numbers little-endian
 *
 * A file of a stream ("HDLBYTES") has the bytes that a board sent in place of records (docs/stream-format.md);
 * its reader is given the records. Lost bytes are an error, with the place.
 *
 * docs/trace-format.md has every byte. The header carries version, ISA hash, configuration and its hash, the machine's
 * sizes, hidden records and fields, and ages. A record carries its kind, version and size, the footer counts and a
 * checksum of every byte before it. Fields that the port does not show are not in the file. A file without
 * a footer, with trailing bytes, or with another ISA is refused. Files are untrusted: every length is bounded before
 * anything is allocated.
 */
#ifndef HEDDLE_TRACE_H
#define HEDDLE_TRACE_H

#include <stdio.h>

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/model.h>
#include <heddle/record.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_VERSION 10u
#define HEDDLE_TRACE_MEMORY_MAX (UINT64_C(1) << 30) /* bytes of global memory that a trace may describe */

struct heddle_trace_header {
  size_t size;       /* sizeof(struct heddle_trace_header) */
  char config[32];   /* name of the configuration */
  char command[256]; /* what made the trace; for people */
  uint64_t isa_hash, config_hash;
  uint32_t sm, sms; /* number of the (first) SM, 0..255; how many there are (0 counts as 1) */
  uint32_t lanes, warp_slots, block_slots, shared_bytes;
  /* Partitions 0: all three are the configuration's of that name; else 0 is unknown, and the name is not used. */
  uint32_t partitions, regs, register_banks;
  bool scoreboard, its, bus_errors;
  uint8_t read_age, pred_age; /* of the retire port: see heddle_checker_config */
  struct heddle_record_hidden hidden;
  uint64_t clock_ahead;
  uint32_t cache_sectors, cache_promises; /* see heddle_checker_config */
  uint32_t shown, memory_banks,
      reorder; /* SMs that are recorded, from sm on (0 counts as 1); see heddle_checker_config */
};

/* ---- writing ---- */
struct heddle_trace_writer;
/* FILE: it cannot be written; INVALID_VALUE: a header of another release. */
HEDDLE_API enum heddle_error heddle_trace_create(const char *path, const struct heddle_trace_header *h,
                                                 struct heddle_trace_writer **out, struct heddle_message *msg);
/* A file with launches that get heddle_trace_stream in place of heddle_trace_record. */
HEDDLE_API enum heddle_error heddle_trace_create_stream(const char *path, const struct heddle_trace_header *h,
                                                        struct heddle_trace_writer **out, struct heddle_message *msg);
/* Results of each. FILE, and so are all that follow: it cannot be written. STATE: the call does not fit earlier ones.
 * INVALID_VALUE: a launch of another release, a record that no file has. */
HEDDLE_API enum heddle_error heddle_trace_stream(struct heddle_trace_writer *w, const uint8_t *p, size_t n,
                                                 struct heddle_message *msg);
HEDDLE_API enum heddle_error heddle_trace_launch(struct heddle_trace_writer *w, const struct heddle_launch *l,
                                                 uint64_t base, const uint8_t *memory, uint64_t bytes,
                                                 struct heddle_message *msg);
HEDDLE_API enum heddle_error heddle_trace_record(struct heddle_trace_writer *w, const struct heddle_retire_record *r,
                                                 struct heddle_message *msg);
/* memory: final contents, same size */
HEDDLE_API enum heddle_error heddle_trace_launch_end(struct heddle_trace_writer *w, const uint8_t *memory,
                                                     uint64_t cycle, struct heddle_message *msg);
/* Footer, flush, close. An error: the file is not complete (a disk is full, a launch is open). The writer is gone. NULL
 * is fine. */
HEDDLE_API enum heddle_error heddle_trace_close(struct heddle_trace_writer *w, struct heddle_message *msg);

/* ---- reading ---- */
enum heddle_trace_item {
  HEDDLE_TRACE_LAUNCH, /* heddle_trace_launched, heddle_trace_memory: initial contents */
  HEDDLE_TRACE_RECORD, /* *r */
  HEDDLE_TRACE_END,    /* heddle_trace_memory: final contents; r->cycle: the last cycle */
  HEDDLE_TRACE_DONE,   /* footer seen, counts and checksum right, nothing behind it */
  HEDDLE_TRACE_ERROR   /* heddle_trace_error */
};
struct heddle_trace_reader;
/* FILE: it cannot be read, is no trace, or one of another version or instruction set. */
HEDDLE_API enum heddle_error heddle_trace_open(const char *path, struct heddle_trace_reader **out,
                                               struct heddle_message *msg);
HEDDLE_API void heddle_trace_free(struct heddle_trace_reader *t);
HEDDLE_API const struct heddle_trace_header *heddle_trace_read_header(const struct heddle_trace_reader *t);
HEDDLE_API enum heddle_trace_item heddle_trace_next(struct heddle_trace_reader *t, struct heddle_retire_record *r);
HEDDLE_API const struct heddle_launch *
heddle_trace_launched(const struct heddle_trace_reader *t); /* valid until the next HEDDLE_TRACE_LAUNCH */
HEDDLE_API uint64_t heddle_trace_memory_base(const struct heddle_trace_reader *t);
HEDDLE_API const uint8_t *heddle_trace_memory(const struct heddle_trace_reader *t, uint64_t *bytes);
/* The bytes of a stream, part by part, for readers of the bytes: heddle_trace_next gives no records of them, and
 * does not check that they are whole. False of `take`: nothing further is read. False: the file has records. */
typedef bool (*heddle_trace_bytes_fn)(void *ctx, const uint8_t *p, size_t n);
HEDDLE_API bool heddle_trace_take_bytes(struct heddle_trace_reader *t, heddle_trace_bytes_fn take, void *ctx);
HEDDLE_API const char *heddle_trace_error(const struct heddle_trace_reader *t);

/* For tests: a record as the payload of a section, and back. `bytes` of buf >= HEDDLE_TRACE_RECORD_MAX. */
#define HEDDLE_TRACE_RECORD_MAX 1024u
HEDDLE_API size_t heddle_trace_encode(const struct heddle_retire_record *r, const struct heddle_trace_header *h,
                                      uint64_t last_cycle, uint8_t *buf);
/* INVALID_VALUE: the message says what the record is. */
HEDDLE_API enum heddle_error heddle_trace_decode(const uint8_t *buf, size_t bytes, const struct heddle_trace_header *h,
                                                 uint64_t last_cycle, struct heddle_retire_record *r,
                                                 struct heddle_message *msg);

#ifdef __cplusplus
}
#endif

#endif
