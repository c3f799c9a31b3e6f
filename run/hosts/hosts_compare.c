/* SPDX-License-Identifier: Apache-2.0
 * Two runs of a host, launch by launch: on model and board, before a change and after it, in two encodings. */
#include <string.h>

#include "run/hosts/hosts.h"

static json_t *load_figures(const char *path, const json_t **each) {
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

static const char *text_of_launch(const json_t *j, const char *key) {
  const char *text = json_string_value(json_object_get(j, key));
  return text ? text : "-";
}

static void say_launch(const char *path, const json_t *one) {
  printf("  %s: %s, %s, memory %s\n", path, text_of_launch(one, "kernel"), text_of_launch(one, "end"),
         text_of_launch(one, "digest"));
}

static bool equal(const json_t *a, const json_t *b) {
  static const char *const key[] = {"kernel", "end", "digest"};
  for (size_t i = 0; i < sizeof key / sizeof *key; i++)
    if (strcmp(text_of_launch(a, key[i]), text_of_launch(b, key[i])) != 0) return false;
  return true;
}

static int compare_launches(const char *a, const json_t *all_a, const char *b, const json_t *all_b) {
  const size_t n = json_array_size(all_a), m = json_array_size(all_b), both = n < m ? n : m;
  for (size_t i = 0; i < both; i++) {
    if (equal(json_array_get(all_a, i), json_array_get(all_b, i))) continue;
    printf("launch %zu is the first that differs\n", i + 1);
    say_launch(a, json_array_get(all_a, i));
    say_launch(b, json_array_get(all_b, i));
    return TOOL_DIFFERENCE;
  }
  if (n != m) printf("%zu launches are the same; %s has %zu, %s %zu\n", both, a, n, b, m);
  if (n == m) printf("%zu launches, all the same\n", n);
  return n == m ? TOOL_OK : TOOL_DIFFERENCE;
}

int hosts_compare(const char *a, const char *b) {
  const json_t *all_a, *all_b;
  json_t *of_a = load_figures(a, &all_a), *of_b = of_a ? load_figures(b, &all_b) : NULL;
  const int status = of_a && of_b ? compare_launches(a, all_a, b, all_b) : TOOL_USAGE;
  json_decref(of_a);
  json_decref(of_b);
  return status;
}
