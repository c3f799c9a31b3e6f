/* SPDX-License-Identifier: Apache-2.0
 * The files beside a wave, of machines of different sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include "tests/test.h"
#include "waves/waves.h"

static char wave[64], filter[96];

/* The save file of a view. */
static const char *save_of(const char *view) {
  static char save[128];
  snprintf(save, sizeof save, "%s%s%s.gtkw", wave, view[0] ? "." : "", view);
  return save;
}

static int scratch(void **state) {
  (void)state;
  snprintf(wave, sizeof wave, "/tmp/heddle-wave-XXXXXX");
  const int fd = mkstemp(wave);
  if (fd < 0) return -1;
  close(fd);
  snprintf(filter, sizeof filter, "%s.filter", wave);
  return 0;
}

static int clean(void **state) {
  (void)state;
  unlink(wave);
  for (size_t i = 0; i < WAVE_VIEWS; i++) unlink(save_of(wave_views[i].name));
  unlink(filter);
  return 0;
}

static char *written_view(const char *view, const char *config, struct wave_place place) {
  char err[256];
  assert_true(wave_save(wave, heddle_config_find(config), place, err, sizeof err));
  FILE *f = fopen(save_of(view), "r");
  assert_non_null(f);
  static char text[65536];
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return text;
}

static char *written(const char *config, struct wave_place place) {
  return written_view("", config, place);
}

static void follows_the_configuration(void **state) {
  (void)state;
  const char *text = written("mid", (struct wave_place){.first_issue = 12});
  assert_non_null(strstr(text, "ret.front.[0].issue.word[127:0]"));
  assert_non_null(strstr(text, "ret.back.[0].write.[3].mask[31:0]")); /* mid: four banks, eight lanes */
  assert_null(strstr(text, "ret.back.[0].write.[4]"));
  assert_non_null(strstr(text, "ret.back.[0].write.[3].data.data[7][31:0]"));
  assert_null(strstr(text, "ret.back.[0].write.[3].data.data[8]"));
  text = written("wide", (struct wave_place){.first_issue = 12});
  assert_non_null(strstr(text, "ret.back.[0].write.[3].data.data[31][31:0]"));
}

/* A bit for each warp slot of a partition, each bank, each access; a group for each partition. */
static void views_follow_the_configuration(void **state) {
  (void)state;
  const struct heddle_config *c = heddle_config_find("sm");
  char want[96];
  snprintf(want, sizeof want, "gen_partition[%u].u_partition.u_front.u_issue.u_select.sel[%u:0]\n", c->partitions - 1,
           c->warps / c->partitions - 1);
  const char *text = written_view("scheduling", "sm", (struct wave_place){.first_issue = 12});
  assert_non_null(strstr(text, want));
  snprintf(want, sizeof want, "gen_partition[%u]", c->partitions);
  assert_null(strstr(text, want));
  text = written_view("operands", "tiny", (struct wave_place){0});
  assert_non_null(strstr(text, ".u_operand.gen_line[0].u_line.op_read_o.en[1:0]\n")); /* tiny: two banks, two places */
  assert_non_null(strstr(text, ".u_room.gen_unit_queue[0].taken_q[1:0]\n"));
  snprintf(want, sizeof want, ".u_track.used_q[%u:0]\n", c->gmem_slots - 1);
  assert_non_null(strstr(written_view("memory", "sm", (struct wave_place){0}), want));
}

/* Ten units of time are a cycle (heddle_dut_core.hpp counts cycles, vl_device.cpp dumps at 10 * cycle). */
static void opens_where_something_happens(void **state) {
  (void)state;
  const char *text = written("tiny", (struct wave_place){.first_issue = 500});
  assert_non_null(strstr(text, "[timestart] 4960\n"));
  assert_non_null(strstr(text, " 5000\n[sst_expanded] 0\n")); /* the marker */
  text = written("tiny", (struct wave_place){.first_issue = 500, .difference = 700});
  assert_non_null(strstr(text, "[timestart] 6800\n"));
  assert_non_null(strstr(text, " 7000\n[sst_expanded] 0\n"));
  text = written("tiny", (struct wave_place){.first_issue = 1, .difference = 7}); /* not before the beginning */
  assert_non_null(strstr(text, "[timestart] 0\n"));
}

