/* Measures of a pair of primitives that meet, as inline functions for the processor and for GPUs: points, volume,
 * centroid, the least translation that separates the two, and its witness points. Surfaces are measured triangle by
 * triangle; a polyhedron is split into tetrahedra, one from the mean of its corners to each triangle of its faces.
 *
 * Whether the two meet is exact; measures are rounded to double. Depths and volumes beyond the largest double become
 * the largest double; all other measures are finite by construction: products are formed in coordinates near one, and
 * sums that overflow are formed again from scaled terms. A volume has a power of two as its unit until its centroid is
 * known, so the centroid is right even if the volume is below the smallest double or above the largest. Only the
 * square root and the minimum of the C library are used, which give the same bits everywhere.
 *
 * There are four variants: triangles, tetrahedra, spheres, and all others. Each is a function of its own, because a GPU
 * gives every thread of a kernel the stack of the deepest function.
 *
 * Workload: one call for each pair with a requested contact, microseconds each. */
#ifndef GRAZE_NARROW_PAIR_MEASURE_INLINE_H
#define GRAZE_NARROW_PAIR_MEASURE_INLINE_H

#include "geometry/epa.h"
#include "geometry/gjk.h"
#include "geometry/sphere_lens.h"
#include "geometry/sphere_measure.h"
#include "geometry/tetrahedron_overlap.h"
#include "geometry/tetrahedron_penetration.h"
#include "geometry/triangle_crossing.h"
#include "geometry/triangle_overlap.h"
#include "geometry/triangle_penetration.h"
#include "geometry/triangle_tetrahedron_overlap.h"
#include "geometry/volume_gradient.h"
#include "narrow/pair_measure.h"
#include "narrow/primitive_pair_inline.h"

#include <float.h>

typedef enum measure_variant { MEASURE_TRIANGLES, MEASURE_TETRAHEDRA, MEASURE_SPHERES, MEASURE_OTHERS } measure_variant;

GEOMETRY_FUNCTION const object_source *measured_source(const measured_scene *scene, uint32_t primitive) {
  return &scene->sources[owner_of_primitive(scene->headers, scene->sources, scene->object_count, primitive)];
}

/* The expanding polytope algorithm, which queries by gjk use, needs a deep stack: it is part of the general variant. */
GEOMETRY_FUNCTION measure_variant measure_variant_of(const measured_scene *scene, index_pair pair) {
  const graze_kind a = measured_source(scene, pair.a)->kind, b = measured_source(scene, pair.b)->kind;
  const kind_batch batch = batch_of_pair(a, b);
  if (batch == BATCH_TRIANGLES) return MEASURE_TRIANGLES;
  if (batch == BATCH_SPHERES) return MEASURE_SPHERES;
  return batch == BATCH_TETRAHEDRA && scene->test != GRAZE_TEST_GJK ? MEASURE_TETRAHEDRA : MEASURE_OTHERS;
}

/* The corners of a triangle, from its header: a device with a scene of triangles only has no other list of them. */
GEOMETRY_FUNCTION void fetch_tagged_triangle(const measured_scene *scene, uint32_t primitive, double corners_out[9]) {
#ifndef __CUDA_ARCH__
  if (scene->headers == NULL) {
    const object_source *owner = measured_source(scene, primitive);
    const uint32_t *own = corners_of(owner, primitive).vertices;
    for (int corner = 0; corner < 3; corner++) fetch_vertex(owner, own[corner], corners_out + 3 * corner);
    return;
  }
#endif
  const primitive_header *header = &scene->headers[primitive];
  const object_source *source = &scene->sources[header->object];
  for (int corner = 0; corner < 3; corner++)
    fetch_vertex(source, header->corner[corner] - source->first_vertex, corners_out + 3 * corner);
}

/* ---------------------------------------------------------------------------------------------- points */

/* Collects points; those beyond the capacity are only counted. */
typedef struct point_writer {
  double (*points)[3];
  size_t room;
  uint64_t count;
  double sum[3];
  double small_sum[3]; /* of the points times 2^-64: used if the sum itself overflows */
} point_writer;

GEOMETRY_FUNCTION point_writer point_writer_make(double (*points)[3], size_t room) {
  point_writer writer;
  writer.points = points;
  writer.room = room;
  writer.count = 0;
  for (int axis = 0; axis < 3; axis++) writer.sum[axis] = writer.small_sum[axis] = 0.0;
  return writer;
}

