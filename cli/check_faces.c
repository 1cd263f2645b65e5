/* Writes the faces of a check for MeshLab and Blender, marking those in a pair: PLY with face properties, or OBJ with
 * the groups `involved` and `rest`.
 *
 * Workload: as many faces as were checked. For solids, the outer faces and all faces of solids in a pair are
 * written. */
#include "check_outcome.h"
#include "mesh_surface.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SMALL_FACE = 255 }; /* the most corners that a PLY list counts in a byte */

/* The faces of one object. */
typedef struct face_set {
  mesh placed;            /* the mesh with the pose of the object */
  double *positions;      /* its own positions if the object has a pose; else NULL */
  mesh_surface surface;   /* for solids; zeroed for others */
  const mesh *drawn;      /* `placed`, or that of the surface */
  const int32_t *regions; /* the region of each face, or a constant below; NULL: use the marks of the surface */
  size_t face_count;
} face_set;

enum { NO_REGION = -1, NOT_INVOLVED = -2 };

typedef struct face_table {
  int32_t *regions; /* of all primitives */
  uint8_t *marks;   /* of the primitives of the current object */
  face_set *sets;   /* of each object */
  size_t count;
} face_table;

static void mark_regions(const object_list *objects, const graze_pairs *pairs, const size_t *first, int32_t *regions) {
  const uint64_t count = object_list_primitive_count(objects);
  for (size_t i = 0; i < count; i++) regions[i] = NOT_INVOLVED;
  for (size_t i = 0; i < pairs->count; i++) {
    const graze_pair *pair = &pairs->pairs[i];
    regions[first[pair->object_a] + pair->primitive_a] = NO_REGION;
    regions[first[pair->object_b] + pair->primitive_b] = NO_REGION;
  }
}

/* The first region that contains a primitive. */
static void number_regions(const graze_regions *regions, const size_t *first, int32_t *region_of) {
  for (size_t i = 0; i < regions->count && i < INT32_MAX; i++) {
    const graze_region *region = &regions->regions[i];
    for (size_t j = region->first_pair; j < region->first_pair + region->pair_count; j++) {
      const graze_pair *pair = &regions->pairs[j];
      int32_t *a = &region_of[first[pair->object_a] + pair->primitive_a];
      int32_t *b = &region_of[first[pair->object_b] + pair->primitive_b];
      if (*a == NO_REGION) *a = (int32_t)i;
      if (*b == NO_REGION) *b = (int32_t)i;
    }
  }
}

static bool place_mesh(const object_list *objects, size_t object, face_set *set) {
  set->placed = objects->meshes[object];
  if (objects->entries[object].shared == NULL) return true;
  set->placed.positions = set->positions = object_list_placed_positions(objects, object);
  return set->positions != NULL;
}

static bool make_set(const object_list *objects, size_t object, const int32_t *regions, uint8_t *marks, face_set *set) {
  const mesh *part = &set->placed;
  if (!place_mesh(objects, object, set)) return false;
  if (part->kind == MESH_POLYGONS) {
    set->drawn = part;
    set->regions = regions;
    set->face_count = part->polygon_count;
    return true;
  }
  const size_t count = mesh_element_count(part);
  for (size_t i = 0; i < count; i++) marks[i] = regions[i] != NOT_INVOLVED;
  if (!mesh_surface_make(part, marks, &set->surface)) return false;
  set->drawn = &set->surface.drawn;
  set->face_count = set->surface.drawn.triangle_count;
  return true;
}

static bool make_table(const check_outcome *outcome, face_table *table) {
  const object_list *objects = outcome->objects;
  const size_t primitive_count = (size_t)object_list_primitive_count(objects);
  size_t *first = calloc(objects->count + 1, sizeof *first);
  *table = (face_table){.regions = malloc((primitive_count + 1) * sizeof *table->regions),
                        .marks = malloc(primitive_count + 1),
                        .sets = calloc(objects->count + 1, sizeof *table->sets),
                        .count = objects->count};
  bool made = first != NULL && table->regions != NULL && table->marks != NULL && table->sets != NULL;
  for (size_t i = 0; made && i < objects->count; i++) first[i + 1] = first[i] + objects->entries[i].primitive_count;
  if (made) {
    mark_regions(objects, &outcome->pairs, first, table->regions);
    if (outcome->has_regions) number_regions(&outcome->regions, first, table->regions);
  }
  for (size_t i = 0; made && i < objects->count; i++)
    made = make_set(objects, i, table->regions + first[i], table->marks, &table->sets[i]);
  free(first);
  return made;
}

