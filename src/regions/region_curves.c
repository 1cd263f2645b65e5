/* Curves of regions: parts of pairs, chained to polylines. */
#include "regions/region_curves.h"

#include "base/disjoint_sets.h"
#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "geometry/gjk.h"
#include "geometry/triangle_clash.h"
#include "graze/regions.h"
#include "narrow/primitive_pair_inline.h"
#include "regions/clash_kind.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- parts */

/* The parts that each pair of surfaces adds to curves: segments, and the sides of common areas, between named points.
 * Each task has its own list; the lists are concatenated in order.
 *
 * Workload: one call of triangle_clash.h for each pair of triangles, one part for nearly each of them. */

/*   segment  where the planes of two triangles cross
 *   planar   of two triangles in one plane that share no area
 *   side     of the area that two triangles in one plane share: the sides of one area follow each other
 *   link     two names of one point, which a degenerate triangle has */
typedef enum part_kind { PART_SEGMENT, PART_PLANAR, PART_SIDE, PART_LINK } part_kind;

typedef struct curve_part {
  curve_node from, to;
  uint32_t pair;
  uint32_t element; /* of a's primitive: the triangle */
  uint8_t kind;     /* part_kind */
  uint8_t begins;   /* a side: 1 for the first of an area */
} curve_part;

/* Pairs of one task, which has its own list of parts. */
enum { PARTS_GRAIN = 4096 };

typedef struct part_list {
  array parts; /* curve_part */
  bool failed;
} part_list;

typedef struct part_work {
  const region_scene *scene;
  const region_vertices *vertices;
  const index_pair *pairs;
  size_t count;
  part_list *lists;
} part_work;

/* Two triangles of a pair whose parts are being written. */
typedef struct part_writer {
  const part_work *work;
  part_list *list;
  uint32_t pair, p_element, q_element;
} part_writer;

static face_name name_of_face(const part_work *work, uint32_t primitive, uint32_t element, int face) {
  if (face == FACE_INSIDE) return (face_name){GRAZE_FACE_INSIDE, primitive, element};
  const object_source *source = region_source(work->scene, primitive);
  const uint32_t *corner = element_corners(source, primitive, element).vertices;
  const int from = face < FACE_EDGE ? face : face - FACE_EDGE;
  const uint32_t u = place_of_corner(work->vertices, source, corner[from]);
  if (face < FACE_EDGE) return (face_name){GRAZE_FACE_VERTEX, u, u};
  const uint32_t v = place_of_corner(work->vertices, source, corner[(from + 1) % 3]);
  return (face_name){GRAZE_FACE_EDGE, u < v ? u : v, u < v ? v : u};
}

/* A point is never interior to both primitives; for two vertices or two edges the places decide. */
static bool precedes(face_name a, face_name b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}

static curve_node node_of(const part_writer *writer, const common_part *part, uint32_t corner) {
  const part_work *work = writer->work;
  const index_pair pair = work->pairs[writer->pair];
  const curve_node node = {name_of_face(work, pair.a, writer->p_element, part->p_face[corner]),
                           name_of_face(work, pair.b, writer->q_element, part->q_face[corner])};
  const bool within = region_whole(work->scene, pair.a) == region_whole(work->scene, pair.b);
  return within && precedes(node.b, node.a) ? (curve_node){node.b, node.a} : node;
}

static void write_part(const part_writer *writer, const common_part *common, uint32_t from, uint32_t to,
                       part_kind kind) {
  part_list *list = writer->list;
  const curve_part part = {.from = node_of(writer, common, from),
                           .to = node_of(writer, common, to),
                           .pair = writer->pair,
                           .element = writer->p_element,
                           .kind = (uint8_t)kind,
                           .begins = from == 0};
  if (!list->failed) list->failed = !array_push(&list->parts, writer->work->scene->heap, &part);
}

static void write_common_part(const part_writer *writer, const common_part *common) {
  if (common->is_aliased) {
    for (uint32_t i = 1; i < common->count; i++) write_part(writer, common, 0, i, PART_LINK);
  } else if (common->meeting == TRIANGLES_OVERLAP) {
    for (uint32_t i = 0; i < common->count; i++) write_part(writer, common, i, (i + 1) % common->count, PART_SIDE);
  } else if (common->count == 2) {
    write_part(writer, common, 0, 1, common->is_planar ? PART_PLANAR : PART_SEGMENT);
  }
}

