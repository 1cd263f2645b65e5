/* Computes regions and curves from their definitions; see region_oracle.h. */
#include "region_oracle.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- places */

static const int *corner_of(const oracle_mesh *mesh, uint32_t triangle, int corner) {
  return mesh->vertex[mesh->triangle[triangle][corner]];
}

static bool places_are_equal(const int *p, const int *q) {
  return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static bool are_adjacent(const oracle_mesh *mesh, uint32_t s, uint32_t t) {
  bool adjacent = s == t;
  for (int i = 0; i < 9; i++)
    adjacent = adjacent || places_are_equal(corner_of(mesh, s, i / 3), corner_of(mesh, t, i % 3));
  return adjacent;
}

static bool are_neighbors(const oracle_mesh *meshes, const graze_pair *p, const graze_pair *q) {
  if (p->object_a != q->object_a || p->object_b != q->object_b) return false;
  const oracle_mesh *a = &meshes[p->object_a], *b = &meshes[p->object_b];
  if (are_adjacent(a, p->primitive_a, q->primitive_a) && are_adjacent(b, p->primitive_b, q->primitive_b)) return true;
  return a == b && are_adjacent(a, p->primitive_a, q->primitive_b) && are_adjacent(a, p->primitive_b, q->primitive_a);
}

void oracle_regions(const oracle_mesh *meshes, const graze_pair *pairs, size_t count, uint32_t *first_of) {
  for (size_t i = 0; i < count; i++) first_of[i] = (uint32_t)i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < i; j++) {
        if (first_of[i] == first_of[j] || !are_neighbors(meshes, &pairs[i], &pairs[j])) continue;
        const uint32_t low = first_of[i] < first_of[j] ? first_of[i] : first_of[j];
        first_of[i] = first_of[j] = low;
        changed = true;
      }
  }
}

/* ---------------------------------------------------------------------------------------------- classes */

static int side_of(const int *a, const int *b, const int *c, const int *d) {
  long u[3], v[3], w[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    w[i] = d[i] - a[i];
  }
  const long value =
      w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
  return (value > 0) - (value < 0);
}

static bool are_collinear(const int *a, const int *b, const int *c) {
  long u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  return u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2] && u[0] * v[1] == u[1] * v[0];
}

static bool plane_separates(const int *const corner[6], int i, int j, int k) {
  int least[2] = {1, 1}, most[2] = {-1, -1};
  for (int n = 0; n < 6; n++) {
    const int side = side_of(corner[i], corner[j], corner[k], corner[n]);
    least[n / 3] = side < least[n / 3] ? side : least[n / 3];
    most[n / 3] = side > most[n / 3] ? side : most[n / 3];
  }
  return (most[0] <= 0 && least[1] >= 0) || (most[1] <= 0 && least[0] >= 0);
}

/* If any plane separates, one through three of the corners does, unless all are collinear. */
static bool some_plane_separates(const int *const corner[6]) {
  bool on_line = true;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        if (are_collinear(corner[i], corner[j], corner[k])) continue;
        on_line = false;
        if (plane_separates(corner, i, j, k)) return true;
      }
  return on_line;
}

static bool has_place(const int *const corner[3], const int *place) {
  return places_are_equal(corner[0], place) || places_are_equal(corner[1], place) || places_are_equal(corner[2], place);
}

/* ---------------------------------------------------------------------------------------------- clipping */

enum { POOL = 512, CLIPPED = 32 };

typedef struct rational_point {
  mpq_t c[3];
} rational_point;

typedef struct rational_polygon {
  rational_point *corner[CLIPPED];
  size_t count;
} rational_polygon;

static rational_point pool[POOL];
static size_t pool_used;

static rational_point *take_point(void) {
  static bool ready = false;
  for (size_t i = 0; i < POOL && !ready; i++)
    for (int axis = 0; axis < 3; axis++) mpq_init(pool[i].c[axis]);
  ready = true;
  if (pool_used == POOL) abort();
  return &pool[pool_used++];
}

static rational_point *point_at(const int *place) {
  rational_point *point = take_point();
  for (int axis = 0; axis < 3; axis++) mpq_set_si(point->c[axis], place[axis], 1);
  return point;
}

static bool points_are_equal(const rational_point *p, const rational_point *q) {
  return mpq_equal(p->c[0], q->c[0]) != 0 && mpq_equal(p->c[1], q->c[1]) != 0 && mpq_equal(p->c[2], q->c[2]) != 0;
}

