// SPDX-License-Identifier: Apache-2.0
// Vectors for the ALU pipe, one function an operation: its operands, and the result of a formula in plain arithmetic.
#pragma once
#include "tests/rtl/execute/bench.h"

// m draws modes, which stay the same for some vectors, r the rest; v is a random vector of integers.
using AluCase = void(Bench &bench, Random &m, Random &r, const Vector &v);
// Integers, logic, moves, predicates.
AluCase mov, sel, iadd3, lop3, shf, lea, imnmx, isetp, isetp_ex, iabs, vabsdiff, prmt, sgxt, bmsk, popc_brev, flo,
    plop3, p2r_r2p;
// Numbers.
AluCase fsel, fchk, fmnmx, fsetp;

void float_edges(Bench &bench); // edge values crossed, every comparison

Vector random_vector(Random &r);
// Both predicates of a comparison, joined with ps0.
Expected compared(bool holds, unsigned boolean, bool ps0);
