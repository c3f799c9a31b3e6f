/* SPDX-License-Identifier: Apache-2.0
 * simd_count: how often each instruction of a function was executed. */
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "lab/study/simd/count/listing.h"
#include "lab/study/simd/count/remote.h"

static const char usage[] =
    "usage: simd_count range ELF FUNCTION\n"
    "       simd_count log ELF FUNCTION LISTING CLASSES <LOG\n"
    "       simd_count lanes ELF FUNCTION LISTING CLASSES SOCKET\n\n"
    "Counts the instructions of one function, once it is called, and prints them as JSON.\n\n"
    "  range  the function's place in memory, as QEMU's -dfilter takes it\n"
    "  log    from what qemu-ARCH -singlestep -d exec,nochain -dfilter RANGE logs\n"
    "  lanes  by stepping a RISC-V program that qemu-riscv64 -g SOCKET holds; of vector instructions also the\n"
    "         elements that they work on, from vl, vtype and v0\n\n"
    "LISTING is what llvm-objdump -d prints, CLASSES a file of lab/study/simd/classes.\n\n"
    "example: simd_count log a.elf daxpy a.lst lab/study/simd/classes/x86.txt <a.log\n\n"
    "exit status: 0 ok, 2 usage or bad input\n";

static int report_count_error(const char *why) {
  fprintf(stderr, "simd_count: error: %s\n", why);
  return 2;
}

static bool read_listing(struct simd_listing *l, char **argv, char err[SIMD_ERROR]) {
  if (!simd_symbol(l, argv[2], argv[3], err)) return false;
  FILE *f = fopen(argv[4], "r");
  if (!f) {
    (void)snprintf(err, SIMD_ERROR, "%s: cannot be read", argv[4]);
    return false;
  }
  const bool ok = simd_listing_read(l, f, err) && simd_classify(l, argv[5], err);
  (void)fclose(f);
  return ok;
}

static bool count_lanes(struct simd_listing *l, const char *socket, char err[SIMD_ERROR]) {
  struct simd_remote *r = malloc(sizeof *r);
  if (!r) {
    (void)snprintf(err, SIMD_ERROR, "out of memory");
    return false;
  }
  const bool ok = simd_remote_open(r, socket) && simd_lanes(l, r);
  memcpy(err, r->error, SIMD_ERROR);
  simd_remote_close(r);
  free(r);
  return ok;
}

static int print_range(char **argv) {
  struct simd_listing l = {0};
  char err[SIMD_ERROR];
  if (!simd_symbol(&l, argv[2], argv[3], err)) return report_count_error(err);
  printf("0x%llx+0x%llx\n", (unsigned long long)l.start, (unsigned long long)l.bytes);
  return 0;
}

static int count_function(char **argv, bool steps) {
  struct simd_listing l = {0};
  char err[SIMD_ERROR] = "";
  int status = 0;
  if (!read_listing(&l, argv, err) || !(steps ? count_lanes(&l, argv[6], err) : simd_execlog_read(&l, stdin, err))) {
    status = report_count_error(err);
  } else {
    simd_tally_packed(&l);
    json_t *j = simd_tally_json(&l);
    if (!j || json_dumpf(j, stdout, JSON_INDENT(1) | JSON_SORT_KEYS) != 0 || putchar('\n') == EOF ||
        fflush(stdout) != 0)
      status = report_count_error("the counts cannot be written");
    json_decref(j);
  }
  simd_listing_free(&l);
  xmlCleanupParser();
  return status;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(usage, stdout) == EOF;
  if (argc == 4 && strcmp(argv[1], "range") == 0) return print_range(argv);
  if (argc == 6 && strcmp(argv[1], "log") == 0) return count_function(argv, false);
  if (argc == 7 && strcmp(argv[1], "lanes") == 0) return count_function(argv, true);
  fputs(usage, stderr);
  return 2;
}
