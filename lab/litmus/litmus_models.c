/* SPDX-License-Identifier: Apache-2.0
 * The models that heddle litmus asks. */
#include "lab/litmus/litmus.h"

#include <getopt.h>
#include <stdlib.h>

#include "run/command/tool.h"

static struct cat *load_model(const char *name, const struct cat_change *change, unsigned changes) {
  char path[4096];
  struct heddle_message m;
  if (!data_path(name, path, sizeof path)) return NULL;
  struct cat *c = cat_load(path, change, changes, &m);
  if (c == NULL) tool_message(NULL, &m);
  return c;
}

bool litmus_models(struct litmus_models *m, const char *const *weaken, unsigned weakenings) {
  struct cat_change change[LITMUS_CHANGES];
  char name[LITMUS_CHANGES][64];
  *m = (struct litmus_models){0};
  for (unsigned k = 0; k < weakenings; k++) {
    const char *is = strchr(weaken[k], '=');
    if (is == NULL || is == weaken[k] || (size_t)(is - weaken[k]) >= sizeof name[k]) {
      tool_error("--weaken %s: expected NAME=EXPRESSION", weaken[k]);
      return false;
    }
    (void)snprintf(name[k], sizeof name[k], "%.*s", (int)(is - weaken[k]), weaken[k]);
    change[k] = (struct cat_change){name[k], is + 1};
  }
  m->heddle = load_model("litmus/heddle.cat", change, weakenings);
  m->ptx = m->heddle == NULL ? NULL : load_model("litmus/ptx.cat", NULL, 0);
  m->sc = m->ptx == NULL ? NULL : load_model("litmus/sc.cat", NULL, 0);
  if (m->sc != NULL) return true;
  litmus_models_free(m);
  return false;
}

void litmus_models_free(struct litmus_models *m) {
  cat_free(m->heddle);
  cat_free(m->ptx);
  cat_free(m->sc);
  *m = (struct litmus_models){0};
}

bool litmus_part(unsigned *part, unsigned *parts) {
  unsigned k, n;
  char end;
  if (sscanf(optarg, "%u/%u%c", &k, &n, &end) != 2 || n == 0 || n > 1000000 || k < 1 || k > n) return false;
  *part = k - 1;
  *parts = n;
  return true;
}

bool litmus_narrow(unsigned *narrow) {
  const enum mapping_word w = mapping_word(optarg);
  if (w != MAPPING_WORDS) *narrow |= 1u << w;
  return w != MAPPING_WORDS;
}

void litmus_outcome_text(const struct test *t, const uint32_t *value, char *buf, size_t bytes) {
  unsigned n = t->locs;
  size_t used = 0;
  for (unsigned k = 0; k < t->threads; k++) n += t->thread[k].regs;
  buf[0] = '\0';
  for (unsigned k = 0; k < n && used < bytes; k++) {
    char name[48];
    candidate_value_name(t, k, name, sizeof name);
    const int wrote = snprintf(buf + used, bytes - used, "%s%s=%u", k == 0 ? "" : " ", name, value[k]);
    used += wrote < 0 ? 0 : (size_t)wrote;
  }
}
