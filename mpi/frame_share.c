/* Frames distributed over ranks; see frame_share.h.
 *
 * Workload: frames of millions of primitives each. Every share is a part in serialized form. By comparing it with its
 * object of the previous frame, a rank detects that the object only moved. */
#include "frame_share.h"

#include "graze/inside/parts.h"
#include "mesh_ranges/mesh_range.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- files */

/* Opens a file for reading by ranges, on all ranks.
 *
 * Modification times are not compared: every machine may have a copy of the file. */

/* The same on all ranks, except that a rank differs if its file has other numbers of faces, vertices or bytes than that
 * of rank 0. */
typedef enum range_opening { RANGE_IS_NOT_OPEN, RANGE_DIFFERS, RANGE_IS_OPEN } range_opening;

#define RANGE_DIFFERS_TEXT "the file has changed, or is not the file of rank 0"

/* Collective. The range is open unless the result is RANGE_IS_NOT_OPEN, on all ranks. */
static range_opening range_opening_try(MPI_Comm ranks, const char *path, mesh_range *range) {
  const int opened = mesh_range_open(path, range);
  int all_opened = opened;
  MPI_Allreduce(MPI_IN_PLACE, &all_opened, 1, MPI_INT, MPI_MIN, ranks);
  if (!all_opened) {
    if (opened) mesh_range_close(range);
    return RANGE_IS_NOT_OPEN;
  }
  const mesh_version *own = &range->version;
  uint64_t first[3] = {own->face_count, own->vertex_count, own->bytes};
  MPI_Bcast(first, 3, MPI_UINT64_T, 0, ranks);
  const bool equal = first[0] == own->face_count && first[1] == own->vertex_count && first[2] == own->bytes;
  return equal ? RANGE_IS_OPEN : RANGE_DIFFERS;
}

enum { BYTES_AT_ONCE = 1 << 30, HEAD_BYTES = 16, MESSAGE_BYTES = 512 };

static graze_result agree(const frame_share *share, graze_result result, const char *text) {
  return graze_mpi_agree(share->all, result, result == GRAZE_OUT_OF_MEMORY ? "out of memory" : text);
}

static graze_scene *small_scene(graze_result *result) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  graze_scene *scene = NULL;
  *result = graze_scene_create(&def, &scene);
  return scene;
}

graze_result frame_share_open(frame_share *share, graze_mpi *all, MPI_Comm ranks) {
  int rank, rank_count;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &rank_count);
  *share = (frame_share){.all = all, .ranks = ranks, .rank = (uint32_t)rank, .rank_count = (uint32_t)rank_count};
  graze_result result;
  share->scene = small_scene(&result);
  return agree(share, result, graze_error_text());
}

void frame_share_close(frame_share *share) {
  graze_scene_destroy(share->scene);
  free(share->objects);
  *share = (frame_share){0};
}

static void clear(frame_share *share) {
  for (graze_object o = {0}; (o = graze_scene_next_object(share->scene, o)).generation != 0;)
    graze_scene_remove_object(share->scene, o);
  share->count = 0;
}

/* A failure on one rank fails on all; all start from an empty scene with the next frame. */
static graze_result close_step(frame_share *share, graze_result result, const char *text) {
  result = agree(share, result, text);
  if (result != GRAZE_OK) clear(share);
  return result;
}

/* ---------------------------------------------------------------------------------------------- the rank's objects */

static shared_object *object_at(frame_share *share, size_t number) {
  if (number >= share->capacity) {
    const size_t capacity = 2 * number + 16;
    shared_object *moved = realloc(share->objects, capacity * sizeof *moved);
    if (moved == NULL) return NULL;
    share->objects = moved;
    share->capacity = capacity;
  }
  while (share->count <= number) share->objects[share->count++] = (shared_object){0};
  return &share->objects[number];
}

/* Moves the object of this number to the part, or replaces it. */
static graze_result take_part(frame_share *share, size_t number, const void *bytes, size_t size) {
  shared_object *object = object_at(share, number);
  if (object == NULL) return GRAZE_OUT_OF_MEMORY;
  bool moved = false;
  graze_result result = GRAZE_OK;
  if (object->own.generation != 0) {
    result = graze_object_move_to_part(share->scene, object->own, bytes, size, &moved);
    if (result == GRAZE_OK && !moved) {
      result = graze_scene_remove_object(share->scene, object->own);
      object->own = (graze_object){0};
    }
  }
  if (result == GRAZE_OK && !moved) result = graze_scene_add_part(share->scene, bytes, size, &object->own);
  object->is_in_frame = result == GRAZE_OK;
  return result;
}

void frame_share_begin(frame_share *share) {
  for (size_t i = 0; i < share->count; i++) share->objects[i].is_in_frame = false;
}

