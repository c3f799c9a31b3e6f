/* SPDX-License-Identifier: Apache-2.0
 * The platform, and the table by which a loader calls all functions. */
#include "firmware/host/opencl/internal.h"

#include <string.h>

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
