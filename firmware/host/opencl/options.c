/* SPDX-License-Identifier: Apache-2.0
 * Options of builds: words as a shell splits them, and which of them OpenCL knows. */
#include "firmware/host/opencl/internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* One word from *text on, into `to`, which has room for it. */
static const char *take_shell_word(const char *text, char *to) {
  char quote = '\0';
  for (; *text && (quote || !is_space(*text)); text++) {
    if (quote && *text == quote)
      quote = '\0';
    else if (!quote && (*text == '"' || *text == '\''))
      quote = *text;
    else if (*text == '\\' && quote != '\'' && text[1] != '\0' && strchr("\\\"' ", text[1]))
      *to++ = *++text;
    else
      *to++ = *text;
  }
  *to = '\0';
  return text;
}

bool ocl_options_split(const char *text, struct ocl_words *w) {
  const size_t n = text ? strlen(text) : 0;
  *w = (struct ocl_words){NULL, 0};
  /* Pointers first, words behind them: no more than every second character begins one. */
  w->at = malloc((n / 2 + 2) * sizeof(char *) + n + 1);
  if (!w->at) return false;
  char *to = (char *)(w->at + n / 2 + 2);
  for (const char *p = text; p;) {
    while (is_space(*p)) p++;
    if (*p == '\0') break;
    w->at[w->count++] = to;
    p = take_shell_word(p, to);
    to += strlen(to) + 1;
  }
  w->at[w->count] = NULL;
  return true;
}

void ocl_words_free(struct ocl_words *w) {
  free(w->at);
  w->at = NULL;
  w->count = 0;
}

static bool is_one_of(const char *word, const char *const *all) {
  for (; *all; all++)
    if (strcmp(word, *all) == 0) return true;
  return false;
}

static const char *const numbers[] = {"-cl-denorms-are-zero",
                                      "-cl-no-signed-zeros",
                                      "-cl-unsafe-math-optimizations",
                                      "-cl-finite-math-only",
                                      "-cl-fast-relaxed-math",
                                      "-cl-mad-enable",
                                      NULL};

bool ocl_options_compile(const struct ocl_words *w) {
  static const char *const plain[] = {"-cl-single-precision-constant",
                                      "-cl-fp32-correctly-rounded-divide-sqrt",
                                      "-cl-opt-disable",
                                      "-cl-strict-aliasing",
                                      "-cl-uniform-work-group-size",
                                      "-cl-no-subgroup-ifp",
                                      "-cl-kernel-arg-info",
                                      "-cl-std=CL1.0",
                                      "-cl-std=CL1.1",
                                      "-cl-std=CL1.2",
                                      "-cl-std=CL2.0",
                                      "-cl-std=CL3.0",
                                      "-w",
                                      "-Werror",
                                      "-g",
                                      "-O0",
                                      "-O1",
                                      "-O2",
                                      "-O3",
                                      NULL};
  for (size_t i = 0; i < w->count; i++) {
    const char *o = w->at[i];
    if (is_one_of(o, plain) || is_one_of(o, numbers)) continue;
    if (o[0] != '-' || (o[1] != 'D' && o[1] != 'I')) return false;
    if (o[2] == '\0' && ++i == w->count) return false; /* its value is the next word */
  }
  return true;
}

bool ocl_options_link(const struct ocl_words *w) {
  static const char *const plain[] = {"-create-library", "-enable-link-options", NULL};
  for (size_t i = 0; i < w->count; i++)
    if (!is_one_of(w->at[i], plain) && !is_one_of(w->at[i], numbers)) return false;
  return true;
}
