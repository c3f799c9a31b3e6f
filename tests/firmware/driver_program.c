/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_program.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>

#define POINTER(reg0, reg1, name) " MOV " reg0 ", c[0x0][" name "] ;\n MOV " reg1 ", c[0x0][" name "+4] ;\n"

static const char
    text[] =
        ".kernel fill\n.param u64 out\n.param u32 value\n S2R R0, SR_CTAID.X ;\n S2R R1, SR_TID.X ;\n"
        " IMAD R0, R0, c[0x0][0x0], R1 ;\n" POINTER(
            "R2", "R3", "out") " IMAD.WIDE R2, R0, 0x4, R2 ;\n"
                               " IADD3 R0, R0, c[0x0][value], RZ ;\n STG.E [R2], R0 ;\n EXIT ;\n.end\n"
                               ".kernel poke\n.param u64 at\n.param u32 value\n S2R R1, SR_TID.X ;\n ISETP.NE.AND P0, "
                               "PT, R1, RZ, PT ;\n@P0 EXIT ;\n" POINTER(
                                   "R2", "R3",
                                   "at") " MOV R0, c[0x0][value] ;\n STG.E [R2], R0 ;\n EXIT ;\n.end\n"
                                         ".kernel peek\n.param u64 from\n.param u64 to\n" POINTER("R2", "R3", "from") " LDG.E R0, [R2] ;\n" POINTER(
                                             "R4", "R5",
                                             "to") " STG.E [R4], R0 ;\n EXIT ;\n.end\n"
                                                   ".kernel spare\n.param u64 out\n.param u32 offset\n.shared own 64\n "
                                                   "MOV R0, c[0x0][offset] ;\n MOV R1, 0x7 ;\n"
                                                   " STS [R0], R1 ;\n LDS R4, [R0] ;\n" POINTER(
                                                       "R2", "R3",
                                                       "out") " STG.E [R2], R4 ;\n EXIT ;\n.end\n"
                                                              ".kernel sizes\n.param u64 out\n" POINTER(
                                                                  "R2", "R3",
                                                                  "out") " MOV R4, c[0x0][0x0] ;\n STG.E [R2], R4 ;\n"
                                                                         " MOV R5, c[0x0][0x4] ;\n STG.E [R2+0x4], R5 "
                                                                         ";\n MOV R6, c[0x0][0x8] ;\n STG.E [R2+0x8], "
                                                                         "R6 ;\n"
                                                                         " MOV R7, c[0x0][0xc] ;\n STG.E [R2+0xc], R7 "
                                                                         ";\n MOV R8, c[0x0][0x10] ;\n STG.E "
                                                                         "[R2+0x10], R8 ;\n"
                                                                         " MOV R9, c[0x0][0x14] ;\n STG.E [R2+0x14], "
                                                                         "R9 ;\n EXIT ;\n.end\n"
                                                                         ".kernel mixed\n.param u64 out\n.param u8 "
                                                                         "a\n.param u16 b\n.param u32 c\n.param u64 "
                                                                         "d\n" POINTER(
                                                                             "R2", "R3",
                                                                             "out") " LDC.U8 R4, c[0x0][RZ+a] ;\n "
                                                                                    "LDC.U16 R5, c[0x0][RZ+b] ;\n LDC "
                                                                                    "R6, c[0x0][RZ+c] ;\n LDC R8, "
                                                                                    "c[0x0][RZ+d] ;\n"
                                                                                    " LDC R9, c[0x0][RZ+d+4] ;\n STG.E "
                                                                                    "[R2], R4 ;\n STG.E [R2+0x4], R5 "
                                                                                    ";\n STG.E [R2+0x8], R6 ;\n STG.E "
                                                                                    "[R2+0xc], R8 ;\n"
                                                                                    " STG.E [R2+0x10], R9 ;\n EXIT "
                                                                                    ";\n.end\n"
                                                                                    ".kernel local\n.param u64 "
                                                                                    "out\n.local 32\n MOV R0, 0x5 ;\n "
                                                                                    "MOV R1, 0x10 ;\n STL [R1], R0 ;\n "
                                                                                    "LDL R4, [R1] ;\n" POINTER(
                                                                                        "R2", "R3",
                                                                                        "out") " STG.E [R2], R4 ;\n "
                                                                                               "EXIT ;\n.end\n"
                                                                                               ".kernel "
                                                                                               "constant\n.param u64 "
                                                                                               "out\n MOV R4, "
                                                                                               "c[0x3][table+4] "
                                                                                               ";\n" POINTER(
                                                                                                   "R2", "R3",
                                                                                                   "out") " STG.E "
                                                                                                          "[R2], R4 "
                                                                                                          ";\n EXIT "
                                                                                                          ";\n.end\n"
                                                                                                          ".kernel "
                                                                                                          "forever\naga"
                                                                                                          "in:\n S2R "
                                                                                                          "R0, "
                                                                                                          "SR_CLOCKLO "
                                                                                                          ";\n BRA "
                                                                                                          "again "
                                                                                                          ";\n.end\n"
                                                                                                          ".kernel "
                                                                                                          "wide\n MOV "
                                                                                                          "R249, RZ "
                                                                                                          ";\n EXIT "
                                                                                                          ";\n.end\n"
                                                                                                          ".kernel "
                                                                                                          "spin\nround:"
                                                                                                          "\n BRA "
                                                                                                          "round "
                                                                                                          ";\n.end\n"
                                                                                                          ".func "
                                                                                                          "helper\n "
                                                                                                          "EXIT "
                                                                                                          ";\n.end\n"
                                                                                                          ".const "
                                                                                                          "table u32 "
                                                                                                          "1, 0x1234\n";

