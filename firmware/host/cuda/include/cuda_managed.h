/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables that are __managed__ are in a section of their own, and this gives the runtime its address: before
 * clang's registrations, and once a file. Only for host code of files with kernels. */
#ifndef HEDDLE_CUDA_MANAGED_H
#define HEDDLE_CUDA_MANAGED_H

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the first two are the linker's; without such a variable there are none
extern const char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
void __cudaRegisterManaged(const void *from, const void *to);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {
struct heddle_managed {
  heddle_managed() { __cudaRegisterManaged(__start_heddle_managed, __stop_heddle_managed); }
};
const heddle_managed heddle_managed_here __attribute__((init_priority(101), unused));
} // namespace

#endif
