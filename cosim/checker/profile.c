/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device does not show: its profile, and words for it.
 */
#include <stdio.h>

#include <heddle/record.h>
#include <heddle/retire_fields.h>

static bool covers(struct record_hidden h, struct record_hidden allowed) {
  return (h.kinds & ~allowed.kinds) == 0 && (h.options & ~allowed.options) == 0;
}

int record_profile(struct record_hidden h) {
  if (covers(h, RECORD_HIDDEN_P2)) return 2;
  if (covers(h, RECORD_HIDDEN_P1)) return 1;
  return covers(h, RECORD_HIDDEN_P0) ? 0 : -1;
}

const char *record_profile_name(struct record_hidden h) {
  static const char *const name[] = {"none", "P0", "P1", "P2"};
  return name[record_profile(h) + 1];
}

struct text {
  char *buf;
  size_t bytes, used;
};

static void add(struct text *t, const char *name) {
  if (t->used >= t->bytes) return;
  const int n = snprintf(t->buf + t->used, t->bytes - t->used, "%s%s", t->used == 0 ? "" : ", ", name);
  if (n > 0) t->used += (size_t)n;
}

/* Of a kind that is not shown the fields go without saying. */
void record_hidden_text(struct record_hidden h, char *buf, size_t bytes) {
  struct text t = {buf, bytes, 0};
  if (bytes == 0) return;
  buf[0] = '\0';
  for (unsigned i = 0; i < RECORD_KINDS; i++)
    if (RECORD_IS_KIND(i) && !record_shows(h, (enum record_kind)i)) add(&t, record_layouts[i].name);
  for (unsigned i = 0; i < RECORD_OPTIONS; i++)
    if (!record_shows_field(h, (enum record_option)i)) add(&t, record_option_names[i]);
}
