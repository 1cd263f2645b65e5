/* Makes scenes for queries with a clearance; see clearance_scenes.h. */
#include "clearance_scenes.h"

#include "base/number_sequence.h"
#include "geometry/reach_reference.h"
#include "graze/convex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double lattice_coordinate(uint64_t *state, double center, double step) {
  return center + step * ((double)sequence_below(state, 3) - 1.0);
}

static uint32_t add_vertex(lattice_object *object, const double position[3]) {
  const size_t count = object->mesh.vertex_count++;
  memcpy(object->positions + 3 * count, position, 3 * sizeof *position);
  return (uint32_t)count;
}

static reference_piece *add_piece(lattice_object *object, const uint32_t *vertices, uint32_t count) {
  reference_piece *piece = &object->pieces[object->count++];
  *piece = (reference_piece){.count = count};
  for (uint32_t i = 0; i < count; i++) {
    piece->vertices[i] = vertices[i];
    memcpy(piece->corners + 3 * (size_t)i, object->positions + 3 * (size_t)vertices[i], 3 * sizeof(double));
  }
  return piece;
}

static void choose_center(uint64_t *state, double step, double center_out[3]) {
  for (int axis = 0; axis < 3; axis++) center_out[axis] = step * (double)(1 + sequence_below(state, 8));
}

/* Three or four corners around a place; every fifth is one that is there already. */
static void make_simplices(lattice_object *object, uint64_t *state, double step, uint32_t corners) {
  for (size_t i = 0; i < LATTICE_PRIMITIVES; i++) {
    uint32_t *vertices = object->indices + corners * i;
    double center[3];
    choose_center(state, step, center);
    for (uint32_t k = 0; k < corners; k++) {
      double place[3];
      for (int axis = 0; axis < 3; axis++) place[axis] = lattice_coordinate(state, center[axis], step);
      vertices[k] = object->mesh.vertex_count > 0 && sequence_below(state, 5) == 0
                        ? (uint32_t)sequence_below(state, object->mesh.vertex_count)
                        : add_vertex(object, place);
    }
    add_piece(object, vertices, corners);
  }
}

/* The corners of a parallelogram or parallelepiped that is not flat; bit i of a corner's number is edge i. */
static void choose_box(uint64_t *state, double step, int edges, double corners_out[8][3]) {
  double center[3], edge[3][3] = {{0}}, normal[3], size;
  choose_center(state, step, center);
  do {
    for (int i = 0; i < edges; i++)
      for (int axis = 0; axis < 3; axis++) edge[i][axis] = lattice_coordinate(state, 0.0, step);
    for (int axis = 0; axis < 3; axis++) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      normal[axis] = edge[0][b] * edge[1][c] - edge[0][c] * edge[1][b];
    }
    size = edges == 2 ? fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2])
                      : fabs(normal[0] * edge[2][0] + normal[1] * edge[2][1] + normal[2] * edge[2][2]);
  } while (size == 0.0);
  for (int corner = 0; corner < 8; corner++)
    for (int axis = 0; axis < 3; axis++) {
      corners_out[corner][axis] = center[axis];
      for (int i = 0; i < 3; i++) corners_out[corner][axis] += (corner >> i & 1) != 0 ? edge[i][axis] : 0.0;
    }
}

static void make_polygons(lattice_object *object, uint64_t *state, double step) {
  static const int ring[4] = {0, 1, 3, 2};
  for (size_t i = 0; i < LATTICE_PRIMITIVES; i++) {
    double corners[8][3];
    choose_box(state, step, 2, corners);
    for (int k = 0; k < 4; k++) object->indices[4 * i + (size_t)k] = add_vertex(object, corners[ring[k]]);
    object->firsts[i] = (uint32_t)(4 * i);
    add_piece(object, object->indices + 4 * i, 4);
  }
  object->firsts[LATTICE_PRIMITIVES] = 4 * LATTICE_PRIMITIVES;
  object->mesh.polygon_first = object->firsts;
  object->mesh.corners = object->indices;
  object->mesh.polygon_count = LATTICE_PRIMITIVES;
}

static void make_polyhedra(lattice_object *object, uint64_t *state, double step) {
  static const uint32_t faces[24] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
  for (size_t i = 0; i < LATTICE_PRIMITIVES; i++) {
    double corners[8][3];
    uint32_t vertices[8];
    choose_box(state, step, 3, corners);
    for (int k = 0; k < 8; k++) vertices[k] = add_vertex(object, corners[k]);
    for (size_t k = 0; k < 24; k++) object->indices[24 * i + k] = vertices[faces[k]];
    for (size_t face = 0; face < 6; face++) object->firsts[6 * i + face] = (uint32_t)(24 * i + 4 * face);
    object->cells[i] = (uint32_t)(6 * i);
    add_piece(object, vertices, 8);
  }
  object->firsts[6 * LATTICE_PRIMITIVES] = 24 * LATTICE_PRIMITIVES;
  object->cells[LATTICE_PRIMITIVES] = 6 * LATTICE_PRIMITIVES;
  object->mesh.kind = MESH_POLYHEDRA;
  object->mesh.cell_first = object->cells;
  object->mesh.face_first = object->firsts;
  object->mesh.face_corners = object->indices;
  object->mesh.cell_count = LATTICE_PRIMITIVES;
  object->mesh.face_count = 6 * LATTICE_PRIMITIVES;
}

