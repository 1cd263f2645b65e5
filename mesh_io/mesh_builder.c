/* Grows and hands over a mesh that is being read. Arrays double, so that adding is linear; the C library moves large
 * blocks without copying. The result is shrunk to its size. */
#include "mesh_io/mesh_builder.h"

#include "mesh_io/mesh_split.h"
#include "mesh_io/polygon_triangles.h"

#include <assert.h>
#include <string.h>

bool mesh_builder_grow(const mesh_reading *reading, void **block, size_t *capacity, size_t count, size_t more,
                       size_t element_bytes, const char *what) {
  if (more <= *capacity - count) return true;
  if (more > reading->element_limit - count) {
    return mesh_fail(reading, "more than %zu %s, the limit of a mesh", reading->element_limit, what);
  }
  const size_t needed = count + more;
  size_t roomy = *capacity < 512 ? 1024 : 2 * *capacity;
  if (roomy < needed) roomy = needed;
  if (roomy > reading->element_limit) roomy = reading->element_limit;
  if (!mesh_resize(&reading->memory, block, roomy, element_bytes)) {
    return mesh_fail(reading, "out of memory for %zu %s", roomy, what);
  }
  *capacity = roomy;
  return true;
}

void mesh_builder_start(mesh_builder *builder, const mesh_reading *reading) {
  *builder = (mesh_builder){.reading = reading};
}

static void free_mesh_arrays(mesh_builder *builder) {
  const mesh_memory *memory = &builder->reading->memory;
  mesh_release(memory, builder->m.positions);
  mesh_release(memory, builder->m.polygon_first);
  mesh_release(memory, builder->m.corners);
  mesh_release(memory, builder->m.triangles);
  mesh_release(memory, builder->m.triangle_polygon);
  mesh_release(memory, builder->m.tetrahedra);
  mesh_release(memory, builder->m.cell_first);
  mesh_release(memory, builder->m.face_first);
  mesh_release(memory, builder->m.face_corners);
  mesh_release(memory, builder->m.radii);
  mesh_release(memory, builder->m.note);
}

static void free_group_names(mesh_builder *builder) {
  for (size_t i = 0; i < builder->group_count; i++) mesh_release(&builder->reading->memory, builder->groups[i].name);
  builder->group_count = 0;
}

void mesh_builder_free(mesh_builder *builder) {
  free_mesh_arrays(builder);
  free_group_names(builder);
  mesh_release(&builder->reading->memory, builder->groups);
  mesh_builder_start(builder, builder->reading);
}

void mesh_builder_clear(mesh_builder *builder) {
  free_group_names(builder);
  builder->m.vertex_count = builder->m.triangle_count = builder->m.polygon_count = builder->corner_count = 0;
  builder->has_polygons = false;
  builder->elements = (skipped_elements){0};
  builder->unknown = (unknown_lines){0};
}

void mesh_builder_drop_polygons(mesh_builder *builder) {
  const mesh_memory *memory = &builder->reading->memory;
  mesh *m = &builder->m;
  mesh_release(memory, m->polygon_first);
  mesh_release(memory, m->corners);
  mesh_release(memory, m->triangles);
  mesh_release(memory, m->triangle_polygon);
  m->polygon_first = m->corners = m->triangles = m->triangle_polygon = NULL;
  m->triangle_count = m->polygon_count = builder->corner_count = 0;
  builder->triangle_capacity = builder->polygon_capacity = 0;
  builder->corner_capacity = builder->triangle_polygon_capacity = 0;
  builder->has_polygons = false;
}

bool mesh_builder_reserve_vertices(mesh_builder *builder, size_t more) {
  void *block = builder->m.positions;
  const bool fits = mesh_builder_grow(builder->reading, &block, &builder->vertex_capacity, builder->m.vertex_count,
                                      more, 3 * sizeof(double), "vertices");
  builder->m.positions = block;
  return fits;
}

bool mesh_builder_reserve_triangles(mesh_builder *builder, size_t more) {
  void *block = builder->m.triangles;
  const bool fits = mesh_builder_grow(builder->reading, &block, &builder->triangle_capacity, builder->m.triangle_count,
                                      more, 3 * sizeof(uint32_t), "triangles");
  builder->m.triangles = block;
  return fits;
}

