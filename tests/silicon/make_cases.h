/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of silicon outside of ops/ as folders for `heddle cases`: a case a form or instruction, many rows in one
 * launch. README.md says what each holds.
 */
#ifndef HEDDLE_SILICON_MAKE_CASES_H
#define HEDDLE_SILICON_MAKE_CASES_H

/* Make DIR/nan, DIR/mma of the files in SILICON. */
void make_nan_cases(const char *silicon, const char *dir);
void make_mma_cases(const char *silicon, const char *dir);
void make_table_cases(const char *silicon, const char *dir); /* DIR/halves, DIR/fp8 */

#endif
