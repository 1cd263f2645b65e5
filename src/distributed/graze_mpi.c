/* The public calls of graze/mpi.h: arguments are read, the ranks run their frame, answers are filled. */
#include "graze/mpi.h"

#include "base/definition.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "distributed/mpi_transport.h"
#include "distributed/rank_find.h"

#include <stdlib.h>
#include <string.h>

struct graze_mpi {
  mpi_transport transport;
  rank_state state;
  graze_pairs touching; /* of graze_mpi_find_object_pairs */
};

void graze_mpi_def_init(void *def, size_t bytes) {
  const graze_mpi_def defaults = {.struct_bytes = 0};
  definition_write(def, bytes, &defaults, sizeof defaults);
}

static const definition_kind def_kind = {"the definition of ranks", "graze_mpi_def_default()",
                                         BYTES_THROUGH(graze_mpi_def, method), sizeof(graze_mpi_def),
                                         graze_mpi_def_init};
static const definition_kind totals_kind = {"the totals", "a zeroed one", BYTES_THROUGH(graze_mpi_totals, sum_us),
                                            sizeof(graze_mpi_totals), NULL};
static const definition_kind object_pairs_kind = {"the list of objects that touch", "a zeroed one",
                                                  BYTES_THROUGH(graze_mpi_object_pairs, capacity),
                                                  sizeof(graze_mpi_object_pairs), NULL};

/* The result of all ranks, with its message on this one. */
static graze_result report(const graze_mpi *mpi, graze_result result) {
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "%s", mpi->state.failure.text);
}

/* ---------------------------------------------------------------------------------------------- life */

/* A caller's allocator for what the rank keeps, in the first version of its struct. */
static const graze_allocator *allocator_of(const graze_mpi_def *def, graze_allocator *room) {
  if (def->scene == NULL || def->scene->struct_bytes < BYTES_THROUGH(graze_scene_def, allocator)) return NULL;
  const graze_allocator *given = def->scene->allocator;
  if (given == NULL || given->struct_bytes < BYTES_THROUGH(graze_allocator, release)) return NULL;
  *room = graze_allocator_default();
  room->context = given->context;
  room->allocate = given->allocate;
  room->release = given->release;
  return room->allocate != NULL && room->release != NULL ? room : NULL;
}

graze_result graze_mpi_create(MPI_Comm communicator, const graze_mpi_def *given, graze_mpi **mpi_out) {
  GUARD_FLOAT_ENVIRONMENT();
  *mpi_out = NULL;
  graze_mpi_def def = graze_mpi_def_default();
  const graze_result read = definition_read(&def_kind, given, true, &def);
  graze_mpi *made = calloc(1, sizeof *made);
  int has_room = made != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, communicator);
  if (!has_room || !mpi_transport_open(&made->transport, communicator)) {
    free(made);
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory on a rank");
  }
  const transport net = mpi_transport_row(&made->transport);
  graze_allocator allocator;
  const rank_def rank = {.allocator = allocator_of(&def, &allocator), .scene = def.scene, .method = def.method};
  rank_state early = {.net = net};
  graze_result result = rank_agree(&early, read, graze_mpi_error_text());
  if (result != GRAZE_OK)
    fail(result, "%s", early.failure.text);
  else
    result = report(made, rank_open(&made->state, &net, &rank));
  if (result != GRAZE_OK) {
    mpi_transport_close(&made->transport);
    free(made);
    return result;
  }
  *mpi_out = made;
  return GRAZE_OK;
}

void graze_mpi_destroy(graze_mpi *mpi) {
  if (mpi == NULL) return;
  graze_pairs_free(&mpi->touching);
  rank_close(&mpi->state);
  mpi_transport_close(&mpi->transport);
  free(mpi);
}

graze_result graze_mpi_agree(graze_mpi *mpi, graze_result result, const char *text) {
  return report(mpi, rank_agree(&mpi->state, result, text != NULL && *text ? text : graze_result_text(result)));
}

graze_result graze_mpi_exclude_objects(graze_mpi *mpi, const graze_object_pair *pairs, size_t count) {
  return report(mpi, rank_exclude(&mpi->state, pairs, count));
}

const graze_scene *graze_mpi_part(const graze_mpi *mpi) {
  return mpi != NULL ? mpi->state.share.scene : NULL;
}

/* ---------------------------------------------------------------------------------------------- pairs */

