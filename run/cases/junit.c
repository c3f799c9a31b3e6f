/* SPDX-License-Identifier: Apache-2.0
 * JUnit XML by libxml2. */
#include "junit.h"

#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/command/tool.h"

/* What XML cannot hold becomes '?': control characters, and bytes that are no UTF-8. The caller frees. */
static char *clean(const char *text) {
  char *copy = strdup(text);
  for (char *c = copy; c && *c; c++)
    if ((unsigned char)*c < 32 && *c != '\n' && *c != '\t') *c = '?';
  if (copy && !xmlCheckUTF8(BAD_CAST copy))
    for (char *c = copy; *c; c++)
      if ((unsigned char)*c > 126) *c = '?';
  return copy;
}

static bool attribute(xmlTextWriter *w, const char *name, const char *text) {
  char *copy = clean(text);
  const bool ok = copy && xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST copy) >= 0;
  free(copy);
  return ok;
}

static bool failure(xmlTextWriter *w, const struct junit_case *c) {
  char *again = clean(c->again ? c->again : "");
  bool ok = again && xmlTextWriterStartElement(w, BAD_CAST "failure") >= 0 && attribute(w, "message", c->failure);
  if (ok && c->again) ok = xmlTextWriterWriteFormatString(w, "repeat: %s", again) >= 0;
  free(again);
  return ok && xmlTextWriterEndElement(w) >= 0;
}

static bool write_testcase(xmlTextWriter *w, const struct junit_case *c) {
  char seconds[32];
  (void)snprintf(seconds, sizeof seconds, "%.3f", c->seconds);
  return xmlTextWriterStartElement(w, BAD_CAST "testcase") >= 0 && attribute(w, "name", c->name) &&
         attribute(w, "time", seconds) && (!c->failure || failure(w, c)) && xmlTextWriterEndElement(w) >= 0;
}

static bool begin_testsuite(xmlTextWriter *w, const char *suite, size_t count, size_t failed) {
  return xmlTextWriterSetIndent(w, 1) >= 0 && xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL) >= 0 &&
         xmlTextWriterStartElement(w, BAD_CAST "testsuite") >= 0 && attribute(w, "name", suite) &&
         xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%zu", count) >= 0 &&
         xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%zu", failed) >= 0;
}

bool result_write_junit(const char *path, const char *suite, const struct junit_case *cases, size_t count) {
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) failed += cases[i].failure != NULL;
  xmlTextWriter *w = xmlNewTextWriterFilename(path, 0);
  bool ok = w && begin_testsuite(w, suite, count, failed);
  for (size_t i = 0; ok && i < count; i++) ok = write_testcase(w, &cases[i]);
  ok = ok && xmlTextWriterEndDocument(w) >= 0 && xmlTextWriterFlush(w) >= 0;
  xmlFreeTextWriter(w);
  if (!ok) tool_error("%s: cannot write JUnit XML", path);
  return ok;
}