GEOMETRY_FUNCTION void write_points(point_writer *writer, const double (*points)[3], uint32_t count) {
  for (uint32_t i = 0; i < count; i++, writer->count++)
    for (int axis = 0; axis < 3; axis++) {
      const double value = within_doubles(points[i][axis]);
      if (writer->count < writer->room) writer->points[writer->count][axis] = value;
      writer->sum[axis] += value;
      writer->small_sum[axis] += value * 0x1p-64;
    }
}

GEOMETRY_FUNCTION graze_contact_kind kind_of_points(uint64_t count) {
  return count <= 1 ? GRAZE_CONTACT_KIND_POINT : count == 2 ? GRAZE_CONTACT_KIND_SEGMENT : GRAZE_CONTACT_KIND_POLYGON;
}

GEOMETRY_FUNCTION void finish_points(const point_writer *writer, bool one_part, graze_contact *contact) {
  contact->point_count = writer->count < MEASURE_TOO_MANY ? (uint32_t)writer->count : MEASURE_TOO_MANY;
  contact->kind = one_part ? kind_of_points(writer->count) : GRAZE_CONTACT_KIND_PARTS;
  contact->depth = within_doubles(contact->depth);
  for (int axis = 0; axis < 3 && writer->count > 0; axis++) {
    const double mean = writer->sum[axis] / (double)writer->count;
    contact->centroid[axis] =
        fabs(mean) <= DBL_MAX ? mean : within_doubles(writer->small_sum[axis] / (double)writer->count * 0x1p64);
  }
}

/* ---------------------------------------------------------------------------------------------- translations */

/* Sets the contact's translation. Until the centroid is known, b's witness is the corner of b that is lowest along the
 * normal: the one that touches a first when b is moved back. A NaN depth becomes infinite, since the bits of NaN differ
 * between processors. */
GEOMETRY_FUNCTION void take_translation(const double normal[3], double depth, const double *b_corners, uint32_t count,
                                        graze_contact *contact) {
  uint32_t lowest = 0;
  double least = 0.0;
  for (uint32_t i = 1; i < count; i++) {
    const double *corner = b_corners + 3 * (size_t)i;
    const double height = normal[0] * (corner[0] - b_corners[0]) + normal[1] * (corner[1] - b_corners[1]) +
                          normal[2] * (corner[2] - b_corners[2]);
    if (!(height < least)) continue;
    least = height;
    lowest = i;
  }
  contact->depth = depth >= 0.0 || depth < 0.0 ? depth : HUGE_VAL;
  for (int axis = 0; axis < 3; axis++) {
    contact->normal[axis] = normal[axis];
    contact->witness_b[axis] = b_corners[3 * (size_t)lowest + axis];
  }
}

/* Sets the flag if a measure was clamped to the largest double. */
GEOMETRY_FUNCTION void flag_clamped(double *measure, graze_contact *contact) {
  if (fabs(*measure) < DBL_MAX) return;
  *measure = within_doubles(*measure);
  contact->flags |= GRAZE_CONTACT_FLAG_CLAMPED;
}

/* Sets the witness points, after all other measures: on the line through the centroid along the normal, at the height
 * of b's lowest corner and of a's highest. If they are beyond the largest double, both are the centroid. */
GEOMETRY_FUNCTION void finish_contact(graze_contact *contact) {
  const double *normal = contact->normal, *centroid = contact->centroid, *corner = contact->witness_b;
  const double height = normal[0] * (corner[0] - centroid[0]) + normal[1] * (corner[1] - centroid[1]) +
                        normal[2] * (corner[2] - centroid[2]);
  bool finite = true;
  for (int axis = 0; axis < 3; axis++) {
    contact->witness_b[axis] = centroid[axis] + height * normal[axis];
    contact->witness_a[axis] = contact->witness_b[axis] + contact->depth * normal[axis];
    finite = finite && fabs(contact->witness_a[axis]) <= DBL_MAX && fabs(contact->witness_b[axis]) <= DBL_MAX;
  }
  flag_clamped(&contact->depth, contact);
  flag_clamped(&contact->volume, contact);
  if (!finite) contact->flags |= GRAZE_CONTACT_FLAG_CLAMPED;
  for (int axis = 0; axis < 3 && !finite; axis++)
    contact->witness_a[axis] = contact->witness_b[axis] = contact->centroid[axis];
}

/* Called when points and translation are known. */
GEOMETRY_FUNCTION void finish_triangles(const double q[9], const double (*points)[3], uint32_t count,
                                        const double normal[3], double depth, graze_contact *contact,
                                        point_writer *writer) {
  write_points(writer, points, count);
  take_translation(normal, depth, q, 3, contact);
  finish_points(writer, true, contact);
  finish_contact(contact);
}

