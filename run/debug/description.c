/* SPDX-License-Identifier: Apache-2.0
 * Registers and threads as gdb reads them. gdb knows no Heddle: it is told of a 64-bit RISC-V without an
 * operating system, whose registers must be there, and of our registers beside them. */
#include "description.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void describe_registers(FILE *f, const struct target *t) {
  struct target_register r;
  unsigned number = 0;
  fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
        "<architecture>riscv:rv64</architecture><osabi>none</osabi><feature name=\"org.gnu.gdb.riscv.cpu\">",
        f);
  for (; number <= TARGET_PC && target_register(t, number, &r); number++)
    fprintf(f, "<reg name=\"%s\" bitsize=\"64\" type=\"%s\" regnum=\"%u\"/>", r.name, r.type, number);
  fputs("</feature><feature name=\"org.heddle.thread\"><struct id=\"dim3\"><field name=\"x\" type=\"uint32\"/>"
        "<field name=\"y\" type=\"uint32\"/><field name=\"z\" type=\"uint32\"/></struct>",
        f);
  for (; target_register(t, number, &r); number++)
    fprintf(f, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" group=\"%s\" regnum=\"%u\"/>", r.name, 8 * r.bytes, r.type,
            r.group, number);
  fputs("</feature></target>", f);
}

static void threads(FILE *f, const struct target *t) {
  char name[80];
  fputs("<?xml version=\"1.0\"?><threads>", f);
  for (unsigned w = 0; w < t->slots; w++)
    for (uint32_t rest = target_lanes(t, w); rest != 0; rest &= rest - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(rest);
      fprintf(f, "<thread id=\"%" PRIx64 "\" name=\"%s\"/>", target_thread(t, w, lane),
              target_name(t, w, lane, name, sizeof name));
    }
  fputs("</threads>", f);
}

static char *write_to_text(const struct target *t, void (*write)(FILE *f, const struct target *t), size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f) return NULL;
  write(f, t);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

char *description_registers(const struct target *t, size_t *size) {
  return write_to_text(t, describe_registers, size);
}

char *description_threads(const struct target *t, size_t *size) {
  return write_to_text(t, threads, size);
}