/* normal . (point - origin) */
static void height_of(const long normal[3], const int *origin, const rational_point *point, mpq_t height) {
  mpq_t term, factor;
  mpq_inits(term, factor, NULL);
  mpq_set_si(height, 0, 1);
  for (int axis = 0; axis < 3; axis++) {
    mpq_set_si(term, origin[axis], 1);
    mpq_sub(term, point->c[axis], term);
    mpq_set_si(factor, normal[axis], 1);
    mpq_mul(term, term, factor);
    mpq_add(height, height, term);
  }
  mpq_clears(term, factor, NULL);
}

static void append_point(rational_polygon *polygon, rational_point *point) {
  for (size_t i = 0; i < polygon->count; i++)
    if (points_are_equal(polygon->corner[i], point)) return;
  if (polygon->count == CLIPPED) abort();
  polygon->corner[polygon->count++] = point;
}

/* Keeps what has normal . (x - origin) >= 0. */
static void clip(rational_polygon *polygon, const long normal[3], const int *origin) {
  rational_polygon kept = {.count = 0};
  mpq_t from, to, fraction;
  mpq_inits(from, to, fraction, NULL);
  for (size_t i = 0; i < polygon->count; i++) {
    rational_point *p = polygon->corner[i], *q = polygon->corner[(i + 1) % polygon->count];
    height_of(normal, origin, p, from);
    height_of(normal, origin, q, to);
    if (mpq_sgn(from) >= 0) append_point(&kept, p);
    if (mpq_sgn(from) * mpq_sgn(to) >= 0) continue;
    rational_point *crossing = take_point();
    mpq_sub(fraction, from, to);
    mpq_div(fraction, from, fraction);
    for (int axis = 0; axis < 3; axis++) {
      mpq_sub(crossing->c[axis], q->c[axis], p->c[axis]);
      mpq_mul(crossing->c[axis], crossing->c[axis], fraction);
      mpq_add(crossing->c[axis], crossing->c[axis], p->c[axis]);
    }
    append_point(&kept, crossing);
  }
  mpq_clears(from, to, fraction, NULL);
  *polygon = kept;
}

static void normal_of(const int *const corner[3], long normal_out[3]) {
  long u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = corner[1][i] - corner[0][i];
    v[i] = corner[2][i] - corner[0][i];
  }
  for (int i = 0; i < 3; i++) normal_out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

/* The common part of two triangles, of which the second is proper. */
static void common_part(const int *const corner[6], rational_polygon *part) {
  pool_used = 0;
  part->count = 0;
  for (int i = 0; i < 3; i++) append_point(part, point_at(corner[i]));
  long normal[3], opposite[3], inward[3];
  normal_of(corner + 3, normal);
  for (int i = 0; i < 3; i++) opposite[i] = -normal[i];
  clip(part, normal, corner[3]);
  clip(part, opposite, corner[3]);
  for (int i = 0; i < 3; i++) {
    const int *from = corner[3 + i], *to = corner[3 + (i + 1) % 3];
    for (int axis = 0; axis < 3; axis++) {
      const int y = (axis + 1) % 3, z = (axis + 2) % 3;
      inward[axis] = normal[y] * (to[z] - from[z]) - normal[z] * (to[y] - from[y]);
    }
    clip(part, inward, from);
  }
}

static bool corners_are_planar(const int *const corner[6]) {
  for (int i = 3; i < 6; i++)
    if (side_of(corner[0], corner[1], corner[2], corner[i]) != 0) return false;
  return true;
}

static void fetch_corners(const oracle_mesh *meshes, const graze_pair *pair, const int *corner_out[6]) {
  for (int i = 0; i < 3; i++) {
    corner_out[i] = corner_of(&meshes[pair->object_a], pair->primitive_a, i);
    corner_out[3 + i] = corner_of(&meshes[pair->object_b], pair->primitive_b, i);
  }
}

graze_clash oracle_clash(const oracle_mesh *meshes, const graze_pair *pair) {
  const int *corner[6];
  rational_polygon part;
  bool same = true;
  fetch_corners(meshes, pair, corner);
  for (int i = 0; i < 3; i++) same = same && has_place(corner + 3, corner[i]) && has_place(corner, corner[3 + i]);
  if (same) return GRAZE_CLASH_DUPLICATE;
  const bool proper =
      !are_collinear(corner[0], corner[1], corner[2]) && !are_collinear(corner[3], corner[4], corner[5]);
  if (proper && corners_are_planar(corner)) {
    common_part(corner, &part);
    return part.count > 2 ? GRAZE_CLASH_COPLANAR : GRAZE_CLASH_TOUCHING;
  }
  return some_plane_separates(corner) ? GRAZE_CLASH_TOUCHING : GRAZE_CLASH_CROSSING;
}

