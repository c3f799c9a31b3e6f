/* SPDX-License-Identifier: Apache-2.0
 * Barriers in shared memory that are arrived at and waited for apart: one instruction each, but for the wait. */
#ifndef HEDDLE_CUDA_AWBARRIER_PRIMITIVES_H
#define HEDDLE_CUDA_AWBARRIER_PRIMITIVES_H

typedef unsigned long long __mbarrier_t, __mbarrier_token_t;

#define __HEDDLE_MB static __device__ inline __attribute__((always_inline, unused, nodebug))
__HEDDLE_MB unsigned __heddle_shared(const void *at) {
  unsigned long long address;
  __asm__("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(at));
  return (unsigned)address;
}
__HEDDLE_MB unsigned __mbarrier_maximum_count() {
  return 0xfffff;
}
__HEDDLE_MB void __mbarrier_init(__mbarrier_t *b, unsigned count) {
  __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__heddle_shared(b)), "r"(count) : "memory");
}
__HEDDLE_MB void __mbarrier_inval(__mbarrier_t *b) {
  __asm__ volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__heddle_shared(b)) : "memory");
}
#define __HEDDLE_ARRIVE(NAME, OPERATION)                                                                               \
  __HEDDLE_MB __mbarrier_token_t NAME(__mbarrier_t *b, unsigned n = 1) {                                               \
    __mbarrier_token_t token;                                                                                          \
    __asm__ volatile("mbarrier." OPERATION ".shared.b64 %0, [%1], %2;"                                                 \
                     : "=l"(token)                                                                                     \
                     : "r"(__heddle_shared(b)), "r"(n)                                                                 \
                     : "memory");                                                                                      \
    return token;                                                                                                      \
  }
__HEDDLE_ARRIVE(__mbarrier_arrive, "arrive")
__HEDDLE_ARRIVE(__mbarrier_arrive_and_drop, "arrive_drop")
#define __HEDDLE_TEST(NAME, OPERATION, KIND, TYPE)                                                                     \
  __HEDDLE_MB bool NAME(__mbarrier_t *b, TYPE of) {                                                                    \
    unsigned done;                                                                                                     \
    __asm__ volatile("{ .reg .pred p; mbarrier." OPERATION ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"          \
                     : "=r"(done)                                                                                      \
                     : "r"(__heddle_shared(b)), KIND(of)                                                               \
                     : "memory");                                                                                      \
    return done != 0;                                                                                                  \
  }
__HEDDLE_TEST(__mbarrier_test_wait, "test_wait", "l", __mbarrier_token_t)
__HEDDLE_TEST(__mbarrier_test_wait_parity, "test_wait.parity", "r", bool)
__HEDDLE_TEST(__mbarrier_try_wait, "try_wait", "l", __mbarrier_token_t)
__HEDDLE_TEST(__mbarrier_try_wait_parity, "try_wait.parity", "r", bool)
__HEDDLE_MB unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned n;
  __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
  return n;
}

#endif
