/* SPDX-License-Identifier: Apache-2.0
 * The first program of somebody who has Heddle installed: assemble, run on the model, look. */
#include <heddle/asm.h>
#include <heddle/model.h>
#include <stdio.h>
#include <string.h>

static const char text[] = ".kernel answer\n S2R R0, SR_TID.X ;\n MOV R2, 0x1000 ;\n MOV R3, 0x0 ;\n"
                           " IMAD.WIDE R2, R0, 0x4, R2 ;\n IMAD R4, R0, 0x6, RZ ;\n STG.E [R2], R4 ;\n EXIT ;\n.end\n";

int main(void) {
  const struct heddle_asm_options o = {.size = sizeof o, .ctx = NULL};
  struct heddle_program *p;
  if (heddle_assemble(text, strlen(text), "answer.s", &o, &p) != HEDDLE_SUCCESS) return 2;
  struct heddle_model *m = heddle_model_new(&(struct heddle_model_config){
      .size = sizeof(struct heddle_model_config), .base = 0x1000, .bytes = 4096, .warp_slots = 1, .block_slots = 1});
  if (m == NULL) return 2;
  struct heddle_launch l = {
      .size = sizeof l, .grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = p->kernel->regs, .units = ~0u};
  l.code = p->code, l.code_bytes = p->code_bytes;
  l.region[0] = (struct heddle_region){0x1000, 0x2000, true}, l.regions = 1;
  if (heddle_model_launch(m, &l) != HEDDLE_SUCCESS || heddle_model_run(m, 0, NULL) != HEDDLE_SUCCESS) return 3;
  uint32_t seventh;
  memcpy(&seventh, heddle_model_memory(m) + 7 * sizeof seventh, sizeof seventh);
  printf("%u\n", seventh);
  heddle_model_free(m);
  heddle_program_free(p);
  return seventh == 42 ? 0 : 1;
}
