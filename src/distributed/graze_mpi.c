/* The public calls of graze/mpi.h: check the arguments, run the frame of the ranks, and fill the results. */
#include "graze/mpi.h"

#include "base/definition.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "distributed/mpi_transport.h"
#include "distributed/rank_regions.h"
#include "distributed/rank_wrenches.h"

#include <stdlib.h>
#include <string.h>

struct graze_mpi {
  mpi_transport transport;
  rank_state state;
  graze_pairs found; /* for calls that return no pairs */
};

void graze_mpi_def_init(void *def, size_t bytes) {
  const graze_mpi_def defaults = {.struct_bytes = 0};
  definition_write(def, bytes, &defaults, sizeof defaults);
}

static const definition_kind def_kind = {"the definition of ranks", "graze_mpi_def_default()",
                                         BYTES_THROUGH(graze_mpi_def, method), sizeof(graze_mpi_def),
                                         graze_mpi_def_init};
static const definition_kind totals_kind = {"the totals", "{0}", BYTES_THROUGH(graze_mpi_totals, sum_us),
                                            sizeof(graze_mpi_totals), NULL};
static const definition_kind object_pairs_kind = {"the list of object pairs", "{0}",
                                                  BYTES_THROUGH(graze_mpi_object_pairs, capacity),
                                                  sizeof(graze_mpi_object_pairs), NULL};
static const definition_kind contact_options_kind = {"the contact options", "graze_contact_options_default()",
                                                     BYTES_THROUGH(graze_contact_options, about),
                                                     sizeof(graze_contact_options), graze_contact_options_init};
static const definition_kind wrenches_kind = {
    "the list of wrenches", "{0}", BYTES_THROUGH(graze_mpi_wrenches, capacity), sizeof(graze_mpi_wrenches), NULL};

static const definition_kind region_options_kind = {"the region options", "graze_region_options_default()",
                                                    BYTES_THROUGH(graze_region_options, object_name_count),
                                                    sizeof(graze_region_options), graze_region_options_init};

/* Returns the result of all ranks, and sets its message on this one. */
static graze_result report_failure(const graze_mpi *mpi, graze_result result) {
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "%s", mpi->state.failure.text);
}

/* ---------------------------------------------------------------------------------------------- creation */

/* The caller's allocator for the state of the rank, limited to the first version of the struct. */
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
  graze_mpi_def def = graze_mpi_def_default();
  graze_result read = definition_read(&def_kind, given, true, &def);
  if (communicator == MPI_COMM_NULL) read = fail(GRAZE_INVALID_ARGUMENT, "the communicator is MPI_COMM_NULL");
  if (mpi_out != NULL)
    *mpi_out = NULL;
  else
    read = fail(GRAZE_INVALID_ARGUMENT, "the output for the graze_mpi is NULL");
  if (communicator == MPI_COMM_NULL) return read;
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
    result = report_failure(made, rank_open(&made->state, &net, &rank));
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
  graze_pairs_free(&mpi->found);
  rank_close(&mpi->state);
  mpi_transport_close(&mpi->transport);
  free(mpi);
}

graze_result graze_mpi_agree(graze_mpi *mpi, graze_result result, const char *text) {
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  return report_failure(mpi, rank_agree(&mpi->state, result, text != NULL && *text ? text : graze_result_text(result)));
}

graze_result graze_mpi_exclude_objects(graze_mpi *mpi, const graze_object_pair *pairs, size_t count) {
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  return report_failure(mpi, rank_exclude(&mpi->state, pairs, count));
}

const graze_scene *graze_mpi_part(const graze_mpi *mpi) {
  return mpi != NULL ? mpi->state.share.scene : NULL;
}

const graze_scene *graze_mpi_region_part(const graze_mpi *mpi) {
  return mpi != NULL ? mpi->state.region_share.scene : NULL;
}

/* ---------------------------------------------------------------------------------------------- pairs */

static void answer_totals(graze_mpi_totals *totals_or_null, const rank_totals *sums) {
  const graze_mpi_totals filled = {.struct_bytes = sizeof filled,
                                   .pair_count = sums->pair_count,
                                   .hash = sums->hash,
                                   .primitive_count = sums->primitive_count,
                                   .held_count = sums->work.sum_held,
                                   .greatest_held_count = sums->work.greatest_held,
                                   .sent_bytes = sums->sent_bytes,
                                   .division_count = sums->divisions,
                                   .greatest_us = sums->work.greatest_us,
                                   .sum_us = sums->work.sum_us,
                                   .ghost_count = sums->ghost_count,
                                   .sent_count = sums->sent_count};
  if (totals_or_null != NULL) definition_answer(&totals_kind, totals_or_null, &filled);
}

graze_result graze_mpi_find_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                  graze_pairs *pairs, graze_mpi_totals *totals) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  graze_result result = GRAZE_OK;
  if (totals != NULL && definition_capacity(&totals_kind, totals->struct_bytes) == 0) result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  rank_totals sums;
  if (result == GRAZE_OK) result = report_failure(mpi, rank_find(&mpi->state, scene, query, pairs, &sums));
  if (result == GRAZE_OK) answer_totals(totals, &sums);
  return result;
}

