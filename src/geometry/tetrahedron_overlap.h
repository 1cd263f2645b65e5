/* The common part of two tetrahedra: its volume and centroid.
 *
 * The smaller one is cut by the four half-spaces of the larger. The part of a tetrahedron behind a plane is a
 * tetrahedron or a prism, and a prism is three tetrahedra. So all pieces are tetrahedra, at most 3^4 of them, and three
 * prisms store those that wait. The sign of each piece's volume is known by construction, so nothing cancels.
 * Coinciding faces need no special treatment, whereas a sum over clipped faces would count them twice or not at all.
 *
 * Error bound: |error of the volume| <= 2^-41 * L * l^2, where l is the largest extent of the smaller one along an axis
 * and L that of the pair, relative to the smaller one's first corner. In units of 2^-53 * L * l^2:
 * - A corner in local coordinates has an error of 2^-53 of its distance from the origin, and moving corners by e
 *   changes the common volume by at most e times a surface not larger than that of the smaller one, 5.2 l^2: 18 for
 *   both.
 * - A height over a cutting plane has an error of at most 14 * 2^-53 * L times the normal's length, so the cut may be
 *   anywhere in a slab of twice that thickness, of which at most an area of 2 l^2 is in the smaller one: 56 for each of
 *   four planes.
 * - A new corner is off its edge by 6 * 2^-53 * l, with the effect of the first item: 32 for each plane.
 * - The rounding of the volume of a piece is 8 * 2^-53 of the product of three edges, 5.2 l^3 at most, over 6: 7 for
 *   each of at most 81 pieces.
 * The sum is below 2^10. The normal of a thin face of height h may be rotated about its length by up to 2^-53 * L / h,
 * but the tetrahedron is only h wide along it, so the error of the cut is at most 2^-53 * L * h * L; and the result is
 * limited by the volume of either tetrahedron. In tests against rational numbers, the error is below 2^-50.
 *
 * The volume is never larger than that of either tetrahedron. The centroid is in the smaller tetrahedron and within the
 * same slabs of the larger; its error is the volume's error times L over the volume, so it means little if the volume
 * is tiny. The volume is in units of the pair: only its conversion to given units can overflow or underflow, which does
 * not affect the centroid. The extents may differ by a factor of 2^200.
 *
 * Workload: one call for each reported pair with a requested penetration volume, about a microsecond each. */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_OVERLAP_H
#define GRAZE_GEOMETRY_TETRAHEDRON_OVERLAP_H

#include "geometry/bits.h"
#include "geometry/tetrahedron_planes.h"

/* A part of the smaller tetrahedron, cut by some of the planes. */
typedef struct tetrahedron_piece {
  vector3 corner[TETRAHEDRON_CORNERS];
} tetrahedron_piece;

typedef struct overlap_sum {
  double volume;  /* times six */
  vector3 moment; /* times twenty-four */
} overlap_sum;

GEOMETRY_FUNCTION void overlap_sum_add(overlap_sum *sum, const tetrahedron_piece *piece) {
  const double volume = fabs(corners_determinant(piece->corner));
  vector3 corners = piece->corner[0];
  for (int i = 1; i < TETRAHEDRON_CORNERS; i++) corners = vector3_add(corners, piece->corner[i]);
  sum->volume += volume;
  sum->moment = vector3_add(sum->moment, vector3_scale(corners, volume));
}

/* The part of a piece inside a plane: the prism between the triangles a and b, three pieces, or one, of a and b[2]. */
typedef struct cut_prism {
  vector3 a[3], b[3];
  int count; /* number of pieces */
} cut_prism;

GEOMETRY_FUNCTION tetrahedron_piece prism_piece(const cut_prism *prism, int number) {
  tetrahedron_piece piece;
  piece.corner[0] = prism->a[0];
  piece.corner[1] = number < 2 ? prism->a[1] : prism->b[0];
  piece.corner[2] = number < 1 ? prism->a[2] : prism->b[1];
  piece.corner[3] = prism->b[2];
  return piece;
}

/* A corner and its height over a plane. */
typedef struct measured_corner {
  vector3 place;
  double height;
} measured_corner;

/* By numbers, not by addresses: values selected by address would have to be in memory. */
GEOMETRY_FUNCTION measured_corner measured_corner_choose(bool first, measured_corner a, measured_corner b) {
  measured_corner corner;
  corner.place.x = first ? a.place.x : b.place.x;
  corner.place.y = first ? a.place.y : b.place.y;
  corner.place.z = first ? a.place.z : b.place.z;
  corner.height = first ? a.height : b.height;
  return corner;
}

