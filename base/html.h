/* SPDX-License-Identifier: Apache-2.0
 *
 * Text inside HTML or SVG: what means something there is written as what it stands for.
 */
#ifndef HEDDLE_HTML_H
#define HEDDLE_HTML_H

#include <stdio.h>

static inline void html_put(FILE *f, const char *text) {
  for (; *text != '\0'; text++) {
    const char *as = *text == '<'   ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '&' ? "&amp;"
                     : *text == '"' ? "&quot;"
                                    : NULL;
    if (as != NULL)
      fputs(as, f);
    else
      fputc(*text, f);
  }
}

#endif
