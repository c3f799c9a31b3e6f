/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams written by hand: code of one-letter words, 'A' for word 0, and what threads do as text. */
#ifndef TEST_STUDY_HAND_H
#define TEST_STUDY_HAND_H

#include "lab/study/divergence/replay.h"

/* One character a word: '.' plain, 'x' exit, 'b' barrier 0, 'c' barrier 1, 'i' indirect; a capital letter branches to
 * that word under a guard, a small letter from 'k' to 'u' to word letter - 'k' without. */
struct streams hand_code(const char *kinds);
/* One more block of so many whole warps. */
void hand_block(struct streams *s, unsigned warps);
/* The threads `lanes` of a warp of the last block go through these words. Each executes every one of them, but for a
 * branch from which it goes to the next word. */
void hand_threads(struct streams *s, unsigned warp, uint32_t lanes, const char *way);

#define ALL UINT32_MAX
#define QUARTER(k) (UINT32_C(0xff) << 8 * (k))
#define LOW UINT32_C(0x0000ffff)
#define HIGH UINT32_C(0xffff0000)

#endif
