/* Mesh files as objects that are shared out over ranks; see file_share.h.
 *
 * Binary PLY files are read by ranges (ply_range.h). Of any other file every rank reads all, and keeps its range: the
 * whole mesh is in its memory for that time. */
#include "file_share.h"

#include "mesh_ranges/ply_range.h"

#include "graze/io.h"
#include "graze/parts.h"

#include <stdio.h>
#include <stdlib.h>

static graze_result refuse(graze_result result, char *error, size_t error_bytes, const char *text) {
  snprintf(error, error_bytes, "%s", text);
  return result;
}

static void note_object(file_share *share, graze_kind kind, size_t primitive_count) {
  if (share->object_count == 0) share->kind = kind;
  share->is_mixed |= kind != share->kind;
  share->has_solids |= graze_kind_is_solid(kind);
  share->object_count++;
  share->primitive_count += primitive_count;
}

/* Elements [first, end) of the object as a part in another scene. */
static graze_result copy_range(const graze_scene *from, graze_object object, size_t first, size_t end,
                               graze_scene *to) {
  const size_t count = end - first, starts[2] = {0, count};
  if (count == 0) return GRAZE_OK;
  uint32_t *elements = malloc(count * sizeof *elements);
  void *bytes = NULL;
  size_t size = 0;
  graze_result result = elements != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; elements != NULL && i < count; i++) elements[i] = (uint32_t)(first + i);
  if (result == GRAZE_OK) result = graze_object_measure_parts(from, object, elements, starts, 1, &size);
  if (result == GRAZE_OK && (bytes = malloc(size)) == NULL) result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) result = graze_object_write_parts(from, object, elements, starts, 1, &bytes);
  if (result == GRAZE_OK) result = graze_scene_add_part(to, bytes, size, NULL);
  free(bytes);
  free(elements);
  return result;
}

/* The range of one mesh: by a scene that has all of it. */
static graze_result add_range(file_share *share, const graze_io_meshes *meshes, size_t mesh, graze_scene *scene) {
  graze_scene *whole = NULL;
  graze_object object;
  graze_io_info info = {0};
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = 1;
  graze_result result = graze_io_get_info(meshes, mesh, &info);
  if (result == GRAZE_OK) result = graze_scene_create(&scene_def, &whole);
  /* An object of nothing in front of it for each that came before: the number of the object is its own. */
  graze_mesh_def nothing = graze_mesh_def_default();
  for (uint32_t i = 0; result == GRAZE_OK && i < share->object_count; i++)
    result = graze_scene_add_triangles(whole, &nothing, NULL);
  if (result == GRAZE_OK) result = graze_io_add_to_scene(meshes, mesh, whole, &object);
  if (result == GRAZE_OK)
    result = copy_range(whole, object, info.primitive_count * share->rank / share->rank_count,
                        info.primitive_count * (share->rank + 1) / share->rank_count, scene);
  graze_scene_destroy(whole);
  if (result == GRAZE_OK) note_object(share, info.kind, info.primitive_count);
  return result;
}

static graze_result add_whole(file_share *share, const char *path, graze_scene *scene, char *error,
                              size_t error_bytes) {
  graze_io_meshes *meshes;
  graze_result result = graze_io_read_file(path, NULL, &meshes);
  if (result != GRAZE_OK) return refuse(result, error, error_bytes, graze_io_error_text());
  for (size_t i = 0; result == GRAZE_OK && i < graze_io_meshes_count(meshes); i++)
    result = add_range(share, meshes, i, scene);
  graze_io_meshes_destroy(meshes);
  if (result == GRAZE_OUT_OF_MEMORY) return refuse(result, error, error_bytes, "out of memory");
  return result == GRAZE_OK ? GRAZE_OK : refuse(result, error, error_bytes, graze_error_text());
}

graze_result file_share_add(file_share *share, const char *path, graze_scene *scene, char *error, size_t error_bytes) {
  ply_range range;
  if (!ply_range_open(path, &range)) return add_whole(share, path, scene, error, error_bytes);
  const graze_result result = ply_range_add(&range, share->rank, share->rank_count, share->object_count, scene);
  if (result != GRAZE_OK) snprintf(error, error_bytes, "%s: %s", path, ply_range_trouble(&range, result));
  if (result == GRAZE_OK) note_object(share, GRAZE_KIND_TRIANGLE, range.face_count);
  ply_range_close(&range);
  return result;
}
