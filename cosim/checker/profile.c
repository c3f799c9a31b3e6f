/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device does not show: its profile, and words for it.
 */
#include <stdio.h>

#include <heddle/record.h>
#include <heddle/retire_fields.h>
#include "base/text.h"

static bool covers(struct heddle_record_hidden h, struct heddle_record_hidden allowed) {
  return (h.kinds & ~allowed.kinds) == 0 && (h.options & ~allowed.options) == 0;
}

int heddle_record_profile(struct heddle_record_hidden h) {
  if (covers(h, HEDDLE_RECORD_HIDDEN_P2)) return 2;
  if (covers(h, HEDDLE_RECORD_HIDDEN_P1)) return 1;
  return covers(h, HEDDLE_RECORD_HIDDEN_P0) ? 0 : -1;
}

const char *heddle_record_profile_name(struct heddle_record_hidden h) {
  static const char *const name[] = {"none", "P0", "P1", "P2"};
  return name[heddle_record_profile(h) + 1];
}

static void add_name(struct text_room *t, const char *name) {
  text_print(t, "%s%s", t->used == 0 ? "" : ", ", name);
}

/* Of a kind that is not shown the fields go without saying. */
void heddle_record_hidden_text(struct heddle_record_hidden h, char *buf, size_t bytes) {
  struct text_room t = {buf, bytes, 0};
  if (bytes == 0) return;
  buf[0] = '\0';
  for (unsigned i = 0; i < HEDDLE_RECORD_KINDS; i++)
    if (HEDDLE_RECORD_IS_KIND(i) && !heddle_record_shows(h, (enum heddle_record_kind)i))
      add_name(&t, record_layouts[i].name);
  for (unsigned i = 0; i < HEDDLE_RECORD_OPTIONS; i++)
    if (!heddle_record_shows_field(h, (enum heddle_record_option)i)) add_name(&t, record_option_names[i]);
}
