/* Mesh files as objects distributed over ranks; see file_share.h.
 *
 * Binary PLY and STL files are read by ranges if every rank can open them (mesh_range.h). Rank 0 reads any other file
 * and sends each rank its part, one after the other. Only rank 0 holds the whole mesh. */
#include "file_share.h"

#include "range_opening.h"

#include "graze/io.h"
#include "graze/parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { BYTES_AT_ONCE = 1 << 30 };

static void note_object(file_share *share, graze_kind kind, size_t primitive_count) {
  if (share->object_count == 0) share->kind = kind;
  share->is_mixed |= kind != share->kind;
  share->has_solids |= graze_kind_is_solid(kind);
  share->object_count++;
  share->primitive_count += primitive_count;
}

static graze_result agree(const file_share *share, graze_result result, const char *text) {
  return graze_mpi_agree(share->all, result, result == GRAZE_OUT_OF_MEMORY ? "out of memory" : text);
}

/* ---------------------------------------------------------------------------------------------- one reader */

/* A mesh on rank 0, and its parts for the ranks. */
typedef struct mesh_parts {
  graze_scene *whole;
  graze_object object;
  graze_io_info info;
  uint32_t *elements; /* 0, 1, 2, ... */
  size_t *starts;     /* of the range of each rank */
  size_t *sizes;      /* bytes of the part of each rank */
  void *bytes;        /* of the current part */
} mesh_parts;

static void release_parts(mesh_parts *parts) {
  graze_scene_destroy(parts->whole);
  free(parts->elements);
  free(parts->starts);
  free(parts->sizes);
  free(parts->bytes);
  *parts = (mesh_parts){0};
}

/* Empty objects stand for the previous ones, so that the object has its final number. */
static graze_result make_whole(const file_share *share, const graze_io_meshes *meshes, size_t mesh, mesh_parts *parts) {
  const graze_mesh_def nothing = graze_mesh_def_default();
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = 1;
  graze_result result = graze_io_get_info(meshes, mesh, &parts->info);
  if (result == GRAZE_OK) result = graze_scene_create(&scene_def, &parts->whole);
  for (uint32_t i = 0; result == GRAZE_OK && i < share->object_count; i++)
    result = graze_scene_add_triangles(parts->whole, &nothing, NULL);
  return result == GRAZE_OK ? graze_io_add_to_scene(meshes, mesh, parts->whole, &parts->object) : result;
}

static graze_result measure_parts(const file_share *share, mesh_parts *parts) {
  const size_t count = parts->info.primitive_count, rank_count = share->rank_count;
  parts->elements = malloc(count * sizeof *parts->elements + 1);
  parts->starts = malloc((rank_count + 1) * sizeof *parts->starts);
  parts->sizes = malloc(rank_count * sizeof *parts->sizes);
  if (parts->elements == NULL || parts->starts == NULL || parts->sizes == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) parts->elements[i] = (uint32_t)i;
  for (size_t i = 0; i <= rank_count; i++) parts->starts[i] = count * i / rank_count;
  graze_result result =
      graze_object_measure_parts(parts->whole, parts->object, parts->elements, parts->starts, rank_count, parts->sizes);
  for (size_t i = 0; i < rank_count; i++)
    if (parts->starts[i] == parts->starts[i + 1]) parts->sizes[i] = 0;
  return result;
}

/* Sends the part of a rank from rank 0; the part of rank 0 stays. */
static graze_result hand_part(file_share *share, uint32_t to, uint64_t size, mesh_parts *parts) {
  const bool takes = share->rank == 0 || share->rank == to;
  graze_result result = GRAZE_OK;
  if (takes && (parts->bytes = malloc(size)) == NULL) result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && share->rank == 0)
    result =
        graze_object_write_parts(parts->whole, parts->object, parts->elements, parts->starts + to, 1, &parts->bytes);
  result = agree(share, result, graze_error_text());
  for (uint64_t first = 0; result == GRAZE_OK && takes && to != 0 && first < size; first += BYTES_AT_ONCE) {
    const uint64_t left = size - first, some = left < BYTES_AT_ONCE ? left : BYTES_AT_ONCE;
    char *at = (char *)parts->bytes + first;
    if (share->rank == 0)
      MPI_Send(at, (int)some, MPI_BYTE, (int)to, 0, share->ranks);
    else
      MPI_Recv(at, (int)some, MPI_BYTE, 0, 0, share->ranks, MPI_STATUS_IGNORE);
  }
  return result;
}

static graze_result hand_parts(file_share *share, mesh_parts *parts, graze_scene *scene) {
  graze_result result = GRAZE_OK, added = GRAZE_OK;
  for (uint32_t to = 0; result == GRAZE_OK && to < share->rank_count; to++) {
    uint64_t size = share->rank == 0 ? parts->sizes[to] : 0;
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, share->ranks);
    if (size == 0) continue;
    result = hand_part(share, to, size, parts);
    if (result == GRAZE_OK && share->rank == to) added = graze_scene_add_part(scene, parts->bytes, size, NULL);
    free(parts->bytes);
    parts->bytes = NULL;
  }
  return result == GRAZE_OK ? agree(share, added, graze_error_text()) : result;
}

static graze_result hand_mesh(file_share *share, const graze_io_meshes *meshes, size_t mesh, graze_scene *scene) {
  mesh_parts parts = {0};
  graze_result result = GRAZE_OK;
  if (share->rank == 0) result = make_whole(share, meshes, mesh, &parts);
  if (share->rank == 0 && result == GRAZE_OK) result = measure_parts(share, &parts);
  result = agree(share, result, graze_error_text());
  if (result == GRAZE_OK) result = hand_parts(share, &parts, scene);
  uint64_t facts[2] = {parts.info.kind, parts.info.primitive_count};
  MPI_Bcast(facts, 2, MPI_UINT64_T, 0, share->ranks);
  if (result == GRAZE_OK) note_object(share, (graze_kind)facts[0], facts[1]);
  release_parts(&parts);
  return result;
}

static graze_result hand_on(file_share *share, const char *path, graze_scene *scene) {
  graze_io_meshes *meshes = NULL;
  graze_result result = GRAZE_OK;
  if (share->rank == 0) result = graze_io_read_file(path, NULL, &meshes);
  result = agree(share, result, graze_io_error_text());
  uint64_t count = share->rank == 0 && result == GRAZE_OK ? graze_io_meshes_count(meshes) : 0;
  MPI_Bcast(&count, 1, MPI_UINT64_T, 0, share->ranks);
  for (size_t i = 0; result == GRAZE_OK && i < count; i++) result = hand_mesh(share, meshes, i, scene);
  graze_io_meshes_destroy(meshes);
  return result;
}

/* ---------------------------------------------------------------------------------------------- ranges */

graze_result file_share_add(file_share *share, const char *path, graze_scene *scene) {
  mesh_range range;
  const range_opening opening = range_opening_try(share->ranks, path, &range);
  if (opening == RANGE_IS_NOT_OPEN) return hand_on(share, path, scene);
  char error[512];
  graze_result result = GRAZE_FILE_FAILED;
  if (opening == RANGE_IS_OPEN)
    result = mesh_range_add(&range, share->rank, share->rank_count, share->object_count, scene);
  snprintf(error, sizeof error, "%s: %s", path,
           opening == RANGE_DIFFERS ? RANGE_DIFFERS_TEXT : mesh_range_trouble(&range, result));
  result = graze_mpi_agree(share->all, result, error);
  if (result == GRAZE_OK) note_object(share, GRAZE_KIND_TRIANGLE, range.version.face_count);
  mesh_range_close(&range);
  return result;
}
