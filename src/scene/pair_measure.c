/* Measures of a pair, by kinds. Surfaces are taken triangle by triangle; a polyhedron is cut into tetrahedra, one from
 * the mean of its corners to each triangle of its faces.
 *
 * Whether the two meet is exact; what is measured is rounded to double. */
#include "scene/pair_measure.h"

#include "geometry/epa.h"
#include "geometry/gjk.h"
#include "geometry/tetrahedron_overlap.h"
#include "geometry/tetrahedron_penetration.h"
#include "geometry/triangle_overlap.h"
#include "geometry/triangle_penetration.h"
#include "geometry/triangle_tetrahedron_overlap.h"
#include "narrow/primitive_pair.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- translations */

/* Of two convex pieces that meet. */
static void translation_of(graze_test test, const convex_piece *p, const convex_piece *q, double normal_out[3],
                           double *depth_out) {
  orientation_tally tally = {0};
  if (test == GRAZE_TEST_GJK || p->count > 4 || q->count > 4)
    epa_penetration(p->points, p->count, q->points, q->count, normal_out, depth_out);
  else if (p->count == 4 && q->count == 4)
    tetrahedron_pair_penetration(p->points, q->points, normal_out, depth_out, &tally);
  else if (p->count == 3)
    triangle_tetrahedron_penetration(p->points, q->points, normal_out, depth_out, &tally);
  else {
    triangle_tetrahedron_penetration(q->points, p->points, normal_out, depth_out, &tally);
    for (int axis = 0; axis < 3; axis++) normal_out[axis] = -normal_out[axis];
  }
}

/* ---------------------------------------------------------------------------------------------- solids as tetrahedra
 */

typedef struct solid {
  convex_piece piece;
  const object_source *source;
  const uint32_t *faces; /* polyhedra: three own vertex numbers a triangle */
  uint32_t tetrahedron_count;
  double middle[3]; /* polyhedra: the mean of the corners */
} solid;

static solid solid_of(const graze_scene *scene, uint32_t primitive) {
  const uint32_t index = scene->tags[primitive].object;
  const object_elements *elements = &scene_objects(scene)[index].elements;
  solid s = {.source = &scene->sources[index], .tetrahedron_count = 1};
  primitive_fetch_piece(s.source, primitive, 0, &s.piece);
  if (elements->kind == GRAZE_KIND_TETRAHEDRON) return s;
  const uint32_t *first = ARRAY_AS(uint32_t, &elements->piece_first) + (primitive - s.source->first_primitive);
  s.faces = ARRAY_AS(uint32_t, &elements->pieces) + 3 * (size_t)first[0];
  s.tetrahedron_count = first[1] - first[0];
  for (uint32_t i = 0; i < s.piece.count; i++)
    for (int axis = 0; axis < 3; axis++) s.middle[axis] += s.piece.points[3 * i + axis] / s.piece.count;
  return s;
}

static void solid_tetrahedron(const solid *s, uint32_t number, double corners_out[12]) {
  if (s->faces == NULL) {
    memcpy(corners_out, s->piece.points, 12 * sizeof *corners_out);
    return;
  }
  memcpy(corners_out, s->middle, sizeof s->middle);
  for (int i = 0; i < 3; i++) fetch_vertex(s->source, s->faces[3 * (size_t)number + i], corners_out + 3 * (i + 1));
}

/* A point where two convex pieces meet, to rounding. The tetrahedra of cells that touch need not: the corners of a face
 * lie in one plane only nearly, and its triangles then run a little inside of the hull. */
static void touching_point(const convex_piece *p, const convex_piece *q, double point_out[3]) {
  gjk_result nearest;
  gjk_distance(p->points, p->count, q->points, q->count, &nearest);
  memcpy(point_out, nearest.on_p, sizeof nearest.on_p);
}

/* A sum of volumes with their centroids. */
typedef struct volume_sum {
  double volume, moment[3];
} volume_sum;

static void add_volume(volume_sum *sum, double volume, const double centroid[3]) {
  sum->volume += volume;
  for (int axis = 0; axis < 3; axis++) sum->moment[axis] += volume * centroid[axis];
}

/* A point of the common part of solids that share no volume. */
static void measure_touch(const solid *p, const solid *q, double point_out[3]) {
  if (p->piece.count > 4 || q->piece.count > 4 ||
      !tetrahedron_pair_contact(p->piece.points, q->piece.points, point_out))
    touching_point(&p->piece, &q->piece, point_out);
}

static void measure_volume(const solid *p, const solid *q, graze_contact *contact) {
  volume_sum sum = {0};
  for (uint32_t i = 0; i < p->tetrahedron_count; i++)
    for (uint32_t j = 0; j < q->tetrahedron_count; j++) {
      double a[12], b[12], volume, centroid[3];
      solid_tetrahedron(p, i, a);
      solid_tetrahedron(q, j, b);
      if (tetrahedron_pair_volume(a, b, &volume, centroid)) add_volume(&sum, volume, centroid);
    }
  contact->volume = sum.volume;
  if (!(sum.volume > 0.0)) {
    measure_touch(p, q, contact->centroid);
    return;
  }
  for (int axis = 0; axis < 3; axis++) contact->centroid[axis] = sum.moment[axis] / sum.volume;
}