static void make_spheres(lattice_object *object, uint64_t *state, double step) {
  static const double radii[4] = {0.0, 0.25, 0.5, 1.0};
  object->mesh.kind = MESH_SPHERES;
  object->mesh.radii = object->radii;
  for (size_t i = 0; i < LATTICE_PRIMITIVES; i++) {
    double center[3];
    choose_center(state, step, center);
    const uint32_t vertex = add_vertex(object, center);
    add_piece(object, &vertex, 1)->radius = object->radii[i] = step * radii[sequence_below(state, 4)];
  }
}

void lattice_object_make(lattice_object *object, int kind, double step, uint64_t seed) {
  uint64_t state = seed;
  memset(object, 0, sizeof *object);
  object->mesh.positions = object->positions;
  if (kind == 0) {
    make_simplices(object, &state, step, 3);
    object->mesh.triangles = object->indices;
    object->mesh.triangle_count = object->mesh.polygon_count = LATTICE_PRIMITIVES;
  } else if (kind == 1) {
    make_polygons(object, &state, step);
  } else if (kind == 2) {
    make_simplices(object, &state, step, 4);
    object->mesh.kind = MESH_TETRAHEDRA;
    object->mesh.tetrahedra = object->indices;
    object->mesh.tetrahedron_count = LATTICE_PRIMITIVES;
  } else if (kind == 3) {
    make_polyhedra(object, &state, step);
  } else {
    make_spheres(object, &state, step);
  }
}

reference_piece *pieces_of_mesh(const mesh *m) {
  const size_t count = mesh_element_count(m);
  reference_piece *pieces = calloc(count + 1, sizeof *pieces);
  for (size_t i = 0; pieces != NULL && i < count; i++) {
    size_t corner_count;
    const uint32_t *corners = mesh_element_corners(m, i, &corner_count);
    pieces[i].count = (uint32_t)corner_count;
    for (size_t k = 0; k < corner_count; k++) {
      pieces[i].vertices[k] = corners[k];
      memcpy(pieces[i].corners + 3 * k, m->positions + 3 * (size_t)corners[k], 3 * sizeof(double));
    }
  }
  return pieces;
}

void pieces_pose(reference_piece *pieces, size_t count, const graze_pose *pose) {
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < pieces[i].count; k++) {
      double *at = pieces[i].corners + 3 * (size_t)k;
      const double x = at[0], y = at[1], z = at[2];
      for (int axis = 0; axis < 3; axis++) {
        const double *row = pose->rotation + 3 * axis;
        at[axis] = ((row[0] * x + row[1] * y) + row[2] * z) + pose->translation[axis];
      }
    }
}

bool pieces_share_vertex(const reference_piece *a, const reference_piece *b) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t j = 0; j < b->count; j++)
      if (a->vertices[i] == b->vertices[j]) return true;
  return false;
}

/* Doubles tell where the distance is far from what is asked; the integers decide the rest, and now and then the others
 * too. */
static bool is_within(reach_reference *reference, const reference_piece *a, const reference_piece *b, double clearance,
                      size_t number) {
  double on_a[3], on_b[3];
  const double distance = graze_convex_distance(a->corners, a->count, b->corners, b->count, on_a, on_b);
  const double reach = a->radius + b->radius + clearance;
  const bool sure = distance > 2.0 * reach || distance < 0.5 * reach;
  if (sure && number % 64 != 0) return distance < reach;
  reach_reference_set(reference, a->corners, a->count, b->corners, b->count);
  return reach_reference_order(reference, a->radius, b->radius, clearance) <= 0;
}

pair_answer reference_within(const piece_list *objects, size_t object_count, double clearance) {
  reach_reference *reference = reach_reference_create();
  pair_answer answer = {0};
  size_t room = 0, number = 0;
  for (size_t a = 0; a < object_count; a++)
    for (size_t i = 0; i < objects[a].count; i++)
      for (size_t b = a; b < object_count; b++)
        for (size_t j = a == b ? i + 1 : 0; j < objects[b].count; j++) {
          const reference_piece *p = &objects[a].pieces[i], *q = &objects[b].pieces[j];
          if ((a == b && pieces_share_vertex(p, q)) || !is_within(reference, p, q, clearance, number++)) continue;
          if (answer.count == room) {
            room = 2 * room + 64;
            answer.pairs = realloc(answer.pairs, room * sizeof *answer.pairs);
            if (answer.pairs == NULL) abort();
          }
          answer.pairs[answer.count++] = (graze_pair){(uint32_t)a, (uint32_t)i, (uint32_t)b, (uint32_t)j};
        }
  answer.hash = graze_pairs_hash(answer.pairs, answer.count);
  reach_reference_destroy(reference);
  return answer;
}
