/* Objects inside closed surfaces; see nested_objects.h. */
#include "analysis/nested_objects.h"

#include "analysis/object_surface.h"
#include "base/array.h"
#include "base/disjoint_sets.h"
#include "base/radix_sort.h"
#include "broad/primitive_view.h"
#include "geometry/bits.h"

#include <string.h>

/* Components of objects. */

typedef struct object_component {
  double place[3];          /* of one of its vertices; for a sphere, the center */
  uint32_t primitive_count; /* never 0; removed primitives are not counted */
} object_component;

static void unite_corners(const object_source *source, uint32_t *parents) {
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    if (element_is_removed(source, i)) continue;
    const corner_list corners = corners_of(source, source->first_primitive + i);
    uint32_t least = disjoint_sets_find(parents, corners.vertices[0]);
    for (uint32_t k = 1; k < corners.count; k++) {
      if (parents[corners.vertices[k]] == least) continue; /* true for most */
      disjoint_sets_unite(parents, least, corners.vertices[k]);
      least = parents[least];
    }
  }
}

/* Gives each vertex the least vertex of its component: that of its parent, which is lower and already final. */
static void flatten(uint32_t *parents, size_t count) {
  for (size_t i = 0; i < count; i++) parents[i] = parents[parents[i]];
}

/* Counts primitives by the least vertex of their component. */
static size_t count_primitives(const object_source *source, const uint32_t *parents, uint32_t *counts) {
  size_t components = 0;
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    if (element_is_removed(source, i)) continue;
    const corner_list corners = corners_of(source, source->first_primitive + i);
    components += counts[parents[corners.vertices[0]]]++ == 0;
  }
  return components;
}

static void list_components(const object_source *source, size_t vertex_count, const uint32_t *counts,
                            object_component *components) {
  for (size_t vertex = 0; vertex < vertex_count; vertex++) {
    if (counts[vertex] == 0) continue;
    fetch_vertex(source, (uint32_t)vertex, components->place);
    components->primitive_count = counts[vertex];
    components++;
  }
}

/* The keys are ordered bits of x; the values are places in the list. */
static bool sort_components(object_component *components, size_t count, memory *heap) {
  if (count < 2) return true;
  uint64_t *keys = memory_allocate(heap, 2 * count, sizeof *keys);
  uint32_t *values = memory_allocate(heap, 2 * count, sizeof *values);
  object_component *copies = memory_allocate(heap, count, sizeof *copies);
  const bool is_allocated = keys != NULL && values != NULL && copies != NULL;
  if (is_allocated) {
    memcpy(copies, components, count * sizeof *copies);
    for (size_t i = 0; i < count; i++) {
      keys[i] = ordered_bits(components[i].place[0] + 0.0);
      values[i] = (uint32_t)i;
    }
    radix_sort_pairs(keys, values, keys + count, values + count, count, 64);
    for (size_t i = 0; i < count; i++) components[i] = copies[values[i]];
  }
  memory_release(heap, keys, 2 * count, sizeof *keys);
  memory_release(heap, values, 2 * count, sizeof *values);
  memory_release(heap, copies, count, sizeof *copies);
  return is_allocated;
}

/* Fills an array of object_component, ascending by x, then by their first vertex. The source has vertex_count vertices.
 * Nearly linear. False when out of memory. */
static bool object_components_find(const object_source *source, size_t vertex_count, memory *heap,
                                   array *components_out) {
  uint32_t *parents = memory_allocate(heap, vertex_count, sizeof *parents);
  uint32_t *counts = memory_allocate(heap, vertex_count, sizeof *counts);
  bool done = parents != NULL && counts != NULL;
  if (done) {
    disjoint_sets_init(parents, vertex_count);
    memset(counts, 0, vertex_count * sizeof *counts);
    unite_corners(source, parents);
    flatten(parents, vertex_count);
    done = array_resize(components_out, heap, count_primitives(source, parents, counts));
  }
  if (done) {
    list_components(source, vertex_count, counts, components_out->data);
    done = sort_components(components_out->data, components_out->count, heap);
  }
  memory_release(heap, parents, vertex_count, sizeof *parents);
  memory_release(heap, counts, vertex_count, sizeof *counts);
  return done;
}

/* An object that may be inside another. */
typedef struct inner_object {
  array components; /* object_component */
  bool is_needed;
} inner_object;

/* The points of one inner object, in the list of an outer one. */
typedef struct inner_points {
  uint32_t inner;
  size_t first, end;
} inner_points;

typedef struct nesting_job {
  nesting_search *search;
  array inners; /* inner_object: one per entry */
  atomic_bool failed;
  /* for the current outer object */
  array points; /* wound_point */
  array counts; /* uint32_t: the number of primitives that each represents */
  array runs;   /* inner_points */
} nesting_job;

static const object_source *source_at(const nesting_job *work, size_t entry) {
  return work->search->entries[entry].source;
}

static size_t vertices_at(const nesting_job *work, size_t entry) {
  return work->search->entries[entry].vertex_count;
}

/* ---------------------------------------------------------------------------------------------- components */

static void component_range(void *context, size_t first, size_t end, uint32_t worker) {
  nesting_job *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    inner_object *inner = &ARRAY_AS(inner_object, &work->inners)[i];
    if (inner->is_needed && !stop_is_requested(work->search->stop) &&
        !object_components_find(source_at(work, i), vertices_at(work, i), work->search->heap, &inner->components))
      atomic_store(&work->failed, true);
  }
}

