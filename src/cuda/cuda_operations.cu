/* The table of device_operations.h for CUDA: one stream, plain allocations, kernels, sort by CUB, and a graph for each
 * kept sequence.
 *
 * A sequence is captured when it is first queued, and launched as a graph until its signature changes. The signature
 * is its views: all pointers, sizes, capacities and query options. Nothing in a sequence waits for the host. */
#include "cuda/cuda_backend.h"
#include "cuda/kernel_launch.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum {
  STAGING_BYTES = 1 << 16, /* of pinned memory for small downloads */
  LEAST_CAPABILITY = 75    /* ten times the compute capability: Turing */
};

struct kept_graph {
  cudaGraphExec_t graph;
  unsigned char signature[SIGNATURE_MOST];
  size_t signature_bytes; /* 0: none is kept */
  size_t launches;        /* kernels, clearings and copies in it */
};

struct cuda_device {
  int number, processors;
  cudaStream_t stream;
  cudaStream_t queue; /* the stream for stages and clearings: `stream`, or `beside` */
  cudaEvent_t marks[MARK_COUNT];
  cudaEvent_t arrival; /* of the data that a caller's stream writes */
  cudaStream_t beside; /* for the marks of a captured sequence, and for operations concurrent with its stages */
  cudaEvent_t branch;
  bool branched;
  kept_graph graphs[SEQUENCE_COUNT];
  kept_graph *capturing, *replaying;
  void *scratch; /* of CUB's sort */
  size_t scratch_bytes;
  void *scan_states;                   /* separate, because they remain zero between scans */
  size_t scan_capacity, sort_capacity; /* the sizes for which the two suffice */
  void *staging;                       /* pinned */
  char error[256];
};

cuda_device *device_of(void *context) {
  return static_cast<cuda_device *>(context);
}

graze_result result_of(cudaError_t status) {
  if (status == cudaErrorMemoryAllocation) return GRAZE_OUT_OF_MEMORY;
  switch (status) {
  case cudaErrorNoDevice:
  case cudaErrorInvalidDevice:
  case cudaErrorInsufficientDriver:
  case cudaErrorSystemDriverMismatch:
  case cudaErrorUnsupportedPtxVersion: /* the driver is older than the PTX of the kernels */
  case cudaErrorNoKernelImageForDevice:
    return GRAZE_NO_DEVICE;
  default:
    return GRAZE_DEVICE_FAILED;
  }
}

/* The message of a status; an earlier message of the same call stays. */
graze_result check(cuda_device *device, cudaError_t status, const char *what) {
  if (status == cudaSuccess) return GRAZE_OK;
  (void)cudaGetLastError(); /* a failed allocation would be reported again by the next launch */
  if (device->error[0] != '\0') return result_of(status);
  size_t left = 0, all = 0;
  if (status == cudaErrorMemoryAllocation && cudaMemGetInfo(&left, &all) == cudaSuccess)
    snprintf(device->error, sizeof device->error, "CUDA device %d, %s: out of memory, %zu of %zu bytes are free",
             device->number, what, left, all);
  else
    snprintf(device->error, sizeof device->error, "CUDA device %d, %s: %s", device->number, what,
             cudaGetErrorString(status));
  return result_of(status);
}

/* Called first by every function: selects the device, which the thread may have changed, and clears old messages. */
cuda_device *enter(void *context) {
  cuda_device *device = device_of(context);
  device->error[0] = '\0';
  (void)cudaSetDevice(device->number);
  return device;
}

/* ---------------------------------------------------------------------------------------------- memory */

graze_result cuda_allocate(void *context, size_t bytes, void **memory_out) {
  cuda_device *device = enter(context);
  const cudaError_t status = cudaMalloc(memory_out, bytes);
  if (status == cudaErrorMemoryAllocation) {
    size_t left = 0, all = 0;
    (void)cudaGetLastError();
    (void)cudaMemGetInfo(&left, &all);
    snprintf(device->error, sizeof device->error,
             "CUDA device %d is out of memory: %zu bytes were requested, %zu of %zu are free", device->number, bytes,
             left, all);
    return GRAZE_OUT_OF_MEMORY;
  }
  return check(device, status, "allocating");
}

