/* Splits a mesh by its groups. Workload: a few groups of many polygons, or hostile files of a million groups of one
 * triangle: the cost is linear in the corners of all groups, because the map of vertices is made once and undone by
 * visiting only the used entries. */
#include "mesh_io/mesh_split.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t unused = UINT32_MAX;

typedef struct splitter {
  mesh_builder *builder;
  const mesh_memory *memory;
  uint32_t *number;   /* new number of each vertex in the current mesh, or `unused` */
  uint32_t *vertices; /* the vertices of the current mesh, ascending */
} splitter;

/* The triangles of polygons [first, end) are contiguous, because they were made in order. */
static size_t first_triangle(const mesh_builder *builder, size_t polygon) {
  if (!builder->has_polygons) return polygon;
  return builder->m.polygon_first[polygon] - 2 * polygon;
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a;
  const uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Collects the vertices of the triangles and returns their number. Every corner of a polygon is in its triangles. */
static size_t collect_vertices(splitter *s, size_t first, size_t end) {
  const uint32_t *triangles = s->builder->m.triangles;
  size_t count = 0;
  for (size_t i = 3 * first; i < 3 * end; i++) {
    if (s->number[triangles[i]] != unused) continue;
    s->number[triangles[i]] = 0;
    s->vertices[count++] = triangles[i];
  }
  bool ascending = true;
  for (size_t i = 1; i < count; i++) ascending &= s->vertices[i - 1] < s->vertices[i];
  if (!ascending) qsort(s->vertices, count, sizeof *s->vertices, compare_numbers);
  for (size_t i = 0; i < count; i++) s->number[s->vertices[i]] = (uint32_t)i;
  return count;
}

static bool make_numbers(const mesh_memory *memory, uint32_t **numbers_out, size_t count) {
  void *block = NULL;
  const bool made = mesh_resize(memory, &block, count, sizeof(uint32_t));
  *numbers_out = block;
  return made;
}

/* Polygon arrays of a part; omitted if all its polygons are triangles. */
static bool copy_polygons(const splitter *s, mesh *part, size_t first, size_t first_of_triangles) {
  const mesh *whole = &s->builder->m;
  if (part->triangle_count == part->polygon_count) return true;
  const uint32_t first_corner = whole->polygon_first[first];
  const size_t corner_count = whole->polygon_first[first + part->polygon_count] - first_corner;
  if (!make_numbers(s->memory, &part->polygon_first, part->polygon_count + 1) ||
      !make_numbers(s->memory, &part->corners, corner_count) ||
      !make_numbers(s->memory, &part->triangle_polygon, part->triangle_count)) {
    return false;
  }
  for (size_t i = 0; i <= part->polygon_count; i++)
    part->polygon_first[i] = whole->polygon_first[first + i] - first_corner;
  for (size_t i = 0; i < corner_count; i++) part->corners[i] = s->number[whole->corners[first_corner + i]];
  for (size_t i = 0; i < part->triangle_count; i++) {
    part->triangle_polygon[i] = whole->triangle_polygon[first_of_triangles + i] - (uint32_t)first;
  }
  return true;
}

static bool copy_positions(const splitter *s, mesh *part) {
  void *block = NULL;
  if (!mesh_resize(s->memory, &block, part->vertex_count, 3 * sizeof(double))) return false;
  part->positions = block;
  for (size_t i = 0; i < part->vertex_count; i++) {
    memcpy(part->positions + 3 * i, s->builder->m.positions + 3 * (size_t)s->vertices[i], 3 * sizeof(double));
  }
  return true;
}

/* Makes the mesh of polygons [first, end), not empty; on failure *part holds what was made. */
static bool make_part(splitter *s, size_t first, size_t end, mesh *part) {
  const size_t from = first_triangle(s->builder, first);
  const size_t to = first_triangle(s->builder, end);
  part->polygon_count = end - first;
  part->triangle_count = to - from;
  part->vertex_count = collect_vertices(s, from, to);
  if (!copy_positions(s, part) || !make_numbers(s->memory, &part->triangles, 3 * part->triangle_count) ||
      !copy_polygons(s, part, first, from)) {
    return false;
  }
  for (size_t i = 0; i < 3 * part->triangle_count; i++) {
    part->triangles[i] = s->number[s->builder->m.triangles[3 * from + i]];
  }
  for (size_t i = 0; i < part->vertex_count; i++) s->number[s->vertices[i]] = unused;
  return true;
}

/* The name of a group, or that of the file if it has none. */
static bool name_part(const splitter *s, mesh_group *group, mesh *part) {
  if (group && group->name[0]) {
    part->name = group->name;
    group->name = NULL;
    return true;
  }
  const char *file_name = s->builder->reading->file_name;
  const char *slash = strrchr(file_name, '/');
  const char *name = slash ? slash + 1 : file_name;
  void *copy = NULL;
  if (!mesh_resize(s->memory, &copy, strlen(name) + 1, 1)) return false;
  part->name = strcpy(copy, name);
  return true;
}

static bool make_parts(splitter *s, mesh *parts, size_t *part_count) {
  mesh_builder *builder = s->builder;
  for (size_t i = 0; i <= builder->group_count; i++) {
    mesh_group *group = i == 0 ? NULL : &builder->groups[i - 1];
    const size_t first = group ? group->first_polygon : 0;
    const size_t end = i == builder->group_count ? builder->m.polygon_count : builder->groups[i].first_polygon;
    if (first == end) continue;
    mesh *part = &parts[(*part_count)++];
    part->skipped = builder->m.skipped;
    part->unknown_lines = builder->m.unknown_lines;
    if (!make_part(s, first, end, part) || !name_part(s, group, part)) return false;
  }
  return true;
}

static size_t count_parts(const mesh_builder *builder) {
  size_t count = 0;
  size_t end = builder->m.polygon_count;
  for (size_t i = builder->group_count; i > 0; i--) {
    count += builder->groups[i - 1].first_polygon < end;
    end = builder->groups[i - 1].first_polygon;
  }
  return count + (end > 0);
}

static void release_parts(const mesh_memory *memory, mesh *parts, size_t part_count) {
  for (size_t i = 0; i < part_count; i++) {
    mesh_release(memory, parts[i].name);
    mesh_release(memory, parts[i].positions);
    mesh_release(memory, parts[i].polygon_first);
    mesh_release(memory, parts[i].corners);
    mesh_release(memory, parts[i].triangles);
    mesh_release(memory, parts[i].triangle_polygon);
  }
  mesh_release(memory, parts);
}

bool mesh_split(mesh_builder *builder, mesh **meshes_out, size_t *mesh_count_out) {
  const size_t room = count_parts(builder);
  splitter s = {builder, &builder->reading->memory, NULL, NULL};
  void *list = NULL;
  size_t part_count = 0;
  bool done = mesh_resize(s.memory, &list, room, sizeof(mesh)) &&
              make_numbers(s.memory, &s.number, builder->m.vertex_count) &&
              make_numbers(s.memory, &s.vertices, builder->m.vertex_count);
  if (done) {
    memset(list, 0, room * sizeof(mesh));
    memset(s.number, 0xFF, builder->m.vertex_count * sizeof *s.number);
    done = make_parts(&s, list, &part_count);
  }
  mesh_release(s.memory, s.number);
  mesh_release(s.memory, s.vertices);
  if (!done) {
    release_parts(s.memory, list, part_count);
    return mesh_fail(builder->reading, "out of memory for %zu groups", room);
  }
  *meshes_out = list;
  (*meshes_out)[0].note = builder->m.note;
  builder->m.note = NULL;
  *mesh_count_out = part_count;
  return true;
}