/* Finds the components of all objects that may be inside another. */
static graze_result find_components(nesting_job *work) {
  if (!array_resize(&work->inners, work->search->heap, work->search->entry_count)) return GRAZE_OUT_OF_MEMORY;
  inner_object *inners = work->inners.data;
  for (size_t i = 0; i < work->inners.count; i++) {
    array_init(&inners[i].components, sizeof(object_component));
    inners[i].is_needed = false;
  }
  for (size_t i = 0; i < work->search->key_count; i++) inners[(uint32_t)work->search->keys[i]].is_needed = true;
  workers_for(work->search->team, work->inners.count, 1, component_range, work);
  return atomic_load(&work->failed) ? GRAZE_OUT_OF_MEMORY : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- inside */

/* The first component, in ascending order of x, that is not below the given one. */
static size_t first_from(const object_component *components, size_t count, double x) {
  size_t first = 0;
  while (count > 0) {
    const size_t half = count / 2;
    if (components[first + half].place[0] < x) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

static bool box_holds(const exact_box *box, const double place[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (place[axis] < box->min[axis] || place[axis] > box->max[axis]) return false;
  return true;
}

static bool add_points(nesting_job *work, const exact_box *box, uint32_t inner) {
  const array *list = &ARRAY_AS(inner_object, &work->inners)[inner].components;
  const object_component *components = list->data;
  inner_points run = {inner, work->points.count, 0};
  for (size_t i = first_from(components, list->count, box->min[0]);
       i < list->count && components[i].place[0] <= box->max[0]; i++) {
    if (!box_holds(box, components[i].place)) continue;
    const wound_point point = {.place = {components[i].place[0], components[i].place[1], components[i].place[2]}};
    if (!array_push(&work->points, work->search->heap, &point) ||
        !array_push(&work->counts, work->search->heap, &components[i].primitive_count))
      return false;
  }
  run.end = work->points.count;
  return run.end == run.first || array_push(&work->runs, work->search->heap, &run);
}

/* The number of primitives of the inner object that are inside. */
static uint32_t count_inside(const nesting_job *work, const inner_points *run) {
  uint32_t count = 0;
  for (size_t i = run->first; i < run->end; i++)
    if (atomic_load(&ARRAY_AS(wound_point, &work->points)[i].winding) != 0)
      count += ARRAY_AS(uint32_t, &work->counts)[i];
  return count;
}

static graze_result add_containment(nesting_job *work, uint32_t outer, const inner_points *run) {
  const nested_pair pair = {run->inner, outer, count_inside(work, run)};
  if (pair.inside_count == 0 || array_push(&work->search->found, work->search->heap, &pair)) return GRAZE_OK;
  return GRAZE_OUT_OF_MEMORY;
}

/* Whether the surface winds around some point; false if it is certainly not closed. */
static bool winds_around_some(const nesting_job *work) {
  const wound_point *points = work->points.data;
  bool winds = false;
  for (size_t i = 0; i < work->points.count; i++) {
    if (atomic_load(&points[i].crossings) != 0) return false;
    winds = winds || atomic_load(&points[i].winding) != 0;
  }
  return winds;
}

/* Tests all objects that may be inside one: keys [first, end). */
static graze_result find_inside(nesting_job *work, size_t first, size_t end) {
  const uint64_t *keys = work->search->keys;
  const uint32_t outer = (uint32_t)(keys[first] >> 32);
  work->points.count = work->counts.count = work->runs.count = 0;
  for (size_t i = first; i < end; i++)
    if (!add_points(work, &work->search->boxes[outer], (uint32_t)keys[i])) return GRAZE_OUT_OF_MEMORY;
  if (work->points.count == 0) return GRAZE_OK;
  if (!surface_winding_count(source_at(work, outer), vertices_at(work, outer), work->search->team, work->search->heap,
                             work->search->stop, work->points.data, work->points.count))
    return GRAZE_OUT_OF_MEMORY;
  if (stop_is_requested(work->search->stop) || !winds_around_some(work)) return GRAZE_OK;
  surface_opening opening;
  graze_result result = surface_openings_find(source_at(work, outer), vertices_at(work, outer), work->search->heap,
                                              OPENING_IS_CLOSED, &opening);
  if (result != GRAZE_OK) work->search->refused = outer;
  if (result != GRAZE_OK) return result;
  for (size_t i = 0; i < work->runs.count && opening.edge_count == 0 && result == GRAZE_OK; i++)
    result = add_containment(work, outer, &ARRAY_AS(inner_points, &work->runs)[i]);
  return result;
}

static graze_result find_all_inside(nesting_job *work) {
  const uint64_t *keys = work->search->keys;
  graze_result result = GRAZE_OK;
  for (size_t first = 0, end; first < work->search->key_count && result == GRAZE_OK; first = end) {
    for (end = first; end < work->search->key_count && keys[end] >> 32 == keys[first] >> 32;) end++;
    if (stop_is_requested(work->search->stop)) return GRAZE_STOPPED;
    result = find_inside(work, first, end);
  }
  return result == GRAZE_OK && stop_is_requested(work->search->stop) ? GRAZE_STOPPED : result;
}

graze_result nested_objects_find(nesting_search *search) {
  nesting_job work = {.search = search};
  array_init(&work.inners, sizeof(inner_object));
  array_init(&work.points, sizeof(wound_point));
  array_init(&work.counts, sizeof(uint32_t));
  array_init(&work.runs, sizeof(inner_points));
  graze_result result = find_components(&work);
  if (result == GRAZE_OK) result = find_all_inside(&work);
  for (size_t i = 0; i < work.inners.count; i++)
    array_release(&ARRAY_AS(inner_object, &work.inners)[i].components, search->heap);
  ARRAYS_RELEASE(search->heap, &work.inners, &work.points, &work.counts, &work.runs);
  return result;
}