graze_result frame_share_end(frame_share *share) {
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < share->count && result == GRAZE_OK; i++) {
    shared_object *object = &share->objects[i];
    if (object->is_in_frame || object->own.generation == 0) continue;
    result = graze_scene_remove_object(share->scene, object->own);
    object->own = (graze_object){0};
  }
  return close_step(share, result, graze_error_text());
}

/* ---------------------------------------------------------------------------------------------- ranges of files */

/* Serializes a whole object; NULL, with a result, on failure. */
static void *write_whole(const graze_scene *scene, graze_object object, size_t *size_out, graze_result *result) {
  graze_object_info info = {0};
  *result = graze_object_get_info(scene, object, &info);
  if (*result != GRAZE_OK) return NULL;
  const size_t starts[2] = {0, info.primitive_count};
  uint32_t *all = malloc(info.primitive_count * sizeof *all + 1);
  void *bytes = NULL;
  if (all == NULL) *result = GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; all != NULL && i < info.primitive_count; i++) all[i] = (uint32_t)i;
  if (*result == GRAZE_OK) *result = graze_object_measure_parts(scene, object, all, starts, 1, size_out);
  if (*result == GRAZE_OK && (bytes = malloc(*size_out)) == NULL) *result = GRAZE_OUT_OF_MEMORY;
  if (*result == GRAZE_OK) *result = graze_object_write_parts(scene, object, all, starts, 1, &bytes);
  free(all);
  return bytes;
}

/* Without the copies that a comparison with the next frame needs: the object stays until the scene is destroyed. */
static graze_result read_once(frame_share *share, mesh_range *range, uint32_t number, bool *reads_out) {
  const graze_result result = mesh_range_add(range, share->rank, share->rank_count, number, share->scene);
  *reads_out = result != GRAZE_OK;
  return result;
}

static graze_result take_range(frame_share *share, mesh_range *range, uint32_t number, bool *reads_out) {
  graze_result result;
  graze_scene *read = small_scene(&result);
  *reads_out = result == GRAZE_OK;
  if (result == GRAZE_OK) result = mesh_range_add(range, share->rank, share->rank_count, number, read);
  *reads_out = *reads_out && result != GRAZE_OK;
  const graze_object object = graze_scene_next_object(read, (graze_object){0});
  size_t size = 0;
  void *bytes = result == GRAZE_OK && object.generation != 0 ? write_whole(read, object, &size, &result) : NULL;
  if (result == GRAZE_OK && bytes != NULL) result = take_part(share, number, bytes, size);
  free(bytes);
  graze_scene_destroy(read);
  return result;
}

graze_result frame_share_take_file(frame_share *share, const char *path, uint32_t number, bool once, bool *taken_out,
                                   uint64_t counts_out[2]) {
  mesh_range range;
  const range_opening opening = range_opening_try(share->ranks, path, &range);
  *taken_out = opening != RANGE_IS_NOT_OPEN;
  if (!*taken_out) return GRAZE_OK;
  counts_out[0] = range.version.face_count;
  counts_out[1] = range.version.vertex_count;
  char text[MESSAGE_BYTES];
  bool reads = false;
  graze_result result = GRAZE_FILE_FAILED;
  if (opening == RANGE_IS_OPEN)
    result = once ? read_once(share, &range, number, &reads) : take_range(share, &range, number, &reads);
  snprintf(text, sizeof text, "%s: %s", path,
           opening == RANGE_DIFFERS ? RANGE_DIFFERS_TEXT
           : reads                  ? mesh_range_trouble(&range, result)
                                    : graze_error_text());
  mesh_range_close(&range);
  return close_step(share, result, text);
}

/* ---------------------------------------------------------------------------------------------- sending shares */

/* The objects of rank 0 in a scene in which each has its number. Each rank gets a range of the sequence of all their
 * primitives. */
typedef struct handing {
  graze_scene *whole;
  graze_object *objects;
  uint32_t *primitives; /* 0, 1, 2, ..., as many as the largest object has */
  size_t *counts;       /* of primitives of each object; 0 if the ranks read its file */
  size_t count;
  uint64_t total;
} handing;

static void release_handing(handing *work) {
  graze_scene_destroy(work->whole);
  free(work->objects);
  free(work->primitives);
  free(work->counts);
}