static void write_run(part_writer *writer, element_search *search, const element_run *run) {
  orientation_tally tally = {0};
  const region_scene *scene = writer->work->scene;
  double p[9], q[9];
  common_part common;
  fetch_region_triangle(scene, search->a_primitive, run->element, p);
  const exact_box p_box = exact_box_of(p, 3);
  element_search_spend(search, run);
  writer->p_element = run->element;
  for (uint32_t i = run->first; i < run->end; i++) {
    fetch_region_triangle(scene, search->b_primitive, i, q);
    const exact_box q_box = exact_box_of(q, 3);
    writer->q_element = i;
    if (exact_boxes_meet(&p_box, &q_box) && triangle_pair_common_part(p, q, &common, &tally))
      write_common_part(writer, &common);
  }
}

static void write_pair(const part_work *work, size_t number, part_list *list) {
  const region_scene *scene = work->scene;
  const index_pair pair = work->pairs[number];
  const object_source *a = region_source(scene, pair.a), *b = region_source(scene, pair.b);
  if (kind_is_solid(a->kind) || kind_is_solid(b->kind)) return;
  part_writer writer = {.work = work, .list = list, .pair = (uint32_t)number};
  element_search search =
      element_search_begin(a, b, pair, element_count_of(a, pair.a), element_count_of(b, pair.b), scene->heap);
  element_run run;
  while (element_search_next(&search, &run)) write_run(&writer, &search, &run);
  element_search_end(&search);
}

static void write_list(void *context, uint32_t task, uint32_t worker) {
  const part_work *work = context;
  const size_t first = (size_t)task * PARTS_GRAIN;
  const size_t end = first + PARTS_GRAIN < work->count ? first + PARTS_GRAIN : work->count;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_requested(work->scene->stop); i++) write_pair(work, i, &work->lists[task]);
}

static bool join_lists(const part_work *work, size_t list_count, array *parts) {
  size_t count = 0;
  for (size_t i = 0; i < list_count; i++) {
    if (work->lists[i].failed) return false;
    count += work->lists[i].parts.count;
  }
  if (!array_resize(parts, work->scene->heap, count)) return false;
  count = 0;
  for (size_t i = 0; i < list_count; i++) {
    const array *list = &work->lists[i].parts;
    if (list->count > 0) memcpy(ARRAY_AS(curve_part, parts) + count, list->data, list->count * sizeof(curve_part));
    count += list->count;
  }
  return true;
}

/* Appends the parts of all pairs, in their order, to an array of curve_part. False when out of memory. */
static bool curve_parts_make(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs,
                             size_t count, array *parts) {
  const size_t list_count = (count + PARTS_GRAIN - 1) / PARTS_GRAIN;
  part_work work = {scene, vertices, pairs, count, memory_allocate(scene->heap, list_count, sizeof *work.lists)};
  if (work.lists == NULL) return false;
  for (size_t i = 0; i < list_count; i++) {
    array_init(&work.lists[i].parts, sizeof(curve_part));
    work.lists[i].failed = false;
  }
  workers_run(scene->team, write_list, &work, (uint32_t)list_count);
  const bool complete = join_lists(&work, list_count, parts);
  for (size_t i = 0; i < list_count; i++) array_release(&work.lists[i].parts, scene->heap);
  memory_release(scene->heap, work.lists, list_count, sizeof *work.lists);
  return complete;
}

/* ---------------------------------------------------------------------------------------------- coordinates */

static void fetch_place(const region_scene *scene, const region_vertices *vertices, uint32_t place,
                        double position_out[3]) {
  const object_source *source = &scene->measured.sources[ARRAY_AS(uint32_t, &vertices->object_of)[place]];
  fetch_vertex(source, ARRAY_AS(uint32_t, &vertices->vertex_of)[place] - source->first_vertex, position_out);
}

static void fetch_face(const region_scene *scene, const region_vertices *vertices, face_name name,
                       face_corners *face_out) {
  if (name.kind == GRAZE_FACE_INSIDE) {
    face_out->count = 3;
    fetch_region_triangle(scene, name.first, name.second, face_out->corner);
    return;
  }
  face_out->count = name.kind == GRAZE_FACE_VERTEX ? 1 : 2;
  fetch_place(scene, vertices, name.first, face_out->corner);
  fetch_place(scene, vertices, name.second, face_out->corner + 3);
}

void curve_node_locate(const region_scene *scene, const region_vertices *vertices, const curve_node *node,
                       double position_out[3]) {
  face_corners a, b;
  fetch_face(scene, vertices, node->a, &a);
  fetch_face(scene, vertices, node->b, &b);
  common_point(&a, &b, position_out);
}

