/* SPDX-License-Identifier: Apache-2.0
 * What a cat file may name without defining it. */
#include "lab/verify/litmus/src/cat.h"

const char *cat_set_name(enum cat_set s) {
  static const char *const name[CAT_SETS] = {[CAT_ALL] = "_",   [CAT_R] = "R",
                                             [CAT_W] = "W",     [CAT_M] = "M",
                                             [CAT_F] = "F",     [CAT_B] = "B",
                                             [CAT_ARV] = "ARV", [CAT_IW] = "IW",
                                             [CAT_RMW] = "RMW", [CAT_WEAK] = "WEAK",
                                             [CAT_RLX] = "RLX", [CAT_ACQ] = "ACQ",
                                             [CAT_REL] = "REL", [CAT_ACQ_REL] = "ACQ_REL",
                                             [CAT_SC] = "SC",   [CAT_CTA] = "CTA",
                                             [CAT_GPU] = "GPU"};
  return name[s];
}

const char *cat_relation_name(enum cat_relation r) {
  static const char *const name[CAT_RELATIONS] = {[CAT_ID] = "id",           [CAT_PO] = "po",
                                                  [CAT_LOC] = "loc",         [CAT_DEP] = "dep",
                                                  [CAT_SAME_CTA] = "cta",    [CAT_LAUNCH] = "launch",
                                                  [CAT_SYNCBAR] = "syncbar", [CAT_RF] = "rf",
                                                  [CAT_CO] = "co",           [CAT_ORDER_SC] = "order-sc"};
  return name[r];
}
