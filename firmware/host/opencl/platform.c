/* SPDX-License-Identifier: Apache-2.0
 *
 * The platform. What OpenCL lets a device do without: images, samplers, pipes, SVM, SPIR-V, sub-groups, queues on the
 * device, clocks of both sides. Each call says so as the specification has it. */
#include <string.h>
#include "firmware/host/opencl/internal.h"

static void *refuse_object(cl_int e, cl_int *error) {
  if (error) *error = e;
  return NULL;
}

static cl_int context_or(cl_context c, cl_int e) {
  ocl_enter();
  return ocl_leave(ocl_is(c, OCL_CONTEXT) ? e : CL_INVALID_CONTEXT);
}

static cl_int queue_or(cl_command_queue q, cl_int e) {
  ocl_enter();
  return ocl_leave(ocl_is(q, OCL_QUEUE) ? e : CL_INVALID_COMMAND_QUEUE);
}

/* ---- images */

cl_mem clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc,
                     void *host, cl_int *error) {
  (void)flags, (void)format, (void)desc, (void)host;
  return refuse_object(context_or(c, CL_INVALID_OPERATION), error);
}

cl_mem clCreateImageWithProperties(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                                   const cl_image_format *format, const cl_image_desc *desc, void *host,
                                   cl_int *error) {
  (void)properties;
  return clCreateImage(c, flags, format, desc, host, error);
}

cl_mem clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
                       size_t pitch, void *host, cl_int *error) {
  (void)width, (void)height, (void)pitch;
  return clCreateImage(c, flags, format, NULL, host, error);
}

cl_mem clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
                       size_t depth, size_t row, size_t slice, void *host, cl_int *error) {
  (void)width, (void)height, (void)depth, (void)row, (void)slice;
  return clCreateImage(c, flags, format, NULL, host, error);
}

cl_int clGetSupportedImageFormats(cl_context c, cl_mem_flags flags, cl_mem_object_type type, cl_uint n,
                                  cl_image_format *formats, cl_uint *number) {
  (void)flags, (void)type;
  if (formats && n == 0) return CL_INVALID_VALUE;
  const cl_int e = context_or(c, CL_SUCCESS);
  if (e == CL_SUCCESS && number) *number = 0;
  return e;
}

static cl_int not_an_image(cl_mem m) {
  (void)m; /* a buffer is none, either */
  return CL_INVALID_MEM_OBJECT;
}

cl_int clGetImageInfo(cl_mem m, cl_image_info what, size_t room, void *to, size_t *bytes) {
  (void)what, (void)room, (void)to, (void)bytes;
  return not_an_image(m);
}

cl_int clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin, const size_t *region,
                          size_t row, size_t slice, void *to, cl_uint count, const cl_event *list, cl_event *event) {
  (void)blocking, (void)origin, (void)region, (void)row, (void)slice, (void)to, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(m));
}

cl_int clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin, const size_t *region,
                           size_t row, size_t slice, const void *from, cl_uint count, const cl_event *list,
                           cl_event *event) {
  (void)blocking, (void)origin, (void)region, (void)row, (void)slice, (void)from, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(m));
}

cl_int clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *a, const size_t *b,
                          const size_t *region, cl_uint count, const cl_event *list, cl_event *event) {
  (void)to, (void)a, (void)b, (void)region, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(from));
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
                                  const size_t *region, size_t offset, cl_uint count, const cl_event *list,
                                  cl_event *event) {
  (void)to, (void)origin, (void)region, (void)offset, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(from));
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset, const size_t *origin,
                                  const size_t *region, cl_uint count, const cl_event *list, cl_event *event) {
  (void)from, (void)offset, (void)origin, (void)region, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(to));
}

void *clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags, const size_t *origin,
                        const size_t *region, size_t *row, size_t *slice, cl_uint count, const cl_event *list,
                        cl_event *event, cl_int *error) {
  (void)blocking, (void)flags, (void)origin, (void)region, (void)row, (void)slice, (void)count, (void)list, (void)event;
  return refuse_object(queue_or(q, not_an_image(m)), error);
}

cl_int clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *color, const size_t *origin, const size_t *region,
                          cl_uint count, const cl_event *list, cl_event *event) {
  (void)color, (void)origin, (void)region, (void)count, (void)list, (void)event;
  return queue_or(q, not_an_image(m));
}

cl_sampler clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter,
                           cl_int *error) {
  (void)normalized, (void)addressing, (void)filter;
  return refuse_object(context_or(c, CL_INVALID_OPERATION), error);
}

