/* SPDX-License-Identifier: Apache-2.0
 *
 * profile.html: its parts, and what these share. The page is well-formed XML too, needs nothing but itself, and says
 * everything without script. */
#ifndef HEDDLE_PROFILE_HTML_H
#define HEDDLE_PROFILE_HTML_H

#include "base/text.h"
#include "run/profile/internal.h"

extern const char html_style[], html_script[];

void html_number(FILE *f, uint64_t n);               /* 12,345 */
void html_share(FILE *f, double part, double whole); /* 12.3 % */

void html_time(FILE *f, const struct profiler *p);
void html_memory(FILE *f, const struct profiler *p);
void html_roofline(FILE *f, const struct profiler *p, const struct roofline *r);

#endif
