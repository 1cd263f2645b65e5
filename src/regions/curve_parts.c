/* Parts of curves; see curve_parts.h. Each task has its own list; the lists are concatenated in order.
 *
 * Workload: one call of triangle_clash.h for each pair of triangles, one part for nearly each of them. */
#include "regions/curve_parts.h"

#include "regions/region_triangle.h"

#include <string.h>

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

bool curve_parts_make(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs, size_t count,
                      array *parts) {
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
