/* SPDX-License-Identifier: Apache-2.0
 * Names of C++ as people write them. The demangler is that of the C++ library, which whoever has such names has too; it
 * is looked for when the first one is told, so that nothing here links to it. */
#include <heddle/explain.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*demangle_fn)(const char *name, char *room, size_t *bytes, int *status);

static demangle_fn demangler(void) {
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL); /* stays: the next name needs it again */
  void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
  demangle_fn f = NULL;
  memcpy(&f, &symbol, sizeof f); /* ISO C has no conversion */
  return f;
}

const char *heddle_name_text(const char *name, char *text, size_t size) {
  const demangle_fn demangle = strncmp(name, "_Z", 2) == 0 ? demangler() : NULL;
  int status = -1;
  char *whole = demangle ? demangle(name, NULL, NULL, &status) : NULL;
  snprintf(text, size, "%s", whole && status == 0 ? whole : name);
  free(whole);
  return text;
}

/* Behind the ')' of a list of parameters its '('. */
static const char *opening(const char *text, const char *close) {
  int depth = 0;
  for (const char *c = close; c >= text; c--) {
    depth += *c == ')';
    depth -= *c == '(';
    if (depth == 0) return c;
  }
  return NULL;
}

bool heddle_param_text(const char *name, unsigned i, char *text, size_t size) {
  char full[1000];
  const char *close = strrchr(heddle_name_text(name, full, sizeof full), ')');
  const char *c = close ? opening(full, close) : NULL;
  if (strncmp(name, "_Z", 2) != 0 || !c || strlen(full) + 1 == sizeof full) return false;
  const char *from = ++c;
  for (int depth = 0; c <= close; c++) {
    depth += (*c != '\0' && strchr("(<[{", *c) != NULL) - (c < close && strchr(")>]}", *c) != NULL);
    if (c < close && (*c != ',' || depth > 0)) continue;
    if (i-- == 0) break;
    from = c + 1;
  }
  if (c > close) return false;
  while (*from == ' ') from++;
  snprintf(text, size, "%.*s", (int)(c - from), from);
  return c > from;
}