/* The filter's answer for two triangles: 1, 0, or SIGN_UNDECIDED, and then nothing is written. */
GEOMETRY_FUNCTION int measure_triangles_filtered(const measured_scene *scene, index_pair pair, graze_contact *contact,
                                                 point_writer *writer) {
  double p[9], q[9], normal[3];
  triangle_crossing crossing;
  fetch_tagged_triangle(scene, pair.a, p);
  fetch_tagged_triangle(scene, pair.b, q);
  const int answer = triangle_pair_crossing(p, q, &crossing);
  if (answer != 1) return answer;
  vector3_store(crossing.least.normal, normal);
  finish_triangles(q, (const double(*)[3])crossing.points, crossing.count, normal, crossing.least.depth, contact,
                   writer);
  return 1;
}

/* By all exact tiers. */
GEOMETRY_FUNCTION bool measure_triangles_exactly(const measured_scene *scene, index_pair pair, graze_contact *contact,
                                                 point_writer *writer) {
  orientation_tally tally = {0};
  double p[9], q[9], points[OVERLAP_POINTS][3], normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  fetch_tagged_triangle(scene, pair.a, p);
  fetch_tagged_triangle(scene, pair.b, q);
  const uint32_t count = triangle_pair_overlap(p, q, points, &tally);
  if (count == 0) return false;
  triangle_pair_penetration(p, q, normal, &depth, &tally);
  finish_triangles(q, (const double(*)[3])points, count, normal, depth, contact, writer);
  return true;
}

GEOMETRY_FUNCTION bool measure_triangles(const measured_scene *scene, index_pair pair, graze_contact *contact,
                                         point_writer *writer) {
  const int answer = measure_triangles_filtered(scene, pair, contact, writer);
  return answer == SIGN_UNDECIDED ? measure_triangles_exactly(scene, pair, contact, writer) : answer == 1;
}

/* ---------------------------------------------------------------------------------------------- volumes */

/* A sum of volumes with their centroids. Lengths are in units of 2^unit, about the largest coordinate or extent of the
 * pair. */
typedef struct volume_sum {
  double volume, moment[3];
  int unit;
} volume_sum;

GEOMETRY_FUNCTION volume_sum volume_sum_make(int unit) {
  const volume_sum sum = {0.0, {0.0, 0.0, 0.0}, unit};
  return sum;
}

GEOMETRY_FUNCTION void add_volume(volume_sum *sum, const shared_volume *shared) {
  const double volume = times_power_of_two(shared->volume, 3 * (shared->unit - sum->unit));
  sum->volume += volume;
  for (int axis = 0; axis < 3; axis++)
    sum->moment[axis] += volume * times_power_of_two(shared->centroid[axis], -sum->unit);
}

/* Writes the volume and area of a contact, or the unit if the scene keeps it. */
GEOMETRY_FUNCTION void finish_units(const measured_scene *scene, int unit, graze_contact *contact) {
  if (scene->keeps_unit) {
    contact->first_point = (uint32_t)unit;
    return;
  }
  contact->volume = times_power_of_two(contact->volume, 3 * unit);
  contact->area = times_power_of_two(contact->area, 2 * unit);
}

/* False if the sum has no volume, and so no centroid. */
GEOMETRY_FUNCTION bool finish_volume(const measured_scene *scene, const volume_sum *sum, graze_contact *contact) {
  contact->kind = GRAZE_CONTACT_KIND_VOLUME;
  contact->volume = sum->volume;
  contact->depth = within_doubles(contact->depth);
  for (int axis = 0; axis < 3 && sum->volume > 0.0; axis++)
    contact->centroid[axis] = within_doubles(times_power_of_two(sum->moment[axis] / sum->volume, sum->unit));
  finish_units(scene, sum->unit, contact);
  return sum->volume > 0.0;
}

/* Writes the push of a contact that keeps its unit, and its moment about the centroid. */
GEOMETRY_FUNCTION void finish_push(const volume_push *sum, int unit, graze_contact *contact) {
  const vector3 centroid =
      vector3_make(times_power_of_two(contact->centroid[0], -unit), times_power_of_two(contact->centroid[1], -unit),
                   times_power_of_two(contact->centroid[2], -unit));
  const vector3 lever = vector3_cross(vector3_subtract(sum->origin, centroid), sum->push);
  const vector3 moment = vector3_add(sum->moment, lever);
  vector3_store(sum->push, contact->normal);
  contact->witness_a[0] = within_doubles(times_power_of_two(moment.x, unit));
  contact->witness_a[1] = within_doubles(times_power_of_two(moment.y, unit));
  contact->witness_a[2] = within_doubles(times_power_of_two(moment.z, unit));
}