/* ---------------------------------------------------------------------------------------------- objects */

static uint64_t hash_objects(const graze_object_pair *objects, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) {
    const graze_pair pair = {objects[i].object_a, 0, objects[i].object_b, 0};
    hash += graze_pairs_hash(&pair, 1);
  }
  return hash;
}

static bool collect_objects(const graze_pairs *pairs, memory *heap, array *objects) {
  for (size_t i = 0; i < pairs->count; i++)
    if (!object_list_add(objects, heap, pairs->pairs[i].object_a, pairs->pairs[i].object_b)) return false;
  object_list_sort(objects);
  return true;
}

static graze_result find_objects(graze_mpi *mpi, const graze_scene *scene, const graze_query *query, array *own,
                                 array *all) {
  rank_state *state = &mpi->state;
  rank_totals sums;
  graze_result result = rank_find(state, scene, query, &mpi->found, &sums);
  if (result != GRAZE_OK) return result;
  const bool has_room = collect_objects(&mpi->found, &state->heap, own);
  result = rank_agree(state, has_room ? GRAZE_OK : GRAZE_OUT_OF_MEMORY, "out of memory");
  if (result == GRAZE_OK) result = rank_gather(state, own->data, own->count, all);
  if (result == GRAZE_OK) object_list_sort(all);
  return result;
}

graze_result graze_mpi_find_object_pairs(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                         graze_mpi_object_pairs *object_pairs) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  graze_result result = GRAZE_OK;
  if (object_pairs == NULL)
    result = fail(GRAZE_INVALID_ARGUMENT, "the list of object pairs is NULL");
  else if (definition_capacity(&object_pairs_kind, object_pairs->struct_bytes) == 0)
    result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  if (result != GRAZE_OK) return result;
  graze_mpi_object_pairs_free(object_pairs);
  array own, all;
  array_init(&own, sizeof(graze_object_pair));
  array_init(&all, sizeof(graze_object_pair));
  result = report_failure(mpi, find_objects(mpi, scene, query, &own, &all));
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

/* ---------------------------------------------------------------------------------------------- wrenches */

graze_result graze_mpi_find_wrenches(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                     const graze_contact_options *given, graze_mpi_wrenches *wrenches) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  graze_contact_options options;
  graze_result result = definition_read(&contact_options_kind, given, true, &options);
  if (wrenches == NULL)
    result = fail(GRAZE_INVALID_ARGUMENT, "the list of wrenches is NULL");
  else if (definition_capacity(&wrenches_kind, wrenches->struct_bytes) == 0)
    result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  if (result != GRAZE_OK) return result;
  graze_mpi_wrenches_free(wrenches);
  array all;
  array_init(&all, sizeof(graze_wrench));
  result = report_failure(mpi, rank_find_wrenches(&mpi->state, scene, query, &options, &mpi->found, &all));
  if (result != GRAZE_OK) {
    array_release(&all, &mpi->state.heap);
    return result;
  }
  const graze_mpi_wrenches filled = {.wrenches = all.data, .count = all.count, .mpi = mpi, .capacity = all.capacity};
  definition_fill(&wrenches_kind, wrenches, &filled);
  return GRAZE_OK;
}

void graze_mpi_wrenches_free(graze_mpi_wrenches *wrenches) {
  if (wrenches == NULL || wrenches->mpi == NULL) return;
  memory_release(&wrenches->mpi->state.heap, (void *)(uintptr_t)wrenches->wrenches, wrenches->capacity,
                 sizeof *wrenches->wrenches);
  const graze_mpi_wrenches empty = {.struct_bytes = wrenches->struct_bytes};
  definition_fill(&wrenches_kind, wrenches, &empty);
}

/* ---------------------------------------------------------------------------------------------- regions */

graze_result graze_mpi_find_regions(graze_mpi *mpi, const graze_scene *scene, const graze_query *query,
                                    const graze_region_options *given, graze_regions *regions,
                                    graze_mpi_totals *totals) {
  GUARD_FLOAT_ENVIRONMENT();
  if (mpi == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the graze_mpi is NULL");
  graze_region_options options;
  graze_result result = definition_read(&region_options_kind, given, true, &options);
  if (given == NULL) options.object_depths = false;
  if (totals != NULL && definition_capacity(&totals_kind, totals->struct_bytes) == 0) result = GRAZE_INVALID_ARGUMENT;
  result = graze_mpi_agree(mpi, result, graze_mpi_error_text());
  rank_totals sums;
  if (result == GRAZE_OK)
    result = report_failure(mpi, rank_find_regions(&mpi->state, scene, query, &options, &mpi->found, regions, &sums));
  if (result == GRAZE_OK) answer_totals(totals, &sums);
  return result;
}

const char *graze_mpi_error_text(void) {
  return error_text();
}
