/* SPDX-License-Identifier: Apache-2.0
 *
 * Words on standard input, 16 bytes each; a line for each: what the generated tables say it is. decoder.py prints the
 * same lines from the ISA file itself.
 */
#include <stdio.h>
#include <string.h>

#include <heddle/isa_tables.h>

static void dump_operand(const struct heddle_isa_dec *d, unsigned k) {
  const struct heddle_isa_src *s = &d->src[k];
  printf(" %c=", "abc"[k]);
  switch (s->kind) {
  case ISA_NONE:
    printf("-");
    return;
  case ISA_IMM:
    printf("imm:0x%x", s->imm);
    break;
  case ISA_CONST:
    printf("const:%u:0x%x", d->cbank, d->coff);
    break;
  default:
    printf("%s:%u", s->kind == ISA_UREG ? "ureg" : "reg", s->reg);
    break;
  }
  printf(":%u:%d:%d:%u", s->words, s->neg, s->abs, s->part);
}

static void destinations(const struct heddle_isa_dec *d) {
  printf(" uniform=%d%d%d%d", d->uniform, d->rd_uniform, d->pd_uniform, d->ps_uniform);
  if (d->has_rd)
    printf(" rd=%u:%u", d->rd, d->rd_words);
  else
    printf(" rd=-");
  printf(d->has_pd0 ? " pd=%u" : " pd=-", d->pd0);
  printf(d->has_pd1 ? ",%u" : ",-", d->pd1);
}

/* Numbers that the encoding owns, in the order in which the ISA file declares them. */
static void dump_numbers(const struct heddle_isa_dec *d) {
  for (unsigned f = 0; f < ISA_F_COUNT; f++) {
    const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
    const bool number = i->kind == ISA_K_SINT || i->kind == ISA_K_REL || i->kind == ISA_K_UINT || i->kind == ISA_K_BREG;
    if (number && heddle_isa_enc_owns((enum heddle_isa_enc)d->enc, (enum heddle_isa_field)f))
      printf(" %s=%lld", i->name, (long long)heddle_isa_value(d->word, (enum heddle_isa_field)f));
  }
}

static void dump_word(struct heddle_isa_word w) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(w, &d)) {
    puts("illegal");
    return;
  }
  printf("%s %s %s guard=%u%s", heddle_isa_instr_info((enum heddle_isa_op)d.op)->name,
         heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->format,
         heddle_isa_unit_name((enum heddle_isa_unit)d.unit), d.guard.index, d.guard.neg ? "!" : "");
  destinations(&d);
  for (unsigned k = 0; k < 3; k++) printf("%s%u%s", k == 0 ? " ps=" : ",", d.ps[k].index, d.ps[k].neg ? "!" : "");
  for (unsigned k = 0; k < 3; k++) dump_operand(&d, k);
  printf(" ctl=%u:%d:%u:%u:%u:%u rtl=%d", d.ctl.stall, d.ctl.yield, d.ctl.wbar, d.ctl.rbar, d.ctl.wait, d.ctl.reuse,
         heddle_isa_in_rtl(&d));
  dump_numbers(&d);
  puts("");
}

int main(void) {
  uint8_t word[ISA_WORD_BYTES];
  while (fread(word, sizeof word, 1, stdin) == 1) dump_word(heddle_isa_word_load(word));
  return ferror(stdin) || fflush(stdout) != 0;
}
