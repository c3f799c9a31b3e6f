// SPDX-License-Identifier: Apache-2.0
// Matrix instructions as isa/doc/10-matrices.md has them: shapes, registers of elements,
// elements of D. Written for clearness, one dot product at a time; nothing here follows
// the hardware.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <heddle/isa_gen.h>
extern "C" {
#include <heddle/isa.h>
}

enum class Element { F16, BF16, TF32, E4M3, E5M2, S8, U8, F64 };
enum class Sum { F32, F16, INT32, FP64, FP8 }; // what C and D are, and how they are added (FP8: F32 in two halves)

struct Instruction {
  const char *name;
  heddle_isa_op op;
  unsigned m, n, k;
  Element a, b;
  Sum sum;
  bool sat = false;
  heddle_isa_word word() const; // its modifiers
};

// All forms: formats, signs, saturation.
const std::vector<Instruction> &instructions();
const Instruction &find(const char *name);

unsigned bits_of(Element e);
unsigned bits_of(Sum s);

// Row by row; B too.
struct Tile {
  std::vector<uint64_t> a, b, c;
};

using Registers = std::array<std::array<uint32_t, 32>, 4>; // [register][lane]
struct Operands {
  Registers a, b, c;
};
// Registers that the instruction does not have keep what they hold.
void place(const Instruction &i, const Tile &t, Operands *out);
unsigned result_words(const Instruction &i);
// The word of a lane and register, from D row by row.
uint32_t result_word(const Instruction &i, const std::vector<uint64_t> &d, unsigned lane, unsigned reg);

// One element: a and b have k elements.
uint64_t dot(const Instruction &i, const uint64_t *a, const uint64_t *b, uint64_t c);
std::vector<uint64_t> product(const Instruction &i, const Tile &t);
