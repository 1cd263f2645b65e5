/* Lists of meshes, and their meshes as definitions of libgraze. Workload: a handful of meshes per file, up to a million
 * small ones if a file is split by its groups. */
#include "io/io_meshes.h"

#include "base/error_text.h"
#include "graze/graze.h"
#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_reading.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- memory */

/* An allocator of the caller as the memory of mesh_io. mesh_io resizes blocks without knowing their sizes, which an
 * allocator of graze requires, so each block stores its size in front of it. Workload: dozens of blocks per file, of up
 * to gigabytes, most of them grown by doubling. */

/* Keeps the alignment of malloc after it. */
enum { HEADER_BYTES = 16 };

static void *reallocate_by_libc(io_memory *memory, void *block, size_t bytes) {
  void *resized = realloc(block, bytes);
  memory->failed |= resized == NULL;
  return resized;
}

static void *allocate(io_memory *memory, size_t bytes) {
  char *start = NULL;
  if (bytes <= SIZE_MAX - HEADER_BYTES)
    start = memory->allocator.allocate(memory->allocator.context, bytes + HEADER_BYTES, HEADER_BYTES);
  memory->failed |= start == NULL;
  if (start == NULL) return NULL;
  memcpy(start, &bytes, sizeof bytes);
  return start + HEADER_BYTES;
}

static size_t block_bytes(const void *block) {
  size_t bytes;
  memcpy(&bytes, (const char *)block - HEADER_BYTES, sizeof bytes);
  return bytes;
}

static void release(io_memory *memory, void *block) {
  memory->allocator.release(memory->allocator.context, (char *)block - HEADER_BYTES, block_bytes(block) + HEADER_BYTES);
}

static void *reallocate(void *context, void *block, size_t bytes) {
  io_memory *memory = context;
  const bool libc = memory->allocator.allocate == NULL;
  if (bytes == 0) {
    if (libc) free(block);
    if (!libc && block != NULL) release(memory, block);
    return NULL;
  }
  if (libc) return reallocate_by_libc(memory, block, bytes);
  void *resized = allocate(memory, bytes);
  if (resized == NULL || block == NULL) return resized;
  const size_t old_bytes = block_bytes(block);
  memcpy(resized, block, old_bytes < bytes ? old_bytes : bytes);
  release(memory, block);
  return resized;
}