/* ---------------------------------------------------------------------------------------------- chains */

/* Polylines of parts that meet in a named point.
 *
 * 1. Points are numbered by a table of their names. Links merge two numbers.
 * 2. Parts are sorted by their two ends. Parts with the same ends are the same piece of a line: neighbors that share an
 *    edge lying in the other surface each have it.
 * 3. The sides of areas are added modulo two, plane by plane: a side between two areas of one plane cancels, and the
 *    areas next to it are merged. The remaining sides bound areas. Each point has an even number of their ends, so they
 *    form closed boundaries.
 * 4. The other pieces are lines, except those along a boundary, and those in the plane of the areas on both sides. A
 *    line continues through every point where exactly two pieces meet.
 *
 * Workload: about one part a pair; nearly every point has two parts. Serial except for sorting. */

#define NO_NODE UINT32_MAX

/* Numbers of ends have 32 bits; more parts would exceed any memory. */
#define PARTS_LIMIT (UINT32_MAX / 4)

/* A piece between two numbered points. */
typedef struct curve_edge {
  uint32_t end[2];
  uint32_t area; /* of a boundary: the set of areas that it bounds */
  uint32_t pair;
} curve_edge;

typedef struct curve_work {
  const region_scene *scene;
  const index_pair *pairs;
  array parts;                /* curve_part */
  array slots;                /* uint32_t: the table of names, numbers of nodes */
  array ends;                 /* uint32_t, two per part: the numbers of its points */
  array node_sets;            /* uint32_t: sets of equal points */
  array areas;                /* uint32_t, one per part: the area of a side */
  array area_sets;            /* uint32_t: sets of merged areas */
  array keys, key_scratch;    /* uint64_t */
  array order, order_scratch; /* uint32_t */
  array lines, boundaries;    /* curve_edge */
  array first, next, at;      /* uint32_t, for chaining: edges by junctions, and the next to visit */
  array used;                 /* uint8_t, one per edge */
  curve_set *curves;
} curve_work;

static void curve_work_init(curve_work *work) {
  array_init(&work->parts, sizeof(curve_part));
  array *const numbers[] = {&work->slots, &work->ends,          &work->node_sets, &work->areas, &work->area_sets,
                            &work->order, &work->order_scratch, &work->first,     &work->next,  &work->at};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) array_init(numbers[i], sizeof(uint32_t));
  array_init(&work->keys, sizeof(uint64_t));
  array_init(&work->key_scratch, sizeof(uint64_t));
  array_init(&work->lines, sizeof(curve_edge));
  array_init(&work->boundaries, sizeof(curve_edge));
  array_init(&work->used, sizeof(uint8_t));
}

static void curve_work_release(curve_work *work) {
  ARRAYS_RELEASE(work->scene->heap, &work->parts, &work->slots, &work->ends, &work->node_sets, &work->areas,
                 &work->area_sets, &work->keys, &work->key_scratch, &work->order, &work->order_scratch, &work->lines,
                 &work->boundaries, &work->first, &work->next, &work->at, &work->used);
}

/* ---------------------------------------------------------------------------------------------- points */

static bool nodes_are_equal(const curve_node *p, const curve_node *q) {
  return p->a.kind == q->a.kind && p->a.first == q->a.first && p->a.second == q->a.second && p->b.kind == q->b.kind &&
         p->b.first == q->b.first && p->b.second == q->b.second;
}

static uint64_t node_hash(const curve_node *node) {
  const uint64_t a = (uint64_t)node->a.first << 32 | node->a.second, b = (uint64_t)node->b.first << 32 | node->b.second;
  return pair_hash_mix(pair_hash_mix(a + (node->a.kind << 2 | node->b.kind)) + b * UINT64_C(0x9e3779b97f4a7c15));
}

/* The number of a name; the table has capacity for all. */
static uint32_t number_of(curve_work *work, const curve_node *node) {
  uint32_t *slots = work->slots.data;
  array *nodes = &work->curves->nodes;
  const size_t mask = work->slots.count - 1;
  size_t slot = (size_t)node_hash(node) & mask;
  for (; slots[slot] != NO_NODE; slot = (slot + 1) & mask)
    if (nodes_are_equal(&ARRAY_AS(curve_node, nodes)[slots[slot]], node)) return slots[slot];
  slots[slot] = (uint32_t)nodes->count;
  ARRAY_AS(curve_node, nodes)[nodes->count] = *node;
  return (uint32_t)nodes->count++;
}