/* One of four, each in registers of a GPU, which cannot be indexed. */
GEOMETRY_FUNCTION measured_corner measured_corner_of(const measured_corner corners[TETRAHEDRON_CORNERS], int number) {
#if defined(__CUDA_ARCH__)
  const bool odd = (number & 1) != 0, upper = number > 1;
  const measured_corner low = measured_corner_choose(odd, corners[1], corners[0]);
  return measured_corner_choose(upper, measured_corner_choose(odd, corners[3], corners[2]), low);
#else
  return corners[number];
#endif
}

/* Where the edge between two corners at heights of different signs passes the plane: by vector3_between, from the
 * nearer end. */
GEOMETRY_FUNCTION vector3 corner_crossing(const measured_corner *inside, const measured_corner *outside) {
  const double fraction = crossing_fraction(inside->height, outside->height);
  const vector3 way = vector3_subtract(outside->place, inside->place);
  const bool from_inside = fraction <= 0.5;
  const vector3 end = from_inside ? inside->place : outside->place;
  return vector3_add(end, vector3_scale(way, from_inside ? fraction : -(1.0 - fraction)));
}

/* The numbers of the corners in the order of a cut, two bits each: first those inside, ascending, then those outside,
 * descending. The last corner does not affect this: it comes between the two in either case. */
GEOMETRY_FUNCTION uint32_t order_of_corners(uint32_t inside) {
  return (uint32_t)(UINT64_C(0xe439781eb42d6c1b) >> 8 * (inside & 7u)) & 0xffu;
}

/* For a piece with this many corners inside, from one to three, which come first. */
GEOMETRY_FUNCTION cut_prism cut_between(const measured_corner corner[TETRAHEDRON_CORNERS], uint32_t inside) {
  const measured_corner last_inside = inside == 1 ? corner[0] : (inside == 2 ? corner[1] : corner[2]);
  const measured_corner first_outside = inside == 1 ? corner[1] : (inside == 2 ? corner[2] : corner[3]);
  const measured_corner from = inside == 3 ? corner[1] : corner[0], to = inside == 1 ? corner[2] : corner[3];
  const vector3 first = corner_crossing(&corner[0], &first_outside), second = corner_crossing(&from, &to);
  cut_prism prism;
  prism.count = inside == 1 ? 1 : 3;
  prism.a[0] = corner[0].place;
  prism.a[1] = inside == 3 ? corner[1].place : first;
  prism.a[2] = inside == 3 ? corner[2].place : second;
  prism.b[0] = inside == 3 ? first : corner[1].place;
  prism.b[1] = inside == 2 ? corner_crossing(&corner[1], &corner[2]) : second;
  prism.b[2] = corner_crossing(&last_inside, &corner[3]);
  return prism;
}

/* The part of a piece inside a plane. */
GEOMETRY_FUNCTION cut_prism piece_cut(const tetrahedron_piece *piece, const cutting_plane *plane) {
  measured_corner given[TETRAHEDRON_CORNERS], ordered[TETRAHEDRON_CORNERS];
  uint32_t inside = 0;
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) {
    given[i].place = piece->corner[i];
    given[i].height = cutting_plane_height(plane, piece->corner[i]);
    inside |= (uint32_t)(given[i].height >= 0.0) << i;
  }
  if (inside == 0 || inside == 15) {
    const vector3 *corner = piece->corner;
    const cut_prism whole = {{corner[0], corner[1], corner[2]}, {corner[3], corner[3], corner[3]}, inside == 0 ? 0 : 1};
    return whole;
  }
  const uint32_t order = order_of_corners(inside);
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) ordered[i] = measured_corner_of(given, (int)(order >> 2 * i & 3u));
  return cut_between(ordered, count_bits(inside));
}

/* Memory of a cut, or of many cuts side by side if the stride is not one: planes, and for each but the last the prism
 * whose pieces wait after it. Pieces are cut depth first, so there is one prism for each plane; the pieces of the last
 * plane are summed at once. Only five corners of a prism are stored, as the first piece to continue contains the
 * sixth. */
