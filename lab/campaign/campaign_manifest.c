/* SPDX-License-Identifier: Apache-2.0
 * What a campaign runs: a JSON file, checked, and the chunks that it stands for. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/campaign/campaign.h"
#include <heddle/isa_tables.h>
#include "run/options/options.h"
#include "base/splitmix64.h"
#include "run/command/tool.h"

enum { LIST_CONFIGS, LIST_DEP, LIST_DIV, LIST_SCHED, LIST_MEMORY, LIST_PORT, LIST_KNOBS, LIST_SEEDS, LISTS };

/* Words that a list may hold; configurations and knobs are looked up, seeds are numbers. */
static const struct {
  const char *key, *usual, *words[5];
} lists[LISTS] = {
    [LIST_CONFIGS] = {"configs", NULL, {NULL}},
    [LIST_DEP] = {"dep", "control", {"control", "scoreboard"}},
    [LIST_DIV] = {"div", "stack", {"stack", "its"}},
    [LIST_SCHED] = {"sched", "default", {"default", "gto", "lrr", "twolevel"}},
    [LIST_MEMORY] = {"memory", "adversarial", {"adversarial", "calm"}},
    [LIST_PORT] = {"port", "free", {"free", "held"}},
    [LIST_KNOBS] = {"knobs", "", {NULL}},
    [LIST_SEEDS] = {"seeds", NULL, {NULL}},
};

static bool refuse_key(const char *path, const char *key, const char *what) {
  tool_error("%s: \"%s\": %s", path, key, what);
  return false;
}

static bool word_known(unsigned list, const char *word) {
  if (list == LIST_CONFIGS) return run_config_find(word) != NULL;
  if (list == LIST_KNOBS) return true;
  for (unsigned i = 0; i < 5 && lists[list].words[i]; i++)
    if (strcmp(lists[list].words[i], word) == 0) return true;
  return false;
}

static bool check_manifest_list(const char *path, json_t *root, unsigned list) {
  const char *key = lists[list].key;
  json_t *l = json_object_get(root, key);
  if (!l && lists[list].usual) return json_object_set_new(root, key, json_pack("[s]", lists[list].usual)) == 0;
  if (!json_is_array(l) || json_array_size(l) == 0)
    return refuse_key(path, key, "expected a list that holds something");
  for (size_t i = 0; i < json_array_size(l); i++) {
    const json_t *v = json_array_get(l, i);
    if (list == LIST_SEEDS && (!json_is_integer(v) || json_integer_value(v) < 0))
      return refuse_key(path, key, "seeds are numbers from 0");
    if (list != LIST_SEEDS && (!json_is_string(v) || !word_known(list, json_string_value(v))))
      return refuse_key(path, key, list == LIST_CONFIGS ? "not a configuration that is built" : "an unknown word");
  }
  return true;
}

static bool check_number(const char *path, json_t *root, const char *key, json_int_t usual, json_int_t least,
                         json_int_t most) {
  const json_t *v = json_object_get(root, key);
  if (!v && usual >= 0) return json_object_set_new(root, key, json_integer(usual)) == 0;
  if (json_is_integer(v) && json_integer_value(v) >= least && json_integer_value(v) <= most) return true;
  char what[80];
  (void)snprintf(what, sizeof what, "expected a number from %" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT, least,
                 most);
  return refuse_key(path, key, what);
}

static bool key_known(const char *key) {
  static const char *const others[] = {"version", "programs", "chunk", "fault", "turns"};
  for (unsigned i = 0; i < LISTS; i++)
    if (strcmp(key, lists[i].key) == 0) return true;
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(key, others[i]) == 0) return true;
  return false;
}

static bool check_manifest(const char *path, json_t *root) {
  const char *key;
  json_t *v;
  if (!json_is_object(root)) return refuse_key(path, "", "expected an object");
  json_object_foreach(root, key, v) if (!key_known(key)) return refuse_key(path, key, "nothing has that name");
  bool ok = check_number(path, root, "version", -1, 1, 1) && check_number(path, root, "programs", -1, 1, 1000000) &&
            check_number(path, root, "chunk", 50, 1, 1000000) && check_number(path, root, "fault", 0, 0, 65535);
  for (unsigned i = 0; ok && i < LISTS; i++) ok = check_manifest_list(path, root, i);
  const json_t *turns = json_object_get(root, "turns");
  if (ok && turns && !json_is_boolean(turns)) return refuse_key(path, "turns", "expected true or false");
  return ok;
}

static const char *word_of_list(const json_t *root, unsigned list, size_t i) {
  return json_string_value(json_array_get(json_object_get(root, lists[list].key), i));
}

