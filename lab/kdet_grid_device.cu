/* The published grid on a device. A frame is launched stage by stage, as in the paper, without graphs. thrust
 * eliminates duplicates. */
#include "lab/kdet_stages.h"

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

/* Beyond this many indices, a thread processes several. */
const uint64_t threads_most = static_cast<uint64_t>(1) << 30;

#define KDET_KERNEL(name, index_type)                                                                                  \
  __global__ void kernel_##name(kdet_view view, uint64_t count) {                                                      \
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;                                             \
    for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)            \
      kdet_stage_##name(static_cast<index_type>(i), &view);                                                            \
  }

KDET_KERNEL(measure, uint32_t)
KDET_KERNEL(populate, uint32_t)
KDET_KERNEL(find, uint32_t)
KDET_KERNEL(loop, uint32_t)
KDET_KERNEL(no_loop, uint64_t)
KDET_KERNEL(test, uint64_t)
KDET_KERNEL(count, uint32_t)

/* The state of a run; after a failure, which is in `status`, nothing more is done. */
struct device_run {
  const kdet_options *options;
  kdet_view view;
  cudaStream_t stream;
  cudaEvent_t events[KDET_STAGES + 1];
  kdet_tally tally; /* the host's copy */
  cudaError_t status;
};

bool good(device_run *run, cudaError_t status) {
  if (run->status == cudaSuccess) run->status = status;
  return run->status == cudaSuccess;
}

template <typename type> bool reserve(device_run *run, type **out, uint64_t count) {
  void *memory = nullptr;
  const bool made = good(run, cudaMalloc(&memory, (count + 1) * sizeof(type)));
  *out = static_cast<type *>(memory);
  return made;
}

template <typename type> bool upload(device_run *run, const type **out, const type *from, uint64_t count) {
  type *memory = nullptr;
  const bool made =
      reserve(run, &memory, count) && good(run, cudaMemcpy(memory, from, count * sizeof(type), cudaMemcpyHostToDevice));
  *out = memory;
  return made;
}

void free_lists(kdet_view *v) {
  (void)cudaFree(v->list);
  (void)cudaFree(v->map);
  v->list = nullptr;
  v->map = nullptr;
}

bool make_lists(device_run *run, uint64_t capacity) {
  kdet_view *const v = &run->view;
  free_lists(v);
  v->list_capacity = capacity;
  v->map_capacity = 1;
  while (v->map_capacity < 2 * capacity && v->dedup == KDET_MAP) v->map_capacity *= 2;
  return reserve(run, &v->list, v->list_capacity) && reserve(run, &v->map, v->map_capacity);
}

bool make_run(int device, const kdet_soup *soup, const kdet_options *options, device_run *run) {
  *run = {};
  run->options = options;
  kdet_view *const v = &run->view;
  v->count = static_cast<uint32_t>(soup->triangle_count);
  v->hash = options->hash;
  v->dedup = options->dedup;
  v->buckets = options->way == KDET_GRID ? options->buckets : 1;
  bool made = good(run, cudaSetDevice(device)) && good(run, cudaStreamCreate(&run->stream));
  for (int i = 0; i <= KDET_STAGES && made; i++) made = good(run, cudaEventCreate(&run->events[i]));
  const uint64_t count = v->count, buckets = v->buckets;
  made = made && upload(run, &v->positions, soup->positions, 3 * static_cast<uint64_t>(soup->vertex_count)) &&
         upload(run, &v->triangles, soup->triangles, 3 * count) && reserve(run, &v->boxes, 6 * count) &&
         reserve(run, &v->diameters, count) && reserve(run, &v->fill, 3 * buckets) &&
         reserve(run, &v->ids, buckets * KDET_BUCKET) && reserve(run, &v->marks, count) && reserve(run, &v->tally, 1);
  if (!made) return false;
  v->next = v->fill + buckets; /* in one piece, to be cleared at once */
  v->taken = v->next + buckets;
  return make_lists(run, 16 * count + 1024);
}

void free_run(device_run *run) {
  kdet_view *const v = &run->view;
  (void)cudaFree(const_cast<float *>(v->positions));
  (void)cudaFree(const_cast<uint32_t *>(v->triangles));
  (void)cudaFree(v->boxes);
  (void)cudaFree(v->diameters);
  (void)cudaFree(v->fill);
  (void)cudaFree(v->ids);
  (void)cudaFree(v->marks);
  (void)cudaFree(v->tally);
  free_lists(v);
  for (cudaEvent_t event : run->events)
    if (event != nullptr) (void)cudaEventDestroy(event);
  if (run->stream != nullptr) (void)cudaStreamDestroy(run->stream);
}

typedef void kernel(kdet_view view, uint64_t count);

bool launch(device_run *run, kernel *stage, uint64_t count) {
  if (count == 0) return run->status == cudaSuccess;
  const uint32_t block = run->options->block;
  const uint64_t blocks = (std::min(count, threads_most) + block - 1) / block;
  stage<<<static_cast<unsigned>(blocks), block, 0, run->stream>>>(run->view, count);
  return good(run, cudaGetLastError());
}

bool clear(device_run *run) {
  const kdet_view *const v = &run->view;
  kdet_tally begin = {};
  begin.least = UINT32_MAX >> 1;
  const uint64_t heads = 3 * static_cast<uint64_t>(v->buckets) * sizeof *v->fill;
  return good(run, cudaMemcpyAsync(v->tally, &begin, sizeof begin, cudaMemcpyHostToDevice, run->stream)) &&
         good(run, cudaMemsetAsync(v->fill, 0, heads, run->stream)) &&
         (v->dedup != KDET_NONE || good(run, cudaMemsetAsync(v->marks, 0, v->count * sizeof *v->marks, run->stream))) &&
         (v->dedup != KDET_MAP || good(run, cudaMemsetAsync(v->map, 0, v->map_capacity * sizeof *v->map, run->stream)));
}