static bool number_points(curve_work *work) {
  const curve_part *parts = work->parts.data;
  const size_t count = work->parts.count;
  memory *heap = work->scene->heap;
  size_t slot_count = 16;
  while (slot_count < 4 * count) slot_count *= 2;
  if (!array_resize(&work->slots, heap, slot_count) || !array_resize(&work->ends, heap, 2 * count) ||
      !array_reserve(&work->curves->nodes, heap, 2 * count))
    return false;
  memset(work->slots.data, 0xff, slot_count * sizeof(uint32_t));
  uint32_t *ends = work->ends.data;
  for (size_t i = 0; i < count; i++) {
    ends[2 * i] = number_of(work, &parts[i].from);
    ends[2 * i + 1] = number_of(work, &parts[i].to);
  }
  return array_resize(&work->node_sets, heap, work->curves->nodes.count);
}

/* Merges linked points: the ends of parts become the least of them. */
static void link_points(curve_work *work) {
  const curve_part *parts = work->parts.data;
  uint32_t *ends = work->ends.data, *sets = work->node_sets.data;
  disjoint_sets_init(sets, work->node_sets.count);
  for (size_t i = 0; i < work->parts.count; i++)
    if (parts[i].kind == PART_LINK) disjoint_sets_unite(sets, ends[2 * i], ends[2 * i + 1]);
  for (size_t i = 0; i < 2 * work->parts.count; i++) ends[i] = disjoint_sets_find(sets, ends[i]);
}

/* ---------------------------------------------------------------------------------------------- pieces */

static bool number_areas(curve_work *work) {
  const curve_part *parts = work->parts.data;
  const size_t count = work->parts.count;
  if (!array_resize(&work->areas, work->scene->heap, count)) return false;
  uint32_t *areas = work->areas.data, area_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].kind == PART_SIDE && parts[i].begins != 0) area_count += 1;
    areas[i] = area_count - 1;
  }
  if (!array_resize(&work->area_sets, work->scene->heap, area_count)) return false;
  disjoint_sets_init(work->area_sets.data, area_count);
  return true;
}

/* Sorts parts by their ends. Drops links and parts whose ends are the same point. */
static bool sort_parts(curve_work *work) {
  const curve_part *parts = work->parts.data;
  const uint32_t *ends = work->ends.data;
  const size_t count = work->parts.count;
  memory *heap = work->scene->heap;
  if (!array_resize(&work->keys, heap, count) || !array_resize(&work->key_scratch, heap, count) ||
      !array_resize(&work->order, heap, count) || !array_resize(&work->order_scratch, heap, count))
    return false;
  uint64_t *keys = work->keys.data;
  uint32_t *order = work->order.data;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t p = ends[2 * i], q = ends[2 * i + 1];
    if (parts[i].kind == PART_LINK || p == q) continue;
    keys[kept] = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
    order[kept++] = (uint32_t)i;
  }
  work->keys.count = work->order.count = kept;
  radix_sort_pairs_stoppable(keys, order, work->key_scratch.data, work->order_scratch.data, kept, 64, heap,
                             work->scene->team, NULL);
  return true;
}

/* Whether the areas of two sides are in one plane: whether their triangles of side a are. */
static bool are_in_one_plane(const curve_work *work, const curve_part *s, const curve_part *t) {
  orientation_tally tally = {0};
  double p[9], q[9];
  fetch_region_triangle(work->scene, work->pairs[s->pair].a, s->element, p);
  fetch_region_triangle(work->scene, work->pairs[t->pair].a, t->element, q);
  const side_triple sides = side_triple_make(p, q, &tally);
  return side_triple_is_flat(&sides);
}

/* Removes a later side of the run that is in the plane of the given one, and merges their areas. */
static bool cancel_side(curve_work *work, uint32_t *run, size_t count, size_t side) {
  const curve_part *parts = work->parts.data;
  const uint32_t *areas = work->areas.data;
  for (size_t i = side + 1; i < count; i++) {
    if (run[i] == NO_NODE || parts[run[i]].kind != PART_SIDE) continue;
    if (!are_in_one_plane(work, &parts[run[side]], &parts[run[i]])) continue;
    disjoint_sets_unite(work->area_sets.data, areas[run[side]], areas[run[i]]);
    run[i] = NO_NODE;
    return true;
  }
  return false;
}

/* Takes the parts between the same two points: the sides that do not cancel bound areas, and the rest is a line or
 * nothing. */
