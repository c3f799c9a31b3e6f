/* SPDX-License-Identifier: Apache-2.0
 *
 * Known failures: a file of lines "SIGNATURE YYYY-MM-DD REASON" (cosim/checker/report.h). The day is the last on
 * which the waiver holds (UTC). Empty lines and those that begin with # are comments. A waived failure is reported
 * and counted apart; it does not pass. A program's own trap and refusal have signatures, but no waivers. */
#ifndef HEDDLE_TOOLS_WAIVERS_H
#define HEDDLE_TOOLS_WAIVERS_H

#include <jansson.h>
#include <stdio.h>

#include <heddle/program.h>
#include "cosim/checker/report.h"

/* Limits of a file. */
#define WAIVERS_MAX 1000u
#define WAIVERS_BYTES (1u << 20)
#define WAIVER_REASON 200u

struct waiver {
  char signature[SIGNATURE_BYTES];
  char until[11]; /* "2027-01-31" */
  char reason[WAIVER_REASON + 1];
  unsigned line;
  bool expired;
  uint64_t matches; /* failures that have its signature */
};

struct waivers {
  char file[256];
  struct waiver *waiver;
  size_t waivers;
};

/* `today` as "2026-11-24". NULL: *m says why, with the line. Caller frees. */
struct waivers *waivers_parse(const char *text, size_t size, const char *file, const char *today,
                              struct heddle_message *m);
/* The file of --waivers, today; no path: no waivers, *out is NULL. TOOL_OK, or TOOL_USAGE after a message. */
int waivers_open(const char *path, struct waivers **out);
void waivers_free(struct waivers *w);

/* Counts one failure of this signature. NULL: it is not waived, be it that its waiver has expired. w may be NULL. */
const struct waiver *waivers_match(struct waivers *w, const char *signature);
/* "waived: s1:... until 2027-01-31: REASON", on stderr; `name` in front of it unless NULL. */
void waiver_tell(const struct waiver *w, const char *name);
/* On stderr: each that has expired; with `unused` also each that no failure had the signature of. */
void waivers_tell(const struct waivers *w, bool unused);

/* {"until": "...", "reason": "..."}. */
json_t *waiver_json(const struct waiver *w);
/* {"file", "expired": [signature...], "unused": [...]}; of none null. */
json_t *waivers_json(const struct waivers *w);

#endif
