/* SPDX-License-Identifier: Apache-2.0
 * Two runs of a host, launch by launch: on model and board, before a change and after it, in two encodings. */
#include <string.h>

#include "tools/hosts/hosts.h"

static json_t *load(const char *path, const json_t **each) {
  json_error_t e;
  json_t *j = json_load_file(path, 0, &e);
  *each = json_object_get(j, "each");
  if (!j)
    tool_error("%s: %s", path, e.text);
  else if (!json_is_array(*each))
    tool_error("%s: no list \"each\": not of HEDDLE_STATS=json:FILE", path);
  else
    return j;
  json_decref(j);
  return NULL;
}

static const char *text_of(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "-";
}

static void say(const char *path, const json_t *one) {
  printf("  %s: %s, %s, memory %s\n", path, text_of(one, "kernel"), text_of(one, "end"), text_of(one, "digest"));
}

static bool equal(const json_t *a, const json_t *b) {
  static const char *const key[] = {"kernel", "end", "digest"};
  for (size_t i = 0; i < sizeof key / sizeof *key; i++)
    if (strcmp(text_of(a, key[i]), text_of(b, key[i])) != 0) return false;
  return true;
}

static int compare(const char *a, const json_t *all_a, const char *b, const json_t *all_b) {
  const size_t n = json_array_size(all_a), m = json_array_size(all_b), both = n < m ? n : m;
  for (size_t i = 0; i < both; i++) {
    if (equal(json_array_get(all_a, i), json_array_get(all_b, i))) continue;
    printf("launch %zu is the first that differs\n", i + 1);
    say(a, json_array_get(all_a, i));
    say(b, json_array_get(all_b, i));
    return TOOL_DIFFERENCE;
  }
  if (n != m) printf("%zu launches are the same; %s has %zu, %s %zu\n", both, a, n, b, m);
  if (n == m) printf("%zu launches, all the same\n", n);
  return n == m ? TOOL_OK : TOOL_DIFFERENCE;
}

int hosts_compare(const char *a, const char *b) {
  const json_t *all_a, *all_b;
  json_t *of_a = load(a, &all_a), *of_b = of_a ? load(b, &all_b) : NULL;
  const int status = of_a && of_b ? compare(a, all_a, b, all_b) : TOOL_USAGE;
  json_decref(of_a);
  json_decref(of_b);
  return status;
}
