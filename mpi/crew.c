/* Ranks that follow rank 0; see crew.h. */
#include "crew.h"

#include "graze/cuda.h"
#include "graze/mpi.h"
#include "pair_sort.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- all pairs on rank 0 */

/* MPI counts are ints, so long lists are sent in pieces.
 */

enum { PIECE = 1 << 24 };

static void send_pairs(MPI_Comm ranks, const graze_pair *own, size_t own_count) {
  const unsigned long long count = own_count;
  MPI_Send(&count, 1, MPI_UNSIGNED_LONG_LONG, 0, 0, ranks);
  for (size_t first = 0; first < own_count; first += PIECE) {
    const size_t left = own_count - first, some = left < PIECE ? left : PIECE;
    MPI_Send(own + first, (int)(4 * some), MPI_UINT32_T, 0, 1, ranks);
  }
}

static size_t receive_pairs(MPI_Comm ranks, int from, graze_pair *to) {
  unsigned long long count;
  MPI_Recv(&count, 1, MPI_UNSIGNED_LONG_LONG, from, 0, ranks, MPI_STATUS_IGNORE);
  for (size_t first = 0; first < count; first += PIECE) {
    const size_t left = count - first, some = left < PIECE ? left : PIECE;
    MPI_Recv(to + first, (int)(4 * some), MPI_UINT32_T, from, 1, ranks, MPI_STATUS_IGNORE);
  }
  return count;
}

/* Collective. `all_out` is used only on rank 0 and has space for all pairs. */
static void gather_pairs(MPI_Comm ranks, const graze_pair *own, size_t own_count, graze_pair *all_out) {
  int rank, rank_count;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &rank_count);
  if (rank != 0) {
    send_pairs(ranks, own, own_count);
    return;
  }
  if (own_count > 0) memcpy(all_out, own, own_count * sizeof *own);
  size_t at = own_count;
  for (int from = 1; from < rank_count; from++) at += receive_pairs(ranks, from, all_out + at);
}

enum { NAME_BYTES = 64, PATH_BYTES = 4096, MESSAGE_BYTES = 256 };

/* ---------------------------------------------------------------------------------------------- opening */

/* The options of rank 0 in one block, to be broadcast. */
typedef struct crew_setup {
  graze_method_def method;
  char method_name[NAME_BYTES], backend[NAME_BYTES];
  uint32_t threads;
  int devices[DEVICE_LIST_MOST];
  size_t device_count;
} crew_setup;

static crew_setup setup_of(const search_options *options) {
  crew_setup setup = {
      .method = options->method, .threads = options->scene.thread_count, .device_count = options->scene.device_count};
  memcpy(setup.devices, options->scene.devices, sizeof setup.devices);
  snprintf(setup.method_name, sizeof setup.method_name, "%s", options->method.name);
  snprintf(setup.backend, sizeof setup.backend, "%s", options->scene.backend);
  return setup;
}

/* The ranks of a machine use the devices of the list in turn. If the list has one device, they use all devices of the
 * machine in turn, starting with this one. */
static int device_of_rank(MPI_Comm ranks, const crew_setup *setup) {
  MPI_Comm machine;
  int place, count = 0;
  char words[MESSAGE_BYTES];
  MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &place);
  MPI_Comm_free(&machine);
  while (graze_cuda_describe(count, words, sizeof words) == GRAZE_OK) count++;
  if (setup->device_count > 1) return setup->devices[(size_t)place % setup->device_count];
  return count > 0 ? (setup->devices[0] + place) % count : setup->devices[0];
}

static graze_result create_ranks(crew *opened, MPI_Comm ranks, crew_setup *setup) {
  setup->method.name = setup->method_name;
  graze_backend_def backend = graze_backend_def_default();
  backend.name = setup->backend;
  const int device = device_of_rank(ranks, setup);
  if (strcmp(setup->backend, "cpu") != 0) {
    backend.devices = &device;
    backend.device_count = 1;
  }
  graze_scene_def scene = graze_scene_def_default();
  scene.worker_count = setup->threads > 0 ? setup->threads : 1;
  scene.backend = &backend;
  graze_mpi_def def = graze_mpi_def_default();
  def.scene = &scene;
  def.method = &setup->method;
  return graze_mpi_create(ranks, &def, &opened->all);
}

