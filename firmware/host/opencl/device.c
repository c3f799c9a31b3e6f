/* SPDX-License-Identifier: Apache-2.0
 *
 * Which devices there are: boards by their names; what each says of itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include "firmware/host/opencl/internal.h"

static struct _cl_device_id all[OCL_DEVICES_MAX];
static unsigned count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add_device(void *ctx, const char *name) {
  (void)ctx;
  if (count == OCL_DEVICES_MAX || strncmp(name, "systemc:", 8) == 0) return;
  for (unsigned i = 0; i < count; i++)
    if (strcmp(all[i].name, name) == 0) return;
  struct _cl_device_id *d = &all[count];
  if (!(d->name = strdup(name))) return;
  d->dispatch = &ocl_dispatch;
  (void)pthread_mutex_init(&d->lock, NULL);
  count++;
}

/* The one that HEDDLE_BOARD names; without it all that can be opened here, the model first. */
static void list_devices(void) {
  const char *board = getenv("HEDDLE_BOARD");
  if (board && *board) {
    add_device(NULL, board);
  } else {
    add_device(NULL, "model");
    heddle_sim_names(NULL, add_device, NULL);
  }
}

unsigned ocl_devices(void) {
  (void)pthread_once(&once, list_devices);
  return count;
}

cl_device_id ocl_device(unsigned i) {
  return i < ocl_devices() ? &all[i] : NULL;
}

bool ocl_is_device(const void *handle) {
  for (unsigned i = 0; i < ocl_devices(); i++)
    if (handle == &all[i]) return true;
  return false;
}

/* Of a board that is simulated its configuration says all. */
static bool known_by_name(cl_device_id d) {
  static const char *const kinds[] = {"model:", "rtl:", "systemc:", "lockstep:"};
  d->machine.size = sizeof d->machine;
  if (strcmp(d->name, "model") == 0) {
    heddle_machine_whole(&d->machine);
    return true;
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t n = strlen(kinds[i]);
    char name[128];
    if (strncmp(d->name, kinds[i], n) != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(d->name + n, "@"), d->name + n);
    return heddle_machine_find(name, &d->machine);
  }
  return false;
}

bool ocl_know(cl_device_id d) {
  ocl_enter();
  if (!d->known && known_by_name(d)) {
    d->memory_bytes = heddle_sim_memory(d->name);
    d->known = true;
  }
  const bool known = d->known;
  ocl_unlock();
  if (known) return true;
  if (ocl_board_enter(d) == CL_SUCCESS) ocl_board_leave(d);
  return d->known;
}

bool ocl_is_full(const struct _cl_device_id *d) {
  return d->machine.shared_bytes >= 32768;
}

bool ocl_has_fp64(const struct _cl_device_id *d) {
  return (d->machine.units >> ISA_UNIT_FP64 & 1u) != 0;
}

size_t ocl_max_threads(const struct _cl_device_id *d) {
  const size_t threads = (size_t)d->machine.warps * OCL_WARP;
  return threads < HEDDLE_BLOCK_THREADS_MAX ? threads : HEDDLE_BLOCK_THREADS_MAX;
}

cl_ulong ocl_max_alloc(const struct _cl_device_id *d) {
  return d->memory_bytes / 2;
}

/* ---- public */

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id *devices,
                      cl_uint *number) {
  const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (platform && platform != &ocl_platform) return CL_INVALID_PLATFORM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known))) return CL_INVALID_DEVICE_TYPE;
  if ((devices && entries == 0) || (!devices && !number)) return CL_INVALID_VALUE;
  cl_uint n = 0;
  if (type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_GPU))
    n = ocl_devices();
  else if (type & CL_DEVICE_TYPE_DEFAULT)
    n = ocl_devices() > 0;
  if (number) *number = n;
  if (n == 0) return CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; devices && i < entries && i < n; i++) devices[i] = ocl_device(i);
  return CL_SUCCESS;
}