graze_result graze_mpi_find_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                  graze_pairs *pairs, graze_mpi_totals *totals) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the ranks are NULL");
  graze_result result = GRAZE_OK;
  if (totals != NULL && definition_room(&totals_kind, totals->struct_bytes) == 0) result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  rank_totals sums;
  if (result == GRAZE_OK) result = report(mpi, rank_find(&mpi->state, scene, query, pairs, &sums));
  if (result != GRAZE_OK || totals == NULL) return result;
  const graze_mpi_totals filled = {.struct_bytes = sizeof filled,
                                   .pair_count = sums.pair_count,
                                   .hash = sums.hash,
                                   .primitive_count = sums.primitive_count,
                                   .held_count = sums.work.sum_held,
                                   .greatest_held_count = sums.work.greatest_held,
                                   .sent_bytes = sums.sent_bytes,
                                   .division_count = sums.divisions,
                                   .greatest_us = sums.work.greatest_us,
                                   .sum_us = sums.work.sum_us};
  definition_answer(&totals_kind, totals, &filled);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- objects */

static int compare_objects(const void *a, const void *b) {
  const graze_object_pair *x = a, *y = b;
  if (x->object_a != y->object_a) return x->object_a < y->object_a ? -1 : 1;
  return (x->object_b > y->object_b) - (x->object_b < y->object_b);
}

/* Sorts, and keeps each once; how many are left. */
static size_t sort_objects(graze_object_pair *objects, size_t count) {
  size_t kept = 0;
  if (count > 0) qsort(objects, count, sizeof *objects, compare_objects);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || compare_objects(&objects[kept - 1], &objects[i]) != 0) objects[kept++] = objects[i];
  return kept;
}

static uint64_t hash_objects(const graze_object_pair *objects, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_pair pair = {objects[i].object_a, 0, objects[i].object_b, 0};
    hash += graze_pairs_hash(&pair, 1);
  }
  return hash;
}

/* Pairs are sorted by their first primitive, so that objects repeat in runs of it: not all of them become candidates.
 */
static bool collect_objects(const graze_pairs *pairs, memory *heap, array *objects) {
  for (size_t i = 0; i < pairs->count; i++) {
    const graze_object_pair pair = {pairs->pairs[i].object_a, pairs->pairs[i].object_b};
    if (objects->count > 0 && compare_objects(&ARRAY_AS(graze_object_pair, objects)[objects->count - 1], &pair) == 0)
      continue;
    if (!array_push(objects, heap, &pair)) return false;
    if (objects->count == objects->capacity) objects->count = sort_objects(objects->data, objects->count);
  }
  objects->count = sort_objects(objects->data, objects->count);
  return true;
}

static graze_result find_objects(graze_mpi *mpi, const graze_scene *scene, const graze_query *query, array *own,
                                 array *all) {
  rank_state *state = &mpi->state;
  rank_totals sums;
  graze_result result = rank_find(state, scene, query, &mpi->touching, &sums);
  if (result != GRAZE_OK) return result;
  const bool has_room = collect_objects(&mpi->touching, &state->heap, own);
  result = rank_agree(state, has_room ? GRAZE_OK : GRAZE_OUT_OF_MEMORY, "out of memory");
  if (result == GRAZE_OK) result = rank_gather(state, own->data, own->count, all);
  if (result == GRAZE_OK) all->count = sort_objects(all->data, all->count);
  return result;
}

graze_result graze_mpi_find_object_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                         graze_mpi_object_pairs *object_pairs) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the ranks are NULL");
  graze_result result = GRAZE_OK;
  if (object_pairs == NULL)
    result = fail(GRAZE_INVALID_ARGUMENT, "the list of objects that touch is NULL");
  else if (definition_room(&object_pairs_kind, object_pairs->struct_bytes) == 0)
    result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  if (result != GRAZE_OK) return result;
  graze_mpi_object_pairs_free(object_pairs);
  array own, all;
  array_init(&own, sizeof(graze_object_pair));
  array_init(&all, sizeof(graze_object_pair));
  result = report(mpi, find_objects(mpi, scene, query, &own, &all));
  array_release(&own, &mpi->state.heap);
  if (result != GRAZE_OK) {
    array_release(&all, &mpi->state.heap);
    return result;
  }
  const graze_mpi_object_pairs filled = {.pairs = all.data,
                                         .count = all.count,
                                         .hash = hash_objects(all.data, all.count),
                                         .mpi = mpi,
                                         .capacity = all.capacity};
  definition_fill(&object_pairs_kind, object_pairs, &filled);
  return GRAZE_OK;
}

void graze_mpi_object_pairs_free(graze_mpi_object_pairs *object_pairs) {
  if (object_pairs == NULL || object_pairs->mpi == NULL) return;
  memory_release(&object_pairs->mpi->state.heap, (void *)(uintptr_t)object_pairs->pairs, object_pairs->capacity,
                 sizeof *object_pairs->pairs);
  const graze_mpi_object_pairs empty = {.struct_bytes = object_pairs->struct_bytes};
  definition_fill(&object_pairs_kind, object_pairs, &empty);
}