bool crew_open(crew *opened, MPI_Comm ranks, const search_options *options_of_0) {
  int rank;
  MPI_Comm_rank(ranks, &rank);
  *opened = (crew){0};
  crew_setup setup = {0};
  if (rank == 0) setup = setup_of(options_of_0);
  MPI_Bcast(&setup, sizeof setup, MPI_BYTE, 0, ranks);
  graze_result result = create_ranks(opened, ranks, &setup);
  if (result == GRAZE_OK) result = frame_share_open(&opened->share, opened->all, ranks);
  if (result != GRAZE_OK && rank == 0) complain("%s", graze_mpi_error_text());
  if (result != GRAZE_OK) crew_close(opened);
  return result == GRAZE_OK;
}

bool crew_start(crew *opened, MPI_Comm ranks, search_options *options_or_null) {
  int goes = options_or_null != NULL;
  MPI_Bcast(&goes, 1, MPI_INT, 0, ranks);
  if (!goes) return false;
  if (options_or_null->scene.thread_count == 0) options_or_null->scene.thread_count = 1;
  return crew_open(opened, ranks, options_or_null);
}

void crew_close(crew *opened) {
  graze_mpi_object_pairs_free(&opened->touching);
  graze_pairs_free(&opened->own);
  free(opened->joined);
  frame_share_close(&opened->share);
  graze_mpi_destroy(opened->all);
  *opened = (crew){0};
}

/* ---------------------------------------------------------------------------------------------- orders */

typedef enum order_kind {
  ORDER_BEGIN,
  ORDER_TAKE,
  ORDER_HAND,
  ORDER_EXCLUDE,
  ORDER_FIND,
  ORDER_FIND_TOUCHING,
  ORDER_END
} order_kind;

typedef struct order {
  order_kind kind;
  uint32_t number;
  bool once, gathers;
  graze_query query;
  char path[PATH_BYTES];
  /* Only on rank 0. */
  const object_list *objects;
  const bool *taken;
  const graze_object_pair *exclusions;
  size_t exclusion_count;
  /* Answers. */
  bool was_taken;
  uint64_t counts[2];
} order;

/* Computes on rank 0 the sum of each counter and the longest time of each stage. */
static void reduce_costs(crew *team) {
  enum { MOST = 64 };
  double stages[MOST], slowest[MOST];
  uint64_t counters[MOST], sums[MOST];
  const size_t stage_count = graze_enumeration_count(GRAZE_ENUMERATION_STAGE),
               counter_count = graze_enumeration_count(GRAZE_ENUMERATION_COUNTER);
  for (size_t i = 0; i < stage_count; i++) stages[i] = graze_timings_value(team->own.timings, i);
  for (size_t i = 0; i < counter_count; i++) counters[i] = graze_counters_value(team->own.counters, i);
  MPI_Reduce(stages, slowest, (int)stage_count, MPI_DOUBLE, MPI_MAX, 0, team->share.ranks);
  MPI_Reduce(counters, sums, (int)counter_count, MPI_UINT64_T, MPI_SUM, 0, team->share.ranks);
  if (team->share.rank != 0) return;
  team->answer.timings = (graze_timings){.struct_bytes = sizeof team->answer.timings};
  team->answer.counters = (graze_counters){.struct_bytes = sizeof team->answer.counters};
  size_t at = 0;
#define TAKE_STAGE(name, words) team->answer.timings.name##_ms = slowest[at++];
  GRAZE_STAGE_LIST(TAKE_STAGE)
#undef TAKE_STAGE
  at = 0;
#define TAKE_COUNTER(name, words) team->answer.counters.name = sums[at++];
  GRAZE_COUNTER_LIST(TAKE_COUNTER)
#undef TAKE_COUNTER
}

static graze_result join_pairs(crew *team) {
  const bool leads = team->share.rank == 0;
  free(team->joined);
  team->joined = leads ? malloc(team->answer.totals.pair_count * sizeof *team->joined + 1) : NULL;
  const bool has_room = !leads || team->joined != NULL;
  const graze_result result = graze_mpi_agree(team->all, has_room ? GRAZE_OK : GRAZE_OUT_OF_MEMORY, NULL);
  if (result != GRAZE_OK) return result;
  gather_pairs(team->share.ranks, team->own.pairs, team->own.count, team->joined);
  if (leads) sort_pairs(team->joined, team->answer.totals.pair_count);
  team->answer.pairs = team->joined;
  return GRAZE_OK;
}

