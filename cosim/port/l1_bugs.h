/* SPDX-License-Identifier: Apache-2.0
 *
 * The bugs of the cache in C: a name, its effect, and the rule that it breaks. Each is one small place in the code with
 * bug(c, BUG_X); without a bug all of these are false. lab/verify/mutants/caches has a program for each.
 *
 * Two show only under conditions that few programs have:
 * - fence_no_hold: values show nothing, as the SM has performed a warp's own accesses before a fence of it issues. A
 *   younger access that passes before the fence is done breaks the rule for caches that do not stop their warps.
 * - local_mixed: local memory counts its lines from warp slot 2^18, global memory from address / 128. Word 0 of warp
 *   slot 1 is the line of address 0x2000000; buffers begin below that, or far above.
 */
#ifndef L1_BUGS_H
#define L1_BUGS_H

/* clang-format off */
#define L1_BUGS(X) \
  /* fills that something overtakes */ \
  X(FILL_OVER_STORE, "fill_over_store", "a fill that a store has overtaken is kept", "program order, dropped") \
  X(FILL_OVER_ATOMIC, "fill_over_atomic", "a fill that an atomic has overtaken is kept", "program order, dropped") \
  X(FILL_OVER_STRONG, "fill_over_strong", "a fill that a strong load has overtaken is kept", "no way back, dropped") \
  X(FILL_OVER_ACQUIRE, "fill_over_acquire", "a fill under way while the cache is emptied is kept", "acquire, dropped") \
  X(FILL_OVER_LOCAL, "fill_over_local", "a fill that a store to local memory has overtaken is kept", "values") \
  X(JOIN_AFTER_STORE, "join_after_store", "a miss joins a fill that a store has overtaken", "program order, dropped") \
  X(JOIN_AFTER_ATOMIC, "join_after_atomic", "a miss joins a fill that an atomic has overtaken", "program order, dropped") \
  X(JOIN_AFTER_STRONG, "join_after_strong", "a miss joins a fill that a strong load has overtaken", "no way back, dropped") \
  X(JOIN_AFTER_ACQUIRE, "join_after_acquire", "a miss joins a fill from before the cache was emptied", "acquire, dropped") \
  X(JOIN_ANY, "join_any", "a miss joins any fill of its line, whatever its sectors", "values, fills") \
  /* what is dropped */ \
  X(DROP_LOST, "drop_lost", "a store does not drop its sectors", "program order, dropped") \
  X(DROP_SECTOR, "drop_sector", "a store drops the sector above its own", "program order, dropped") \
  X(DROP_FIRST, "drop_first", "a store drops the lowest of its sectors alone", "program order, dropped") \
  X(DROP_LATE, "drop_late", "a store drops when it leaves for memory, not when it passes", "program order, dropped") \
  X(CTA_STORE_KEPT, "cta_store_kept", "a store of CTA scope does not drop", "program order, dropped") \
  X(ATOMIC_KEPT, "atomic_kept", "an atomic leaves the copies of its sectors", "program order, dropped") \
  X(STRONG_KEPT, "strong_kept", "a strong load leaves the copies of its sectors", "no way back, dropped") \
  X(STRONG_HIT, "strong_hit", "a strong load is served from copies", "values of strong loads") \
  /* fences, acknowledgements */ \
  X(ACK_EARLY, "ack_early", "a store counts as performed when it leaves for memory", "acknowledgements, fences") \
  X(ACK_TWICE, "ack_twice", "fences count an atomic's acknowledgement twice", "fences") \
  X(FENCE_OWN_WARP, "fence_own_warp", "a fence waits for its own warp's stores alone", "fences") \
  X(FENCE_NO_ATOMICS, "fence_no_atomics", "a fence does not wait for atomics", "fences") \
  X(FENCE_UNSENT, "fence_unsent", "a fence ignores stores that have passed, but not left for memory", "fences") \
  X(FENCE_OTHERS, "fence_others", "a fence that is done ends those of all warps", "fences") \
  X(FENCE_NO_HOLD, "fence_no_hold", "a warp's requests pass while its fence waits", "acquire") \
  X(FENCE_KEEPS, "fence_keeps", "a fence does not empty", "acquire, dropped") \
  X(FENCE_FIRST, "fence_first", "a fence empties before it waits, and not after", "acquire, dropped") \
  X(IVALL_KEEPS, "ivall_keeps", "CCTL.IVALL does not empty", "dropped") \
  X(LAUNCH_KEEPS, "launch_keeps", "a launch does not empty", "values, dropped") \
  X(EPOCH_WRAP, "epoch_wrap", "the array is not walked when the epochs begin again", "acquire, dropped") \
  /* bytes, places */ \
  X(STROBES_WIDE, "strobes_wide", "a store writes whole words", "values of stores") \
  X(MERGE_LOST, "merge_lost", "of two beats of a store for one byte the first wins", "values of stores") \
  X(HIT_SECTOR, "hit_sector", "a hit reads the sector beside its own", "values") \
  X(HIT_WAY, "hit_way", "a hit reads the way beside its own", "values") \
  X(TAG_SHORT, "tag_short", "the lowest bit of tags is not compared", "values") \
  X(FILL_SET, "fill_set", "a fill is kept in the set beside its own", "values of lines with the same tag") \
  X(VALID_ALL, "valid_all", "a fill makes all four sectors valid", "values") \
  X(BEAT_LOST, "beat_lost", "the last beat of a fill is not kept", "values") \
  X(REPLACE_VALID, "replace_valid", "a line that replaces another inherits its valid sectors", "values") \
  X(ERROR_KEPT, "error_kept", "a fill that was answered with an error is data", "values, errors") \
  X(LOCAL_MIXED, "local_mixed", "tags do not distinguish local memory from global", "values") \
  X(LOCAL_SLOT, "local_slot", "tags of local memory lack the warp slot", "values") \
  X(LOCAL_STALE, "local_stale", "a store to local memory leaves the copy as it was", "values") \
  X(LOCAL_PART, "local_part", "a store to part of a sector of local memory allocates all of it", "values") \
  /* misses */ \
  X(MSHR_EARLY, "mshr_early", "a fill's place is free when its first waiter is served", "values, hangs") \
  X(MSHR_REUSED, "mshr_reused", "an overtaken fill's place and tag are used again while it is under way", "tags") \
  X(ANSWER_SWAP, "answer_swap", "two sectors of one fill change places on their way to a waiter", "values") \
  X(SECTOR_LOST, "sector_lost", "a load that joins waits for the lowest of its sectors alone", "values, hits") \
  X(SERVED_TWICE, "served_twice", "the first of two fills that a load waits for counts for both", "values, hits") \
  X(REPLACED, "replaced", "waiters read the place in the array, replaced or not", "values") \
  /* order on the way to memory */ \
  X(STORE_FIRST, "store_first", "a store leaves before an older load of its line", "order of a line") \
  X(FILL_FIRST, "fill_first", "a fill is requested before an older store of its line has left", "program order, order of a line") \
  X(STRONG_FIRST, "strong_first", "a strong load leaves before an older store of its line", "program order, order of a line")
/* clang-format on */

enum l1_bug {
  BUG_NONE,
#define X(id, name, meaning, breaks) BUG_##id,
  L1_BUGS(X)
#undef X
      BUGS
};

#endif