enum {
  OVERLAP_PLANE = 6,
  OVERLAP_PRISM = 15,
  OVERLAP_PRISMS = OVERLAP_PLANE * TETRAHEDRON_FACES, /* first place of the prisms */
  OVERLAP_SCRATCH = OVERLAP_PRISMS + OVERLAP_PRISM * (TETRAHEDRON_FACES - 1)
};

typedef struct overlap_scratch {
  double *memory; /* OVERLAP_SCRATCH of them, `stride` apart */
  int stride;
} overlap_scratch;

GEOMETRY_FUNCTION void overlap_scratch_store(const overlap_scratch *scratch, int place, vector3 value) {
  scratch->memory[place * scratch->stride] = value.x;
  scratch->memory[(place + 1) * scratch->stride] = value.y;
  scratch->memory[(place + 2) * scratch->stride] = value.z;
}

GEOMETRY_FUNCTION vector3 overlap_scratch_load(const overlap_scratch *scratch, int place) {
  return vector3_make(scratch->memory[place * scratch->stride], scratch->memory[(place + 1) * scratch->stride],
                      scratch->memory[(place + 2) * scratch->stride]);
}

/* The state of a cut: steps may be taken at any time, as by threads that take them together. */
typedef struct overlap_cut {
  tetrahedron_piece piece; /* the next to be cut */
  int plane, plane_count;  /* by this plane, of all */
  uint32_t waiting;        /* pieces waiting after each plane, two bits each */
  overlap_sum sum;
} overlap_cut;

/* Keeps the planes that cut the tetrahedron; returns their number, or -1 if it is outside one. Those with fewer corners
 * inside come first: a plane with one corner inside leaves a single piece, and little for the next planes to cut. */
GEOMETRY_FUNCTION int cutting_planes_select(const vector3 corners[TETRAHEDRON_CORNERS],
                                            const cutting_plane planes[TETRAHEDRON_CORNERS],
                                            const overlap_scratch *scratch) {
  int inside[TETRAHEDRON_CORNERS], count = 0;
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) {
    inside[i] = 0;
    for (int j = 0; j < TETRAHEDRON_CORNERS; j++) inside[i] += cutting_plane_height(&planes[i], corners[j]) >= 0.0;
    if (inside[i] == 0) return -1;
  }
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) {
    int place = 0;
    for (int j = 0; j < TETRAHEDRON_CORNERS; j++) place += inside[j] < inside[i] || (inside[j] == inside[i] && j < i);
    if (inside[i] == TETRAHEDRON_CORNERS) continue;
    overlap_scratch_store(scratch, OVERLAP_PLANE * place, planes[i].point);
    overlap_scratch_store(scratch, OVERLAP_PLANE * place + 3, planes[i].normal);
    count += 1;
  }
  return count;
}

/* False if there is nothing to cut: the sum is then known. */
GEOMETRY_FUNCTION bool overlap_cut_begin(const vector3 corners[TETRAHEDRON_CORNERS],
                                         const cutting_plane planes[TETRAHEDRON_CORNERS],
                                         const overlap_scratch *scratch, overlap_cut *cut_out) {
  const overlap_sum none = {0.0, {0.0, 0.0, 0.0}};
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) cut_out->piece.corner[i] = corners[i];
  cut_out->sum = none;
  cut_out->plane = 0;
  cut_out->waiting = 0;
  cut_out->plane_count = cutting_planes_select(corners, planes, scratch);
  if (cut_out->plane_count == 0) overlap_sum_add(&cut_out->sum, &cut_out->piece);
  return cut_out->plane_count > 0;
}

/* The last piece of a prism continues; the others wait. */
GEOMETRY_FUNCTION void overlap_cut_deeper(overlap_cut *cut, const cut_prism *prism, const overlap_scratch *scratch) {
  const int place = OVERLAP_PRISMS + OVERLAP_PRISM * cut->plane;
  cut->piece = prism_piece(prism, prism->count - 1);
  if (prism->count > 1) {
    overlap_scratch_store(scratch, place, prism->a[0]);
    overlap_scratch_store(scratch, place + 3, prism->a[1]);
    overlap_scratch_store(scratch, place + 6, prism->b[2]);
    overlap_scratch_store(scratch, place + 9, prism->a[2]);  /* of the piece 0, */
    overlap_scratch_store(scratch, place + 12, prism->b[1]); /* and of 1 */
    cut->waiting |= 2u << 2 * cut->plane;
  }
  cut->plane += 1;
}

