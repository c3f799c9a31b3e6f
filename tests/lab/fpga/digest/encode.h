/* SPDX-License-Identifier: Apache-2.0
 *
 * The digests of a core with these retire records: entries, then bytes. It is the other side of cosim/digest,
 * made of records and not of the model, for recorded runs of the RTL and streams of a stand-in.
 */
#ifndef HEDDLE_DIGEST_ENCODE_H
#define HEDDLE_DIGEST_ENCODE_H

#include <heddle/digest.h>
#include <heddle/record.h>

struct encode_config {
  unsigned lanes, warps, blocks, banks;
  uint64_t seed;
  unsigned late;   /* of 256 results, so many are sent as corrections if possible */
  unsigned cuts;   /* of 256 accesses, before so many there is an unneeded cut */
  bool never_cuts; /* a core that drops them */
};

struct encoder;
struct encoder *encode_new(const struct encode_config *c);
void encode_free(struct encoder *e);
void encode_record(struct encoder *e, const struct heddle_retire_record *r);
/* Entries so far; the caller may spoil them before they become bytes. */
struct heddle_digest_entry *encode_entries(struct encoder *e, size_t *n);
/* False: sectors of one line were sent with another warp's access to the same bytes in between. */
bool encode_whole_lines(const struct encoder *e);

/* False: a warp's accesses were performed in another order than that of its program. A core counts them when it sends
 * the request, which is in order; records show when they were performed, and cannot say which of them a cut names. */
bool encode_in_order(const struct encoder *e);

/* Bytes of a launch: the frame that begins it, frames of entries cut at random, the end. *number: of the next frame. */
struct encode_bytes {
  uint8_t *at;
  size_t n, room;
};
void encode_bytes(const struct encode_config *c, const struct heddle_digest_entry *e, size_t n, uint32_t *number,
                  struct encode_bytes *out);

#endif