graze_result io_memory_start(io_memory *memory, const graze_allocator *allocator_or_null) {
  *memory = (io_memory){.failed = false};
  if (allocator_or_null == NULL) return GRAZE_OK;
  const graze_result result = definition_read(&io_allocator_definition, allocator_or_null, true, &memory->allocator);
  if (result != GRAZE_OK) return result;
  if (memory->allocator.allocate == NULL || memory->allocator.release == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the allocator lacks allocate or release");
  return GRAZE_OK;
}

mesh_memory io_memory_hook(io_memory *memory) {
  return (mesh_memory){memory, reallocate};
}

graze_result io_memory_result(const io_memory *memory) {
  return memory->failed ? GRAZE_OUT_OF_MEMORY : GRAZE_FILE_FAILED;
}

/* ---------------------------------------------------------------------------------------------- structs */

/* The default functions of the structs of graze/io.h, with a row for each: its name, its function, and the end of its
 * first version. */

MAKER(graze_io_read_options, .struct_bytes = 0)
MAKER(graze_io_write_options, .struct_bytes = 0)

DEFINITION(io_read_options, graze_io_read_options, allocator, "the options", "graze_io_read_options_default()");
DEFINITION(io_write_options, graze_io_write_options, allocator, "the options", "graze_io_write_options_default()");
ANSWER(io_info, graze_io_info, unknown_lines, "the info");
DEFINITION(io_mesh_def, graze_mesh_def, name, "the definition", "graze_mesh_def_default()");
DEFINITION(io_allocator, graze_allocator, release, "the allocator", "graze_allocator_default()");

graze_result io_meshes_start(const io_memory *memory, graze_io_meshes **meshes_out) {
  io_memory own = *memory;
  const mesh_memory hook = io_memory_hook(&own);
  void *block = NULL;
  *meshes_out = NULL;
  if (!mesh_resize(&hook, &block, 1, sizeof **meshes_out))
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory for a list of meshes");
  graze_io_meshes *meshes = block;
  *meshes = (graze_io_meshes){.memory = own};
  *meshes_out = meshes;
  return GRAZE_OK;
}

static void release_array(void *context, void *array) {
  mesh_release(context, array);
}

void io_meshes_release(io_memory *memory, mesh *meshes, size_t count) {
  mesh_memory hook = io_memory_hook(memory);
  for (size_t i = 0; i < count; i++) mesh_free_by(&meshes[i], release_array, &hook);
  mesh_release(&hook, meshes);
}

graze_result graze_io_meshes_create(const graze_allocator *allocator, graze_io_meshes **meshes_out) {
  if (meshes_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "meshes_out is NULL");
  *meshes_out = NULL;
  io_memory memory;
  const graze_result result = io_memory_start(&memory, allocator);
  return result == GRAZE_OK ? io_meshes_start(&memory, meshes_out) : result;
}

void graze_io_meshes_destroy(graze_io_meshes *meshes) {
  if (meshes == NULL) return;
  io_memory memory = meshes->memory;
  const mesh_memory hook = io_memory_hook(&memory);
  io_meshes_release(&memory, meshes->meshes, meshes->count);
  mesh_release(&hook, meshes);
}

size_t graze_io_meshes_count(const graze_io_meshes *meshes) {
  return meshes == NULL ? 0 : meshes->count;
}

static graze_result find_mesh(const graze_io_meshes *meshes, size_t number, const mesh **mesh_out) {
  if (meshes == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the list of meshes is NULL");
  if (number >= meshes->count)
    return fail(GRAZE_INDEX_OUT_OF_RANGE, "there is no mesh %zu: the list has %zu, counted from 0", number,
                meshes->count);
  *mesh_out = &meshes->meshes[number];
  return GRAZE_OK;
}

static graze_kind kind_of(const mesh *m) {
  switch (m->kind) {
  case MESH_TETRAHEDRA:
    return GRAZE_KIND_TETRAHEDRON;
  case MESH_POLYHEDRA:
    return GRAZE_KIND_POLYHEDRON;
  case MESH_SPHERES:
    return GRAZE_KIND_SPHERE;
  case MESH_POLYGONS:
    break;
  }
  return m->polygon_first == NULL ? GRAZE_KIND_TRIANGLE : GRAZE_KIND_POLYGON;
}

graze_result graze_io_get_info(const graze_io_meshes *meshes, size_t number, graze_io_info *info_out) {
  const mesh *m = NULL;
  if (info_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "info_out is NULL");
  const graze_result result = find_mesh(meshes, number, &m);
  if (result != GRAZE_OK) return result;
  if (definition_capacity(&io_info_definition, info_out->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  const graze_io_info info = {.kind = kind_of(m),
                              .name = m->name,
                              .vertex_count = m->vertex_count,
                              .primitive_count = mesh_element_count(m),
                              .note = m->note,
                              .skipped = m->skipped,
                              .unknown_lines = m->unknown_lines};
  definition_answer(&io_info_definition, info_out, &info);
  return GRAZE_OK;
}

/* There is one start more than elements; without elements there is no list. */
static graze_view view_starts(const uint32_t *starts, size_t count) {
  return (graze_view){starts, count == 0 ? 0 : count + 1, 0, GRAZE_FORMAT_UINT32};
}

static graze_view view_corners(const uint32_t *corners, const uint32_t *starts, size_t count) {
  return (graze_view){corners, count == 0 ? 0 : starts[count], 0, GRAZE_FORMAT_UINT32};
}

static void fill_def(const mesh *m, graze_mesh_def *def) {
  const graze_view none = {0};
  def->name = m->name;
  def->positions = (graze_view){m->positions, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def->radii = def->triangles = def->tetrahedra = none;
  def->corners = def->face_sizes = def->cell_sizes = def->face_starts = def->cell_starts = none;
  switch (kind_of(m)) {
  case GRAZE_KIND_TRIANGLE:
    def->triangles = (graze_view){m->triangles, m->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    break;
  case GRAZE_KIND_POLYGON:
    def->corners = view_corners(m->corners, m->polygon_first, m->polygon_count);
    def->face_starts = view_starts(m->polygon_first, m->polygon_count);
    break;
  case GRAZE_KIND_TETRAHEDRON:
    def->tetrahedra = (graze_view){m->tetrahedra, m->tetrahedron_count, 0, GRAZE_FORMAT_UINT32_4};
    break;
  case GRAZE_KIND_POLYHEDRON:
    def->corners = view_corners(m->face_corners, m->face_first, m->face_count);
    def->face_starts = view_starts(m->face_first, m->face_count);
    def->cell_starts = view_starts(m->cell_first, m->cell_count);
    break;
  case GRAZE_KIND_SPHERE:
    def->radii = (graze_view){m->radii, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE};
    break;
  }
}

graze_result graze_io_get_def(const graze_io_meshes *meshes, size_t number, graze_mesh_def *def) {
  const mesh *m = NULL;
  graze_mesh_def checked;
  graze_result result = definition_read(&io_mesh_def_definition, def, false, &checked);
  if (result == GRAZE_OK) result = find_mesh(meshes, number, &m);
  if (result == GRAZE_OK) fill_def(m, def);
  return result;
}

static graze_result add_object(graze_scene *scene, graze_kind kind, const graze_mesh_def *def,
                               graze_object *object_out) {
  switch (kind) {
  case GRAZE_KIND_POLYGON:
    return graze_scene_add(scene, GRAZE_KIND_POLYGON, def, NULL, object_out);
  case GRAZE_KIND_TETRAHEDRON:
    return graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, def, NULL, object_out);
  case GRAZE_KIND_POLYHEDRON:
    return graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, def, NULL, object_out);
  case GRAZE_KIND_SPHERE:
    return graze_scene_add(scene, GRAZE_KIND_SPHERE, def, NULL, object_out);
  case GRAZE_KIND_TRIANGLE:
    break;
  }
  return graze_scene_add(scene, GRAZE_KIND_TRIANGLE, def, NULL, object_out);
}

graze_result graze_io_add_to_scene(const graze_io_meshes *meshes, size_t number, graze_scene *scene,
                                   graze_object *object_out) {
  const mesh *m = NULL;
  graze_mesh_def def = graze_mesh_def_default();
  graze_result result = find_mesh(meshes, number, &m);
  if (result != GRAZE_OK) return result;
  fill_def(m, &def);
  result = add_object(scene, kind_of(m), &def, object_out);
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "%s", graze_error_text());
}