/* Takes the waiting piece that was added last; false if there is none. */
GEOMETRY_FUNCTION bool overlap_cut_next(overlap_cut *cut, const overlap_scratch *scratch) {
  if (cut->waiting == 0) return false;
  const int plane = (int)highest_bit(cut->waiting) / 2, place = OVERLAP_PRISMS + OVERLAP_PRISM * plane;
  cut->waiting -= 1u << 2 * plane;
  cut->piece.corner[0] = overlap_scratch_load(scratch, place);
  cut->piece.corner[1] = overlap_scratch_load(scratch, place + 3);
  cut->piece.corner[2] = overlap_scratch_load(scratch, place + 9 + 3 * (int)(cut->waiting >> 2 * plane & 3u));
  cut->piece.corner[3] = overlap_scratch_load(scratch, place + 6);
  cut->plane = plane + 1;
  return true;
}

/* Cuts one piece by one plane; false when it was the last. */
GEOMETRY_FUNCTION bool overlap_cut_step(overlap_cut *cut, const overlap_scratch *scratch) {
  cutting_plane plane;
  plane.point = overlap_scratch_load(scratch, OVERLAP_PLANE * cut->plane);
  plane.normal = overlap_scratch_load(scratch, OVERLAP_PLANE * cut->plane + 3);
  const cut_prism prism = piece_cut(&cut->piece, &plane);
  const bool last_plane = cut->plane + 1 == cut->plane_count;
  if (!last_plane && prism.count > 0) {
    overlap_cut_deeper(cut, &prism, scratch);
    return true;
  }
  for (int i = 2; i >= 0; i--) {
    const tetrahedron_piece piece = prism_piece(&prism, i);
    if (i < prism.count) overlap_sum_add(&cut->sum, &piece);
  }
  return overlap_cut_next(cut, scratch);
}

GEOMETRY_FUNCTION double tetrahedron_extent(const double p[12]) {
  double extent = 0.0;
  for (int i = 3; i < 12; i++) extent = fabs(p[i] - p[i % 3]) > extent ? fabs(p[i] - p[i % 3]) : extent;
  return extent;
}

/* Two tetrahedra in local coordinates, the one of the smaller extent to be cut by the other. */
typedef struct overlap_frame {
  local_coordinates coordinates;
  double smaller[12], larger[12]; /* as given */
  double smaller_local[12], larger_local[12];
} overlap_frame;

GEOMETRY_FUNCTION void overlap_frame_make(const double p[12], const double q[12], overlap_frame *frame_out) {
  const bool p_is_smaller = tetrahedron_extent(p) <= tetrahedron_extent(q);
  for (int i = 0; i < 12; i++) {
    frame_out->smaller[i] = p_is_smaller ? p[i] : q[i];
    frame_out->larger[i] = p_is_smaller ? q[i] : p[i];
  }
  frame_out->coordinates = local_coordinates_make(frame_out->smaller, 4, frame_out->larger, 4);
  for (int i = 0; i < 12; i += 3) {
    vector3_store(local_coordinates_in(&frame_out->coordinates, frame_out->smaller + i), frame_out->smaller_local + i);
    vector3_store(local_coordinates_in(&frame_out->coordinates, frame_out->larger + i), frame_out->larger_local + i);
  }
}

/* The sign of a volume if it is the same in given and in local coordinates, else 0; exact. */
GEOMETRY_FUNCTION int proper_volume_sign(const double given[12], const double local[12]) {
  orientation_tally tally = {0};
  return tetrahedron_volume_sign(given, &tally) != 0 ? tetrahedron_volume_sign(local, &tally) : 0;
}

