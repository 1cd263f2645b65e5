/* Ranks of MPI: run by mpirun with any number of ranks. Each rank makes the whole scene, of which it keeps its share,
 * and the reference; together the ranks must have the pairs and the hash of the reference.
 *
 *   mpi_ranks scenes    all models, and moving scenes with rebalancing
 *   mpi_ranks threads   the same, each rank with two threads
 *   mpi_ranks memory    each allocation of the last rank fails in turn
 *   mpi_ranks calls     the other calls of graze/mpi.h, and failures of one rank
 *   mpi_ranks killed    the last rank is killed while the others search */
#include "failing_memory.h"
#include "graze/inside/parts.h"
#include "graze/mpi.h"
#include "mesh_set.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "scene_calls.h"
#include "test_scale.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, rank_count;
static uint32_t worker_count = 1;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "rank %d of %d: %s:%d: %s; %s | %s\n", rank, rank_count, __FILE__, __LINE__, #condition,         \
              graze_mpi_error_text(), graze_error_text());                                                             \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                                                    \
    }                                                                                                                  \
  } while (0)

static graze_scene *empty_scene(void) {
  graze_scene_def def = graze_scene_def_default();
  def.threading = GRAZE_THREADING_SERIAL;
  graze_scene *scene;
  CHECK(graze_scene_create(&def, &scene) == GRAZE_OK);
  return scene;
}

static graze_mpi *open_ranks(void) {
  graze_scene_def scene = graze_scene_def_default();
  if (worker_count == 1) scene.threading = GRAZE_THREADING_SERIAL;
  scene.worker_count = worker_count;
  graze_mpi_def def = graze_mpi_def_default();
  def.scene = &scene;
  graze_mpi *all;
  CHECK(graze_mpi_create(MPI_COMM_WORLD, &def, &all) == GRAZE_OK);
  return all;
}

static graze_scene *model_scene(const model *chosen, uint64_t primitives) {
  const model_parameters parameters = {.primitives = primitives, .seed = 3};
  OWNED(mesh_set) made;
  char error[256];
  CHECK(model_make(chosen, &parameters, &made.meshes, &made.count, error, sizeof error));
  graze_scene *scene = empty_scene();
  for (size_t i = 0; i < made.count; i++) CHECK(mesh_object_add(scene, &made.meshes[i], NULL, NULL) == GRAZE_OK);
  return scene;
}

/* Twelve soups that lie in one another. */
static graze_scene *soups(void) {
  graze_scene *scene = empty_scene();
  for (uint64_t seed = 0; seed < 12; seed++) {
    const model_parameters parameters = {.primitives = 150, .seed = seed};
    mesh *meshes;
    size_t count;
    char error[256];
    graze_object added;
    CHECK(model_make(model_find("soup"), &parameters, &meshes, &count, error, sizeof error));
    CHECK(mesh_object_add(scene, &meshes[0], NULL, &added) == GRAZE_OK);
    mesh_list_free(meshes, count);
    const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.3 * (double)seed, 0, 0}};
    CHECK(graze_object_set_pose(scene, added, &pose) == GRAZE_OK);
  }
  return scene;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* By chance; all on the last rank; none on the first. */
typedef enum sharing { SHARED, ALL_ON_LAST, NONE_ON_FIRST } sharing;

static int rank_of(sharing how, uint64_t seed, uint32_t object, uint32_t primitive) {
  const int least = how == NONE_ON_FIRST && rank_count > 1 ? 1 : 0;
  if (how == ALL_ON_LAST) return rank_count - 1;
  return least +
         (int)(mix(seed * 977 + object * UINT64_C(100003) + primitive * 7919u) % (uint64_t)(rank_count - least));
}

static graze_scene *share_of(const graze_scene *whole, sharing how, uint64_t seed) {
  graze_scene *scene = empty_scene();
  for (graze_object o = {0}; (o = graze_scene_next_object(whole, o)).generation != 0;) {
    graze_object_info info = {0};
    CHECK(graze_object_get_info(whole, o, &info) == GRAZE_OK);
    OWNED_MEMORY uint32_t *own = malloc(info.primitive_count * sizeof *own + 1);
    size_t starts[2] = {0, 0}, size;
    for (uint32_t p = 0; p < info.primitive_count; p++)
      if (rank_of(how, seed, o.index, p) == rank) own[starts[1]++] = p;
    CHECK(graze_object_measure_parts(whole, o, own, starts, 1, &size) == GRAZE_OK);
    OWNED_MEMORY void *bytes = malloc(size);
    CHECK(graze_object_write_parts(whole, o, own, starts, 1, &bytes) == GRAZE_OK);
    if (starts[1] > 0) CHECK(graze_scene_add_part(scene, bytes, size, NULL) == GRAZE_OK);
  }
  return scene;
}

