/* The kernels of clusters whose threads cooperate.
 *
 * In the sweep, a warp takes several consecutive pieces of rows, so that it searches for the
 * first of them only, and compares 32 adjacent boxes of a row at a time. Boxes that meet, one in ten to a hundred,
 * wait in a queue until there are 32. Centers are moved by one block of threads per cluster, whose sums are added in a
 * fixed order. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_clusters.h"
#include "cuda/warp_candidates.cuh"

namespace {

enum { PIECES_A_WARP = 32, BLOCKS_A_PROCESSOR = 32 };

static_assert(static_cast<int>(PIECE_LANES) == static_cast<int>(WARP), "a piece is a warp's");

/* Two memberships of one cluster whose boxes meet. */
struct met_rows {
  unsigned row, other;
};

struct queue_memory {
  met_rows meeting[QUEUE_CAPACITY];
  index_pair candidates[CANDIDATE_CAPACITY];
};

struct warp_sweep {
  const cluster_view *view;
  warp_queue<met_rows> meeting;
  warp_candidates found;
};

__device__ void relate_met_rows(warp_sweep *s) {
  const cluster_view *v = s->view;
  met_rows met;
  swept_pair pair = {ENTRIES_APART, false, {0, 0}};
  if (s->meeting.pull(&met)) {
    const sweep_row row = v->rows[met.row], other = v->rows[met.other];
    pair = relate_rows(v, &row, &other);
  }
  s->found.neighbors += pair.relation == ENTRIES_NEIGHBORS ? 1u : 0u;
  s->found.duplicates += pair.again ? 1u : 0u;
  add_candidates(&s->found, pair.relation == ENTRIES_CANDIDATE, pair.candidate);
}

/* Sweeps pieces from the first on, below the end. Memberships without pieces are skipped. */
__device__ void sweep_pieces(warp_sweep *s, unsigned first, unsigned end) {
  const cluster_view *v = s->view;
  const unsigned members = written_members(v);
  unsigned member = member_of_piece(v, first), begins = v->first_piece[member];
  sweep_row row = v->rows[member];
  unsigned row_end = v->ends[member];
  for (unsigned piece = first; piece < end; piece++) {
    bool moved = false;
    while (member + 1 < members && v->first_piece[member + 1] <= piece) {
      member++;
      moved = true;
    }
    if (moved) {
      begins = v->first_piece[member];
      row = v->rows[member];
      row_end = v->ends[member];
    }
    const unsigned other = member + 1 + (piece - begins) * PIECE_LANES + lane_number();
    bool meet = false;
    if (other < row_end) {
      const sweep_row compared = v->rows[other];
      meet = rows_meet(&row, &compared);
      s->found.box_tests++;
    }
    s->meeting.push(meet, met_rows{member, other});
    if (s->meeting.count >= WARP) relate_met_rows(s);
  }
}

__global__ void __launch_bounds__(KERNEL_THREADS) kernel_cluster_sweep(const __grid_constant__ cluster_view view) {
  __shared__ queue_memory memory[WARPS_A_BLOCK];
  __shared__ block_rest rest;
  const cluster_view *v = &view;
  queue_memory *own = &memory[threadIdx.x / WARP];
  follow_closely();
  const unsigned first_piece = static_cast<unsigned>(v->first_lane / PIECE_LANES);
  const unsigned end = first_piece + device_cluster_lanes(v) / PIECE_LANES;
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * WARPS_A_BLOCK * PIECES_A_WARP;
  begin_rest(&rest);
  warp_sweep s = {v, {own->meeting, 0}, {&v->pairs.lists, {own->candidates, 0}, 0, 0, 0, 0}};
  for (unsigned long long piece =
           first_piece + (blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP) * static_cast<unsigned>(PIECES_A_WARP);
       piece < end; piece += stride) {
    const unsigned begin = static_cast<unsigned>(piece), left = end - begin;
    sweep_pieces(&s, begin, begin + (left < PIECES_A_WARP ? left : PIECES_A_WARP));
  }
  if (s.meeting.count != 0) relate_met_rows(&s);
  write_rest(&s.found, &rest);
}

/* ---------------------------------------------------------------------------------------------- centers */

enum { MOVE_THREADS = 256 };

__device__ void join_materials(cluster_material *sum, const cluster_material *part) {
  sum->weight += part->weight;
  sum->spread.count += part->spread.count;
  for (int i = 0; i < 3; i++) {
    sum->position[i] += part->position[i];
    sum->spread.sum[i] += part->spread.sum[i];
  }
  for (int i = 0; i < 6; i++) sum->spread.product[i] += part->spread.product[i];
}

__global__ void __launch_bounds__(MOVE_THREADS) kernel_cluster_move(const __grid_constant__ learning_view view) {
  __shared__ cluster_material materials[MOVE_THREADS];
  const learning_view *v = &view;
  const unsigned cluster = blockIdx.x;
  follow_closely();
  cluster_material *own = &materials[threadIdx.x];
  *own = cluster_material_begin(v, cluster);
  for (unsigned i = threadIdx.x; i < v->point_count; i += MOVE_THREADS) cluster_material_add(v, cluster, i, own);
  for (unsigned half = MOVE_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) join_materials(own, &materials[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) cluster_take_material(v, cluster, own);
}

} // namespace

bool launch_clusters(const stage_launch *launch) {
  if (launch->stage == STAGE_cluster_sweep)
    launch_closely(kernel_cluster_sweep, BLOCKS_A_PROCESSOR * launch->processors, KERNEL_THREADS, launch->stream,
                   *static_cast<const cluster_view *>(launch->view));
  else if (launch->stage == STAGE_cluster_move)
    launch_closely(kernel_cluster_move, static_cast<unsigned>(launch->bound), MOVE_THREADS, launch->stream,
                   *static_cast<const learning_view *>(launch->view));
  else
    return false;
  return true;
}
