/* SPDX-License-Identifier: Apache-2.0 */
#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum hazard_file file_of(const char *place) {
  return place[0] == 'U' ? FILE_UNIFORM : place[0] == 'P' ? FILE_P : FILE_R;
}

static bool covers(const struct heddle_isa_src *s, unsigned reg) {
  return (s->kind == ISA_REG || s->kind == ISA_UREG) && s->reg != ISA_RZ && reg >= s->reg &&
         reg < (unsigned)s->reg + s->words;
}

static enum hazard_use register_use(const struct heddle_isa_dec *d, unsigned reg) {
  const bool memory = d->unit == ISA_UNIT_MEM;
  if (covers(&d->src[0], reg)) return memory ? USE_ADDRESS : d->unit == ISA_UNIT_BR ? USE_TARGET : USE_OPERAND;
  return memory && (covers(&d->src[1], reg) || covers(&d->src[2], reg)) ? USE_DATA : USE_OPERAND;
}

static enum hazard_use use_of(const struct heddle_isa_dec *d, const struct heddle_lint_finding *f) {
  const char *digits = f->place + strspn(f->place, "URP");
  const unsigned n = (unsigned)strtoul(digits, NULL, 10);
  const bool predicate = digits > f->place && digits[-1] == 'P', uniform = f->place[0] == 'U';
  if (f->kind == HEDDLE_LINT_WRITE) return USE_WRITE;
  if (f->kind == HEDDLE_LINT_LEAVE) return USE_LEAVE;
  if (!predicate) return register_use(d, n);
  return d->guard.index == n && d->uniform == uniform ? USE_GUARD : USE_PREDICATE;
}

unsigned class_of(const struct heddle_program *p, const struct heddle_lint_finding *f) {
  struct heddle_isa_dec maker, user;
  if (f->kind == HEDDLE_LINT_DEPBAR) return CLASS_DEPBAR;
  if (f->producer == HEDDLE_LINT_NOWHERE || !heddle_isa_decode(heddle_program_word(p, f->producer), &maker))
    return CLASSES;
  if (!heddle_isa_decode(heddle_program_word(p, f->pc), &user)) return CLASSES;
  return ((unsigned)maker.unit * FILES + file_of(f->place)) * USES + use_of(&user, f);
}

bool class_out_of_reach(unsigned class) {
  const unsigned use = class % USES;
  const enum heddle_isa_unit maker = (enum heddle_isa_unit)(class / USES / FILES);
  if (class >= CLASS_DEPBAR || heddle_isa_unit_is_variable(maker)) return false;
  return use == USE_WRITE || use == USE_LEAVE || (maker == ISA_UNIT_CVT && (use == USE_ADDRESS || use == USE_DATA));
}

void class_name(unsigned class, char *buf, size_t size) {
  static const char *const file[FILES] = {"register", "predicate", "uniform"};
  static const char *const use[USES] = {"operand", "address",   "stored data", "branch target",
                                        "guard",   "predicate", "overwritten", "left behind"};
  if (class == CLASS_DEPBAR)
    snprintf(buf, size, "DEPBAR out of order");
  else
    snprintf(buf, size, "%s %s: %s", heddle_isa_unit_name((enum heddle_isa_unit)(class / USES / FILES)),
             file[class / USES % FILES], use[class % USES]);
}

bool poison_is(enum heddle_checker_kind k) {
  return k == HEDDLE_CHECKER_POISON_RAW || k == HEDDLE_CHECKER_POISON_WAR || k == HEDDLE_CHECKER_POISON_WAW ||
         k == HEDDLE_CHECKER_POISON_PRED_RAW || k == HEDDLE_CHECKER_POISON_PRED_WAW;
}

bool poison_foretold(const struct heddle_lint_finding *f, const struct heddle_checker_difference *d, bool exactly) {
  const bool write = d->kind == HEDDLE_CHECKER_POISON_WAW || d->kind == HEDDLE_CHECKER_POISON_PRED_WAW;
  if (strcmp(f->place, d->subject) != 0) return false;
  if (f->kind == HEDDLE_LINT_LEAVE) return true; /* wherever the branch led */
  return !exactly || (f->pc == d->pc && (f->kind == HEDDLE_LINT_WRITE) == write);
}