/* The same by the filter alone; SIGN_UNDECIDED if it cannot decide. */
GEOMETRY_FUNCTION int proper_volume_sign_filtered(const double given[12], const double local[12]) {
  const int sign = orientation_3d_filtered(given, given + 3, given + 6, given + 9);
  if (sign == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  return orientation_3d_filtered(local, local + 3, local + 6, local + 9);
}

/* The state of a measurement of the common part of two tetrahedra, after their frame and the signs of their volumes are
 * known. */
typedef struct overlap_measure {
  overlap_cut cut;
  local_coordinates coordinates;
  double most; /* six times the lesser volume of the two */
} overlap_measure;

/* For volumes of these signs; false if there is nothing to cut. */
GEOMETRY_FUNCTION bool overlap_measure_begin(const overlap_frame *frame, int smaller_sign, int larger_sign,
                                             const overlap_scratch *scratch, overlap_measure *measure_out) {
  const overlap_sum none = {0.0, {0.0, 0.0, 0.0}};
  vector3 corners[TETRAHEDRON_CORNERS], larger_corners[TETRAHEDRON_CORNERS];
  cutting_plane planes[TETRAHEDRON_CORNERS];
  for (int i = 0; i < TETRAHEDRON_CORNERS; i++) {
    corners[i] = vector3_load(frame->smaller_local + 3 * i);
    larger_corners[i] = vector3_load(frame->larger_local + 3 * i);
  }
  measure_out->coordinates = frame->coordinates;
  measure_out->most = fmin(fabs(corners_determinant(corners)), fabs(corners_determinant(larger_corners)));
  measure_out->cut.sum = none;
  if (smaller_sign == 0 || larger_sign == 0) return false;
  tetrahedron_planes_make(frame->larger_local, larger_sign, planes);
  return overlap_cut_begin(corners, planes, scratch, &measure_out->cut);
}

/* A volume, in units of 2^(3 unit), and its centroid in given coordinates. */
typedef struct shared_volume {
  double volume, centroid[3];
  int unit;
} shared_volume;

/* Call after all cuts; false, without a centroid, if there is no common volume within the precision of doubles. */
GEOMETRY_FUNCTION bool overlap_measure_end(const overlap_measure *measure, shared_volume *shared_out) {
  const overlap_sum *sum = &measure->cut.sum;
  shared_out->volume = fmin(sum->volume, measure->most) / 6.0;
  shared_out->unit = local_coordinates_unit(&measure->coordinates);
  if (shared_out->volume > 0.0) {
    local_coordinates_out(&measure->coordinates, vector3_scale(sum->moment, 0.25 / sum->volume), shared_out->centroid);
    return true;
  }
  shared_out->volume = 0.0;
  return false;
}

GEOMETRY_FUNCTION bool overlap_frame_volume(const overlap_frame *frame, int smaller_sign, int larger_sign,
                                            shared_volume *shared_out) {
  double space[OVERLAP_SCRATCH];
  const overlap_scratch scratch = {space, 1};
  overlap_measure measure;
  bool more = overlap_measure_begin(frame, smaller_sign, larger_sign, &scratch, &measure);
  while (more) more = overlap_cut_step(&measure.cut, &scratch);
  return overlap_measure_end(&measure, shared_out);
}

/* Volume and centroid of the common part of two tetrahedra. Returns false if the volume is zero within the precision of
 * doubles: the two do not meet, or touch, or one is flat (exactly). Then the volume is 0 and the centroid is not
 * written. The order of corners and of the two changes the result within the bound above. Coordinates must be
 * finite. */
GEOMETRY_FUNCTION bool tetrahedron_pair_volume(const double p[12], const double q[12], shared_volume *shared_out) {
  overlap_frame frame;
  overlap_frame_make(p, q, &frame);
  const int smaller_sign = proper_volume_sign(frame.smaller, frame.smaller_local);
  const int larger_sign = proper_volume_sign(frame.larger, frame.larger_local);
  return overlap_frame_volume(&frame, smaller_sign, larger_sign, shared_out);
}

/* The frame, if the filter can decide the signs of both volumes; false otherwise. */
GEOMETRY_FUNCTION bool overlap_frame_filtered(const double p[12], const double q[12], overlap_frame *frame_out,
                                              int *smaller_sign_out, int *larger_sign_out) {
  overlap_frame_make(p, q, frame_out);
  *smaller_sign_out = proper_volume_sign_filtered(frame_out->smaller, frame_out->smaller_local);
  *larger_sign_out = proper_volume_sign_filtered(frame_out->larger, frame_out->larger_local);
  return *smaller_sign_out != SIGN_UNDECIDED && *larger_sign_out != SIGN_UNDECIDED;
}

/* The same volume and centroid by the filter alone: 1, 0, or SIGN_UNDECIDED, and then nothing is written. */
GEOMETRY_FUNCTION int tetrahedron_pair_volume_filtered(const double p[12], const double q[12],
                                                       shared_volume *shared_out) {
  overlap_frame frame;
  int smaller_sign, larger_sign;
  if (!overlap_frame_filtered(p, q, &frame, &smaller_sign, &larger_sign)) return SIGN_UNDECIDED;
  return overlap_frame_volume(&frame, smaller_sign, larger_sign, shared_out) ? 1 : 0;
}

#endif