static void release_table(face_table *table) {
  for (size_t i = 0; table->sets != NULL && i < table->count; i++) {
    mesh_surface_release(&table->sets[i].surface);
    free(table->sets[i].positions);
  }
  free(table->regions);
  free(table->marks);
  free(table->sets);
}

static int32_t region_of(const face_set *set, size_t face) {
  if (set->regions != NULL) return set->regions[face];
  return set->surface.marks[face] != 0 ? NO_REGION : NOT_INVOLVED;
}

/* Surfaces of solids consist of triangles, which mesh_element_corners treats as polygons. */
static const uint32_t *corners_of(const face_set *set, size_t face, size_t *count_out) {
  return mesh_element_corners(set->drawn, face, count_out);
}

/* Seventeen digits read back as the same double. */
static void write_positions(const face_table *table, const char *opening, FILE *stream) {
  for (size_t i = 0; i < table->count; i++) {
    const mesh *drawn = table->sets[i].drawn;
    for (size_t k = 0; k < drawn->vertex_count; k++) {
      const double *p = drawn->positions + 3 * k;
      fprintf(stream, "%s%.17g %.17g %.17g\n", opening, p[0], p[1], p[2]);
    }
  }
}

static void write_obj_group(const face_table *table, bool involved, FILE *stream) {
  bool begun = false;
  size_t first_vertex = 1;
  for (size_t i = 0; i < table->count; first_vertex += table->sets[i++].drawn->vertex_count) {
    const face_set *set = &table->sets[i];
    for (size_t face = 0; face < set->face_count; face++) {
      if ((region_of(set, face) != NOT_INVOLVED) != involved) continue;
      if (!begun) fputs(involved ? "g involved\n" : "g rest\n", stream);
      begun = true;
      size_t count;
      const uint32_t *corners = corners_of(set, face, &count);
      fputc('f', stream);
      for (size_t k = 0; k < count; k++) fprintf(stream, " %zu", first_vertex + corners[k]);
      fputc('\n', stream);
    }
  }
}

static void write_obj(const face_table *table, FILE *stream) {
  fprintf(stream, "# graze %s: the faces of listed pairs are in the group involved\n", graze_version());
  write_positions(table, "v ", stream);
  write_obj_group(table, true, stream);
  write_obj_group(table, false, stream);
}

/* Colors show involved faces in every viewer; the other properties are for selection. */
static void write_ply_face(const face_set *set, size_t face, size_t object, size_t first_vertex, FILE *stream) {
  size_t count;
  const uint32_t *corners = corners_of(set, face, &count);
  const int32_t region = region_of(set, face);
  const bool involved = region != NOT_INVOLVED;
  fprintf(stream, "%zu", count);
  for (size_t k = 0; k < count; k++) fprintf(stream, " %zu", first_vertex + corners[k]);
  fprintf(stream, " %d %" PRId32 " %zu %s\n", involved, involved ? region : NO_REGION, object,
          involved ? "220 50 40" : "190 190 190");
}

static void write_ply(const face_table *table, FILE *stream) {
  size_t vertex_count = 0, face_count = 0, most_corners = 3;
  for (size_t i = 0; i < table->count; i++) {
    const face_set *set = &table->sets[i];
    vertex_count += set->drawn->vertex_count;
    face_count += set->face_count;
    for (size_t face = 0; face < set->face_count; face++) {
      size_t count;
      (void)corners_of(set, face, &count);
      if (count > most_corners) most_corners = count;
    }
  }
  fprintf(stream,
          "ply\nformat ascii 1.0\n"
          "comment graze %s: involved 1 for faces of listed pairs; region: the first clash of the face, -1: none\n"
          "element vertex %zu\nproperty double x\nproperty double y\nproperty double z\n"
          "element face %zu\nproperty list %s int vertex_indices\n"
          "property int involved\nproperty int region\nproperty int object\n"
          "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n",
          graze_version(), vertex_count, face_count, most_corners > SMALL_FACE ? "int" : "uchar");
  write_positions(table, "", stream);
  size_t first_vertex = 0;
  for (size_t i = 0; i < table->count; first_vertex += table->sets[i++].drawn->vertex_count)
    for (size_t face = 0; face < table->sets[i].face_count; face++)
      write_ply_face(&table->sets[i], face, i, first_vertex, stream);
}

bool check_outcome_write_faces(const check_outcome *outcome, FILE *stream) {
  face_table table;
  const bool made = make_table(outcome, &table);
  if (!made)
    complain("%s: out of memory", outcome->options->faces);
  else if (faces_are_ply(outcome->options))
    write_ply(&table, stream);
  else
    write_obj(&table, stream);
  release_table(&table);
  return made;
}
