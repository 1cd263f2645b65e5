/* Compares the sums of cuda_scan.cu on a real device with a loop on the host: lengths near those of warps and tiles,
 * counts at every alignment, sums beyond 32 bits, and three consecutive scans of different counts without clearing.
 * Exits with 77 without a device. */
#include "cuda/kernel_launch.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

enum { SCANS_IN_A_ROW = 3, ALIGNMENTS = 4, MARGIN = 8, SKIPPED = 77 };

const size_t LONGEST = 34000000;
const uint32_t MARGIN_WORD = 0xabcdef01u; /* around the counts: nothing else may be written */

void require(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return;
  std::printf("device_scan: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

std::vector<uint32_t> make_counts() {
  std::vector<uint32_t> counts(LONGEST);
  uint64_t random = 1;
  for (uint32_t &count : counts) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    count = static_cast<uint32_t>(random >> 32);
  }
  return counts;
}

struct scan_case {
  size_t length;
  uint32_t skew;  /* counts behind a boundary of 16 bytes */
  uint32_t shift; /* 28: all sums fit 32 bits; 0: they run over */
};

/* With margins, as it lies on the device. Each scan of a row begins elsewhere in the same counts. */
std::vector<uint32_t> make_row(const std::vector<uint32_t> &counts, const scan_case &c, size_t number) {
  std::vector<uint32_t> row(MARGIN + c.skew, MARGIN_WORD);
  row.reserve(row.size() + c.length + MARGIN);
  for (size_t i = 0; i < c.length; i++) row.push_back(counts[(i + number * 7919) % LONGEST] >> c.shift);
  row.insert(row.end(), MARGIN, MARGIN_WORD);
  return row;
}

void sum_up(std::vector<uint32_t> *row, const scan_case &c) {
  uint32_t sum = 0;
  for (size_t i = MARGIN + c.skew; i < MARGIN + c.skew + c.length; i++) {
    const uint32_t count = (*row)[i];
    (*row)[i] = sum;
    sum += count;
  }
}

void compare(const std::vector<uint32_t> &found, const std::vector<uint32_t> &wanted, const scan_case &c,
             size_t number) {
  for (size_t i = 0; i < wanted.size(); i++) {
    if (found[i] == wanted[i]) continue;
    std::printf("device_scan: scan %zu of %zu counts, %u behind a boundary, shifted by %u: %u at %lld, not %u\n",
                number, c.length, c.skew, c.shift, found[i],
                static_cast<long long>(i) - static_cast<long long>(MARGIN + c.skew), wanted[i]);
    std::exit(1);
  }
}

/* All are queued before the first is waited for: what one left to the next is seen in time. */
void check_case(const std::vector<uint32_t> &counts, const scan_case &c, uint32_t *const device_rows[SCANS_IN_A_ROW],
                void *device_states, cudaStream_t stream) {
  std::vector<uint32_t> rows[SCANS_IN_A_ROW];
  for (size_t i = 0; i < SCANS_IN_A_ROW; i++) {
    rows[i] = make_row(counts, c, i);
    require(cudaMemcpyAsync(device_rows[i], rows[i].data(), rows[i].size() * sizeof(uint32_t), cudaMemcpyHostToDevice,
                            stream),
            "uploading");
  }
  for (size_t i = 0; i < SCANS_IN_A_ROW; i++)
    launch_scan(device_rows[i] + MARGIN + c.skew, c.length, NULL, device_states, stream);
  require(cudaGetLastError(), "launching");
  require(cudaStreamSynchronize(stream), "scanning");
  for (size_t i = 0; i < SCANS_IN_A_ROW; i++) {
    std::vector<uint32_t> found(rows[i].size());
    require(cudaMemcpy(found.data(), device_rows[i], found.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost),
            "fetching");
    sum_up(&rows[i], c);
    compare(found, rows[i], c, i);
  }
}

} // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("device_scan: skipped, there is no CUDA device\n");
    return SKIPPED;
  }
  /* Short ones come after long ones and before: states that a scan left behind would be met. */
  const size_t tile = SCAN_TILE;
  const size_t lengths[] = {0,         1,
                            2,         3,
                            4,         5,
                            31,        32,
                            33,        1000003,
                            127,       128,
                            129,       1023,
                            1024,      1025,
                            tile - 4,  tile - 3,
                            tile - 2,  tile - 1,
                            tile,      LONGEST,
                            tile + 1,  2 * tile - 1,
                            2 * tile,  2 * tile + 1,
                            31 * tile, 32 * tile,
                            33 * tile, 34 * tile + 5,
                            65 * tile, 777777};
  const std::vector<uint32_t> counts = make_counts();
  uint32_t *device_rows[SCANS_IN_A_ROW];
  void *device_states = NULL;
  cudaStream_t stream;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "opening");
  for (uint32_t *&row : device_rows)
    require(cudaMalloc(reinterpret_cast<void **>(&row), (LONGEST + ALIGNMENTS + 2 * MARGIN) * sizeof *row),
            "allocating");
  require(cudaMalloc(&device_states, scan_states_bytes(LONGEST)), "allocating");
  require(cudaMemsetAsync(device_states, 0, scan_states_bytes(LONGEST), stream), "clearing");
  size_t scans = 0;
  for (uint32_t skew = 0; skew < ALIGNMENTS; skew++)
    for (const size_t length : lengths) {
      const scan_case c = {length, skew, skew % 2 == 0 ? 28u : 0u};
      check_case(counts, c, device_rows, device_states, stream);
      scans += SCANS_IN_A_ROW;
    }
  for (uint32_t *row : device_rows) require(cudaFree(row), "releasing");
  require(cudaFree(device_states), "releasing");
  require(cudaStreamDestroy(stream), "closing");
  std::printf("device_scan: %zu scans, none differs\n", scans);
  return 0;
}