/* Root devices are not counted. */
cl_int clRetainDevice(cl_device_id device) {
  return ocl_is_device(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device) {
  return clRetainDevice(device);
}

cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties, cl_uint n,
                          cl_device_id *out, cl_uint *number) {
  (void)properties, (void)n, (void)out, (void)number;
  return ocl_is_device(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; /* no way of partition is supported */
}

/* ---- what a device says of itself. Images, SVM, pipes, sub-groups and an own compiler of SPIR-V it has not */

enum {
  KIB = 1024,
  PRINTF_BYTES = 1 << 20,
  ALIGN_BITS = 1024,
  PARAMETER_BYTES = 1024,
  CLOCK_MHZ = 1000,
  VENDOR = 0x4845
};

#define V1_0 CL_MAKE_VERSION(1, 0, 0)

/* A row a line. */
static const struct extension {
  cl_name_version v;
  bool fp64;
} extensions[] = {
    {{V1_0, "cl_khr_byte_addressable_store"}, false},
    {{V1_0, "cl_khr_global_int32_base_atomics"}, false},
    {{V1_0, "cl_khr_global_int32_extended_atomics"}, false},
    {{V1_0, "cl_khr_local_int32_base_atomics"}, false},
    {{V1_0, "cl_khr_local_int32_extended_atomics"}, false},
    {{V1_0, "cl_khr_int64_base_atomics"}, false},
    {{V1_0, "cl_khr_int64_extended_atomics"}, false},
    {{V1_0, "cl_khr_icd"}, false},
    {{V1_0, "cl_khr_fp64"}, true},
    {{V1_0, "cles_khr_int64"}, false},
};
enum { EXTENSIONS = sizeof extensions / sizeof *extensions };

static bool has_extension(const struct _cl_device_id *d, const struct extension *e) {
  if (strcmp(e->v.name, "cles_khr_int64") == 0) return !ocl_is_full(d);
  return !e->fp64 || ocl_has_fp64(d);
}

static cl_int answer_extensions(const struct _cl_device_id *d, bool with_version, const struct ocl_answer *a) {
  cl_name_version list[EXTENSIONS];
  char text[KIB] = "";
  size_t n = 0;
  for (unsigned i = 0; i < EXTENSIONS; i++) {
    if (!has_extension(d, &extensions[i])) continue;
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s", n > 0 ? " " : "", extensions[i].v.name);
    list[n++] = extensions[i].v;
  }
  return with_version ? ocl_answer(a, list, n * sizeof *list) : ocl_answer_text(a, text);
}

static cl_int answer_languages(const struct ocl_answer *a) {
  static const cl_name_version all[] = {{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
                                        {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
                                        {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
                                        {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}};
  return ocl_answer(a, all, sizeof all);
}

static cl_int answer_features(const struct _cl_device_id *d, const struct ocl_answer *a) {
  static const cl_name_version all[] = {{CL_MAKE_VERSION(3, 0, 0), "__opencl_c_int64"},
                                        {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_order_acq_rel"},
                                        {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_order_seq_cst"},
                                        {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_scope_device"},
                                        {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_fp64"}};
  return ocl_answer(a, all, sizeof all - (ocl_has_fp64(d) ? 0 : sizeof *all));
}

static cl_int answer_lists(const struct _cl_device_id *d, cl_device_info what, const struct ocl_answer *a) {
  const size_t most = ocl_max_threads(d),
               items[3] = {most, most, most < HEDDLE_BLOCK_Z_MAX ? most : HEDDLE_BLOCK_Z_MAX};
  const cl_device_partition_property none = 0;
  switch (what) {
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return ocl_answer(a, items, sizeof items);
  case CL_DEVICE_EXTENSIONS:
    return answer_extensions(d, false, a);
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return answer_extensions(d, true, a);
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    return answer_languages(a);
  case CL_DEVICE_OPENCL_C_FEATURES:
    return answer_features(d, a);
  case CL_DEVICE_ILS_WITH_VERSION:
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    return ocl_answer(a, NULL, 0);
  case CL_DEVICE_PARTITION_PROPERTIES:
    return ocl_answer(a, &none, sizeof none);
  case CL_DEVICE_PARTITION_TYPE:
    return ocl_answer(a, NULL, 0);
  case CL_DEVICE_PLATFORM:
    return ocl_answer_pointer(a, &ocl_platform);
  case CL_DEVICE_PARENT_DEVICE:
    return ocl_answer_pointer(a, NULL);
  default:
    return CL_INVALID_VALUE;
  }
}

static const char *text_of_device(const struct _cl_device_id *d, cl_device_info what) {
  switch (what) {
  case CL_DEVICE_NAME:
    return d->name;
  case CL_DEVICE_VENDOR:
    return "Heddle";
  case CL_DRIVER_VERSION:
    return HEDDLE_RELEASE;
  case CL_DEVICE_PROFILE:
    return ocl_is_full(d) ? "FULL_PROFILE" : "EMBEDDED_PROFILE";
  case CL_DEVICE_VERSION:
    return "OpenCL 3.0 Heddle";
  case CL_DEVICE_OPENCL_C_VERSION:
    return "OpenCL C 1.2 Heddle";
  case CL_DEVICE_IL_VERSION:
  case CL_DEVICE_BUILT_IN_KERNELS:
    return "";
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
    return "v0000-01-01-00"; /* none */
  default:
    return NULL;
  }
}

/* Those of type cl_uint and cl_bool. */
static const struct uint_row {
  cl_device_info what;
  cl_uint value;
} uints[] = {
    {CL_DEVICE_VENDOR_ID, VENDOR},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, CLOCK_MHZ},
    {CL_DEVICE_ADDRESS_BITS, 64},
    {CL_DEVICE_IMAGE_SUPPORT, CL_FALSE},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, 0},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 0},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 0},
    {CL_DEVICE_MAX_SAMPLERS, 0},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 0},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 0},
    {CL_DEVICE_MAX_PIPE_ARGS, 0},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 0},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 0},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, ALIGN_BITS},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, ALIGN_BITS / 8},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_NONE},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 0},
    {CL_DEVICE_MAX_CONSTANT_ARGS, 8},
    {CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE},
    {CL_DEVICE_ENDIAN_LITTLE, CL_TRUE},
    {CL_DEVICE_AVAILABLE, CL_TRUE},
    {CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE},
    {CL_DEVICE_LINKER_AVAILABLE, CL_TRUE},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 0},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 0},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, 0},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, 0},
    {CL_DEVICE_REFERENCE_COUNT, 1},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, 0},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_FALSE},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_FALSE},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_FALSE},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_FALSE},
    {CL_DEVICE_PIPE_SUPPORT, CL_FALSE},
    {CL_DEVICE_NUMERIC_VERSION, CL_MAKE_VERSION(3, 0, 0)},
};

