/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid on the model with every asynchronous copy done as late as the program's own waits allow: who reads before it
 * has waited is found out. */
#ifndef LATE_COPIES_H
#define LATE_COPIES_H

#include <heddle/model.h>

/* Of one dimension, launched. `copies` counts what was put off. */
enum heddle_status late_run(struct heddle_model *m, const struct heddle_launch *l, unsigned *copies);

#endif
