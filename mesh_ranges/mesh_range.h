/* A file that can be read by ranges: binary PLY or binary STL, of triangles. Other files, also those without any
 * triangle, are left to graze/io.h, which reads or refuses them. */
#ifndef GRAZE_MESH_RANGE_H
#define GRAZE_MESH_RANGE_H

#include "mesh_ranges/ply_range.h"
#include "mesh_ranges/stl_range.h"

/* A file at one time; STL has three vertices for each face. */
typedef struct mesh_version {
  uint64_t face_count, vertex_count, bytes;
  int64_t modified_seconds, modified_nanoseconds;
} mesh_version;

typedef struct mesh_range {
  bool is_stl;
  ply_range ply;
  stl_range stl;
  mesh_version version;
} mesh_range;

static inline void mesh_range_close(mesh_range *range) {
  ply_range_close(&range->ply);
  stl_range_close(&range->stl);
}

/* False if the file is neither, has no triangles, or cannot be opened. */
static inline bool mesh_range_open(const char *path, mesh_range *range) {
  *range = (mesh_range){0};
  const bool is_ply = ply_range_open(path, &range->ply);
  range->is_stl = !is_ply && stl_range_open(path, &range->stl);
  if (!is_ply && !range->is_stl) return false;
  const range_file *file = is_ply ? &range->ply.file : &range->stl.file;
  range->version = (mesh_version){.face_count = is_ply ? range->ply.face_count : range->stl.face_count,
                                  .vertex_count = is_ply ? range->ply.vertex_count : 3 * range->stl.face_count,
                                  .bytes = file->size,
                                  .modified_seconds = file->modified_seconds,
                                  .modified_nanoseconds = file->modified_nanoseconds};
  if (range->version.face_count == 0) mesh_range_close(range);
  return range->version.face_count > 0;
}

/* Opens a file again; false if it has changed. */
static inline bool mesh_range_reopen(const char *path, const mesh_version *version, mesh_range *range) {
  if (!mesh_range_open(path, range)) return false;
  const mesh_version *now = &range->version;
  if (now->face_count == version->face_count && now->vertex_count == version->vertex_count &&
      now->bytes == version->bytes && now->modified_seconds == version->modified_seconds &&
      now->modified_nanoseconds == version->modified_nanoseconds)
    return true;
  mesh_range_close(range);
  return false;
}

/* Adds one of range_count ranges of the triangles to the scene, as a part of the object with this global number. */
static inline graze_result mesh_range_add(mesh_range *range, size_t number, size_t range_count, uint32_t object,
                                          graze_scene *scene) {
  return range->is_stl ? stl_range_add(&range->stl, number, range_count, object, scene)
                       : ply_range_add(&range->ply, number, range_count, object, scene);
}

/* Returns the message of a failed call above. */
static inline const char *mesh_range_trouble(const mesh_range *range, graze_result result) {
  return range->is_stl ? stl_range_trouble(&range->stl, result) : ply_range_trouble(&range->ply, result);
}

#endif