/* A frame of all ranks against the whole scene. */
static void check_frame(graze_mpi *all, graze_scene *whole, sharing how, uint64_t seed, const graze_query *query,
                        const char *words) {
  OWNED_SCENE *share = share_of(whole, how, seed);
  graze_pairs pairs = {0}, wanted = {0};
  graze_mpi_totals totals = {0};
  CHECK(graze_mpi_find_pairs(all, share, query, &pairs, &totals) == GRAZE_OK);
  CHECK(graze_scene_update(whole) == GRAZE_OK && graze_scene_find_pairs(whole, query, &wanted) == GRAZE_OK);
  if (totals.hash != wanted.hash || totals.pair_count != wanted.count) {
    fprintf(stderr, "%s: %d ranks find %llu pairs; the whole has %zu\n", words, rank_count,
            (unsigned long long)totals.pair_count, wanted.count);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  if (query == NULL) { /* contacts of the rank's own pairs */
    OWNED(graze_contacts) contacts = {0};
    CHECK(graze_scene_make_contacts(graze_mpi_part(all), pairs.pairs, pairs.count, NULL, &contacts) == GRAZE_OK);
    CHECK(contacts.count == pairs.count);
  }
  graze_pairs_free(&pairs);
  graze_pairs_free(&wanted);
}

static void check_scenes(void) {
  graze_mpi *all = open_ranks();
  const size_t step = rank_count > 4 ? 3 : 1; /* 7, 8 and 16 ranks share the models: each is on one of them */
  for (size_t m = (size_t)rank_count % 5 % step; m < model_count(); m += step) {
    OWNED_SCENE *whole = model_scene(model_at(m), 300);
    graze_query query = graze_query_default();
    query.clearance = m % 2 == 0 ? 0.03 : 0;
    check_frame(all, whole, m % 5 == 0 ? ALL_ON_LAST : SHARED, m, m % 3 == 0 ? NULL : &query, model_at(m)->name);
  }
  /* Bodies that turn and drift; the share of each rank changes, and one loses all that it has. */
  graze_scene *whole = soups();
  for (uint32_t frame = 0; frame < (rank_count > 4 ? 4 : 6); frame++) {
    for (graze_object o = {0}; (o = graze_scene_next_object(whole, o)).generation != 0;) {
      const double quaternion[4] = {1, 0.1 * frame, 0, 0.05 * o.index}, move[3] = {0.2 * frame * (o.index % 3), 0, 0};
      const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
      CHECK(graze_object_set_pose(whole, o, &pose) == GRAZE_OK);
    }
    check_frame(all, whole, frame == 3 ? NONE_ON_FIRST : SHARED, frame / 2, NULL, "moving soups");
  }
  graze_scene_destroy(whole);
  graze_mpi_destroy(all);
}

/* ---------------------------------------------------------------------------------------------- calls */

static void check_objects(graze_mpi *all, graze_scene *whole) {
  OWNED_SCENE *share = share_of(whole, SHARED, 1);
  OWNED(graze_object_pairs) wanted = {0};
  OWNED_BY(graze_mpi_object_pairs_free) graze_mpi_object_pairs found = {0};
  CHECK(graze_scene_update(whole) == GRAZE_OK && graze_scene_find_object_pairs(whole, NULL, &wanted) == GRAZE_OK);
  CHECK(wanted.count > 3);
  for (int again = 0; again < 2; again++) {
    CHECK(graze_mpi_find_object_pairs(all, share, NULL, &found) == GRAZE_OK);
    CHECK(found.count == wanted.count && found.hash == wanted.hash);
    CHECK(memcmp(found.pairs, wanted.pairs, found.count * sizeof *found.pairs) == 0);
  }
  const graze_object_pair gone = wanted.pairs[1];
  CHECK(graze_mpi_exclude_objects(all, &gone, rank == rank_count - 1) == GRAZE_OK);
  CHECK(graze_mpi_find_object_pairs(all, share, NULL, &found) == GRAZE_OK);
  CHECK(found.count == wanted.count - 1);
  CHECK(graze_mpi_exclude_objects(all, NULL, 0) == GRAZE_OK);
}

static void check_wrenches(graze_mpi *all) {
  OWNED_SCENE *whole = model_scene(model_find("tet-pair"), 400), *share = share_of(whole, SHARED, 2);
  graze_wrenches wanted = {0};
  graze_mpi_wrenches found = {0};
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 1.0 / 3.0;
  CHECK(graze_scene_update(whole) == GRAZE_OK);
  CHECK(graze_scene_find_wrenches(whole, NULL, &options, &wanted) == GRAZE_OK && wanted.count == 1);
  for (int again = 0; again < 2; again++) {
    CHECK(graze_mpi_find_wrenches(all, share, NULL, &options, &found) == GRAZE_OK);
    CHECK(found.count == wanted.count);
    CHECK(memcmp(found.wrenches, wanted.wrenches, found.count * sizeof(graze_wrench)) == 0);
  }
  options.struct_bytes = rank == 0 ? 1 : sizeof options;
  CHECK(graze_mpi_find_wrenches(all, share, NULL, &options, &found) == GRAZE_INVALID_ARGUMENT);
  graze_mpi_wrenches_free(&found);
  CHECK(found.wrenches == NULL && found.count == 0);
  CHECK(graze_mpi_find_wrenches(all, share, NULL, NULL, NULL) == GRAZE_INVALID_ARGUMENT);
  graze_wrenches_free(&wanted);
}

/* Together the ranks have the regions of the whole: their number, and the sums of their ids and curves. */
static void check_regions(graze_mpi *all, graze_scene *whole) {
  OWNED_SCENE *share = share_of(whole, SHARED, 3);
  OWNED(graze_regions) wanted = {0}, found = {0};
  graze_mpi_totals totals = {0};
  CHECK(graze_scene_update(whole) == GRAZE_OK && graze_scene_find_regions(whole, NULL, NULL, &wanted) == GRAZE_OK);
  CHECK(wanted.count > 3 && wanted.curve_count > 3);
  for (int again = 0; again < 2; again++) {
    CHECK(graze_mpi_find_regions(all, share, NULL, NULL, &found, &totals) == GRAZE_OK);
    uint64_t sums[4] = {found.count, found.hash, found.curve_count, found.vertex_count};
    MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sums[0] == wanted.count && sums[1] == wanted.hash && totals.hash == wanted.hash);
    CHECK(sums[2] == wanted.curve_count && sums[3] == wanted.vertex_count);
    OWNED(graze_contacts) contacts = {0};
    CHECK(graze_scene_make_contacts(graze_mpi_region_part(all), found.pairs, found.pair_count, NULL, &contacts) ==
          GRAZE_OK);
  }
  graze_region_options options = graze_region_options_default();
  CHECK(graze_mpi_find_regions(all, share, NULL, &options, &found, NULL) == GRAZE_UNSUPPORTED && found.count == 0);
  CHECK(graze_mpi_find_regions(all, share, NULL, NULL, NULL, NULL) == GRAZE_INVALID_ARGUMENT);
  options.struct_bytes = rank == 0 ? 1 : sizeof options;
  CHECK(graze_mpi_find_regions(all, share, NULL, &options, &found, NULL) == GRAZE_INVALID_ARGUMENT);
}