static graze_result make_handing(handing *work, const object_list *objects, const bool *taken) {
  const graze_mesh_def nothing = graze_mesh_def_default();
  graze_result result;
  size_t most = 0;
  work->whole = small_scene(&result);
  work->count = objects->count;
  work->objects = calloc(objects->count + 1, sizeof *work->objects);
  work->counts = calloc(objects->count + 1, sizeof *work->counts);
  if (work->objects == NULL || work->counts == NULL) result = GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; result == GRAZE_OK && i < objects->count; i++) {
    result = taken[i] ? graze_scene_add(work->whole, GRAZE_KIND_TRIANGLE, &nothing, NULL, &work->objects[i])
                      : object_list_add_to(objects, i, work->whole, &work->objects[i]);
    if (result != GRAZE_OK || taken[i]) continue;
    work->counts[i] = objects->entries[i].primitive_count;
    work->total += work->counts[i];
    if (work->counts[i] > most) most = work->counts[i];
  }
  work->primitives = malloc(most * sizeof *work->primitives + 1);
  if (work->primitives == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < most; i++) work->primitives[i] = (uint32_t)i;
  return result;
}

/* Finds the primitives [starts[0], starts[1]) of an object in the range [first, end) of all; false if there are none.
 */
static bool cut_object(uint64_t before, size_t count, uint64_t first, uint64_t end, size_t starts[2]) {
  const uint64_t last = before + count;
  if (end <= before || last <= first || count == 0) return false;
  starts[0] = first > before ? (size_t)(first - before) : 0;
  starts[1] = end < last ? (size_t)(end - before) : count;
  return starts[1] > starts[0];
}

/* Measures the parts of a rank, and writes them unless `bytes` is NULL, each after its number and size. */
static graze_result write_share(const handing *work, uint32_t rank, uint32_t rank_count, unsigned char *bytes,
                                uint64_t *size_out) {
  const uint64_t first = work->total * rank / rank_count, end = work->total * (rank + 1) / rank_count;
  uint64_t before = 0, at = 0;
  for (size_t i = 0; i < work->count; before += work->counts[i], i++) {
    size_t starts[2], size;
    if (!cut_object(before, work->counts[i], first, end, starts)) continue;
    graze_result result = graze_object_measure_parts(work->whole, work->objects[i], work->primitives, starts, 1, &size);
    if (result == GRAZE_OK && bytes != NULL) {
      const uint64_t head[2] = {i, size};
      void *place = bytes + at + HEAD_BYTES;
      memcpy(bytes + at, head, sizeof head);
      result = graze_object_write_parts(work->whole, work->objects[i], work->primitives, starts, 1, &place);
    }
    if (result != GRAZE_OK) return result;
    at += HEAD_BYTES + size;
  }
  *size_out = at;
  return GRAZE_OK;
}

static graze_result take_share(frame_share *share, const unsigned char *bytes, uint64_t size) {
  graze_result result = GRAZE_OK;
  for (uint64_t at = 0; result == GRAZE_OK && at < size;) {
    uint64_t head[2];
    memcpy(head, bytes + at, sizeof head);
    result = take_part(share, head[0], bytes + at + HEAD_BYTES, head[1]);
    at += HEAD_BYTES + head[1];
  }
  return result;
}

static void pass_bytes(const frame_share *share, uint32_t to, unsigned char *bytes, uint64_t size) {
  for (uint64_t first = 0; first < size; first += BYTES_AT_ONCE) {
    const uint64_t left = size - first, some = left < BYTES_AT_ONCE ? left : BYTES_AT_ONCE;
    if (share->rank == 0)
      MPI_Send(bytes + first, (int)some, MPI_BYTE, (int)to, 0, share->ranks);
    else
      MPI_Recv(bytes + first, (int)some, MPI_BYTE, 0, 0, share->ranks, MPI_STATUS_IGNORE);
  }
}

/* Sends the share of a rank from rank 0. */
static graze_result hand_share(frame_share *share, const handing *work, uint32_t to) {
  const bool takes = share->rank == 0 || share->rank == to;
  uint64_t size = 0;
  graze_result result = GRAZE_OK;
  if (share->rank == 0) result = write_share(work, to, share->rank_count, NULL, &size);
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, share->ranks);
  unsigned char *bytes = takes ? malloc(size + 1) : NULL;
  if (takes && bytes == NULL) result = GRAZE_OUT_OF_MEMORY;
  if (share->rank == 0 && result == GRAZE_OK) result = write_share(work, to, share->rank_count, bytes, &size);
  result = agree(share, result, graze_error_text());
  if (result == GRAZE_OK && takes && to != 0) pass_bytes(share, to, bytes, size);
  if (result == GRAZE_OK)
    result = agree(share, share->rank == to ? take_share(share, bytes, size) : GRAZE_OK, graze_error_text());
  free(bytes);
  return result;
}

graze_result frame_share_hand_out(frame_share *share, const object_list *objects, const bool *taken) {
  handing work = {0};
  graze_result result = share->rank == 0 ? make_handing(&work, objects, taken) : GRAZE_OK;
  result = agree(share, result, graze_error_text());
  for (uint32_t to = 0; result == GRAZE_OK && to < share->rank_count; to++) result = hand_share(share, &work, to);
  release_handing(&work);
  if (result != GRAZE_OK) clear(share);
  return result;
}