void cuda_release(void *context, void *memory, size_t bytes) {
  (void)bytes;
  if (memory == NULL) return;
  const cuda_device *device = device_of(context);
  (void)cudaSetDevice(device->number);
  (void)cudaFree(memory);
}

/* For a list that may outlive the context. */
void cuda_release_list(int device, void *memory) {
  (void)cudaSetDevice(device);
  (void)cudaFree(memory);
}

/* A kernel that reads inaccessible memory would make the device unusable for the process, so it is checked first. */
graze_result cuda_check_memory(void *context, const void *memory, size_t bytes) {
  cuda_device *device = enter(context);
  if (bytes == 0) return GRAZE_OK;
  const char *const ends[2] = {static_cast<const char *>(memory), static_cast<const char *>(memory) + bytes - 1};
  for (int i = 0; i < 2; i++) {
    cudaPointerAttributes known;
    const cudaError_t status = cudaPointerGetAttributes(&known, ends[i]);
    if (status != cudaSuccess && status != cudaErrorInvalidValue) return check(device, status, "checking memory");
    (void)cudaGetLastError();
    const bool foreign = status != cudaSuccess || known.type == cudaMemoryTypeUnregistered;
    const bool elsewhere = !foreign && known.type == cudaMemoryTypeDevice && known.device != device->number;
    if (!foreign && !elsewhere) continue;
    if (elsewhere)
      snprintf(device->error, sizeof device->error, "they are in the memory of CUDA device %d, not %d", known.device,
               device->number);
    else
      snprintf(device->error, sizeof device->error, "byte %zu of %zu is not in memory of CUDA device %d",
               static_cast<size_t>(ends[i] - ends[0]), bytes, device->number);
    return GRAZE_INVALID_ARGUMENT;
  }
  return GRAZE_OK;
}

/* A copy from pageable memory returns when the host may overwrite the source. A copy from pinned or managed memory
 * returns at once and reads later. */
bool is_read_later(const void *from) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, from) == cudaSuccess) return attributes.type != cudaMemoryTypeUnregistered;
  (void)cudaGetLastError(); /* if the kind is unknown, the caller waits for the copy */
  return true;
}

graze_result cuda_upload(void *context, void *to, const void *from, size_t bytes) {
  cuda_device *device = enter(context);
  cudaError_t status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, device->stream);
  if (status == cudaSuccess && is_read_later(from)) status = cudaStreamSynchronize(device->stream);
  return check(device, status, "uploading");
}

graze_result cuda_allocate_staging(void *context, size_t bytes, void **memory_out) {
  cuda_device *device = enter(context);
  return check(device, cudaMallocHost(memory_out, bytes), "pinning host memory");
}

void cuda_release_staging(void *context, void *memory, size_t bytes) {
  (void)bytes;
  if (memory == NULL) return;
  const cuda_device *device = device_of(context);
  (void)cudaSetDevice(device->number);
  (void)cudaFreeHost(memory);
}

graze_result cuda_upload_staged(void *context, void *to, const void *from, size_t bytes) {
  cuda_device *device = enter(context);
  return check(device, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, device->stream), "uploading");
}

graze_result cuda_download_staged(void *context, void *to, const void *from, size_t bytes) {
  cuda_device *device = enter(context);
  return check(device, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, device->stream), "fetching results");
}

graze_result cuda_wait(void *context) {
  cuda_device *device = enter(context);
  return check(device, cudaStreamSynchronize(device->stream), "waiting for copies");
}

graze_result cuda_download(void *context, void *to, const void *from, size_t bytes) {
  cuda_device *device = enter(context);
  void *through = bytes <= STAGING_BYTES ? device->staging : to;
  cudaError_t status = cudaMemcpyAsync(through, from, bytes, cudaMemcpyDeviceToHost, device->stream);
  if (status == cudaSuccess) status = cudaStreamSynchronize(device->stream);
  if (status == cudaSuccess && through != to) memcpy(to, through, bytes);
  return check(device, status, "waiting for results");
}

