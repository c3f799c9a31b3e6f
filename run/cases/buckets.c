/* SPDX-License-Identifier: Apache-2.0
 * Failures by signature. */
#include "buckets.h"

#include <stdio.h>

static json_int_t count_of(const json_t *bucket) {
  return json_integer_value(json_object_get(bucket, "count"));
}

static const char *text_of_bucket(const json_t *bucket, const char *key) {
  return json_string_value(json_object_get(bucket, key));
}

json_t *bucket_add(json_t *buckets, const char *signature, json_t *first) {
  json_t *b = json_object_get(buckets, signature);
  if (b) {
    json_decref(first);
  } else {
    b = first;
    (void)json_object_set_new(buckets, signature, b);
  }
  (void)json_object_set_new(b, "count", json_integer(count_of(b) + 1));
  return b;
}

json_int_t buckets_waive(json_t *buckets, struct waivers *w) {
  json_int_t waived = 0;
  const char *signature;
  json_t *b;
  json_object_foreach(buckets, signature, b) {
    const struct waiver *of = waivers_match(w, signature);
    if (!of) continue;
    (void)json_object_set_new(b, "waived", waiver_json(of));
    waived += count_of(b);
  }
  return waived;
}

static void print_small(const json_t *b) {
  const char *small = text_of_bucket(b, "smallest");
  const json_int_t left = json_integer_value(json_object_get(b, "instructions"));
  if (small) printf("  small: sh %s\n", small);
  if (!small && left > 0) printf("  small: %" JSON_INTEGER_FORMAT " instructions, as printed above\n", left);
}

void buckets_print(json_t *buckets) {
  const char *signature;
  json_t *b;
  json_object_foreach(buckets, signature, b) {
    const json_t *waived = json_object_get(b, "waived");
    printf("%" JSON_INTEGER_FORMAT " x %s\n", count_of(b), signature);
    if (waived) printf("  waived until %s: %s\n", text_of_bucket(waived, "until"), text_of_bucket(waived, "reason"));
    printf("  repeat: %s\n", text_of_bucket(b, "repeat"));
    print_small(b);
  }
}