cl_sampler clCreateSamplerWithProperties(cl_context c, const cl_sampler_properties *properties, cl_int *error) {
  (void)properties;
  return refuse_object(context_or(c, CL_INVALID_OPERATION), error);
}

cl_int clRetainSampler(cl_sampler s) {
  (void)s;
  return CL_INVALID_SAMPLER;
}

cl_int clReleaseSampler(cl_sampler s) {
  (void)s;
  return CL_INVALID_SAMPLER;
}

cl_int clGetSamplerInfo(cl_sampler s, cl_sampler_info what, size_t room, void *to, size_t *bytes) {
  (void)s, (void)what, (void)room, (void)to, (void)bytes;
  return CL_INVALID_SAMPLER;
}

/* ---- pipes */

cl_mem clCreatePipe(cl_context c, cl_mem_flags flags, cl_uint packet, cl_uint packets,
                    const cl_pipe_properties *properties, cl_int *error) {
  (void)flags, (void)packet, (void)packets, (void)properties;
  return refuse_object(context_or(c, CL_INVALID_OPERATION), error);
}

cl_int clGetPipeInfo(cl_mem m, cl_pipe_info what, size_t room, void *to, size_t *bytes) {
  (void)m, (void)what, (void)room, (void)to, (void)bytes;
  return CL_INVALID_MEM_OBJECT;
}

/* ---- shared virtual memory */

void *clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t bytes, cl_uint align) {
  (void)c, (void)flags, (void)bytes, (void)align;
  return NULL;
}

void clSVMFree(cl_context c, void *p) {
  (void)c, (void)p;
}

