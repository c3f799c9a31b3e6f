/* SPDX-License-Identifier: Apache-2.0
 *
 * Byte code of vm.cl: C and OpenCL C. X(NAME, bytes of operand), numbered in this order from 0. Operands follow their
 * opcode, lowest byte first; jumps and calls go to a byte of the same program. The stack is shown as (before - after),
 * its top on the right. */
#ifndef HEDDLE_VM_OPS_H
#define HEDDLE_VM_OPS_H

#define VM_OPS(X)                                                                                                      \
  X(HALT, 0) /* (a -) a is the result */                                                                               \
  X(BYTE, 1) /* (- operand) */                                                                                         \
  X(WORD, 4) /* (- operand) */                                                                                         \
  X(DUP, 0)  /* (a - a a) */                                                                                           \
  X(DROP, 0) /* (a -) */                                                                                               \
  X(SWAP, 0) /* (a b - b a) */                                                                                         \
  X(OVER, 0) /* (a b - a b a) */                                                                                       \
  X(ROT, 0)  /* (a b c - b c a) */                                                                                     \
  X(JUMP, 2)                                                                                                           \
  X(JZ, 2)  /* (a -) jumps if a is zero */                                                                             \
  X(JNZ, 2) /* (a -) */                                                                                                \
  X(CALL, 2)                                                                                                           \
  X(RET, 0)                                                                                                            \
  X(GET, 1)   /* (- register) */                                                                                       \
  X(SET, 1)   /* (a -) */                                                                                              \
  X(LOAD, 0)  /* (address - a) the thread's own words */                                                               \
  X(STORE, 0) /* (a address -) */                                                                                      \
  X(INPUT, 0) /* (i - a) word i of the thread's input */                                                               \
  X(NOT, 0)   /* (a - a) from here on one operand */                                                                   \
  X(NEG, 0)                                                                                                            \
  X(POPC, 0)                                                                                                           \
  X(CLZ, 0)                                                                                                            \
  X(I2F, 0) /* signed */                                                                                               \
  X(F2I, 0) /* towards zero, of values that an int holds */                                                            \
  X(FSQRT, 0)                                                                                                          \
  X(ADD, 0) /* (a b - a) from here on two operands */                                                                  \
  X(SUB, 0)                                                                                                            \
  X(MUL, 0)                                                                                                            \
  X(DIV, 0)  /* unsigned; by zero: all ones */                                                                         \
  X(REM, 0)  /* unsigned; by zero: a */                                                                                \
  X(DIVS, 0) /* signed, towards zero; by zero: all ones */                                                             \
  X(AND, 0)                                                                                                            \
  X(OR, 0)                                                                                                             \
  X(XOR, 0)                                                                                                            \
  X(SHL, 0) /* by b mod 32 */                                                                                          \
  X(SHR, 0)                                                                                                            \
  X(SAR, 0)                                                                                                            \
  X(ROTL, 0)                                                                                                           \
  X(EQ, 0) /* 1 or 0 */                                                                                                \
  X(LT, 0)                                                                                                             \
  X(LTS, 0)                                                                                                            \
  X(MIN, 0)                                                                                                            \
  X(MAX, 0)                                                                                                            \
  X(FADD, 0)                                                                                                           \
  X(FMUL, 0)                                                                                                           \
  X(FDIV, 0)                                                                                                           \
  X(FLT, 0)

#define VM_NUMBER(name, bytes) VM_##name,
enum vm_op { VM_OPS(VM_NUMBER) VM_OPCODES };

#define VM_STACK 24
#define VM_CALLS 16
#define VM_REGISTERS 4
#define VM_WORDS 16
#define VM_INPUTS 8 /* words of input a thread */
#define VM_FUEL 1200

/* How a program ended: low byte of a thread's second word of output, above it the steps. */
enum vm_end { VM_DONE, VM_OVERFLOW, VM_UNDERFLOW, VM_CALL_DEPTH, VM_BAD_OPCODE, VM_NO_FUEL };

#endif
