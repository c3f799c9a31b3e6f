/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers and masks: who does not come. */
#ifndef HEDDLE_SANITIZE_SYNC_H
#define HEDDLE_SANITIZE_SYNC_H

#include <heddle/observer.h>
#include "run/sanitize/findings.h"

struct sync;
struct sync *sync_new(struct findings *to, const struct heddle_model *m, unsigned slots); /* NULL: no memory */
void sync_free(struct sync *s);
void sync_event(struct sync *s, const struct heddle_event *e);
void sync_access(struct sync *s, const struct heddle_observed_access *a);
/* The launch has ended so. */
void sync_ended(struct sync *s, enum heddle_status end);

#endif