static void expect_message(graze_result found, graze_result wanted, const char *words) {
  CHECK(found == wanted);
  if (strcmp(graze_mpi_error_text(), words) != 0) fprintf(stderr, "\"%s\"\n", words);
  CHECK(strcmp(graze_mpi_error_text(), words) == 0);
}

/* A coordinate of the last rank is not finite after its pose: the same code and message on all. */
static void check_not_finite(graze_mpi *all, graze_scene *share) {
  const double huge[3] = {1.7e308, 0, 0};
  const graze_pose far_away = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e308, 0, 0}};
  graze_pairs pairs = {0};
  char words[256];
  const graze_object object = graze_scene_next_object(share, (graze_object){0});
  double place[3];
  graze_pose here = graze_pose_identity();
  CHECK(object.generation != 0);
  if (rank == rank_count - 1) {
    graze_object_info info = {0};
    CHECK(graze_object_get_info(share, object, &info) == GRAZE_OK);
    here = info.pose;
    CHECK(graze_object_get_positions(share, object, 0, (graze_output_view){place, 1, 0, GRAZE_FORMAT_DOUBLE3}) ==
          GRAZE_OK);
    CHECK(graze_object_set_positions(share, object, 0, (graze_view){huge, 1, 0, GRAZE_FORMAT_DOUBLE3}) == GRAZE_OK);
    CHECK(graze_object_set_pose(share, object, &far_away) == GRAZE_OK);
  }
  snprintf(words, sizeof words, "rank %d: object 0: coordinate x of vertex 0 is inf after the pose", rank_count - 1);
  expect_message(graze_mpi_find_pairs(all, share, NULL, &pairs, NULL), GRAZE_NOT_FINITE, words);
  CHECK(pairs.count == 0);
  if (rank == rank_count - 1) {
    CHECK(graze_object_set_positions(share, object, 0, (graze_view){place, 1, 0, GRAZE_FORMAT_DOUBLE3}) == GRAZE_OK);
    CHECK(graze_object_set_pose(share, object, &here) == GRAZE_OK);
  }
}