graze_result cuda_copy(void *context, void *to, const void *from, size_t bytes) {
  cuda_device *device = enter(context);
  cudaError_t status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device->stream);
  if (status == cudaSuccess) status = cudaStreamSynchronize(device->stream);
  return check(device, status, "copying into a list");
}

graze_result cuda_clear(void *context, void *memory, int byte, size_t bytes) {
  cuda_device *device = enter(context);
  return check(device, cudaMemsetAsync(memory, byte, bytes, device->queue), "clearing");
}

graze_result cuda_wait_for(void *context, void *stream) {
  cuda_device *device = enter(context);
  cudaError_t status = cudaEventRecord(device->arrival, static_cast<cudaStream_t>(stream));
  if (status == cudaSuccess) status = cudaStreamWaitEvent(device->stream, device->arrival, 0);
  return check(device, status, "waiting for the caller's stream");
}

/* ---------------------------------------------------------------------------------------------- stages */

typedef bool (*stage_launcher)(const stage_launch *launch);

const stage_launcher launchers[] = {launch_light,      launch_vertices,       launch_search,         launch_clusters,
                                    launch_exact,      launch_measures,       launch_exact_contacts, launch_wrenches,
                                    launch_near_tests, launch_configurations, launch_packing,        launch_distances,
                                    launch_clearance,  launch_crowding};

graze_result cuda_run(void *context, device_stage stage, size_t bound, const void *view, size_t view_bytes) {
  cuda_device *device = enter(context);
  (void)view_bytes;
  const stage_launch launch = {stage, bound, static_cast<unsigned>(device->processors), device->queue, view};
  for (stage_launcher launcher : launchers)
    if (launcher(&launch)) break;
  return check(device, cudaGetLastError(), "launching a stage");
}

cudaError_t sort_with(void *scratch, size_t *scratch_bytes, const uint64_t *keys, uint64_t *sorted, size_t count,
                      uint32_t bits, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(scratch, *scratch_bytes, keys, sorted, count, 0, static_cast<int>(bits),
                                        stream);
}

void release_scratch(cuda_device *device) {
  device->scan_capacity = device->sort_capacity = device->scratch_bytes = 0;
  if (device->scratch != NULL) (void)cudaFree(device->scratch);
  if (device->scan_states != NULL) (void)cudaFree(device->scan_states);
  device->scratch = device->scan_states = NULL;
}

graze_result cuda_reserve(void *context, size_t scan_count, size_t sort_count) {
  cuda_device *device = enter(context);
  if (scan_count <= device->scan_capacity && sort_count <= device->sort_capacity) return GRAZE_OK;
  if (scan_count < device->scan_capacity) scan_count = device->scan_capacity;
  if (sort_count < device->sort_capacity) sort_count = device->sort_capacity;
  size_t sort_bytes = 0;
  const cudaError_t status = sort_with(NULL, &sort_bytes, NULL, NULL, sort_count, 64, device->stream);
  if (status != cudaSuccess) return check(device, status, "sizing the scratch of the sort");
  release_scratch(device);
  for (int i = 0; i < SEQUENCE_COUNT; i++) device->graphs[i].signature_bytes = 0; /* they refer to the old scratch */
  const size_t scan_bytes = scan_states_bytes(scan_count);
  graze_result result = cuda_allocate(context, sort_bytes, &device->scratch);
  if (result == GRAZE_OK) result = cuda_allocate(context, scan_bytes, &device->scan_states);
  if (result == GRAZE_OK) result = cuda_clear(context, device->scan_states, 0, scan_bytes);
  if (result != GRAZE_OK) return result;
  device->scratch_bytes = sort_bytes;
  device->scan_capacity = scan_count;
  device->sort_capacity = sort_count;
  return GRAZE_OK;
}

graze_result cuda_scan(void *context, uint32_t *counts, size_t count, const uint64_t *sum_or_null) {
  cuda_device *device = enter(context);
  if (count > device->scan_capacity) return check(device, cudaErrorInvalidValue, "summing");
  launch_scan(counts, count, sum_or_null, device->scan_states, device->queue);
  return check(device, cudaGetLastError(), "summing");
}