/* False: it is none of these. */
static bool uint_of(const struct _cl_device_id *d, cl_device_info what, cl_uint *v) {
  const cl_uint fp64 = ocl_has_fp64(d);
  const struct uint_row own[] = {
      {CL_DEVICE_MAX_COMPUTE_UNITS, d->machine.sms > 0 ? d->machine.sms : 1},
      {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, fp64},
      {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, fp64},
  };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i].what == what) return *v = own[i].value, true;
  for (size_t i = 0; i < sizeof uints / sizeof *uints; i++)
    if (uints[i].what == what) return *v = uints[i].value, true;
  return false;
}

static bool size_of_device(const struct _cl_device_id *d, cl_device_info what, size_t *v) {
  const struct {
    cl_device_info what;
    size_t value;
  } all[] = {
      {CL_DEVICE_MAX_WORK_GROUP_SIZE, ocl_max_threads(d)},
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, 0},
      {CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, 0},
      {CL_DEVICE_IMAGE3D_MAX_HEIGHT, 0},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, 0},
      {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 0},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 0},
      {CL_DEVICE_MAX_PARAMETER_SIZE, PARAMETER_BYTES},
      {CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1},
      {CL_DEVICE_PRINTF_BUFFER_SIZE, PRINTF_BYTES},
      {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 0},
      {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 0},
      {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, OCL_WARP},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].what == what) return *v = all[i].value, true;
  return false;
}

static bool ulong_of(const struct _cl_device_id *d, cl_device_info what, cl_ulong *v) {
  const cl_ulong fp32 = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA |
                        CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
                 fp64 = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN |
                        CL_FP_DENORM,
                 atomics = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                           CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                           CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  const struct {
    cl_device_info what;
    cl_ulong value;
  } all[] = {
      {CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU},
      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, ocl_max_alloc(d)},
      {CL_DEVICE_SINGLE_FP_CONFIG, fp32},
      {CL_DEVICE_DOUBLE_FP_CONFIG, ocl_has_fp64(d) ? fp64 : 0},
      {CL_DEVICE_HALF_FP_CONFIG, 0},
      {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0},
      {CL_DEVICE_GLOBAL_MEM_SIZE, d->memory_bytes},
      {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 64 * KIB},
      {CL_DEVICE_LOCAL_MEM_SIZE, d->machine.shared_bytes},
      {CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL},
      {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
      {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0},
      {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0},
      {CL_DEVICE_SVM_CAPABILITIES, 0},
      {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, atomics},
      {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, atomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM},
      {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].what == what) return *v = all[i].value, true;
  return false;
}

cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void *to, size_t *bytes) {
  const struct ocl_answer a = {room, to, bytes};
  cl_uint u;
  size_t s;
  cl_ulong l;
  if (!ocl_is_device(d)) return CL_INVALID_DEVICE;
  /* Of a board that cannot be opened that is told, and what all have in common. */
  if (!ocl_know(d) && what == CL_DEVICE_AVAILABLE) return ocl_answer_uint(&a, CL_FALSE);
  const char *text = text_of_device(d, what);
  if (text) return ocl_answer_text(&a, text);
  if (uint_of(d, what, &u)) return ocl_answer_uint(&a, u);
  if (size_of_device(d, what, &s)) return ocl_answer_size(&a, s);
  if (ulong_of(d, what, &l)) return ocl_answer_ulong(&a, l);
  return answer_lists(d, what, &a);
}