static bool reserve_numbers(mesh_builder *builder, uint32_t **numbers, size_t *capacity, size_t count, size_t more,
                            const char *what) {
  void *block = *numbers;
  const bool fits = mesh_builder_grow(builder->reading, &block, capacity, count, more, sizeof(uint32_t), what);
  *numbers = block;
  return fits;
}

/* Makes space for a polygon in the arrays that exist only if some polygon is not a triangle. polygon_first has one
 * extra entry, hence + 1; the limit leaves that place free. */
static bool reserve_polygon(mesh_builder *builder, size_t corners, size_t polygons) {
  mesh *m = &builder->m;
  return reserve_numbers(builder, &m->corners, &builder->corner_capacity, builder->corner_count, corners, "corners") &&
         reserve_numbers(builder, &m->polygon_first, &builder->polygon_capacity, m->polygon_count, polygons + 1,
                         "polygons") &&
         reserve_numbers(builder, &m->triangle_polygon, &builder->triangle_polygon_capacity, m->triangle_count,
                         corners - 2 * polygons, "triangles");
}

/* Switches from the form without polygon arrays to that with them: so far polygon i is triangle i. */
static bool tell_polygons_apart(mesh_builder *builder) {
  mesh *m = &builder->m;
  const size_t count = m->triangle_count;
  m->polygon_count = m->triangle_count = 0;
  const bool fits = reserve_polygon(builder, 3 * count, count);
  m->triangle_count = count;
  if (!fits) return false;
  for (size_t i = 0; i < count; i++) m->polygon_first[i] = (uint32_t)(3 * i);
  for (size_t i = 0; i < count; i++) m->triangle_polygon[i] = (uint32_t)i;
  if (count > 0) memcpy(m->corners, m->triangles, 3 * count * sizeof *m->corners);
  m->polygon_first[count] = (uint32_t)(3 * count);
  m->polygon_count = count;
  builder->corner_count = 3 * count;
  builder->has_polygons = true;
  return true;
}

bool mesh_builder_add_polygon(mesh_builder *builder, const uint32_t *corners, size_t corner_count) {
  assert(corner_count >= 3);
  mesh *m = &builder->m;
  if (!builder->has_polygons && corner_count > 3 && !tell_polygons_apart(builder)) return false;
  if (!mesh_builder_reserve_triangles(builder, corner_count - 2)) return false;
  if (builder->has_polygons) {
    if (!reserve_polygon(builder, corner_count, 1)) return false;
    memcpy(m->corners + builder->corner_count, corners, corner_count * sizeof *corners);
    builder->corner_count += corner_count;
    m->polygon_first[m->polygon_count + 1] = (uint32_t)builder->corner_count;
    for (size_t i = 0; i < corner_count - 2; i++)
      m->triangle_polygon[m->triangle_count + i] = (uint32_t)m->polygon_count;
    m->polygon_count++;
  }
  if (corner_count == 3) memcpy(m->triangles + 3 * m->triangle_count, corners, 3 * sizeof *corners);
  m->triangle_count += corner_count - 2;
  return true;
}

bool mesh_builder_add_sphere(mesh_builder *builder, const double center[3], double radius) {
  mesh *m = &builder->m;
  void *block = m->radii;
  const bool fits = mesh_builder_grow(builder->reading, &block, &builder->radius_capacity, m->vertex_count, 1,
                                      sizeof(double), "spheres");
  m->radii = block;
  if (!fits || !mesh_builder_add_vertex(builder, center[0], center[1], center[2])) return false;
  m->kind = MESH_SPHERES;
  m->radii[m->vertex_count - 1] = radius;
  return true;
}

static size_t polygons_so_far(const mesh_builder *builder) {
  return builder->has_polygons ? builder->m.polygon_count : builder->m.triangle_count;
}

static bool add_group(mesh_builder *builder, const char *name, size_t name_bytes) {
  const mesh_reading *reading = builder->reading;
  void *block = builder->groups;
  const bool fits = mesh_builder_grow(reading, &block, &builder->group_capacity, builder->group_count, 1,
                                      sizeof(mesh_group), "groups");
  builder->groups = block;
  if (!fits) return false;
  void *copy = NULL;
  if (!mesh_resize(&reading->memory, &copy, name_bytes + 1, 1)) return mesh_fail(reading, "out of memory for a name");
  memcpy(copy, name, name_bytes);
  ((char *)copy)[name_bytes] = '\0';
  builder->groups[builder->group_count++] = (mesh_group){copy, polygons_so_far(builder)};
  return true;
}