GEOMETRY_FUNCTION void finish_tetrahedra_push(const double p[12], const double q[12], graze_contact *contact) {
  const int unit = kept_unit(contact);
  const ordered_tetrahedron still = ordered_tetrahedron_make(p, unit), moving = ordered_tetrahedron_make(q, unit);
  volume_push sum = volume_push_make(moving.corner[0]);
  push_tetrahedron(&sum, &still, &moving);
  finish_push(&sum, unit, contact);
}

/* A common point of two convex hulls, up to rounding. Their tetrahedra may not touch even if the hulls do: the corners
 * of a face are only nearly coplanar, and its triangles then lie slightly inside the hull. */
GEOMETRY_SLOW_FUNCTION void touching_point(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                           double point_out[3]) {
  gjk_result nearest;
  gjk_distance(p, p_count, q, q_count, &nearest);
  for (int axis = 0; axis < 3; axis++) point_out[axis] = nearest.on_p[axis];
}

GEOMETRY_FUNCTION void fetch_tetrahedron(const measured_scene *scene, uint32_t primitive, double corners_out[12]) {
  const object_source *source = measured_source(scene, primitive);
  const corner_list corners = corners_of(source, primitive);
  for (int i = 0; i < 4; i++) fetch_vertex(source, corners.vertices[i], corners_out + 3 * i);
}

/* Measures two tetrahedra that meet according to the filter: 1, or SIGN_UNDECIDED, and then the contact is not valid.
 * The signs of both volumes are known, so neither is flat. Works in memory of the caller, which may overlap p. */
GEOMETRY_FUNCTION int measure_tetrahedra_sharing(const measured_scene *scene, const double p[12], const double q[12],
                                                 const shared_volume *shared, double room[HULL_ROOM],
                                                 graze_contact *contact) {
  volume_sum sum = volume_sum_make(shared->unit);
  penetration least;
  double normal[3];
  if (!(shared->volume > 0.0)) return SIGN_UNDECIDED;
  add_volume(&sum, shared);
  if (scene->keeps_unit) {
    (void)finish_volume(scene, &sum, contact);
    finish_tetrahedra_push(p, q, contact);
    return 1;
  }
  if (!tetrahedra_penetration_find(p, q, room, &least)) return SIGN_UNDECIDED;
  vector3_store(least.normal, normal);
  take_translation(normal, least.depth, q, 4, contact);
  (void)finish_volume(scene, &sum, contact);
  finish_contact(contact);
  return 1;
}

/* The filter's answer for two tetrahedra: 1, 0, or SIGN_UNDECIDED, and then the contact is not valid. */
GEOMETRY_FUNCTION int measure_tetrahedra_filtered(const measured_scene *scene, index_pair pair,
                                                  graze_contact *contact) {
  shared_volume shared;
  double p[12], q[12], room[HULL_ROOM];
  fetch_tetrahedron(scene, pair.a, p);
  fetch_tetrahedron(scene, pair.b, q);
  const int answer = tetrahedron_pair_filtered(p, q);
  if (answer != 1) return answer;
  if (tetrahedron_pair_volume_filtered(p, q, &shared) != 1) return SIGN_UNDECIDED;
  return measure_tetrahedra_sharing(scene, p, q, &shared, room, contact);
}

/* By all exact tiers. */
GEOMETRY_FUNCTION bool measure_tetrahedra_exactly(const measured_scene *scene, index_pair pair,
                                                  graze_contact *contact) {
  orientation_tally tally = {0};
  shared_volume shared;
  double p[12], q[12], centroid[3], normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  fetch_tetrahedron(scene, pair.a, p);
  fetch_tetrahedron(scene, pair.b, q);
  if (scene->keeps_unit ? !tetrahedron_pair_intersects(p, q, &tally)
                        : !tetrahedron_pair_penetration(p, q, normal, &depth, &tally))
    return false;
  take_translation(normal, depth, q, 4, contact);
  const bool has_volume = tetrahedron_pair_volume(p, q, &shared);
  volume_sum sum = volume_sum_make(shared.unit);
  if (has_volume) add_volume(&sum, &shared);
  if (!finish_volume(scene, &sum, contact)) {
    if (!tetrahedron_pair_contact(p, q, centroid)) touching_point(p, 4, q, 4, centroid);
    for (int axis = 0; axis < 3; axis++) contact->centroid[axis] = within_doubles(centroid[axis]);
  }
  if (scene->keeps_unit)
    finish_tetrahedra_push(p, q, contact);
  else
    finish_contact(contact);
  return true;
}