/* ---------------------------------------------------------------------------------------------- names */

static bool is_at(const rational_point *point, const int *place) {
  bool same = true;
  for (int axis = 0; axis < 3; axis++) same = same && mpq_cmp_si(point->c[axis], place[axis], 1) == 0;
  return same;
}

/* Whether a point lies on the line through two places: the cross product is zero. */
static bool is_on_line(const rational_point *point, const int *a, const int *b) {
  mpq_t left, right, factor;
  bool on_line = true;
  mpq_inits(left, right, factor, NULL);
  for (int axis = 0; axis < 3; axis++) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    mpq_set_si(factor, a[z], 1);
    mpq_sub(left, point->c[z], factor);
    mpq_set_si(factor, b[y] - a[y], 1);
    mpq_mul(left, left, factor);
    mpq_set_si(factor, a[y], 1);
    mpq_sub(right, point->c[y], factor);
    mpq_set_si(factor, b[z] - a[z], 1);
    mpq_mul(right, right, factor);
    on_line = on_line && mpq_equal(left, right) != 0;
  }
  mpq_clears(left, right, factor, NULL);
  return on_line;
}

/* The lowest vertex at the place of one, of those that some pair has. */
static uint32_t lowest_at(const oracle_mesh *mesh, uint32_t vertex) {
  uint32_t lowest = 0;
  while (!mesh->used[lowest] || !places_are_equal(mesh->vertex[lowest], mesh->vertex[vertex])) lowest++;
  return lowest;
}

/* The smallest face of a proper triangle that holds a point of it. */
static graze_face name_of(const oracle_mesh *mesh, uint32_t triangle, const rational_point *point) {
  const uint32_t *corner = mesh->triangle[triangle];
  for (int i = 0; i < 3; i++) {
    const uint32_t vertex = lowest_at(mesh, corner[i]);
    if (is_at(point, mesh->vertex[vertex])) return (graze_face){GRAZE_FACE_VERTEX, vertex, vertex};
  }
  for (int i = 0; i < 3; i++) {
    const uint32_t u = lowest_at(mesh, corner[i]), v = lowest_at(mesh, corner[(i + 1) % 3]);
    if (is_on_line(point, mesh->vertex[u], mesh->vertex[v]))
      return (graze_face){GRAZE_FACE_EDGE, u < v ? u : v, u < v ? v : u};
  }
  return (graze_face){GRAZE_FACE_INSIDE, triangle, 0};
}

static int compare_faces(const graze_face *p, const graze_face *q) {
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  if (p->first != q->first) return p->first < q->first ? -1 : 1;
  return (p->second > q->second) - (p->second < q->second);
}

int oracle_compare_nodes(const oracle_node *p, const oracle_node *q) {
  const int order = compare_faces(&p->a, &q->a);
  return order != 0 ? order : compare_faces(&p->b, &q->b);
}

int oracle_compare_edges(const void *left, const void *right) {
  const oracle_edge *p = left, *q = right;
  for (int i = 0; i < 2; i++)
    if (p->objects[i] != q->objects[i]) return p->objects[i] < q->objects[i] ? -1 : 1;
  const int order = oracle_compare_nodes(&p->end[0], &q->end[0]);
  return order != 0 ? order : oracle_compare_nodes(&p->end[1], &q->end[1]);
}

/* ---------------------------------------------------------------------------------------------- curves */

typedef enum piece_kind { PIECE_SEGMENT, PIECE_PLANAR, PIECE_SIDE } piece_kind;

/* A piece with its plane: normal and offset without common divisor, the first that is not zero positive. */
typedef struct piece {
  oracle_edge edge;
  piece_kind kind;
  long plane[4];
} piece;

static piece pieces[ORACLE_EDGES];
static size_t piece_count;

static void plane_of(const int *const corner[3], long plane_out[4]) {
  normal_of(corner, plane_out);
  plane_out[3] = plane_out[0] * corner[0][0] + plane_out[1] * corner[0][1] + plane_out[2] * corner[0][2];
  long divisor = 1;
  for (long candidate = 2; candidate < 4096; candidate++)
    if (plane_out[0] % candidate == 0 && plane_out[1] % candidate == 0 && plane_out[2] % candidate == 0 &&
        plane_out[3] % candidate == 0)
      divisor = candidate;
  int first = 0;
  while (plane_out[first] == 0) first++;
  if (plane_out[first] < 0) divisor = -divisor;
  for (int i = 0; i < 4; i++) plane_out[i] /= divisor;
}

