/* SPDX-License-Identifier: Apache-2.0
 * The driver API and compilation at run time: what they do, and what they say of what cannot be. */
#include <cuda.h>
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

#include "check.h"

#define CU(call, wanted)                                                                                               \
  do {                                                                                                                 \
    const CUresult is_ = (call);                                                                                       \
    const char *name_ = "?";                                                                                           \
    if (is_ == (wanted)) break;                                                                                        \
    cuGetErrorName(is_, &name_);                                                                                       \
    fprintf(stderr, "%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, name_, #wanted);                             \
    exit(3);                                                                                                           \
  } while (0)
#define RTC(call, wanted) SAY((call) == (wanted))

static const char source[] = R"(#include "by.h"
__device__ int amount = 3;
namespace inner {
template <typename T> __global__ void scale(T *x, char skip, T by) { x[threadIdx.x] *= by * amount * BY; }
}
extern "C" __global__ void meet(unsigned *at) {
  if (threadIdx.x == 0) {
    atomicAdd(at, 1);
    while (atomicAdd(at, 0) < gridDim.x) {}
  }
}
)";

static std::string compile(std::string &lowered) {
  const char *text = "#define BY (TEN * 10)\n", *name = "by.h", *options[] = {"--gpu-architecture=compute_70", "-DTEN=10"};
  const char *got;
  nvrtcProgram p;
  size_t n;
  RTC(nvrtcCreateProgram(&p, source, "scale.cu", 1, &text, &name), NVRTC_SUCCESS);
  RTC(nvrtcAddNameExpression(p, "inner::scale<float>"), NVRTC_SUCCESS);
  RTC(nvrtcAddNameExpression(p, "&amount"), NVRTC_SUCCESS);
  RTC(nvrtcGetLoweredName(p, "amount", &got), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  RTC(nvrtcGetPTXSize(p, &n), NVRTC_ERROR_INVALID_PROGRAM);
  RTC(nvrtcCompileProgram(p, 2, options), NVRTC_SUCCESS);
  RTC(nvrtcAddNameExpression(p, "late"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  RTC(nvrtcGetLoweredName(p, "inner::scale<float>", &got), NVRTC_SUCCESS);
  lowered = got;
  RTC(nvrtcGetLoweredName(p, "&amount", &got), NVRTC_SUCCESS);
  SAY(strcmp(got, "amount") == 0);
  RTC(nvrtcGetLoweredName(p, "other", &got), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  RTC(nvrtcGetPTXSize(p, &n), NVRTC_SUCCESS);
  std::vector<char> ptx(n);
  RTC(nvrtcGetPTX(p, ptx.data()), NVRTC_SUCCESS);
  RTC(nvrtcDestroyProgram(&p), NVRTC_SUCCESS);
  RTC(nvrtcDestroyProgram(&p), NVRTC_ERROR_INVALID_PROGRAM);
  return ptx.data();
}

static void compile_wrong() {
  const char *option = "--frobnicate", *text = "", *name = "../up.h";
  nvrtcProgram p;
  size_t n;
  RTC(nvrtcCreateProgram(&p, "", "x.cu", 1, &text, &name), NVRTC_ERROR_INVALID_INPUT);
  RTC(nvrtcCreateProgram(&p, "__global__ void k() { missing(); }\n", "wrong.cu", 0, NULL, NULL), NVRTC_SUCCESS);
  RTC(nvrtcCompileProgram(p, 1, &option), NVRTC_ERROR_INVALID_OPTION);
  RTC(nvrtcCompileProgram(p, 0, NULL), NVRTC_ERROR_COMPILATION);
  RTC(nvrtcGetProgramLogSize(p, &n), NVRTC_SUCCESS);
  std::vector<char> log(n);
  RTC(nvrtcGetProgramLog(p, log.data()), NVRTC_SUCCESS);
  SAY(strstr(log.data(), "wrong.cu:1:") && strstr(log.data(), "'missing'"));
  RTC(nvrtcDestroyProgram(&p), NVRTC_SUCCESS);
}

static void launches(CUmodule module, const char *name) {
  CUfunction scale, meet;
  CUdeviceptr x, amount;
  size_t bytes;
  int two = 2, value;
  float data[4] = {1, 2, 3, 4}, by = 0.5f;
  char skip = 0;
  CU(cuModuleGetFunction(&scale, module, name), CUDA_SUCCESS);
  CU(cuModuleGetFunction(&meet, module, "meet"), CUDA_SUCCESS);
  CU(cuModuleGetFunction(&meet, module, "none"), CUDA_ERROR_NOT_FOUND);
  CU(cuModuleGetGlobal(&amount, &bytes, module, "amount"), CUDA_SUCCESS);
  SAY(bytes == sizeof two);
  CU(cuMemAlloc(&x, sizeof data), CUDA_SUCCESS);
  CU(cuMemcpyHtoD(x, data, sizeof data), CUDA_SUCCESS);
  void *arguments[] = {&x, &skip, &by};
  CU(cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, 0, arguments, NULL), CUDA_SUCCESS); /* by 150 */
  CU(cuMemcpyHtoD(amount, &two, sizeof two), CUDA_SUCCESS);
  struct {
    CUdeviceptr x;
    char skip;
    float by;
  } packed = {x, 0, 0.01f};
  bytes = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CU(cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, 0, NULL, extra), CUDA_SUCCESS); /* by 2 */
  CU(cuMemcpyDtoH(data, x, sizeof data), CUDA_SUCCESS);
  for (int i = 0; i < 4; i++) SAY(data[i] == 300.0f * float(i + 1));
  bytes = 8;
  CU(cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 0, 0, NULL, extra), CUDA_ERROR_INVALID_VALUE);
  CU(cuLaunchKernel(scale, 1, 0, 1, 4, 1, 1, 0, 0, arguments, NULL), CUDA_ERROR_INVALID_VALUE);
  CU(cuLaunchKernel(scale, 1, 1, 1, 4, 1, 1, 1 << 30, 0, arguments, NULL), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  CU(cuLaunchKernel((CUfunction)&x, 1, 1, 1, 4, 1, 1, 0, 0, arguments, NULL), CUDA_ERROR_INVALID_HANDLE);
  CU(cuMemsetD32(x, 0, 1), CUDA_SUCCESS);
  CU(cuLaunchCooperativeKernel(meet, 2, 1, 1, 32, 1, 1, 0, 0, arguments), CUDA_SUCCESS);
  CU(cuCtxSynchronize(), CUDA_SUCCESS);
  CU(cuLaunchCooperativeKernel(meet, 1 << 20, 1, 1, 32, 1, 1, 0, 0, arguments), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, scale), CUDA_SUCCESS);
  SAY(value > 0);
  CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, (CUfunction)&x), CUDA_ERROR_INVALID_HANDLE);
  CU(cuMemFree(x), CUDA_SUCCESS);
  CU(cuMemFree(x), CUDA_ERROR_INVALID_VALUE);
}