cl_int clEnqueueSVMFree(cl_command_queue q, cl_uint n, void *p[],
                        void(CL_CALLBACK *free_function)(cl_command_queue, cl_uint, void *[], void *), void *data,
                        cl_uint count, const cl_event *list, cl_event *event) {
  (void)n, (void)p, (void)free_function, (void)data, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

cl_int clEnqueueSVMMemcpy(cl_command_queue q, cl_bool blocking, void *to, const void *from, size_t bytes, cl_uint count,
                          const cl_event *list, cl_event *event) {
  (void)blocking, (void)to, (void)from, (void)bytes, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

cl_int clEnqueueSVMMemFill(cl_command_queue q, void *to, const void *pattern, size_t n, size_t bytes, cl_uint count,
                           const cl_event *list, cl_event *event) {
  (void)to, (void)pattern, (void)n, (void)bytes, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

cl_int clEnqueueSVMMap(cl_command_queue q, cl_bool blocking, cl_map_flags flags, void *p, size_t bytes, cl_uint count,
                       const cl_event *list, cl_event *event) {
  (void)blocking, (void)flags, (void)p, (void)bytes, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

cl_int clEnqueueSVMUnmap(cl_command_queue q, void *p, cl_uint count, const cl_event *list, cl_event *event) {
  (void)p, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue q, cl_uint n, const void **p, const size_t *bytes,
                              cl_mem_migration_flags flags, cl_uint count, const cl_event *list, cl_event *event) {
  (void)n, (void)p, (void)bytes, (void)flags, (void)count, (void)list, (void)event;
  return queue_or(q, CL_INVALID_OPERATION);
}

static cl_int kernel_or(cl_kernel k, cl_int e) {
  ocl_enter();
  return ocl_leave(ocl_is(k, OCL_KERNEL) ? e : CL_INVALID_KERNEL);
}

cl_int clSetKernelArgSVMPointer(cl_kernel k, cl_uint i, const void *p) {
  (void)i, (void)p;
  return kernel_or(k, CL_INVALID_OPERATION);
}

cl_int clSetKernelExecInfo(cl_kernel k, cl_kernel_exec_info what, size_t bytes, const void *value) {
  (void)what, (void)bytes, (void)value;
  return kernel_or(k, CL_INVALID_OPERATION);
}

/* ---- sub-groups, SPIR-V, built-in kernels, queues on the device, clocks */

cl_int clGetKernelSubGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_sub_group_info what, size_t in_bytes,
                               const void *in, size_t room, void *to, size_t *bytes) {
  (void)d, (void)what, (void)in_bytes, (void)in, (void)room, (void)to, (void)bytes;
  return kernel_or(k, CL_INVALID_OPERATION);
}

cl_program clCreateProgramWithIL(cl_context c, const void *il, size_t bytes, cl_int *error) {
  (void)il, (void)bytes;
  return refuse_object(context_or(c, CL_INVALID_OPERATION), error);
}

cl_int clSetProgramSpecializationConstant(cl_program p, cl_uint id, size_t bytes, const void *value) {
  (void)id, (void)bytes, (void)value;
  ocl_enter();
  return ocl_leave(ocl_is(p, OCL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM);
}

cl_program clCreateProgramWithBuiltInKernels(cl_context c, cl_uint n, const cl_device_id *devices, const char *names,
                                             cl_int *error) {
  (void)n, (void)devices, (void)names;
  return refuse_object(context_or(c, CL_INVALID_VALUE), error);
}

cl_int clSetDefaultDeviceCommandQueue(cl_context c, cl_device_id d, cl_command_queue q) {
  (void)d, (void)q;
  return context_or(c, CL_INVALID_OPERATION);
}

cl_int clGetDeviceAndHostTimer(cl_device_id d, cl_ulong *device, cl_ulong *host) {
  (void)device, (void)host;
  return ocl_is_device(d) ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
}

cl_int clGetHostTimer(cl_device_id d, cl_ulong *host) {
  (void)host;
  return ocl_is_device(d) ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
}

/* ---- the table by which a loader calls all functions */

struct _cl_platform_id ocl_platform = {&ocl_dispatch};

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id *platforms, cl_uint *number) {
  if ((platforms && entries == 0) || (!platforms && !number)) return CL_INVALID_VALUE;
  if (number) *number = 1;
  if (platforms) platforms[0] = &ocl_platform;
  return CL_SUCCESS;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *number) {
  return clGetPlatformIDs(entries, platforms, number);
}

/* The least that all devices can do stands in the profile: one that cannot is EMBEDDED, and so is the platform. */
static const char *profile(void) {
  for (unsigned i = 0; i < ocl_devices(); i++)
    if (ocl_know(ocl_device(i)) && ocl_is_full(ocl_device(i))) return "FULL_PROFILE";
  return "EMBEDDED_PROFILE";
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *to, size_t *bytes) {
  static const cl_name_version extensions[] = {{CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"}};
  const struct ocl_answer a = {room, to, bytes};
  if (platform && platform != &ocl_platform) return CL_INVALID_PLATFORM;
  switch (what) {
  case CL_PLATFORM_PROFILE:
    return ocl_answer_text(&a, profile());
  case CL_PLATFORM_VERSION:
    return ocl_answer_text(&a, "OpenCL 3.0 Heddle " HEDDLE_RELEASE);
  case CL_PLATFORM_NUMERIC_VERSION:
    return ocl_answer_uint(&a, CL_MAKE_VERSION(3, 0, 0));
  case CL_PLATFORM_NAME:
  case CL_PLATFORM_VENDOR:
    return ocl_answer_text(&a, "Heddle");
  case CL_PLATFORM_EXTENSIONS:
    return ocl_answer_text(&a, "cl_khr_icd");
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return ocl_answer(&a, extensions, sizeof extensions);
  case CL_PLATFORM_HOST_TIMER_RESOLUTION:
    return ocl_answer_ulong(&a, 0);
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return ocl_answer_text(&a, "HEDDLE");
  default:
    return CL_INVALID_VALUE;
  }
}

/* The loader asks here for what it must know before it knows the table. */
void *clGetExtensionFunctionAddress(const char *name) {
  if (!name) return NULL;
  if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return (void *)(uintptr_t)clIcdGetPlatformIDsKHR;
  return strcmp(name, "clGetPlatformInfo") == 0 ? (void *)(uintptr_t)clGetPlatformInfo : NULL;
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  return platform == &ocl_platform ? clGetExtensionFunctionAddress(name) : NULL;
}

#define ENTRY(NAME) .NAME = NAME
const struct _cl_icd_dispatch ocl_dispatch = {
    ENTRY(clGetPlatformIDs),
    ENTRY(clGetPlatformInfo),
    ENTRY(clGetDeviceIDs),
    ENTRY(clGetDeviceInfo),
    ENTRY(clCreateContext),
    ENTRY(clCreateContextFromType),
    ENTRY(clRetainContext),
    ENTRY(clReleaseContext),
    ENTRY(clGetContextInfo),
    ENTRY(clCreateCommandQueue),
    ENTRY(clRetainCommandQueue),
    ENTRY(clReleaseCommandQueue),
    ENTRY(clGetCommandQueueInfo),
    ENTRY(clSetCommandQueueProperty),
    ENTRY(clCreateBuffer),
    ENTRY(clCreateImage2D),
    ENTRY(clCreateImage3D),
    ENTRY(clRetainMemObject),
    ENTRY(clReleaseMemObject),
    ENTRY(clGetSupportedImageFormats),
    ENTRY(clGetMemObjectInfo),
    ENTRY(clGetImageInfo),
    ENTRY(clCreateSampler),
    ENTRY(clRetainSampler),
    ENTRY(clReleaseSampler),
    ENTRY(clGetSamplerInfo),
    ENTRY(clCreateProgramWithSource),
    ENTRY(clCreateProgramWithBinary),
    ENTRY(clRetainProgram),
    ENTRY(clReleaseProgram),
    ENTRY(clBuildProgram),
    ENTRY(clUnloadCompiler),
    ENTRY(clGetProgramInfo),
    ENTRY(clGetProgramBuildInfo),
    ENTRY(clCreateKernel),
    ENTRY(clCreateKernelsInProgram),
    ENTRY(clRetainKernel),
    ENTRY(clReleaseKernel),
    ENTRY(clSetKernelArg),
    ENTRY(clGetKernelInfo),
    ENTRY(clGetKernelWorkGroupInfo),
    ENTRY(clWaitForEvents),
    ENTRY(clGetEventInfo),
    ENTRY(clRetainEvent),
    ENTRY(clReleaseEvent),
    ENTRY(clGetEventProfilingInfo),
    ENTRY(clFlush),
    ENTRY(clFinish),
    ENTRY(clEnqueueReadBuffer),
    ENTRY(clEnqueueWriteBuffer),
    ENTRY(clEnqueueCopyBuffer),
    ENTRY(clEnqueueReadImage),
    ENTRY(clEnqueueWriteImage),
    ENTRY(clEnqueueCopyImage),
    ENTRY(clEnqueueCopyImageToBuffer),
    ENTRY(clEnqueueCopyBufferToImage),
    ENTRY(clEnqueueMapBuffer),
    ENTRY(clEnqueueMapImage),
    ENTRY(clEnqueueUnmapMemObject),
    ENTRY(clEnqueueNDRangeKernel),
    ENTRY(clEnqueueTask),
    ENTRY(clEnqueueNativeKernel),
    ENTRY(clEnqueueMarker),
    ENTRY(clEnqueueWaitForEvents),
    ENTRY(clEnqueueBarrier),
    ENTRY(clGetExtensionFunctionAddress),
    ENTRY(clSetEventCallback),
    ENTRY(clCreateSubBuffer),
    ENTRY(clSetMemObjectDestructorCallback),
    ENTRY(clCreateUserEvent),
    ENTRY(clSetUserEventStatus),
    ENTRY(clEnqueueReadBufferRect),
    ENTRY(clEnqueueWriteBufferRect),
    ENTRY(clEnqueueCopyBufferRect),
    ENTRY(clCreateSubDevices),
    ENTRY(clRetainDevice),
    ENTRY(clReleaseDevice),
    ENTRY(clCreateImage),
    ENTRY(clCreateProgramWithBuiltInKernels),
    ENTRY(clCompileProgram),
    ENTRY(clLinkProgram),
    ENTRY(clUnloadPlatformCompiler),
    ENTRY(clGetKernelArgInfo),
    ENTRY(clEnqueueFillBuffer),
    ENTRY(clEnqueueFillImage),
    ENTRY(clEnqueueMigrateMemObjects),
    ENTRY(clEnqueueMarkerWithWaitList),
    ENTRY(clEnqueueBarrierWithWaitList),
    ENTRY(clGetExtensionFunctionAddressForPlatform),
    ENTRY(clCreateCommandQueueWithProperties),
    ENTRY(clCreatePipe),
    ENTRY(clGetPipeInfo),
    ENTRY(clSVMAlloc),
    ENTRY(clSVMFree),
    ENTRY(clEnqueueSVMFree),
    ENTRY(clEnqueueSVMMemcpy),
    ENTRY(clEnqueueSVMMemFill),
    ENTRY(clEnqueueSVMMap),
    ENTRY(clEnqueueSVMUnmap),
    ENTRY(clCreateSamplerWithProperties),
    ENTRY(clSetKernelArgSVMPointer),
    ENTRY(clSetKernelExecInfo),
    ENTRY(clCloneKernel),
    ENTRY(clCreateProgramWithIL),
    ENTRY(clEnqueueSVMMigrateMem),
    ENTRY(clGetDeviceAndHostTimer),
    ENTRY(clGetHostTimer),
    ENTRY(clGetKernelSubGroupInfo),
    ENTRY(clSetDefaultDeviceCommandQueue),
    ENTRY(clSetProgramReleaseCallback),
    ENTRY(clSetProgramSpecializationConstant),
    ENTRY(clCreateBufferWithProperties),
    ENTRY(clCreateImageWithProperties),
    ENTRY(clSetContextDestructorCallback),
};
