/* SPDX-License-Identifier: Apache-2.0
 * Waivers: which failures they are for, and what is said of them. */
#include "waivers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/command/tool.h"

static void today_text(char text[11]) {
  const time_t now = time(NULL);
  struct tm t;
  (void)gmtime_r(&now, &t);
  (void)strftime(text, 11, "%Y-%m-%d", &t);
}

int waivers_open(const char *path, struct waivers **out) {
  char today[11] = "";
  size_t size;
  struct heddle_message m;
  *out = NULL;
  if (!path) return TOOL_OK;
  uint8_t *text = tool_read_file(path, WAIVERS_BYTES, &size);
  if (!text) return TOOL_USAGE;
  today_text(today);
  *out = waivers_parse((const char *)text, size, path, today, &m);
  if (!*out) tool_message(NULL, &m);
  free(text);
  return *out ? TOOL_OK : TOOL_USAGE;
}

void waivers_free(struct waivers *w) {
  if (!w) return;
  free(w->waiver);
  free(w);
}

const struct waiver *waivers_match(struct waivers *w, const char *signature) {
  for (size_t i = 0; w && i < w->waivers; i++) {
    struct waiver *v = &w->waiver[i];
    if (strcmp(v->signature, signature) != 0) continue;
    v->matches++;
    return v->expired ? NULL : v;
  }
  return NULL;
}

void waiver_tell(const struct waiver *w, const char *name) {
  tool_log("waived: %s%s%s until %s: %s", name ? name : "", name ? ": " : "", w->signature, w->until, w->reason);
}

void waivers_tell(const struct waivers *w, bool unused) {
  for (size_t i = 0; w && i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    if (v->expired) tool_log("%s:%u: the waiver of %s has expired on %s", w->file, v->line, v->signature, v->until);
    if (unused && v->matches == 0) tool_log("%s:%u: no failure has the signature %s", w->file, v->line, v->signature);
  }
}

json_t *waiver_json(const struct waiver *w) {
  return json_pack("{s:s, s:s}", "until", w->until, "reason", w->reason);
}

json_t *waivers_json(const struct waivers *w) {
  if (!w) return json_null();
  json_t *expired = json_array(), *unused = json_array();
  for (size_t i = 0; i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    if (v->expired) (void)json_array_append_new(expired, json_string(v->signature));
    if (v->matches == 0) (void)json_array_append_new(unused, json_string(v->signature));
  }
  return json_pack("{s:s, s:o, s:o}", "file", w->file, "expired", expired, "unused", unused);
}