GEOMETRY_FUNCTION bool measure_tetrahedra(const measured_scene *scene, index_pair pair, graze_contact *contact) {
  const int answer = measure_tetrahedra_filtered(scene, pair, contact);
  return answer == SIGN_UNDECIDED ? measure_tetrahedra_exactly(scene, pair, contact) : answer == 1;
}

/* ---------------------------------------------------------------------------------------------- solids of any kind */

/* Measures two convex pieces that meet; at least one is a solid. */
GEOMETRY_SLOW_FUNCTION void translation_of(graze_test test, const convex_element *p, const convex_element *q,
                                           double normal_out[3], double *depth_out) {
  orientation_tally tally = {0};
  const bool small = (p->count == 3 || p->count == 4) && (q->count == 3 || q->count == 4);
  if (test == GRAZE_TEST_GJK || !small)
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

/* A solid as its tetrahedra. */
typedef struct measured_solid {
  convex_element element;
  const object_source *source;
  const uint32_t *faces; /* three own vertex numbers a triangle; NULL if the kind has a fixed number of corners */
  uint32_t tetrahedron_count;
  double middle[3]; /* polyhedra: the mean of the corners */
} measured_solid;

GEOMETRY_FUNCTION void fetch_solid_of(const measured_scene *scene, uint32_t primitive, measured_solid *solid_out) {
  const object_source *source = measured_source(scene, primitive);
  solid_out->source = source;
  solid_out->faces = NULL;
  solid_out->tetrahedron_count = 1;
  fetch_element(source, primitive, 0, &solid_out->element);
  if (source->corner_count != CORNERS_VARY) {
    solid_out->tetrahedron_count = source->corner_count == 4 ? 1 : 0; /* fewer corners have no volume */
    return;
  }
  const uint32_t *first = source->triangulation_first + (primitive - source->first_primitive);
  solid_out->faces = source->triangulation + 3 * (size_t)first[0];
  solid_out->tetrahedron_count = first[1] - first[0];
  const convex_element *element = &solid_out->element;
  for (int axis = 0; axis < 3; axis++) {
    solid_out->middle[axis] = 0.0;
    for (uint32_t i = 0; i < element->count; i++)
      solid_out->middle[axis] += element->points[3 * i + axis] / element->count;
  }
}

GEOMETRY_FUNCTION void solid_tetrahedron(const measured_solid *solid, uint32_t number, double corners_out[12]) {
  if (solid->faces == NULL) {
    for (int i = 0; i < 12; i++) corners_out[i] = solid->element.points[i];
    return;
  }
  for (int axis = 0; axis < 3; axis++) corners_out[axis] = solid->middle[axis];
  for (int i = 0; i < 3; i++)
    fetch_vertex(solid->source, solid->faces[3 * (size_t)number + i], corners_out + 3 * (i + 1));
}

/* Finds a point of the common part of solids that share no volume. */
GEOMETRY_FUNCTION void measure_touch(const measured_solid *p, const measured_solid *q, double point_out[3]) {
  if (p->element.count != 4 || q->element.count != 4 ||
      !tetrahedron_pair_contact(p->element.points, q->element.points, point_out))
    touching_point(p->element.points, p->element.count, q->element.points, q->element.count, point_out);
  for (int axis = 0; axis < 3; axis++) point_out[axis] = within_doubles(point_out[axis]);
}

/* Measures the common part of the two, in units of their coordinates. */
GEOMETRY_FUNCTION volume_sum sum_of_volumes(const measured_solid *p, const measured_solid *q) {
  const double p_largest = largest_magnitude(p->element.points, (int)(3 * p->element.count));
  const double q_largest = largest_magnitude(q->element.points, (int)(3 * q->element.count));
  volume_sum sum = volume_sum_make(binary_exponent(p_largest > q_largest ? p_largest : q_largest));
  for (uint32_t i = 0; i < p->tetrahedron_count; i++)
    for (uint32_t j = 0; j < q->tetrahedron_count; j++) {
      double a[12], b[12];
      shared_volume shared;
      solid_tetrahedron(p, i, a);
      solid_tetrahedron(q, j, b);
      if (tetrahedron_pair_volume(a, b, &shared)) add_volume(&sum, &shared);
    }
  return sum;
}

/* Adds the faces of a polyhedron as triangles, or those of a tetrahedron. */
GEOMETRY_FUNCTION void push_solid(volume_push *sum, const ordered_tetrahedron *still, const measured_solid *moving,
                                  int unit) {
  double corners[12];
  vector3 face[3], middle;
  if (moving->faces == NULL && moving->tetrahedron_count == 1) {
    const ordered_tetrahedron ordered = ordered_tetrahedron_make(moving->element.points, unit);
    push_tetrahedron(sum, still, &ordered);
    return;
  }
  order_corners(moving->middle, 1, unit, &middle);
  for (uint32_t i = 0; i < moving->tetrahedron_count; i++) {
    solid_tetrahedron(moving, i, corners);
    order_corners(corners + 3, 3, unit, face);
    vector3 normal = face_normal(face[0], face[1], face[2]);
    if (vector3_dot(normal, vector3_subtract(middle, face[0])) < 0.0) normal = vector3_scale(normal, -1.0);
    push_triangle(sum, still, face, normal);
  }
}

GEOMETRY_FUNCTION void finish_solids_push(const measured_solid *p, const measured_solid *q, graze_contact *contact) {
  const int unit = kept_unit(contact);
  double corners[12];
  vector3 origin;
  order_corners(q->element.points, 1, unit, &origin);
  volume_push sum = volume_push_make(origin);
  for (uint32_t i = 0; i < p->tetrahedron_count; i++) {
    solid_tetrahedron(p, i, corners);
    const ordered_tetrahedron still = ordered_tetrahedron_make(corners, unit);
    push_solid(&sum, &still, q, unit);
  }
  finish_push(&sum, unit, contact);
}

/* Not inlined, like the variants for surfaces: the others do not need its stack. */
GEOMETRY_SLOW_FUNCTION bool measure_solids(const measured_scene *scene, index_pair pair, graze_contact *contact) {
  orientation_tally tally = {0};
  double normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  measured_solid p, q;
  fetch_solid_of(scene, pair.a, &p);
  fetch_solid_of(scene, pair.b, &q);
  if (!elements_meet(&p.element, &q.element, &tally)) return false;
  if (!scene->keeps_unit) translation_of(scene->test, &p.element, &q.element, normal, &depth);
  take_translation(normal, depth, q.element.points, q.element.count, contact);
  const volume_sum sum = sum_of_volumes(&p, &q);
  if (!finish_volume(scene, &sum, contact)) measure_touch(&p, &q, contact->centroid);
  if (scene->keeps_unit)
    finish_solids_push(&p, &q, contact);
  else
    finish_contact(contact);
  return true;
}

/* ---------------------------------------------------------------------------------------------- surfaces */

/* Writes the points of a triangle of a surface against a solid. */
GEOMETRY_SLOW_FUNCTION void write_solid_points(const convex_element *p, const measured_solid *q, point_writer *writer) {
  double points[MEASURE_POINTS][3], corners[12], area, centroid[3];
  const uint64_t before = writer->count;
  for (uint32_t i = 0; i < q->tetrahedron_count; i++) {
    solid_tetrahedron(q, i, corners);
    const uint32_t count = triangle_tetrahedron_overlap(p->points, corners, points, &area, centroid);
    write_points(writer, (const double(*)[3])points, count);
  }
  if (writer->count != before) return;
  touching_point(p->points, p->count, q->element.points, q->element.count, points[0]);
  write_points(writer, (const double(*)[3])points, 1);
}

/* Keeps a translation if it is at least as deep as those before. */
GEOMETRY_FUNCTION void offer_translation(const double normal[3], double depth, const double *b_corners, uint32_t count,
                                         graze_contact *contact) {
  if (!(depth < contact->depth)) take_translation(normal, depth, b_corners, count, contact);
}

GEOMETRY_FUNCTION bool measure_triangulations(const double p[9], const double q[9], graze_contact *contact,
                                              point_writer *writer) {
  orientation_tally tally = {0};
  double points[OVERLAP_POINTS][3], normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  const uint32_t count = triangle_pair_overlap(p, q, points, &tally);
  if (count == 0) return false;
  write_points(writer, (const double(*)[3])points, count);
  triangle_pair_penetration(p, q, normal, &depth, &tally);
  offer_translation(normal, depth, q, 3, contact);
  return true;
}

/* Takes the translation of a triangle of a surface and a solid, either of which is b. */
GEOMETRY_FUNCTION bool measure_solid_element(graze_test test, const convex_element *p, const measured_solid *q,
                                             bool surface_is_b, graze_contact *contact, point_writer *writer) {
  orientation_tally tally = {0};
  double normal[3] = {0.0, 0.0, 0.0}, depth = 0.0;
  if (!elements_meet(p, &q->element, &tally)) return false;
  write_solid_points(p, q, writer);
  translation_of(test, p, &q->element, normal, &depth);
  const convex_element *b = surface_is_b ? p : &q->element;
  for (int axis = 0; axis < 3 && surface_is_b; axis++) normal[axis] = -normal[axis];
  offer_translation(normal, depth, b->points, b->count, contact);
  return true;
}

/* A triangle of a surface: three corners. A primitive with fewer corners becomes a triangle without area. */
GEOMETRY_FUNCTION void fetch_surface_triangle(const object_source *source, uint32_t primitive, uint32_t element,
                                              double corners_out[9]) {
  const corner_list corners = element_corners(source, primitive, element);
  const uint32_t last = corners.count - 1;
  for (uint32_t i = 0; i < 3; i++)
    fetch_vertex(source, corners.vertices[i < last ? i : last], corners_out + 3 * (size_t)i);
}

/* Measures a triangle of surface a against triangles of surface b. */
GEOMETRY_FUNCTION bool measure_run(element_search *runs, const element_run *run, const exact_box *b_box,
                                   graze_contact *contact, point_writer *writer) {
  double p[9], q[9];
  bool meet = false;
  fetch_surface_triangle(runs->a, runs->a_primitive, run->element, p);
  const exact_box p_box = exact_box_of(p, 3);
  if (!exact_boxes_meet(&p_box, b_box)) return false;
  element_search_spend(runs, run);
  for (uint32_t j = run->first; j < run->end; j++) {
    fetch_surface_triangle(runs->b, runs->b_primitive, j, q);
    const exact_box q_box = exact_box_of(q, 3);
    if (exact_boxes_meet(&p_box, &q_box) && measure_triangulations(p, q, contact, writer)) meet = true;
  }
  return meet;
}

/* Measures all triangles of surface a against all of surface b. */
GEOMETRY_SLOW_FUNCTION bool measure_surfaces(const measured_scene *scene, uint32_t a, uint32_t b,
                                             graze_contact *contact, point_writer *writer) {
  const object_source *p_source = measured_source(scene, a), *q_source = measured_source(scene, b);
  const uint32_t a_count = element_count_of(p_source, a), b_count = element_count_of(q_source, b);
  const exact_box b_box = box_of_corners(q_source, corners_of(q_source, b));
  const index_pair pair = {a, b};
  element_search runs = element_search_begin(p_source, q_source, pair, a_count, b_count, scene->heap);
  element_run run;
  bool meet = false;
  contact->depth = -1.0;
  while (element_search_next(&runs, &run))
    if (measure_run(&runs, &run, &b_box, contact, writer)) meet = true;
  element_search_end(&runs);
  if (!meet) return false;
  finish_points(writer, a_count == 1 && b_count == 1, contact);
  finish_contact(contact);
  return true;
}

/* Measures all triangles of a surface against a solid. */
GEOMETRY_SLOW_FUNCTION bool measure_surface_in_solid(const measured_scene *scene, uint32_t surface, uint32_t solid,
                                                     bool surface_is_b, graze_contact *contact, point_writer *writer) {
  const object_source *p_source = measured_source(scene, surface);
  const uint32_t element_count = element_count_of(p_source, surface);
  measured_solid q;
  fetch_solid_of(scene, solid, &q);
  const exact_box q_box = box_of_corners(q.source, corners_of(q.source, solid));
  bool meet = false;
  contact->depth = -1.0;
  for (uint32_t i = 0; i < element_count; i++) {
    const exact_box p_box = box_of_corners(p_source, element_corners(p_source, surface, i));
    if (!exact_boxes_meet(&p_box, &q_box)) continue;
    convex_element p;
    fetch_surface_triangle(p_source, surface, i, p.points);
    p.count = 3;
    if (measure_solid_element(scene->test, &p, &q, surface_is_b, contact, writer)) meet = true;
  }
  if (!meet) return false;
  finish_points(writer, element_count == 1 && q.tetrahedron_count == 1, contact);
  finish_contact(contact);
  return true;
}

/* ---------------------------------------------------------------------------------------------- spheres */

/* Called when all measures are set: clamps measures to the largest double, and sets witnesses that exceed it to the
 * centroid. */
GEOMETRY_FUNCTION void finish_ball(graze_contact *contact) {
  bool finite = true;
  for (int axis = 0; axis < 3; axis++) {
    contact->centroid[axis] = within_doubles(contact->centroid[axis]);
    finite = finite && fabs(contact->witness_a[axis]) <= DBL_MAX && fabs(contact->witness_b[axis]) <= DBL_MAX;
  }
  flag_clamped(&contact->depth, contact);
  flag_clamped(&contact->volume, contact);
  flag_clamped(&contact->area, contact);
  if (!finite) contact->flags |= GRAZE_CONTACT_FLAG_CLAMPED;
  for (int axis = 0; axis < 3 && !finite; axis++)
    contact->witness_a[axis] = contact->witness_b[axis] = contact->centroid[axis];
}

GEOMETRY_FUNCTION bool measure_spheres(const measured_scene *scene, index_pair pair, graze_contact *contact) {
  orientation_tally tally = {0};
  double p[3], q[3];
  sphere_lens lens;
  const double p_radius = fetch_sphere(measured_source(scene, pair.a), pair.a, p);
  const double q_radius = fetch_sphere(measured_source(scene, pair.b), pair.b, q);
  if (!sphere_pair_intersects(p, p_radius, q, q_radius, &tally)) return false;
  sphere_pair_lens(p, p_radius, q, q_radius, &lens);
  contact->kind = GRAZE_CONTACT_KIND_VOLUME;
  contact->volume = lens.volume;
  contact->area = lens.area;
  contact->depth = lens.depth;
  for (int axis = 0; axis < 3; axis++) {
    contact->normal[axis] = lens.normal[axis];
    contact->centroid[axis] = lens.centroid[axis];
    contact->witness_a[axis] = lens.witness_a[axis];
    contact->witness_b[axis] = lens.witness_b[axis];
  }
  finish_units(scene, lens.unit, contact);
  finish_ball(contact);
  for (int axis = 0; axis < 3 && scene->keeps_unit; axis++) {
    contact->normal[axis] *= contact->area;
    contact->witness_a[axis] = 0.0;
  }
  return true;
}

GEOMETRY_FUNCTION void take_touch(const sphere_touch *touch, bool ball_is_b, graze_contact *contact) {
  contact->depth = touch->depth;
  for (int axis = 0; axis < 3; axis++) {
    contact->normal[axis] = ball_is_b ? -touch->normal[axis] : touch->normal[axis];
    contact->witness_a[axis] = ball_is_b ? touch->witness_b[axis] : touch->witness_a[axis];
    contact->witness_b[axis] = ball_is_b ? touch->witness_a[axis] : touch->witness_b[axis];
    contact->centroid[axis] = touch->witness_b[axis];
  }
}

/* Measures a sphere and a primitive of another kind: by the piece of it that is deepest in the sphere, and the nearest
 * point of that piece. */
GEOMETRY_SLOW_FUNCTION bool measure_ball(const measured_scene *scene, uint32_t ball, uint32_t other, bool ball_is_b,
                                         graze_contact *contact, point_writer *writer) {
  orientation_tally tally = {0};
  const object_source *source = measured_source(scene, other);
  const uint32_t element_count = element_count_of(source, other);
  convex_element p, q;
  bool meet = false;
  fetch_element(measured_source(scene, ball), ball, 0, &p);
  const exact_box p_box = exact_box_of_ball(p.points, p.radius);
  contact->depth = -1.0;
  for (uint32_t i = 0; i < element_count; i++) {
    const exact_box q_box = box_of_corners(source, element_corners(source, other, i));
    if (!exact_boxes_meet(&p_box, &q_box)) continue;
    fetch_element(source, other, i, &q);
    if (!ball_meets(&p, &q, &tally)) continue;
    sphere_touch touch;
    sphere_convex_touch(p.points, p.radius, q.points, q.count, &touch);
    if (!(touch.depth <= contact->depth)) take_touch(&touch, ball_is_b, contact);
    meet = true;
  }
  if (!meet) return false;
  contact->kind = GRAZE_CONTACT_KIND_POINT;
  contact->point_count = 1;
  finish_ball(contact);
  const double point[1][3] = {{contact->centroid[0], contact->centroid[1], contact->centroid[2]}};
  write_points(writer, point, 1);
  return true;
}

/* ---------------------------------------------------------------------------------------------- all kinds */

GEOMETRY_FUNCTION bool measure_others(const measured_scene *scene, index_pair pair, graze_contact *contact,
                                      point_writer *writer) {
  const graze_kind a_kind = measured_source(scene, pair.a)->kind, b_kind = measured_source(scene, pair.b)->kind;
  const bool a_solid = kind_is_solid(a_kind), b_solid = kind_is_solid(b_kind);
  if (kind_is_ball(a_kind)) return measure_ball(scene, pair.a, pair.b, false, contact, writer);
  if (kind_is_ball(b_kind)) return measure_ball(scene, pair.b, pair.a, true, contact, writer);
  if (a_solid && b_solid) return measure_solids(scene, pair, contact);
  if (!a_solid && !b_solid) return measure_surfaces(scene, pair.a, pair.b, contact, writer);
  if (!a_solid) return measure_surface_in_solid(scene, pair.a, pair.b, false, contact, writer);
  return measure_surface_in_solid(scene, pair.b, pair.a, true, contact, writer);
}

#endif
