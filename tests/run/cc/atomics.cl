// SPDX-License-Identifier: Apache-2.0
// Atomics of OpenCL C 2.0 and 3.0: out[k] is 64 for each that all 64 work items of a group find as
// written.
#if !defined(__opencl_c_atomic_order_acq_rel) || !defined(__opencl_c_atomic_order_seq_cst) || \
    !defined(__opencl_c_atomic_scope_device) || defined(__opencl_c_work_group_collective_functions) || \
    defined(__opencl_c_pipes) || defined(__opencl_c_images) || defined(__opencl_c_atomic_scope_all_devices)
#error features
#endif
#define N 64
#define GROUP memory_scope_work_group
#define BOTH CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
/* One of T for all 64: i is a work item's number, and what was there is another number for each of them. */
#define SUMS(T, AT, SPACE)                                                                                             \
  do {                                                                                                                 \
    volatile SPACE atomic_##T *at = (volatile SPACE atomic_##T *)(AT);                                                 \
    if (i == 0) atomic_init(at, 5);                                                                                    \
    barrier(BOTH);                                                                                                     \
    const T was = atomic_fetch_add_explicit(at, (T)1, memory_order_relaxed, GROUP);                                    \
    seen[i] = 0;                                                                                                       \
    barrier(BOTH);                                                                                                     \
    seen[was - 5] = 1;                                                                                                 \
    barrier(BOTH);                                                                                                     \
    IS(seen[i] == 1 && atomic_load(at) == 5 + N);                                                                      \
    barrier(BOTH);                                                                                                     \
    atomic_fetch_sub(at, (T)2);                                                                                        \
    barrier(BOTH);                                                                                                     \
    IS(atomic_load_explicit(at, memory_order_acquire) == (T)(5 - N));                                                  \
    barrier(BOTH);                                                                                                     \
    atomic_store_explicit(at, (T)0, memory_order_release);                                                             \
    barrier(BOTH);                                                                                                     \
    atomic_fetch_or_explicit(at, (T)1 << i % 31, memory_order_acq_rel);                                                \
    barrier(BOTH);                                                                                                     \
    IS(atomic_load_explicit(at, memory_order_seq_cst, GROUP) == 0x7fffffff);                                           \
    barrier(BOTH);                                                                                                     \
    atomic_fetch_and(at, (T)~((T)1 << i % 16));                                                                        \
    atomic_fetch_xor_explicit(at, (T)1 << 20, memory_order_seq_cst);                                                   \
    barrier(BOTH);                                                                                                     \
    IS(atomic_load(at) == 0x7fff0000);                                                                                 \
    barrier(BOTH);                                                                                                     \
    if (i == 0) atomic_store(at, (T)-3);                                                                               \
    barrier(BOTH);                                                                                                     \
    atomic_fetch_min(at, (T)(40 + i));                                                                                 \
    barrier(BOTH);                                                                                                     \
    IS(atomic_load(at) == ((T)-1 < (T)0 ? (T)-3 : (T)40));                                                             \
    barrier(BOTH);                                                                                                     \
    atomic_fetch_max_explicit(at, (T)(50 + i), memory_order_relaxed, memory_scope_device);                             \
    barrier(BOTH);                                                                                                     \
    IS(atomic_load(at) == 50 + N - 1);                                                                                 \
    barrier(BOTH);                                                                                                     \
  } while (0)
/* One of T is exchanged in a row: whoever has k puts k + 1. */
#define SWAPS(T, AT, SPACE)                                                                                            \
  do {                                                                                                                 \
    volatile SPACE atomic_##T *at = (volatile SPACE atomic_##T *)(AT);                                                 \
    if (i == 0) atomic_store(at, (T)1);                                                                                \
    barrier(BOTH);                                                                                                     \
    T want = 7;                                                                                                        \
    IS(!atomic_compare_exchange_strong(at, &want, (T)9) && want == 1);                                                 \
    barrier(BOTH);                                                                                                     \
    while (!atomic_compare_exchange_weak_explicit(at, &want, want + 1, memory_order_acq_rel, memory_order_relaxed)) {  \
    }                                                                                                                  \
    seen[i] = 0;                                                                                                       \
    barrier(BOTH);                                                                                                     \
    seen[(int)want - 1] = 1;                                                                                           \
    barrier(BOTH);                                                                                                     \
    IS(seen[i] == 1 && atomic_load_explicit(at, memory_order_relaxed) == 1 + N);                                       \
    barrier(BOTH);                                                                                                     \
    IS(i != 0 || (atomic_exchange_explicit(at, (T)2, memory_order_acquire, GROUP) == 1 + N &&                          \
                  atomic_exchange(at, (T)3) == 2));                                                                    \
    barrier(BOTH);                                                                                                     \
  } while (0)
#define IS(CONDITION)                                                                                                  \
  do {                                                                                                                 \
    if (CONDITION) atomic_inc(&out[k]);                                                                                \
    k++;                                                                                                               \
  } while (0)

kernel void atomics(global int *out, global ulong *words) {
  local int seen[N];
  local ulong room;
  local atomic_flag lock;
  local int sum;
  const int i = get_local_id(0);
  int k = 0;
  SUMS(int, words, global);
  SUMS(uint, words, global);
  SUMS(long, words, global);
  SUMS(ulong, words, global);
  SUMS(int, &room, local);
  SUMS(ulong, &room, local);
  SWAPS(int, words, global);
  SWAPS(uint, &room, local);
  SWAPS(long, words, global);
  SWAPS(float, words, global);
#if __OPENCL_C_VERSION__ == 200
  SUMS(int, words, generic);
  SWAPS(ulong, i < N ? (generic ulong *)&room : (generic ulong *)words, generic);
#endif
  if (i == 0) atomic_flag_clear(&lock), sum = 0;
  barrier(BOTH);
  for (bool mine = i % 32 != 0; !mine;) {
    mine = !atomic_flag_test_and_set_explicit(&lock, memory_order_acquire, GROUP);
    if (mine) sum += i, atomic_flag_clear_explicit(&lock, memory_order_release, GROUP);
  }
  barrier(BOTH);
  IS(sum == 32);
}

/* Of two groups the first tells the second by a flag. */
kernel void tell(global int *out, global atomic_int *flag, global int *told) {
  if (get_group_id(0) == 0) {
    told[get_local_id(0)] = 1 + get_local_id(0);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_fetch_add_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
  } else {
    while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) < 32) {
    }
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    out[get_local_id(0)] = told[get_local_id(0) ^ 1];
  }
}