/* Setting number `n` of all, the last list fastest. */
static struct campaign_chunk setting(const json_t *root, size_t n) {
  size_t at[LISTS];
  for (unsigned i = LISTS; i-- > 0;) {
    const size_t size = json_array_size(json_object_get(root, lists[i].key));
    at[i] = n % size;
    n /= size;
  }
  const json_t *seeds = json_object_get(root, lists[LIST_SEEDS].key);
  return (struct campaign_chunk){.config = word_of_list(root, LIST_CONFIGS, at[LIST_CONFIGS]),
                                 .dep = word_of_list(root, LIST_DEP, at[LIST_DEP]),
                                 .div = word_of_list(root, LIST_DIV, at[LIST_DIV]),
                                 .sched = word_of_list(root, LIST_SCHED, at[LIST_SCHED]),
                                 .memory = word_of_list(root, LIST_MEMORY, at[LIST_MEMORY]),
                                 .port = word_of_list(root, LIST_PORT, at[LIST_PORT]),
                                 .knobs = word_of_list(root, LIST_KNOBS, at[LIST_KNOBS]),
                                 .seed = (uint64_t)json_integer_value(json_array_get(seeds, at[LIST_SEEDS])),
                                 .fault = (uint64_t)json_integer_value(json_object_get(root, "fault"))};
}

static bool expand(struct campaign *c, const char *path) {
  const uint64_t programs = (uint64_t)json_integer_value(json_object_get(c->manifest, "programs"));
  const uint64_t each = (uint64_t)json_integer_value(json_object_get(c->manifest, "chunk"));
  size_t settings = 1;
  for (unsigned i = 0; i < LISTS; i++) {
    settings *= json_array_size(json_object_get(c->manifest, lists[i].key));
    if (settings > CAMPAIGN_CHUNKS_MAX) return refuse_key(path, lists[i].key, "too many settings in all");
  }
  const size_t parts = (size_t)((programs + each - 1) / each);
  if (settings * parts > CAMPAIGN_CHUNKS_MAX) return refuse_key(path, "chunk", "more than 1000000 chunks in all");
  c->chunk = calloc(settings * parts, sizeof *c->chunk);
  if (!c->chunk) return refuse_key(path, "", "out of memory");
  const bool turns = json_is_true(json_object_get(c->manifest, "turns"));
  for (size_t n = 0; n < settings * parts; n++) {
    struct campaign_chunk *k = &c->chunk[c->chunks++];
    *k = setting(c->manifest, turns ? n % settings : n / parts);
    k->first = (turns ? n / settings : n % parts) * each;
    k->count = programs - k->first < each ? programs - k->first : each;
  }
  return true;
}

/* Files of knobs are named as seen from the manifest. */
static bool place_knobs(const char *path, json_t *root) {
  const char *slash = strrchr(path, '/');
  json_t *list = json_object_get(root, lists[LIST_KNOBS].key);
  for (size_t i = 0; slash && i < json_array_size(list); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    if (name[0] == '\0' || name[0] == '/') continue;
    json_t *whole = json_sprintf("%.*s/%s", (int)(slash - path), path, name);
    if (!whole || json_array_set_new(list, i, whole) != 0)
      return refuse_key(path, lists[LIST_KNOBS].key, "a path that is not UTF-8");
  }
  return true;
}

enum { KNOBS_BYTES_MAX = 1 << 20 };

/* What a file of knobs says belongs to the campaign; how it is called from here doesn't. */
static bool mix_knobs(uint64_t *h, const char *path, const char *name) {
  if (name[0] == '\0') return true;
  FILE *f = fopen(name, "rb");
  if (!f) {
    tool_error("%s: %s: %s: %s", path, lists[LIST_KNOBS].key, name, strerror(errno));
    return false;
  }
  long bytes = 0;
  for (int c = getc(f); c != EOF && bytes <= KNOBS_BYTES_MAX; c = getc(f), bytes++)
    *h = splitmix64_mix(*h ^ (uint64_t)c);
  const bool read = !ferror(f);
  (void)fclose(f);
  if (read && bytes <= KNOBS_BYTES_MAX) return true;
  tool_error("%s: %s: %s: %s", path, lists[LIST_KNOBS].key, name, read ? "longer than 1 MiB" : "cannot be read");
  return false;
}

/* Before place_knobs: the manifest as it was written. */
static bool take_hash(const json_t *manifest, uint64_t *h) {
  char *text = json_dumps(manifest, JSON_COMPACT | JSON_SORT_KEYS);
  *h = heddle_isa_hash();
  for (const char *t = text; t && *t; t++) *h = splitmix64_mix(*h ^ (uint8_t)*t);
  const bool ok = text != NULL;
  free(text);
  return ok;
}

static bool name_campaign(struct campaign *c, const char *path) {
  uint64_t h;
  if (!take_hash(c->manifest, &h)) return refuse_key(path, "", "out of memory");
  if (!place_knobs(path, c->manifest)) return false;
  const json_t *list = json_object_get(c->manifest, lists[LIST_KNOBS].key);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!mix_knobs(&h, path, word_of_list(c->manifest, LIST_KNOBS, i))) return false;
  (void)snprintf(c->hash, sizeof c->hash, "%016" PRIx64, h);
  return true;
}

bool campaign_load(struct campaign *c, const char *path) {
  json_error_t e;
  memset(c, 0, sizeof *c);
  c->manifest = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
  if (!c->manifest) {
    tool_error("%s:%d:%d: %s", path, e.line > 0 ? e.line : 0, e.column > 0 ? e.column : 0, e.text);
    return false;
  }
  return check_manifest(path, c->manifest) && name_campaign(c, path) && expand(c, path);
}

void campaign_clear(struct campaign *c) {
  json_decref(c->manifest);
  free(c->chunk);
  memset(c, 0, sizeof *c);
}