static bool take_run(curve_work *work, uint64_t key, uint32_t *run, size_t count) {
  const curve_part *parts = work->parts.data;
  memory *heap = work->scene->heap;
  curve_edge edge = {.end = {(uint32_t)(key >> 32), (uint32_t)key}, .pair = parts[run[0]].pair};
  bool crosses = false, has_side = false, is_boundary = false;
  for (size_t i = 0; i < count; i++) {
    if (run[i] == NO_NODE) continue;
    crosses = crosses || parts[run[i]].kind == PART_SEGMENT;
    if (parts[run[i]].kind != PART_SIDE) continue;
    has_side = true;
    if (cancel_side(work, run, count, i)) continue;
    is_boundary = true;
    edge.area = ARRAY_AS(uint32_t, &work->areas)[run[i]];
    if (!array_push(&work->boundaries, heap, &edge)) return false;
  }
  const bool is_line = crosses ? !is_boundary : !has_side;
  return !is_line || array_push(&work->lines, heap, &edge);
}

static bool take_pieces(curve_work *work) {
  const uint64_t *keys = work->keys.data;
  uint32_t *order = work->order.data;
  const size_t count = work->order.count;
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && keys[end] == keys[begin]; end++) {
    }
    if (!take_run(work, keys[begin], order + begin, end - begin)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- chains */

/* Edges to be chained. Ends are renumbered if a point counts several times: once for each area. */
typedef struct chaining {
  curve_work *work;
  const curve_edge *edges;
  size_t edge_count;
  const uint32_t *junctions; /* two per edge */
  size_t junction_count;
  graze_curve_kind kind;
} chaining;

/* Lists edges by junctions, ascending. */
static bool list_edges(const chaining *chains) {
  curve_work *work = chains->work;
  memory *heap = work->scene->heap;
  if (!array_resize(&work->first, heap, chains->junction_count + 1) ||
      !array_resize(&work->next, heap, chains->junction_count + 1) ||
      !array_resize(&work->at, heap, 2 * chains->edge_count) || !array_resize(&work->used, heap, chains->edge_count))
    return false;
  uint32_t *first = work->first.data, *at = work->at.data;
  memset(first, 0, (chains->junction_count + 1) * sizeof *first);
  memset(work->used.data, 0, chains->edge_count);
  for (size_t i = 0; i < 2 * chains->edge_count; i++) first[chains->junctions[i] + 1] += 1;
  for (size_t i = 0; i < chains->junction_count; i++) first[i + 1] += first[i];
  for (size_t i = 0; i < 2 * chains->edge_count; i++) at[first[chains->junctions[i]]++] = (uint32_t)(i / 2);
  memmove(first + 1, first, chains->junction_count * sizeof *first);
  first[0] = 0;
  memcpy(work->next.data, first, (chains->junction_count + 1) * sizeof *first);
  return true;
}

static uint32_t degree_of(const chaining *chains, uint32_t junction) {
  const uint32_t *first = chains->work->first.data;
  return first[junction + 1] - first[junction];
}

/* The first edge at a junction that is in no chain yet; NO_NODE if there is none. */
static uint32_t next_edge(const chaining *chains, uint32_t junction) {
  const uint32_t *first = chains->work->first.data, *at = chains->work->at.data;
  const uint8_t *used = chains->work->used.data;
  uint32_t *next = &ARRAY_AS(uint32_t, &chains->work->next)[junction];
  while (*next < first[junction + 1] && used[at[*next]] != 0) *next += 1;
  return *next < first[junction + 1] ? at[*next] : NO_NODE;
}

/* Follows edges from a junction until the chain closes, or to a junction where not exactly two meet. Boundaries always
 * close. */
static bool follow(const chaining *chains, uint32_t start, uint32_t edge) {
  curve_set *curves = chains->work->curves;
  memory *heap = chains->work->scene->heap;
  curve_chain chain = {.kind = chains->kind, .pair = chains->edges[edge].pair, .first = curves->members.count};
  uint32_t junction = start;
  bool goes_on = true;
  while (goes_on) {
    const int side = chains->junctions[2 * (size_t)edge] == junction ? 0 : 1;
    if (!array_push(&curves->members, heap, &chains->edges[edge].end[side])) return false;
    ARRAY_AS(uint8_t, &chains->work->used)[edge] = 1;
    junction = chains->junctions[2 * (size_t)edge + (size_t)(1 - side)];
    const bool passes = chains->kind == GRAZE_CURVE_BOUNDARY || degree_of(chains, junction) == 2;
    goes_on = junction != start && passes;
    if (!goes_on && junction != start && !array_push(&curves->members, heap, &chains->edges[edge].end[1 - side]))
      return false;
    if (goes_on) edge = next_edge(chains, junction);
  }
  chain.closed = junction == start;
  chain.count = curves->members.count - chain.first;
  return array_push(&curves->chains, heap, &chain);
}

/* Chains lines from their ends and branches first, then closed ones. */
static bool chain_edges(const chaining *chains) {
  if (chains->edge_count == 0) return true;
  if (!list_edges(chains)) return false;
  for (size_t junction = 0; junction < chains->junction_count && chains->kind == GRAZE_CURVE_LINE; junction++) {
    if (degree_of(chains, (uint32_t)junction) == 2) continue;
    for (uint32_t edge; (edge = next_edge(chains, (uint32_t)junction)) != NO_NODE;)
      if (!follow(chains, (uint32_t)junction, edge)) return false;
  }
  for (size_t edge = 0; edge < chains->edge_count; edge++) {
    if (ARRAY_AS(uint8_t, &chains->work->used)[edge] != 0) continue;
    if (!follow(chains, chains->junctions[2 * edge], (uint32_t)edge)) return false;
  }
  return true;
}

static bool chain_lines(curve_work *work) {
  const curve_edge *edges = work->lines.data;
  const size_t count = work->lines.count;
  if (!array_resize(&work->ends, work->scene->heap, 2 * count)) return false;
  uint32_t *junctions = work->ends.data;
  for (size_t i = 0; i < 2 * count; i++) junctions[i] = edges[i / 2].end[i % 2];
  const chaining chains = {work, edges, count, junctions, work->curves->nodes.count, GRAZE_CURVE_LINE};
  return chain_edges(&chains);
}

/* Chains boundaries, with a junction for each point of each set of areas. */
static bool chain_boundaries(curve_work *work) {
  const curve_edge *edges = work->boundaries.data;
  const size_t count = work->boundaries.count;
  memory *heap = work->scene->heap;
  if (!array_resize(&work->ends, heap, 2 * count) || !array_resize(&work->keys, heap, 2 * count) ||
      !array_resize(&work->key_scratch, heap, 2 * count) || !array_resize(&work->order, heap, 2 * count) ||
      !array_resize(&work->order_scratch, heap, 2 * count))
    return false;
  uint64_t *keys = work->keys.data;
  uint32_t *order = work->order.data, *junctions = work->ends.data, junction_count = 0;
  for (size_t i = 0; i < 2 * count; i++) {
    keys[i] = (uint64_t)disjoint_sets_find(work->area_sets.data, edges[i / 2].area) << 32 | edges[i / 2].end[i % 2];
    order[i] = (uint32_t)i;
  }
  radix_sort_pairs_stoppable(keys, order, work->key_scratch.data, work->order_scratch.data, 2 * count, 64, heap,
                             work->scene->team, NULL);
  for (size_t i = 0; i < 2 * count; i++) {
    if (i > 0 && keys[i] != keys[i - 1]) junction_count += 1;
    junctions[order[i]] = junction_count;
  }
  const chaining chains = {work, edges, count, junctions, count > 0 ? junction_count + 1 : 0, GRAZE_CURVE_BOUNDARY};
  return chain_edges(&chains);
}

static bool make_curves(curve_work *work, const region_vertices *vertices, size_t count) {
  const region_scene *scene = work->scene;
  if (!curve_parts_make(scene, vertices, work->pairs, count, &work->parts)) return false;
  if (stop_is_requested(scene->stop) || work->parts.count == 0) return true;
  if (work->parts.count > PARTS_LIMIT || !number_points(work)) return false;
  link_points(work);
  if (stop_is_requested(scene->stop)) return true;
  return number_areas(work) && sort_parts(work) && take_pieces(work) && chain_lines(work) && chain_boundaries(work);
}

bool curve_set_make(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs, size_t count,
                    curve_set *curves) {
  array_init(&curves->nodes, sizeof(curve_node));
  array_init(&curves->chains, sizeof(curve_chain));
  array_init(&curves->members, sizeof(uint32_t));
  curve_work work = {.scene = scene, .pairs = pairs, .curves = curves};
  curve_work_init(&work);
  const bool complete = make_curves(&work, vertices, count);
  curve_work_release(&work);
  return complete;
}

void curve_set_release(curve_set *curves, memory *heap) {
  ARRAYS_RELEASE(heap, &curves->nodes, &curves->chains, &curves->members);
}