static void check_failures(graze_mpi *all, graze_scene *whole) {
  const int last = rank_count - 1;
  char words[256];
  graze_scene *share = share_of(whole, SHARED, 1);
  graze_pairs pairs = {0};
  if (rank_count > 1) {
    snprintf(words, sizeof words, "rank %d: no such file", last);
    expect_message(graze_mpi_agree(all, rank == last ? GRAZE_FILE_FAILED : GRAZE_OK, "no such file"), GRAZE_FILE_FAILED,
                   words);
    graze_query query = graze_query_default();
    query.clearance = rank == 0 ? 1 : 0;
    expect_message(graze_mpi_find_pairs(all, share, &query, &pairs, NULL), GRAZE_INVALID_ARGUMENT,
                   "all ranks must pass the same query");
    snprintf(words, sizeof words, "rank %d: the scene is NULL", last);
    expect_message(graze_mpi_find_pairs(all, rank == last ? NULL : share, NULL, &pairs, NULL), GRAZE_INVALID_ARGUMENT,
                   words);
    CHECK(pairs.count == 0);
    check_not_finite(all, share);
  }
  CHECK(graze_mpi_find_pairs(all, share, NULL, &pairs, NULL) == GRAZE_OK);
  graze_scene_destroy(share);
  graze_pairs_free(&pairs);
  graze_mpi_def def = graze_mpi_def_default();
  if (rank == last) def.struct_bytes = 3;
  graze_mpi *none;
  CHECK(graze_mpi_create(MPI_COMM_WORLD, &def, &none) == GRAZE_INVALID_ARGUMENT && none == NULL);
  def = graze_mpi_def_default();
  graze_method_def method = graze_method_def_default();
  if (rank == last) method.name = "no such method";
  def.method = &method;
  CHECK(graze_mpi_create(MPI_COMM_WORLD, &def, &none) == GRAZE_INVALID_ARGUMENT && none == NULL);
  CHECK(graze_mpi_create(MPI_COMM_WORLD, NULL, rank == last ? NULL : &none) == GRAZE_INVALID_ARGUMENT);
  CHECK(strstr(graze_mpi_error_text(), "the output for the graze_mpi is NULL") != NULL);
  CHECK(graze_mpi_exclude_objects(all, NULL, rank == last ? 2 : 0) == GRAZE_INVALID_ARGUMENT);
  CHECK(strstr(graze_mpi_error_text(), "the list of exclusions is NULL") != NULL);
  CHECK(graze_mpi_exclude_objects(NULL, NULL, 0) == GRAZE_INVALID_ARGUMENT);
  CHECK(graze_mpi_agree(NULL, GRAZE_OK, NULL) == GRAZE_INVALID_ARGUMENT);
  CHECK(strcmp(graze_mpi_error_text(), "the graze_mpi is NULL") == 0);
  graze_mpi_destroy(NULL);
}

static void check_calls(void) {
  graze_mpi *all = open_ranks();
  graze_scene *whole = soups();
  check_objects(all, whole);
  check_wrenches(all);
  check_regions(all, whole);
  check_failures(all, whole);
  graze_scene_destroy(whole);
  graze_mpi_destroy(all);
}

