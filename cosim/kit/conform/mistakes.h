/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the tables of mistakes only.
 */
#ifndef HEDDLE_CONFORM_MISTAKES_H
#define HEDDLE_CONFORM_MISTAKES_H

#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"
#include "cosim/kit/conform/stream_find.h"

static inline struct heddle_record_id *id_at(struct stream *s, size_t i) {
  return (struct heddle_record_id *)heddle_record_id_of(&s->r[i]); /* of a record of ours */
}

/* Each record of that kind: number i. */
#define EACH(s, kind) for (size_t i = find_kind((s), 0, (kind)); i != NOT_FOUND; i = find_kind((s), i + 1, (kind)))

/* A program, its blocks, threads, the profile. */
#define IN(program, blocks, threads, profile) program, blocks, threads, profile
#define MIX IN(program_mix, 1, 64, 1)
#define MIX_P0 IN(program_mix, 1, 64, 0)

#endif