bool pair_measure_solids(const graze_scene *scene, index_pair pair, graze_contact *contact) {
  const solid p = solid_of(scene, pair.a), q = solid_of(scene, pair.b);
  orientation_tally tally = {0};
  if (!convex_pieces_meet(&p.piece, &q.piece, &tally)) return false;
  contact->kind = GRAZE_CONTACT_VOLUME;
  translation_of(scene->last_test, &p.piece, &q.piece, contact->normal, &contact->depth);
  measure_volume(&p, &q, contact);
  return true;
}

/* ---------------------------------------------------------------------------------------------- surfaces */

/* Points as they come: those beyond the room are only counted. */
typedef struct point_writer {
  double (*points)[3];
  size_t room;
  uint64_t count;
  double sum[3];
} point_writer;

static void write_points(point_writer *writer, const double (*points)[3], uint32_t count) {
  for (uint32_t i = 0; i < count; i++, writer->count++) {
    if (writer->count < writer->room) memcpy(writer->points[writer->count], points[i], sizeof *points);
    for (int axis = 0; axis < 3; axis++) writer->sum[axis] += points[i][axis];
  }
}

/* A piece of a surface against a piece that is a triangle or a solid: points, and the deeper translation is kept. */
static bool measure_pieces(graze_test test, const convex_piece *p, const convex_piece *q, const solid *q_solid,
                           graze_contact *contact, point_writer *writer) {
  orientation_tally tally = {0};
  double points[MEASURE_POINTS][3], normal[3] = {0}, depth = 0.0, area, centroid[3];
  if (q_solid == NULL) {
    const uint32_t count = triangle_pair_overlap(p->points, q->points, points, &tally);
    if (count == 0) return false;
    write_points(writer, (const double(*)[3])points, count);
    triangle_pair_penetration(p->points, q->points, normal, &depth, &tally);
  } else {
    if (!convex_pieces_meet(p, q, &tally)) return false;
    const uint64_t before = writer->count;
    for (uint32_t i = 0; i < q_solid->tetrahedron_count; i++) {
      double corners[12];
      solid_tetrahedron(q_solid, i, corners);
      write_points(writer, (const double(*)[3])points,
                   triangle_tetrahedron_overlap(p->points, corners, points, &area, centroid));
    }
    if (writer->count == before) {
      touching_point(p, q, points[0]);
      write_points(writer, (const double(*)[3])points, 1);
    }
    translation_of(test, p, q, normal, &depth);
  }
  if (depth >= contact->depth) {
    contact->depth = depth;
    memcpy(contact->normal, normal, sizeof normal);
  }
  return true;
}

static graze_contact_kind kind_of_points(uint64_t count) {
  return count <= 1 ? GRAZE_CONTACT_POINT : count == 2 ? GRAZE_CONTACT_SEGMENT : GRAZE_CONTACT_POLYGON;
}

/* All pieces of the surface a against all of b, which may be a surface or a solid. */
static bool measure_surface(const graze_scene *scene, uint32_t a, uint32_t b, graze_contact *contact,
                            point_writer *writer) {
  const object_source *p_source = &scene->sources[scene->tags[a].object];
  const object_source *q_source = &scene->sources[scene->tags[b].object];
  const bool is_solid = kind_is_solid(q_source->kind);
  const solid q_solid = is_solid ? solid_of(scene, b) : (solid){.tetrahedron_count = 0};
  const uint32_t p_count = primitive_piece_count(p_source, a), q_count = primitive_piece_count(q_source, b);
  const exact_box b_box = primitive_exact_box(q_source, b);
  bool meet = false;
  contact->depth = -1.0;
  for (uint32_t i = 0; i < p_count; i++) {
    convex_piece p, q;
    primitive_fetch_piece(p_source, a, i, &p);
    const exact_box p_box = exact_box_of(p.points, p.count);
    if (!exact_boxes_meet(&p_box, &b_box)) continue;
    for (uint32_t j = 0; j < q_count; j++) {
      primitive_fetch_piece(q_source, b, j, &q);
      const exact_box q_box = exact_box_of(q.points, q.count);
      if (!exact_boxes_meet(&p_box, &q_box)) continue;
      meet |= measure_pieces(scene->last_test, &p, &q, is_solid ? &q_solid : NULL, contact, writer);
    }
  }
  if (!meet) return false;
  const bool one_part = p_count == 1 && q_count == 1 && q_solid.tetrahedron_count <= 1;
  contact->point_count = writer->count < MEASURE_TOO_MANY ? (uint32_t)writer->count : MEASURE_TOO_MANY;
  contact->kind = one_part ? kind_of_points(writer->count) : GRAZE_CONTACT_PARTS;
  for (int axis = 0; axis < 3 && writer->count > 0; axis++)
    contact->centroid[axis] = writer->sum[axis] / (double)writer->count;
  return true;
}

bool pair_measure(const graze_scene *scene, index_pair pair, graze_contact *contact, double (*points)[3], size_t room) {
  const bool a_solid = kind_is_solid(scene->sources[scene->tags[pair.a].object].kind);
  const bool b_solid = kind_is_solid(scene->sources[scene->tags[pair.b].object].kind);
  if (a_solid && b_solid) return pair_measure_solids(scene, pair, contact);
  point_writer writer = {.points = points, .room = room};
  if (!a_solid) return measure_surface(scene, pair.a, pair.b, contact, &writer);
  if (!measure_surface(scene, pair.b, pair.a, contact, &writer)) return false;
  for (int axis = 0; axis < 3; axis++) contact->normal[axis] = -contact->normal[axis];
  return true;
}