static const char globals_text[] =
    ".globals 400 24\n.global counter 0 4\n.global where 8 8\n.global there 16 4\n.global room 24 376\n"
    ".initial 0 5\n.initial 8 16\n.initial 16 0x78, 0x56, 0x34, 0x12\n.address 8\n"
    ".kernel count\n.param u64 out\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n MOV R4, 0x1 ;\n"
    " ATOMG.E.ADD.STRONG.GPU R5, [R2], R4 ;\n MOV R2, c[0x0][out] ;\n MOV R3, c[0x0][out+4] ;\n STG.E [R2], R5 ;\n"
    " EXIT ;\n.end\n"
    ".kernel follow\n.param u64 out\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n LDG.E.64 R2, [R2+where] ;\n"
    " LDG.E R5, [R2] ;\n MOV R2, c[0x0][out] ;\n MOV R3, c[0x0][out+4] ;\n STG.E [R2], R5 ;\n EXIT ;\n.end\n"
    ".kernel last\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n STG.E [R2+0x18c], R2 ;\n EXIT ;\n.end\n"
    ".kernel behind\n MOV R2, c[0x0][0x30] ;\n MOV R3, c[0x0][0x34] ;\n STG.E [R2+0x190], R2 ;\n EXIT ;\n.end\n";

static void complain(void *ctx, const struct heddle_message *m) {
  (void)ctx;
  fail_msg("%s:%u:%u: %s", m->file, m->line, m->column, m->text);
}

static struct heddle_program *assembled(const char *source) {
  const struct heddle_asm_options o = {
      .size = sizeof o, .stall = {13, 13, 13, 13}, .message = complain, .long_words = true};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(source, strlen(source), "driver.s", &o, &p), HEDDLE_SUCCESS);
  return p;
}

/* As a file; p is freed. */
static uint8_t *saved(struct heddle_program *p, size_t *bytes) {
  struct heddle_message m;
  char path[] = "/tmp/driver-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  (void)close(fd);
  assert_int_equal(heddle_program_save(p, path, &m), HEDDLE_SUCCESS);
  heddle_program_free(p);
  FILE *f = fopen(path, "rb");
  uint8_t *data = malloc(1 << 16);
  assert_true(f != NULL && data != NULL);
  *bytes = fread(data, 1, 1 << 16, f);
  (void)fclose(f);
  (void)unlink(path);
  return data;
}

uint8_t *driver_program(size_t *bytes) {
  struct heddle_program *p = assembled(text);
  for (uint32_t k = 0; k < p->kernels; k++)
    if (!p->kernel[k].is_function) p->kernel[k].regs = strcmp(p->kernel[k].name, "wide") == 0 ? 250 : 10;
  return saved(p, bytes);
}

uint8_t *driver_globals_program(size_t *bytes) {
  return saved(assembled(globals_text), bytes);
}