/* ---------------------------------------------------------------------------------------------- memory */

/* Every call once; the result of the first that fails. */
static graze_result call_all(graze_mpi *all, const graze_scene *share) {
  graze_pairs pairs = {0};
  graze_mpi_object_pairs objects = {0};
  graze_mpi_wrenches wrenches = {0};
  OWNED(graze_regions) regions = {0};
  const graze_object_pair excluded = {0, 1};
  graze_result result = graze_mpi_exclude_objects(all, &excluded, 1);
  if (result == GRAZE_OK) result = graze_mpi_find_pairs(all, share, NULL, &pairs, NULL);
  if (result == GRAZE_OK) result = graze_mpi_find_object_pairs(all, share, NULL, &objects);
  if (result == GRAZE_OK) result = graze_mpi_find_wrenches(all, share, NULL, NULL, &wrenches);
  if (result == GRAZE_OK) result = graze_mpi_find_regions(all, share, NULL, NULL, &regions, NULL);
  graze_pairs_free(&pairs);
  graze_mpi_object_pairs_free(&objects);
  graze_mpi_wrenches_free(&wrenches);
  return result;
}

/* All ranks have the same result; where it is a failure, the message names the rank, and all calls succeed after it. */
static bool check_refusal(const graze_scene *share, size_t refused, uint64_t *failures) {
  failing_memory failing = {.refused = rank == rank_count - 1 ? refused : SIZE_MAX};
  graze_allocator allocator = failing_allocator(&failing);
  graze_scene_def scene = graze_scene_def_default();
  scene.threading = GRAZE_THREADING_SERIAL;
  scene.allocator = &allocator;
  graze_mpi_def def = graze_mpi_def_default();
  def.scene = &scene;
  graze_mpi *all;
  char words[64];
  graze_result result = graze_mpi_create(MPI_COMM_WORLD, &def, &all);
  if (result == GRAZE_OK) result = call_all(all, share);
  uint64_t reached = failing.count > refused;
  failing.refused = SIZE_MAX;
  if (result != GRAZE_OK) {
    words[0] = '\0';
    if (rank_count > 1) snprintf(words, sizeof words, "rank %d: ", rank_count - 1);
    CHECK(result == GRAZE_OUT_OF_MEMORY && strncmp(graze_mpi_error_text(), words, strlen(words)) == 0);
    if (all == NULL) CHECK(graze_mpi_create(MPI_COMM_WORLD, &def, &all) == GRAZE_OK);
    CHECK(call_all(all, share) == GRAZE_OK);
    *failures += 1;
  }
  graze_mpi_destroy(all);
  MPI_Bcast(&reached, 1, MPI_UINT64_T, rank_count - 1, MPI_COMM_WORLD);
  return reached != 0;
}

static void check_memory(void) {
  OWNED_SCENE *whole = model_scene(model_find("tet-pair"), 40), *share = share_of(whole, SHARED, 1);
  uint64_t failures = 0;
  const size_t step = test_sanitized(20, test_is_full() ? 1 : 5);
  for (size_t refused = 0; check_refusal(share, refused, &failures);) refused += step;
  CHECK(failures >= 100 / step);
}

/* Never ends by itself. */
static void be_killed(void) {
  graze_mpi *all = open_ranks();
  graze_scene *whole = soups(), *share = share_of(whole, SHARED, 1);
  graze_pairs pairs = {0};
  for (int frame = 0;; frame++) {
    if (frame == 5 && rank == rank_count - 1) raise(SIGKILL);
    CHECK(graze_mpi_find_pairs(all, share, NULL, &pairs, NULL) == GRAZE_OK);
  }
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const char *what = argc > 1 ? argv[1] : "";
  CHECK(provided >= MPI_THREAD_FUNNELED);
  worker_count = strcmp(what, "threads") == 0 ? 2 : 1;
  if (strcmp(what, "scenes") == 0 || worker_count == 2)
    check_scenes();
  else if (strcmp(what, "memory") == 0)
    check_memory();
  else if (strcmp(what, "calls") == 0)
    check_calls();
  else if (strcmp(what, "killed") == 0)
    be_killed();
  else
    CHECK(what == NULL);
  MPI_Finalize();
  return 0;
}