bool find(device_run *run) {
  const uint64_t count = run->view.count;
  switch (run->options->way) {
  case KDET_GRID:
    return launch(run, kernel_find, count);
  case KDET_BRUTE_LOOP:
    return launch(run, kernel_loop, count);
  case KDET_BRUTE_NO_LOOP:
    return launch(run, kernel_no_loop, count * count);
  }
  return false;
}

/* The host must know the number of candidates before it sorts or tests them. */
bool fetch_tally(device_run *run) {
  return good(run,
              cudaMemcpyAsync(&run->tally, run->view.tally, sizeof run->tally, cudaMemcpyDeviceToHost, run->stream)) &&
         good(run, cudaStreamSynchronize(run->stream));
}

/* thrust reports failures by exceptions, mostly out of memory. */
bool thin_out(device_run *run) {
  unsigned long long *const list = run->view.list;
  try {
    const auto policy = thrust::cuda::par.on(run->stream);
    thrust::sort(policy, list, list + run->tally.listed);
    run->tally.listed = static_cast<unsigned long long>(thrust::unique(policy, list, list + run->tally.listed) - list);
  } catch (const std::exception &) {
    return good(run, cudaErrorMemoryAllocation);
  }
  return true;
}

bool mark(device_run *run, int stage) {
  return good(run, cudaEventRecord(run->events[stage], run->stream));
}

/* If `listed` of the tally exceeds the capacity, the rest of the frame was skipped. */
bool run_frame(device_run *run) {
  const bool grid = run->options->way == KDET_GRID;
  const uint64_t count = run->view.count;
  if (!mark(run, 0) || !clear(run) || !launch(run, kernel_measure, count) || !mark(run, 1)) return false;
  if ((grid && !launch(run, kernel_populate, count)) || !mark(run, 2)) return false;
  if (!find(run) || !mark(run, 3) || !fetch_tally(run)) return false;
  if (run->tally.listed > run->view.list_capacity) return true;
  if ((grid && run->view.dedup == KDET_SORT && !thin_out(run)) || !mark(run, 4)) return false;
  return launch(run, kernel_test, run->tally.listed) && mark(run, 5) && good(run, cudaStreamSynchronize(run->stream));
}

bool read_times(device_run *run, kdet_outcome *outcome) {
  float total = 0.0f;
  if (!good(run, cudaEventElapsedTime(&total, run->events[0], run->events[KDET_STAGES]))) return false;
  if (outcome->total_ms > 0.0 && total >= outcome->total_ms) return true;
  outcome->total_ms = total;
  for (int i = 0; i < KDET_STAGES; i++) {
    float part = 0.0f;
    if (!good(run, cudaEventElapsedTime(&part, run->events[i], run->events[i + 1]))) return false;
    outcome->stage_ms[i] = part;
  }
  return true;
}

bool take_counts(device_run *run, kdet_outcome *outcome) {
  const unsigned long long listed = run->tally.listed;
  if (run->view.dedup == KDET_NONE && !launch(run, kernel_count, run->view.count)) return false;
  if (!fetch_tally(run)) return false;
  outcome->levels = 1 + kdet_level(kdet_value(run->tally.most), kdet_least_side(&run->tally));
  outcome->bytes = kdet_view_bytes(&run->view);
  outcome->stored = run->tally.stored;
  outcome->linked = run->tally.linked;
  outcome->met = run->options->way == KDET_GRID ? run->tally.met : listed;
  outcome->colliding = run->tally.colliding;
  outcome->float_pairs = run->tally.float_pairs;
  run->tally.listed = listed;
  return true;
}

bool take_candidates(device_run *run, kdet_outcome *outcome) {
  if (run->view.dedup == KDET_NONE) return true;
  const size_t count = static_cast<size_t>(run->tally.listed);
  outcome->candidates = static_cast<uint64_t *>(calloc(count + 1, sizeof *outcome->candidates));
  if (outcome->candidates == nullptr) return good(run, cudaErrorMemoryAllocation);
  outcome->candidate_count = count;
  if (!good(run, cudaMemcpy(outcome->candidates, run->view.list, count * sizeof *outcome->candidates,
                            cudaMemcpyDeviceToHost)))
    return false;
  std::sort(outcome->candidates, outcome->candidates + count);
  return true;
}

bool run_rounds(device_run *run, kdet_outcome *outcome) {
  if (!run_frame(run)) return false;
  while (run->tally.listed > run->view.list_capacity)
    if (!make_lists(run, run->tally.listed) || !run_frame(run)) return false;
  if (run->tally.lost > 0) return false;
  for (size_t round = 0; round < run->options->rounds; round++)
    if (!run_frame(run) || !read_times(run, outcome)) return false;
  return take_counts(run, outcome) && take_candidates(run, outcome);
}

} // namespace

bool kdet_grid_run_device(int device, const kdet_soup *soup, const kdet_options *options, kdet_outcome *outcome,
                          char *error, size_t error_bytes) {
  *outcome = kdet_outcome{};
  device_run run;
  const bool done = make_run(device, soup, options, &run) && run_rounds(&run, outcome);
  free_run(&run);
  if (done) return true;
  snprintf(error, error_bytes, "%s",
           run.status != cudaSuccess ? cudaGetErrorString(run.status)
                                     : "the table of the published grid has no empty bucket left");
  kdet_outcome_free(outcome);
  return false;
}
