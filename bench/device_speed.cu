/* Measures the speed of a device by its own clock. Like frames of graze, the graph is timed by events recorded inside
 * it, which exclude the launch time on the host. */
#include "bench/device_speed.h"

#include "bench/bench_record.h"

#include <cuda_runtime.h>

#include <cstdio>

namespace {

enum { WARM_ROUNDS = 3, ROUNDS = 20, GRAPH_KERNELS = 100 };

const size_t copied_bytes = static_cast<size_t>(1) << 30;

__global__ void empty_kernel() {}

struct speed_test {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  void *from, *to;
  cudaGraphExec_t graph;
};

cudaError_t open_test(int device, speed_test *test) {
  cudaError_t status = cudaSetDevice(device);
  if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&test->stream, cudaStreamNonBlocking);
  if (status == cudaSuccess) status = cudaEventCreate(&test->begin);
  if (status == cudaSuccess) status = cudaEventCreate(&test->end);
  if (status == cudaSuccess) status = cudaMalloc(&test->from, copied_bytes);
  if (status == cudaSuccess) status = cudaMalloc(&test->to, copied_bytes);
  if (status == cudaSuccess) status = cudaMemsetAsync(test->from, 1, copied_bytes, test->stream);
  return status;
}

void close_test(speed_test *test) {
  if (test->graph != NULL) (void)cudaGraphExecDestroy(test->graph);
  (void)cudaFree(test->to);
  (void)cudaFree(test->from);
  if (test->end != NULL) (void)cudaEventDestroy(test->end);
  if (test->begin != NULL) (void)cudaEventDestroy(test->begin);
  if (test->stream != NULL) (void)cudaStreamDestroy(test->stream);
}

cudaError_t capture_kernels(speed_test *test) {
  cudaError_t status = cudaStreamBeginCapture(test->stream, cudaStreamCaptureModeThreadLocal);
  if (status != cudaSuccess) return status;
  status = cudaEventRecordWithFlags(test->begin, test->stream, cudaEventRecordExternal);
  for (int i = 0; i < GRAPH_KERNELS && status == cudaSuccess; i++) {
    empty_kernel<<<1, 32, 0, test->stream>>>();
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaEventRecordWithFlags(test->end, test->stream, cudaEventRecordExternal);
  cudaGraph_t captured = NULL;
  const cudaError_t ended = cudaStreamEndCapture(test->stream, &captured);
  if (status == cudaSuccess) status = ended;
  if (status == cudaSuccess) status = cudaGraphInstantiate(&test->graph, captured, 0);
  if (captured != NULL) (void)cudaGraphDestroy(captured);
  return status;
}

cudaError_t run_copy(speed_test *test) {
  cudaError_t status = cudaEventRecord(test->begin, test->stream);
  if (status == cudaSuccess)
    status = cudaMemcpyAsync(test->to, test->from, copied_bytes, cudaMemcpyDeviceToDevice, test->stream);
  if (status == cudaSuccess) status = cudaEventRecord(test->end, test->stream);
  return status;
}

cudaError_t run_graph(speed_test *test) {
  return cudaGraphLaunch(test->graph, test->stream);
}

cudaError_t median_time(speed_test *test, cudaError_t (*run)(speed_test *test), double *milliseconds_out) {
  double times[ROUNDS];
  cudaError_t status = cudaSuccess;
  for (int i = 0; i < WARM_ROUNDS + ROUNDS && status == cudaSuccess; i++) {
    float milliseconds = 0.0f;
    status = run(test);
    if (status == cudaSuccess) status = cudaStreamSynchronize(test->stream);
    if (status == cudaSuccess) status = cudaEventElapsedTime(&milliseconds, test->begin, test->end);
    if (i >= WARM_ROUNDS) times[i - WARM_ROUNDS] = milliseconds;
  }
  if (status == cudaSuccess) *milliseconds_out = bench_median(times, ROUNDS);
  return status;
}

} // namespace

bool device_speed_measure(int device, device_speed *speed_out, char *error, size_t error_bytes) {
  speed_test test = {};
  double copy_ms = 0.0, graph_ms = 0.0;
  cudaError_t status = open_test(device, &test);
  if (status == cudaSuccess) status = median_time(&test, run_copy, &copy_ms);
  if (status == cudaSuccess) status = capture_kernels(&test);
  if (status == cudaSuccess) status = median_time(&test, run_graph, &graph_ms);
  close_test(&test);
  if (status != cudaSuccess) {
    snprintf(error, error_bytes, "measuring the device: %s", cudaGetErrorString(status));
    return false;
  }
  speed_out->bytes_a_second = 2.0 * static_cast<double>(copied_bytes) / (copy_ms * 1e-3);
  speed_out->launch_ms = graph_ms / GRAPH_KERNELS;
  return true;
}