bool mesh_builder_start_group(mesh_builder *builder, const char *name, size_t name_bytes) {
  if (!builder->reading->separate) return true;
  if (builder->group_count > 0) {
    const mesh_group *last = &builder->groups[builder->group_count - 1];
    if (strlen(last->name) == name_bytes && memcmp(last->name, name, name_bytes) == 0) return true;
  }
  return add_group(builder, name, name_bytes);
}

bool mesh_builder_start_part(mesh_builder *builder, const char *name) {
  enum { NAME_BYTES_MAX = 255 };
  size_t length = strnlen(name, NAME_BYTES_MAX + 1);
  if (length > NAME_BYTES_MAX) {
    do length--;
    while (((unsigned char)name[length] & 0xC0) == 0x80 && length > 0); /* not inside a UTF-8 character */
  }
  return !builder->reading->separate || add_group(builder, name, length);
}

/* If shrinking a block fails, it stays as it is. */
static void cut(const mesh_memory *memory, void **block, size_t elements, size_t element_bytes) {
  if (elements == 0) {
    mesh_release(memory, *block);
    *block = NULL;
  } else {
    mesh_resize(memory, block, elements, element_bytes);
  }
}

static void cut_numbers(const mesh_memory *memory, uint32_t **numbers, size_t count) {
  void *block = *numbers;
  cut(memory, &block, count, sizeof **numbers);
  *numbers = block;
}

static void cut_arrays(mesh_builder *builder) {
  const mesh_memory *memory = &builder->reading->memory;
  mesh *m = &builder->m;
  void *block = m->positions;
  cut(memory, &block, m->vertex_count, 3 * sizeof(double));
  m->positions = block;
  block = m->radii;
  cut(memory, &block, m->kind == MESH_SPHERES ? m->vertex_count : 0, sizeof(double));
  m->radii = block;
  m->polygon_count = polygons_so_far(builder);
  cut_numbers(memory, &m->triangles, 3 * m->triangle_count);
  cut_numbers(memory, &m->polygon_first, builder->has_polygons ? m->polygon_count + 1 : 0);
  cut_numbers(memory, &m->corners, builder->corner_count);
  cut_numbers(memory, &m->triangle_polygon, builder->has_polygons ? m->triangle_count : 0);
}

/* One mesh with everything, named after the file. */
static bool hand_over_whole(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out) {
  const mesh_reading *reading = builder->reading;
  const char *slash = strrchr(reading->file_name, '/');
  const char *name = slash ? slash + 1 : reading->file_name;
  void *list = NULL;
  void *copy = NULL;
  if (!mesh_resize(&reading->memory, &list, 1, sizeof(mesh)) ||
      !mesh_resize(&reading->memory, &copy, strlen(name) + 1, 1)) {
    mesh_release(&reading->memory, list);
    return mesh_fail(reading, "out of memory for a mesh");
  }
  strcpy(copy, name);
  builder->m.name = copy;
  *(mesh *)list = builder->m;
  builder->m = (mesh){0};
  *meshes_out = list;
  *mesh_count_out = 1;
  return true;
}

bool mesh_builder_finish(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out) {
  builder->m.skipped = skipped_elements_count(&builder->elements);
  builder->m.unknown_lines = builder->unknown.count;
  if (!skipped_elements_tell(&builder->elements, builder->m.kind, builder->reading, &builder->m.note) ||
      !unknown_lines_tell(&builder->unknown, builder->reading, &builder->m.note)) {
    mesh_builder_free(builder);
    return false;
  }
  cut_arrays(builder);
  if (builder->has_polygons && !polygon_triangles_fill(builder->reading, &builder->m)) {
    mesh_builder_free(builder);
    return false;
  }
  const bool whole = builder->group_count == 0 || builder->m.polygon_count == 0;
  const bool done =
      whole ? hand_over_whole(builder, meshes_out, mesh_count_out) : mesh_split(builder, meshes_out, mesh_count_out);
  mesh_builder_free(builder);
  return done;
}
