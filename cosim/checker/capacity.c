/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of the checker's tables, from what the machine is made of.
 */
#include "capacity.h"

#define PORTS 4u    /* write ports that records can name, one a bank; UNKNOWN of a device that does not name them */
#define PARTS 4u    /* partitions of an SM, at most */
#define PIPES 5u    /* of fixed latency */
#define UNIFORM 9u  /* uniform registers and predicates that a partition can write in a cycle */
#define STAGES 8u   /* pipeline registers of a stage, before and after what it is named for */
#define UNITS 64u   /* instructions in units of a partition with a latency of their own: some pipeline registers each */
#define LSU 112u    /* instructions in the load/store unit: three queues of 16 rows at most, and 64 global slots */
#define UNKNOWN 64u /* of anything that the configuration does not tell */

static unsigned known_or(unsigned n, unsigned otherwise) {
  return n != 0 ? n : otherwise;
}

/* An instruction is under way from its issue record to the last record that it owes. Meanwhile it is in one of these
 * places, each of which holds so many; the second to the fourth exist in each partition:
 *   control, one a warp                                          warps
 *   operand stage: being read, or in one of its two queues       2 collectors + STAGES
 *   units of the partition with a latency of their own           UNITS
 *   a pipe: one a cycle at most, until the write port shows it   PIPES (latency + beats + STAGES)
 *   load/store unit                                              LSU
 *   point of order: an outstanding request at least              gmem_lines
 * Twice that are kept, since records may come some cycles after what they show. */
static unsigned under_way(const struct heddle_checker_config *cfg) {
  const unsigned beats = HEDDLE_RECORD_LANES / cfg->lanes;
  const unsigned parts = known_or(cfg->partitions, PARTS);
  const unsigned operand = parts * (2 * known_or(cfg->collectors, UNKNOWN) + STAGES);
  const unsigned pipes = parts * PIPES * (known_or(cfg->latency, UNKNOWN) + beats + STAGES);
  return 2 * (cfg->warp_slots + operand + parts * UNITS + pipes + LSU + known_or(cfg->gmem_lines, UNKNOWN));
}

/* Each port of each partition shows one write a cycle, and a read looks back read_age cycles; its predicate port shows
 * one record a cycle, with all predicates at the most, and so does its port of uniform results. */
#define SECTORS 8u /* that an instruction under way touches, on the average */

struct capacity capacity_of(const struct heddle_checker_config *cfg) {
  const unsigned read_age = known_or(cfg->read_age, 1), pred_age = known_or(cfg->pred_age, 1);
  const unsigned parts = known_or(cfg->partitions, PARTS);
  const unsigned entries = known_or(cfg->in_flight, under_way(cfg));
  const unsigned waits = cfg->cache_sectors != 0 ? SECTORS * entries : 0;
  return (struct capacity){
      .entries = entries,
      .copies = cfg->cache_sectors + waits,
      .waits = waits,
      .writes = parts * known_or(cfg->banks, heddle_record_profile(cfg->hidden) < 2 ? UNKNOWN : PORTS) * read_age,
      .predicates = parts * (HEDDLE_RECORD_PREDICATES + UNIFORM) * pred_age};
}