static graze_result find_pairs(crew *team, const order *given) {
  graze_result result = frame_share_end(&team->share);
  team->answer = (crew_answer){.totals = {.struct_bytes = sizeof team->answer.totals}};
  const double begin = MPI_Wtime();
  if (result == GRAZE_OK)
    result = graze_mpi_find_pairs(team->all, team->share.scene, &given->query, &team->own, &team->answer.totals);
  team->answer.milliseconds = (MPI_Wtime() - begin) * 1e3;
  if (result != GRAZE_OK) return result;
  reduce_costs(team);
  return given->gathers ? join_pairs(team) : GRAZE_OK;
}

static graze_result find_touching(crew *team, const order *given) {
  graze_result result = frame_share_end(&team->share);
  const double begin = MPI_Wtime();
  if (result == GRAZE_OK)
    result = graze_mpi_find_object_pairs(team->all, team->share.scene, &given->query, &team->touching);
  team->answer = (crew_answer){.touching = &team->touching, .milliseconds = (MPI_Wtime() - begin) * 1e3};
  return result;
}

/* Carries out this rank's part of an order. */
static graze_result carry_out(crew *team, order *given) {
  switch (given->kind) {
  case ORDER_BEGIN:
    frame_share_begin(&team->share);
    return GRAZE_OK;
  case ORDER_TAKE:
    return frame_share_take_file(&team->share, given->path, given->number, given->once, &given->was_taken,
                                 given->counts);
  case ORDER_HAND:
    return frame_share_hand_out(&team->share, given->objects, given->taken);
  case ORDER_EXCLUDE:
    return graze_mpi_exclude_objects(team->all, given->exclusions, given->exclusion_count);
  case ORDER_FIND:
    return find_pairs(team, given);
  case ORDER_FIND_TOUCHING:
    return find_touching(team, given);
  case ORDER_END:
    break;
  }
  return GRAZE_OK;
}

void crew_follow(crew *team) {
  order given;
  do {
    MPI_Bcast(&given, sizeof given, MPI_BYTE, 0, team->share.ranks);
    given.objects = NULL;
    given.taken = NULL;
    given.exclusions = NULL;
    given.exclusion_count = 0;
    (void)carry_out(team, &given); /* all ranks fail together, so rank 0 has the result, too */
  } while (given.kind != ORDER_END);
}

void crew_join(MPI_Comm ranks) {
  crew team;
  int goes;
  MPI_Bcast(&goes, 1, MPI_INT, 0, ranks);
  if (!goes || !crew_open(&team, ranks, NULL)) return;
  crew_follow(&team);
  crew_close(&team);
}

static graze_result lead(crew *team, order *given) {
  MPI_Bcast(given, sizeof *given, MPI_BYTE, 0, team->share.ranks);
  return carry_out(team, given);
}

void crew_end(crew *team) {
  order given = {.kind = ORDER_END};
  (void)lead(team, &given);
}

graze_result crew_begin_frame(crew *team) {
  order given = {.kind = ORDER_BEGIN};
  return lead(team, &given);
}

graze_result crew_take_file(crew *team, const char *path, uint32_t number, bool once, bool *taken_out,
                            uint64_t counts_out[2]) {
  order given = {.kind = ORDER_TAKE, .number = number, .once = once};
  *taken_out = false;
  if (strlen(path) >= sizeof given.path) return GRAZE_OK;
  strcpy(given.path, path);
  const graze_result result = lead(team, &given);
  *taken_out = given.was_taken;
  memcpy(counts_out, given.counts, sizeof given.counts);
  return result;
}

graze_result crew_hand_out(crew *team, const object_list *objects, const bool *taken) {
  order given = {.kind = ORDER_HAND, .objects = objects, .taken = taken};
  return lead(team, &given);
}

graze_result crew_exclude(crew *team, const size_t (*pairs)[2], size_t count) {
  graze_object_pair *named = malloc(count * sizeof *named + 1);
  if (named == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) named[i] = (graze_object_pair){(uint32_t)pairs[i][0], (uint32_t)pairs[i][1]};
  order given = {.kind = ORDER_EXCLUDE, .exclusions = named, .exclusion_count = count};
  const graze_result result = lead(team, &given);
  free(named);
  return result;
}

graze_result crew_find(crew *team, const graze_query *query, bool gathers) {
  order given = {.kind = ORDER_FIND, .gathers = gathers, .query = *query};
  return lead(team, &given);
}

graze_result crew_find_touching(crew *team, const graze_query *query) {
  order given = {.kind = ORDER_FIND_TOUCHING, .query = *query};
  return lead(team, &given);
}
