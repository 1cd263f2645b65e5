/* Curves of regions in the form of the public list: in the order of regions, faces by the numbers of their objects,
 * points with coordinates; see region_curves.h. */
#include "api/region_curves.h"

#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

typedef struct curve_writing {
  const graze_scene *scene;
  const region_scene *work;
  const region_vertices *vertices;
  const curve_set *set;
  const uint32_t *chain_of; /* per written curve */
  const graze_curve *curves;
  graze_curve_vertex *written;
} curve_writing;

/* The global number of a vertex or primitive, or its own number if the object has none. */
static uint32_t public_number_of_own(const scene_object *object, bool is_vertex, uint32_t own) {
  uint32_t number = own;
  if (object->numbers.given) object_numbers_copy(object, is_vertex, own, 1, &number);
  return number;
}

static uint32_t public_vertex(const curve_writing *writing, uint32_t place) {
  const uint32_t vertex = ARRAY_AS(uint32_t, &writing->vertices->vertex_of)[place];
  const uint32_t slot = ARRAY_AS(uint32_t, &writing->vertices->object_of)[place];
  const scene_object *object = &scene_objects(writing->scene)[slot];
  return public_number_of_own(object, true, vertex - object->first_vertex);
}

static graze_face public_face(const curve_writing *writing, face_name name) {
  graze_face face = {(graze_face_kind)name.kind, name.first, name.second};
  if (face.kind == GRAZE_FACE_INSIDE) {
    const scene_object *owner = &scene_objects(writing->scene)[scene_owner(writing->scene, name.first)];
    face.first = public_number_of_own(owner, false, name.first - owner->first_primitive);
    return face;
  }
  face.first = public_vertex(writing, name.first);
  face.second = public_vertex(writing, name.second);
  return face;
}

static void write_range(void *context, size_t first, size_t end, uint32_t worker) {
  const curve_writing *writing = context;
  const curve_node *nodes = writing->set->nodes.data;
  const uint32_t *members = writing->set->members.data;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const curve_chain *chain = &ARRAY_AS(curve_chain, &writing->set->chains)[writing->chain_of[i]];
    for (size_t j = 0; j < chain->count; j++) {
      const curve_node *node = &nodes[members[chain->first + j]];
      graze_curve_vertex *vertex = &writing->written[writing->curves[i].first_vertex + j];
      vertex->face_a = public_face(writing, node->a);
      vertex->face_b = public_face(writing, node->b);
      curve_node_locate(writing->work, writing->vertices, node, vertex->position);
    }
  }
}

/* Orders curves by regions, stably. `chain_of` receives the chain of each. */
static void order_curves(const curve_set *set, const uint32_t *region_of, graze_region *regions, size_t region_count,
                         uint32_t *chain_of, graze_curve *curves) {
  const curve_chain *chains = set->chains.data;
  size_t first = 0;
  for (size_t i = 0; i < set->chains.count; i++) regions[region_of[chains[i].pair]].curve_count += 1;
  for (size_t i = 0; i < region_count; i++) {
    regions[i].first_curve = first;
    first += regions[i].curve_count;
    regions[i].curve_count = 0;
  }
  for (size_t i = 0; i < set->chains.count; i++) {
    graze_region *region = &regions[region_of[chains[i].pair]];
    const size_t place = region->first_curve + region->curve_count++;
    chain_of[place] = (uint32_t)i;
    curves[place] = (graze_curve){.kind = (graze_curve_kind)chains[i].kind,
                                  .closed = chains[i].closed,
                                  .region = region_of[chains[i].pair],
                                  .vertex_count = chains[i].count};
  }
  first = 0;
  for (size_t i = 0; i < set->chains.count; i++) {
    curves[i].first_vertex = first;
    first += curves[i].vertex_count;
  }
}

static graze_result write_set(curve_writing *writing, const uint32_t *region_of, graze_region *regions,
                              graze_list_memory *list, graze_regions *fields) {
  const curve_set *set = writing->set;
  memory *heap = writing->work->heap;
  const size_t count = set->chains.count;
  uint32_t *chain_of = memory_allocate(heap, count, sizeof *chain_of);
  graze_curve *curves = answer_list_reserve(list, BLOCK_CURVES, count, sizeof *curves);
  writing->written = answer_list_reserve(list, BLOCK_CURVE_VERTICES, set->members.count, sizeof *writing->written);
  const bool complete = chain_of != NULL && curves != NULL && writing->written != NULL;
  if (complete) {
    order_curves(set, region_of, regions, fields->count, chain_of, curves);
    writing->chain_of = chain_of;
    writing->curves = curves;
    workers_for(writing->work->team, count, 8, write_range, writing);
    fields->curves = curves;
    fields->curve_count = count;
    fields->vertices = writing->written;
    fields->vertex_count = set->members.count;
  }
  memory_release(heap, chain_of, count, sizeof *chain_of);
  return complete ? GRAZE_OK : scene_fail_memory(writing->scene);
}

graze_result region_curves_write(const graze_scene *scene, const region_scene *work, const region_vertices *vertices,
                                 const index_pair *pairs, const uint32_t *region_of, graze_region *regions,
                                 graze_list_memory *list, graze_regions *fields) {
  curve_set set = {0};
  curve_writing writing = {.scene = scene, .work = work, .vertices = vertices, .set = &set};
  graze_result result =
      curve_set_make(work, vertices, pairs, fields->pair_count, &set) ? GRAZE_OK : scene_fail_memory(scene);
  if (result == GRAZE_OK && !stop_is_requested(work->stop))
    result = write_set(&writing, region_of, regions, list, fields);
  curve_set_release(&set, work->heap);
  return result;
}