graze_result cuda_sort(void *context, const uint64_t *keys, uint64_t *sorted_out, size_t count, uint32_t bits) {
  cuda_device *device = enter(context);
  size_t bytes = device->scratch_bytes;
  return check(device, sort_with(device->scratch, &bytes, keys, sorted_out, count, bits, device->queue), "sorting");
}

/* ---------------------------------------------------------------------------------------------- graphs */

void forget_graph(kept_graph *kept) {
  if (kept->graph != NULL) (void)cudaGraphExecDestroy(kept->graph);
  kept->graph = NULL;
  kept->signature_bytes = 0;
}

bool cuda_begin(void *context, device_sequence sequence, const void *signature, size_t signature_bytes) {
  cuda_device *device = enter(context);
  kept_graph *kept = &device->graphs[sequence];
  device->capturing = device->replaying = NULL;
  if (kept->graph != NULL && kept->signature_bytes == signature_bytes &&
      memcmp(kept->signature, signature, signature_bytes) == 0) {
    device->replaying = kept;
    return true;
  }
  forget_graph(kept);
  if (signature_bytes > sizeof kept->signature) return false;
  memcpy(kept->signature, signature, signature_bytes);
  kept->signature_bytes = signature_bytes;
  if (cudaStreamBeginCapture(device->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess)
    device->capturing = kept;
  else
    (void)cudaGetLastError(); /* the sequence then runs at once, and is not kept */
  return false;
}

/* Counts the nodes that do work; marks are omitted. */
cudaError_t count_launches(cudaGraph_t graph, size_t *launches_out) {
  size_t count = 0;
  *launches_out = 0;
  cudaError_t status = cudaGraphGetNodes(graph, NULL, &count);
  if (status != cudaSuccess || count == 0) return status;
  cudaGraphNode_t *nodes = static_cast<cudaGraphNode_t *>(malloc(count * sizeof *nodes));
  if (nodes == NULL) return cudaErrorMemoryAllocation;
  status = cudaGraphGetNodes(graph, nodes, &count);
  for (size_t i = 0; i < count && status == cudaSuccess; i++) {
    cudaGraphNodeType type;
    status = cudaGraphNodeGetType(nodes[i], &type);
    if (type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeMemcpy)
      (*launches_out)++;
  }
  free(nodes);
  return status;
}

/* If queueing failed midway, the partial sequence is neither kept nor run. */
graze_result finish_capture(cuda_device *device, kept_graph *kept) {
  cudaGraph_t captured = NULL;
  const bool broken = device->error[0] != '\0';
  if (device->branched) { /* a sequence ends after all of its operations */
    (void)cudaEventRecord(device->branch, device->beside);
    (void)cudaStreamWaitEvent(device->stream, device->branch, 0);
  }
  device->branched = false;
  device->queue = device->stream; /* also if queueing failed */
  cudaError_t status = cudaStreamEndCapture(device->stream, &captured);
  if (status == cudaSuccess && broken) status = cudaErrorStreamCaptureInvalidated;
  if (status == cudaSuccess) status = count_launches(captured, &kept->launches);
  if (status == cudaSuccess) status = cudaGraphInstantiate(&kept->graph, captured, 0);
  if (captured != NULL) (void)cudaGraphDestroy(captured);
  if (status != cudaSuccess) {
    kept->graph = NULL;
    forget_graph(kept);
  }
  return check(device, status, "capturing a sequence");
}

graze_result cuda_end(void *context) {
  cuda_device *device = device_of(context); /* keeps the message of queued operations */
  kept_graph *kept = device->replaying;
  if (device->capturing != NULL) {
    const graze_result result = finish_capture(device, device->capturing);
    if (result == GRAZE_OK) kept = device->capturing;
    device->capturing = NULL;
    if (result != GRAZE_OK) return result;
  }
  device->replaying = NULL;
  return kept != NULL ? check(device, cudaGraphLaunch(kept->graph, device->stream), "launching a sequence") : GRAZE_OK;
}

size_t cuda_launches(void *context, device_sequence sequence) {
  const kept_graph *kept = &device_of(context)->graphs[sequence];
  return kept->graph != NULL ? kept->launches : 0;
}

/* Operations queued on `beside` from now on follow all that were queued so far. */
cudaError_t branch_off(cuda_device *device) {
  cudaError_t status = cudaEventRecord(device->branch, device->stream);
  if (status == cudaSuccess) status = cudaStreamWaitEvent(device->beside, device->branch, 0);
  device->branched = true;
  return status;
}

/* Outside of a captured sequence, all operations run in order. */
graze_result cuda_beside(void *context, bool begins) {
  cuda_device *device = enter(context);
  if (device->capturing == NULL) return GRAZE_OK;
  device->queue = begins ? device->beside : device->stream;
  return check(device, begins ? branch_off(device) : cudaSuccess, "branching off");
}

/* In a captured sequence, marks are recorded on a stream that branches off: a mark between two kernels would prevent
 * their overlap. */
cudaError_t mark_beside(cuda_device *device, device_mark mark) {
  const cudaError_t status = branch_off(device);
  if (status != cudaSuccess) return status;
  return cudaEventRecordWithFlags(device->marks[mark], device->beside, cudaEventRecordExternal);
}

graze_result cuda_mark(void *context, device_mark mark) {
  cuda_device *device = enter(context);
  const cudaError_t status =
      device->capturing != NULL ? mark_beside(device, mark) : cudaEventRecord(device->marks[mark], device->stream);
  return check(device, status, "marking a time");
}

double cuda_milliseconds(void *context, device_mark from, device_mark to) {
  const cuda_device *device = device_of(context);
  float milliseconds = 0.0f;
  if (cudaEventElapsedTime(&milliseconds, device->marks[from], device->marks[to]) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0.0;
  }
  return milliseconds;
}

/* ---------------------------------------------------------------------------------------------- opening, closing */

const char *cuda_error(void *context) {
  return device_of(context)->error;
}

void cuda_close(void *context) {
  cuda_device *device = device_of(context);
  (void)cudaSetDevice(device->number);
  if (device->stream != NULL) (void)cudaStreamSynchronize(device->stream);
  for (int i = 0; i < SEQUENCE_COUNT; i++) forget_graph(&device->graphs[i]);
  for (int i = 0; i < MARK_COUNT; i++)
    if (device->marks[i] != NULL) (void)cudaEventDestroy(device->marks[i]);
  if (device->arrival != NULL) (void)cudaEventDestroy(device->arrival);
  if (device->branch != NULL) (void)cudaEventDestroy(device->branch);
  release_scratch(device);
  if (device->staging != NULL) (void)cudaFreeHost(device->staging);
  if (device->beside != NULL) (void)cudaStreamDestroy(device->beside);
  if (device->stream != NULL) (void)cudaStreamDestroy(device->stream);
  free(device);
}

/* CUDA reports "insufficient" both for a driver that is too old and for a missing one. */
void describe_driver(char *words_out, size_t words_bytes) {
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0)
    snprintf(words_out, words_bytes, "no CUDA device: the machine has no CUDA driver");
  else
    snprintf(words_out, words_bytes, "no CUDA device: the driver supports CUDA %d.%d; this build requires %d.%d",
             version / 1000, version % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

/* Whether the device exists and can run these kernels; otherwise writes the reason. */
graze_result find_device(int number, cudaDeviceProp *properties_out, char *words_out, size_t words_bytes) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();
  if (status == cudaErrorInsufficientDriver) {
    describe_driver(words_out, words_bytes);
    return GRAZE_NO_DEVICE;
  }
  if (status != cudaSuccess || count == 0) {
    snprintf(words_out, words_bytes, "no CUDA device: %s",
             status != cudaSuccess ? cudaGetErrorString(status) : "the machine has none");
    return GRAZE_NO_DEVICE;
  }
  if (number < 0 || number >= count) {
    snprintf(words_out, words_bytes, "there is no CUDA device %d; the machine has %d", number, count);
    return GRAZE_NO_DEVICE;
  }
  const cudaError_t known = cudaGetDeviceProperties(properties_out, number);
  if (known != cudaSuccess) {
    (void)cudaGetLastError();
    snprintf(words_out, words_bytes, "CUDA device %d: %s", number, cudaGetErrorString(known));
    return GRAZE_NO_DEVICE;
  }
  if (10 * properties_out->major + properties_out->minor < LEAST_CAPABILITY) {
    snprintf(words_out, words_bytes, "CUDA device %d, %s, has compute capability %d.%d; %d.%d is required", number,
             properties_out->name, properties_out->major, properties_out->minor, LEAST_CAPABILITY / 10,
             LEAST_CAPABILITY % 10);
    return GRAZE_NO_DEVICE;
  }
  return GRAZE_OK;
}

graze_result prepare(cuda_device *device) {
  cudaError_t status = cudaSetDevice(device->number);
  if (status == cudaSuccess) status = find_kernels();
  if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking);
  device->queue = device->stream;
  for (int i = 0; i < MARK_COUNT && status == cudaSuccess; i++) status = cudaEventCreate(&device->marks[i]);
  if (status == cudaSuccess) status = cudaEventCreateWithFlags(&device->arrival, cudaEventDisableTiming);
  if (status == cudaSuccess) status = cudaStreamCreateWithFlags(&device->beside, cudaStreamNonBlocking);
  if (status == cudaSuccess) status = cudaEventCreateWithFlags(&device->branch, cudaEventDisableTiming);
  if (status == cudaSuccess) status = cudaMallocHost(&device->staging, STAGING_BYTES);
  return check(device, status, "opening");
}

} // namespace