static void groups_are_closed(void **state) {
  (void)state;
  for (size_t i = 0; i < WAVE_VIEWS; i++) {
    int depth = 0, begun = 0;
    for (char *line = strtok(written_view(wave_views[i].name, "wide", (struct wave_place){0}), "\n"); line;
         line = strtok(NULL, "\n")) {
      const bool begins = strcmp(line, "@800200") == 0 || strcmp(line, "@c00200") == 0;
      if (begins) depth++, begun++;
      if (strcmp(line, "@1000200") == 0 || strcmp(line, "@1401200") == 0) depth--;
      assert_in_range(depth, 0, 2);
    }
    assert_int_equal(depth, 0);
    assert_in_range(begun, 4, 100);
  }
}

static void filter_can_be_started(void **state) {
  (void)state;
  const char *text = written("tiny", (struct wave_place){0});
  char line[128];
  snprintf(line, sizeof line, "^>1 %s\n", filter);
  assert_non_null(strstr(text, line));
  assert_int_equal(access(filter, X_OK), 0);
}

/* Example words of all encodings, as the code of a program: how many. */
static unsigned read_vectors(uint8_t *code, unsigned most) {
  char line[160], hex[40], name[64];
  unsigned n = 0;
  FILE *f = fopen(VECTORS, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f) && n < most) {
    if (sscanf(line, "%39[0-9a-f] %63s", hex, name) != 2) continue;
    for (unsigned b = 0; b < 16; b++) {
      unsigned byte;
      assert_int_equal(sscanf(hex + 30 - 2 * b, "%2x", &byte), 1);
      code[16 * n + b] = (uint8_t)byte;
    }
    n++;
  }
  fclose(f);
  return n;
}

/* Where a word stands in the code, or `n`. */
static unsigned find_word(const uint8_t *code, unsigned n, unsigned long long hi, unsigned long long lo) {
  unsigned i = 0;
  for (; i < n; i++) {
    unsigned long long w[2];
    memcpy(w, code + 16 * i, sizeof w);
    if (w[0] == lo && w[1] == hi) break;
  }
  return i;
}

static void surfer_shows_every_encoding(void **state) {
  (void)state;
  enum { MOST = 32768 };
  static uint8_t code[16 * MOST];
  static bool seen[MOST];
  char path[96], line[400], text[256], want[256], err[256];
  const unsigned n = read_vectors(code, MOST);
  assert_in_range(n, 342, MOST - 1);
  assert_true(wave_save_words(wave, code, 16 * n, err, sizeof err));
  snprintf(path, sizeof path, "%s.surfer", wave);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  assert_true(fgets(line, sizeof line, f) && strncmp(line, "Name = ", 7) == 0);
  assert_true(fgets(line, sizeof line, f) && strcmp(line, "Bits = 128\n") == 0);
  while (fgets(line, sizeof line, f)) {
    unsigned long long hi, lo;
    assert_int_equal(sscanf(line, "0x%16llx%16llx %255[^\n]", &hi, &lo, text), 3);
    const unsigned at = find_word(code, n, hi, lo);
    assert_in_range(at, 0, n - 1);
    assert_false(seen[at]); /* twice is an error there */
    seen[at] = true;
    heddle_disassemble((struct heddle_isa_word){.lo = lo, .hi = hi}, 0, want, sizeof want);
    assert_string_equal(text, want);
  }
  fclose(f);
  unlink(path);
  for (unsigned i = 0; i < n; i++) { /* of equal words the first */
    unsigned long long w[2];
    memcpy(w, code + 16 * i, sizeof w);
    assert_true(seen[find_word(code, n, w[1], w[0])]);
  }
}

static void says_what_cannot_be_written(void **state) {
  (void)state;
  char err[256];
  assert_false(wave_save_words("/nowhere/at/all", (const uint8_t *)"", 0, err, sizeof err));
  assert_string_equal(err, "/nowhere/at/all.surfer: cannot be written: No such file or directory");
  assert_false(wave_save("/nowhere/at/all", heddle_config_find("tiny"), (struct wave_place){0}, err, sizeof err));
  assert_string_equal(err, "/nowhere/at/all.gtkw: cannot be written: No such file or directory");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(follows_the_configuration, scratch, clean),
                                     cmocka_unit_test_setup_teardown(views_follow_the_configuration, scratch, clean),
                                     cmocka_unit_test_setup_teardown(opens_where_something_happens, scratch, clean),
                                     cmocka_unit_test_setup_teardown(groups_are_closed, scratch, clean),
                                     cmocka_unit_test_setup_teardown(filter_can_be_started, scratch, clean),
                                     cmocka_unit_test_setup_teardown(surfer_shows_every_encoding, scratch, clean),
                                     cmocka_unit_test(says_what_cannot_be_written)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