static oracle_node node_of(const oracle_mesh *meshes, const graze_pair *pair, const rational_point *point) {
  const oracle_node node = {name_of(&meshes[pair->object_a], pair->primitive_a, point),
                            name_of(&meshes[pair->object_b], pair->primitive_b, point)};
  const bool turned = pair->object_a == pair->object_b && compare_faces(&node.b, &node.a) < 0;
  return turned ? (oracle_node){node.b, node.a} : node;
}

static void add_piece(const oracle_mesh *meshes, const graze_pair *pair, const rational_point *p,
                      const rational_point *q, piece_kind kind, const long plane[4]) {
  if (piece_count == ORACLE_EDGES) abort();
  piece *added = &pieces[piece_count++];
  const oracle_node from = node_of(meshes, pair, p), to = node_of(meshes, pair, q);
  const bool turned = oracle_compare_nodes(&to, &from) < 0;
  added->edge.end[0] = turned ? to : from;
  added->edge.end[1] = turned ? from : to;
  for (int axis = 0; axis < 3; axis++) {
    added->edge.position[turned][axis] = mpq_get_d(p->c[axis]);
    added->edge.position[!turned][axis] = mpq_get_d(q->c[axis]);
  }
  added->kind = kind;
  added->edge.objects[0] = pair->object_a;
  added->edge.objects[1] = pair->object_b;
  memcpy(added->plane, plane, sizeof added->plane);
}

static void add_pair(const oracle_mesh *meshes, const graze_pair *pair) {
  const int *corner[6];
  rational_polygon part;
  long plane[4];
  fetch_corners(meshes, pair, corner);
  common_part(corner, &part);
  plane_of(corner, plane);
  if (part.count < 2) return;
  const piece_kind kind = part.count > 2 ? PIECE_SIDE : corners_are_planar(corner) ? PIECE_PLANAR : PIECE_SEGMENT;
  const size_t sides = part.count == 2 ? 1 : part.count;
  for (size_t i = 0; i < sides; i++)
    add_piece(meshes, pair, part.corner[i], part.corner[(i + 1) % part.count], kind, plane);
}

static int compare_pieces(const void *left, const void *right) {
  const piece *p = left, *q = right;
  const int order = oracle_compare_edges(&p->edge, &q->edge);
  if (order != 0) return order;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  for (int i = 0; i < 4; i++)
    if (p->plane[i] != q->plane[i]) return p->plane[i] < q->plane[i] ? -1 : 1;
  return 0;
}

static bool are_same_piece(const piece *p, const piece *q) {
  return oracle_compare_edges(&p->edge, &q->edge) == 0;
}

/* Pieces between the same two points: sides an odd number of times in one plane bound; see graze/regions.h. */
static void take_run(const piece *run, size_t count, oracle_edges *lines, oracle_edges *boundaries) {
  bool has_segment = false, has_side = false, bounds = false;
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && compare_pieces(&run[begin], &run[end]) == 0; end++) {
    }
    has_segment = has_segment || run[begin].kind == PIECE_SEGMENT;
    has_side = has_side || run[begin].kind == PIECE_SIDE;
    if (run[begin].kind != PIECE_SIDE || (end - begin) % 2 == 0) continue;
    boundaries->edges[boundaries->count++] = run[begin].edge;
    bounds = true;
  }
  if (has_segment ? !bounds : !has_side) lines->edges[lines->count++] = run[0].edge;
}

static void mark_vertices(oracle_mesh *meshes, const graze_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (int j = 0; j < 3; j++) {
      oracle_mesh *a = &meshes[pairs[i].object_a], *b = &meshes[pairs[i].object_b];
      a->used[a->triangle[pairs[i].primitive_a][j]] = true;
      b->used[b->triangle[pairs[i].primitive_b][j]] = true;
    }
}

void oracle_curves(oracle_mesh *meshes, const graze_pair *pairs, size_t count, oracle_edges *lines,
                   oracle_edges *boundaries) {
  piece_count = lines->count = boundaries->count = 0;
  mark_vertices(meshes, pairs, count);
  for (size_t i = 0; i < count; i++) add_pair(meshes, &pairs[i]);
  qsort(pieces, piece_count, sizeof pieces[0], compare_pieces);
  for (size_t begin = 0, end; begin < piece_count; begin = end) {
    for (end = begin + 1; end < piece_count && are_same_piece(&pieces[begin], &pieces[end]); end++) {
    }
    take_run(&pieces[begin], end - begin, lines, boundaries);
  }
  qsort(lines->edges, lines->count, sizeof lines->edges[0], oracle_compare_edges);
  qsort(boundaries->edges, boundaries->count, sizeof boundaries->edges[0], oracle_compare_edges);
}