static void fills() {
  CUdeviceptr x;
  unsigned short h[6];
  CU(cuMemAlloc(&x, sizeof h), CUDA_SUCCESS);
  CU(cuMemsetD8(x, 0x11, sizeof h), CUDA_SUCCESS);
  CU(cuMemsetD16(x + 2, 0x2233, 4), CUDA_SUCCESS);
  CU(cuMemcpyDtoH(h, x, sizeof h), CUDA_SUCCESS);
  SAY(h[0] == 0x1111 && h[1] == 0x2233 && h[2] == 0x2233 && h[4] == 0x2233 && h[5] == 0x1111);
  CU(cuMemsetD32(x, 0, 4), CUDA_ERROR_INVALID_VALUE);
  CU(cuMemsetD32(x + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CU(cuMemFree(x), CUDA_SUCCESS);
}

static void modules(const std::string &ptx, const char *name) {
  CUmodule module;
  char log[200] = "?", path[] = "module.ptx";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CU(cuModuleLoadDataEx(&module, ".version 6.3\n.target sm_70\n.frobnicate\n", 2, options, values), CUDA_ERROR_INVALID_PTX);
  SAY(strstr(log, "ptx:3:"));
  CU(cuModuleLoadData(&module, "no PTX at all"), CUDA_ERROR_INVALID_IMAGE);
  CU(cuModuleLoad(&module, "/nowhere"), CUDA_ERROR_FILE_NOT_FOUND);
  FILE *f = fopen(path, "w");
  SAY(f && fputs(ptx.c_str(), f) >= 0 && fclose(f) == 0);
  CU(cuModuleLoad(&module, path), CUDA_SUCCESS);
  launches(module, name);
  CU(cuModuleUnload(module), CUDA_SUCCESS);
  CU(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  CU(cuModuleLoadData(&module, ptx.c_str()), CUDA_SUCCESS); /* the context's end takes it */
}

/* A __constant__ as nvcc prints it: the host finds it, and the kernel reads what it wrote, by both kinds of address. */
static void constants() {
  static const char text[] = R"(.version 7.8
.target sm_80
.address_size 64
.visible .const .align 4 .b8 factor[8];
.visible .entry read(.param .u64 to) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  mov.u64 %rd2, factor;
  cvta.const.u64 %rd3, %rd2;
  ld.const.u32 %r1, [factor];
  ld.u32 %r2, [%rd3+4];
  st.global.v2.u32 [%rd1], {%r1, %r2};
  ret;
})";
  CUmodule module;
  CUfunction f;
  CUdeviceptr at, to;
  size_t bytes = 0;
  const unsigned in[2] = {5, 7};
  unsigned out[2] = {0, 0};
  void *arguments[] = {&to};
  CU(cuModuleLoadData(&module, text), CUDA_SUCCESS);
  CU(cuModuleGetGlobal(&at, &bytes, module, "factor"), CUDA_SUCCESS);
  SAY(bytes == sizeof in);
  CU(cuMemcpyHtoD(at, in, sizeof in), CUDA_SUCCESS);
  CU(cuModuleGetFunction(&f, module, "read"), CUDA_SUCCESS);
  CU(cuMemAlloc(&to, sizeof out), CUDA_SUCCESS);
  CU(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr), CUDA_SUCCESS);
  CU(cuMemcpyDtoH(out, to, sizeof out), CUDA_SUCCESS);
  SAY(out[0] == 5 && out[1] == 7);
  CU(cuMemFree(to), CUDA_SUCCESS);
  CU(cuModuleUnload(module), CUDA_SUCCESS);
}