graze_result cuda_backend_open(int number, device_operations *operations_out, char *error_out, size_t error_bytes) {
  cudaDeviceProp properties;
  graze_result result = find_device(number, &properties, error_out, error_bytes);
  if (result != GRAZE_OK) return result;
  cuda_device *device = static_cast<cuda_device *>(calloc(1, sizeof *device));
  if (device == NULL) return GRAZE_OUT_OF_MEMORY;
  device->number = number;
  device->processors = properties.multiProcessorCount;
  result = prepare(device);
  if (result != GRAZE_OK) {
    snprintf(error_out, error_bytes, "%s", device->error);
    cuda_close(device);
    return result;
  }
  memset(operations_out, 0, sizeof *operations_out);
  operations_out->context = device;
  operations_out->vertex_lanes = UINT32_MAX;
  operations_out->allocate = cuda_allocate;
  operations_out->release = cuda_release;
  operations_out->device = number;
  operations_out->allocate_list = cuda_allocate;
  operations_out->release_list = cuda_release_list;
  operations_out->copy = cuda_copy;
  operations_out->check_memory = cuda_check_memory;
  operations_out->upload = cuda_upload;
  operations_out->allocate_staging = cuda_allocate_staging;
  operations_out->release_staging = cuda_release_staging;
  operations_out->upload_staged = cuda_upload_staged;
  operations_out->download_staged = cuda_download_staged;
  operations_out->wait = cuda_wait;
  operations_out->download = cuda_download;
  operations_out->clear = cuda_clear;
  operations_out->wait_for = cuda_wait_for;
  operations_out->run = cuda_run;
  operations_out->reserve = cuda_reserve;
  operations_out->scan = cuda_scan;
  operations_out->sort = cuda_sort;
  operations_out->begin = cuda_begin;
  operations_out->end = cuda_end;
  operations_out->beside = cuda_beside;
  operations_out->launches = cuda_launches;
  operations_out->mark = cuda_mark;
  operations_out->milliseconds = cuda_milliseconds;
  operations_out->error = cuda_error;
  operations_out->close = cuda_close;
  return GRAZE_OK;
}

graze_result cuda_backend_describe(int number, char *words_out, size_t words_bytes) {
  cudaDeviceProp properties;
  const graze_result result = find_device(number, &properties, words_out, words_bytes);
  if (result != GRAZE_OK) return result;
  snprintf(words_out, words_bytes, "%s, %.1f GiB, compute capability %d.%d", properties.name,
           static_cast<double>(properties.totalGlobalMem) / (1024.0 * 1024.0 * 1024.0), properties.major,
           properties.minor);
  return GRAZE_OK;
}