int main() {
  int n, device;
  char name[64];
  CUcontext context, other;
  CUdeviceptr x;
  CU(cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
  CU(cuMemAlloc(&x, 4), CUDA_ERROR_NOT_INITIALIZED);
  CU(cuInit(0), CUDA_SUCCESS);
  CU(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
  CU(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  CU(cuDeviceGetName(name, sizeof name, device), CUDA_SUCCESS);
  CU(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device), CUDA_SUCCESS);
  SAY(n == 32 && strlen(name) > 0);
  CU(cuMemAlloc(&x, 4), CUDA_ERROR_INVALID_CONTEXT);
  CU(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);
  CU(cuMemAlloc(&x, 0), CUDA_ERROR_INVALID_VALUE);
  std::string lowered;
  const std::string ptx = compile(lowered);
  compile_wrong();
  modules(ptx, lowered.c_str());
  fills();
  constants();
  CU(cuCtxPopCurrent(&other), CUDA_SUCCESS);
  SAY(other == context);
  CU(cuCtxPopCurrent(&other), CUDA_ERROR_INVALID_CONTEXT);
  CU(cuCtxPushCurrent(context), CUDA_SUCCESS);
  CU(cuCtxDestroy(context), CUDA_SUCCESS);
  CU(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
  CU(cuMemAlloc(&x, 4), CUDA_ERROR_INVALID_CONTEXT);
  CU(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
  CU(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CU(cuMemAlloc(&x, 4), CUDA_SUCCESS);
  OK(cudaFree((void *)x)); /* both interfaces have the same memory */
  puts("driver");
}
