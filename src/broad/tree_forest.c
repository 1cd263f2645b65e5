/* Maintains the trees of a scene; see tree_forest.h.
 *
 * Workload: two bodies of 10^5 leaves, one of 10^6 that deforms, or 10^4 of 500 that are posed in each frame. */
#include "broad/tree_forest.h"

#include "base/first_of_key.h"
#include "broad/tree_body.h"
#include "broad/tree_fit.h"

#include <string.h>

/* Bodies with fewer leaves are built by one thread each, concurrently; larger ones in sequence. */
enum { LARGE_BODY = 16384, POSE_GRAIN = 512, BODY_GRAIN = 8 };

/* Growth of boxes above which the slower descent costs more than a new order: measured, docs/theory/trees.md. */
static const double DECAYED = 1.5;

tree_options tree_options_of(const method_options *options) {
  const graze_method_def *def = options->def;
  return def != NULL ? (tree_options){def->tree_builder, def->tree_update}
                     : (tree_options){GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO};
}

void tree_forest_init(tree_forest *forest, memory *heap, const tree_options *options) {
  *forest = (tree_forest){.heap = heap, .options = *options};
}

static void release_arrays(memory *heap, tree_forest *forest) {
  memory_release(heap, forest->bodies, forest->body_count, sizeof *forest->bodies);
  memory_release(heap, forest->posed, forest->body_count, sizeof *forest->posed);
  memory_release(heap, forest->boxes, forest->body_count, sizeof *forest->boxes);
  memory_release(heap, forest->body_of, forest->object_count, sizeof *forest->body_of);
  memory_release(heap, forest->leaves, forest->leaf_count, sizeof *forest->leaves);
  memory_release(heap, forest->headers, forest->leaf_count, sizeof *forest->headers);
  memory_release(heap, forest->blocks, forest->block_count, sizeof *forest->blocks);
  memory_release(heap, forest->slabs, forest->block_count, sizeof *forest->slabs);
}

void tree_forest_release(tree_forest *forest) {
  const tree_options options = forest->options;
  release_arrays(forest->heap, forest);
  tree_forest_init(forest, forest->heap, &options);
}

/* ---------------------------------------------------------------------------------------------- layout */

static uint32_t live_primitives(const object_source *source) {
  if (source->removed == NULL) return source->primitive_count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < source->primitive_count; i++) count += source->removed[i] == 0;
  return count;
}

/* Lists the bodies of all objects that have primitives, each with the owner of its tree. */
static graze_result list_bodies(const update_input *input, tree_forest *made) {
  const primitive_view *view = input->view;
  first_of_key shapes;
  size_t shared_count = 0;
  made->object_count = view->object_count;
  made->body_of = memory_allocate(made->heap, view->object_count, sizeof *made->body_of);
  if (made->body_of == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < view->object_count; i++) {
    made->body_of[i] = live_primitives(&view->sources[i]) > 0 ? (uint32_t)made->body_count++ : NO_BODY;
    shared_count += view->sources[i].shape != 0;
  }
  made->bodies = memory_allocate(made->heap, made->body_count, sizeof *made->bodies);
  if (made->bodies == NULL || !first_of_key_make(&shapes, input->scratch, shared_count)) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < view->object_count; i++) {
    const uint32_t body = made->body_of[i];
    const object_source *source = &view->sources[i];
    if (body == NO_BODY) continue;
    made->bodies[body] = (tree_body){.object = (uint32_t)i, .leaf_count = live_primitives(source), .owner = body};
    if (source->shape != 0) made->bodies[body].owner = first_of_key_find(&shapes, source->shape, body);
  }
  first_of_key_release(&shapes, input->scratch);
  return GRAZE_OK;
}

/* Counts bodies, leaves and blocks for the current scene. */
static graze_result size_forest(const update_input *input, tree_forest *made) {
  const graze_result listed = list_bodies(input, made);
  if (listed != GRAZE_OK) return listed;
  const size_t bodies = made->body_count;
  size_t leaves = 0, blocks = 0;
  for (size_t i = 0; i < bodies; i++) {
    if (made->bodies[i].owner != i) continue;
    leaves += made->bodies[i].leaf_count;
    blocks += tree_block_count(made->bodies[i].leaf_count);
  }
  made->leaf_count = leaves;
  made->block_count = blocks;
  made->posed = memory_allocate(made->heap, bodies, sizeof *made->posed);
  made->boxes = memory_allocate(made->heap, bodies, sizeof *made->boxes);
  made->leaves = memory_allocate(made->heap, leaves, sizeof *made->leaves);
  made->headers = memory_allocate(made->heap, leaves, sizeof *made->headers);
  made->blocks = memory_allocate(made->heap, blocks, sizeof *made->blocks);
  made->slabs = memory_allocate(made->heap, blocks, sizeof *made->slabs);
  const bool ready = made->posed != NULL && made->boxes != NULL && made->leaves != NULL && made->headers != NULL &&
                     made->blocks != NULL && made->slabs != NULL;
  return ready ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* Copies a tree of `leaf_count` leaves to an index. */
static void copy_tree(const tree_forest *from, const tree_body *body, tree_forest *to, uint32_t leaf, uint32_t block) {
  const size_t blocks = tree_block_count(body->leaf_count);
  memcpy(to->leaves + leaf, from->leaves + body->first_leaf, body->leaf_count * sizeof *to->leaves);
  memcpy(to->blocks + block, from->blocks + body->first_block, blocks * sizeof *to->blocks);
  if (body->has_slabs) memcpy(to->slabs + block, from->slabs + body->first_block, blocks * sizeof *to->slabs);
}

/* Whether the shape of a source has a tree that matches the options. */
static bool has_prepared(const tree_forest *forest, const object_source *source) {
  return source->shape_forest != NULL && forest->options.builder != GRAZE_TREE_BUILDER_MORTON;
}

/* The tree of a body that owns one: kept from the old forest if no primitives were added or removed, copied from its
 * shape, or yet to be built. */
static tree_body place_owner(const tree_forest *old, const update_input *input, const tree_body *fresh,
                             tree_forest *made, uint32_t leaf, uint32_t block) {
  const uint32_t object = fresh->object;
  const object_source *source = &input->view->sources[object];
  const bool kept =
      (input->changes[object] & CHANGED_TOPOLOGY) == 0 && object < old->object_count && old->body_of[object] != NO_BODY;
  if (kept) {
    tree_body body = old->bodies[old->body_of[object]];
    copy_tree(old, &body, made, leaf, block);
    if (body.elsewhere) body.task = TREE_ORDER;
    return body;
  }
  if (has_prepared(made, source)) {
    tree_body body = source->shape_forest->bodies[0];
    copy_tree(source->shape_forest, &body, made, leaf, block);
    body.prepared = true;
    return body;
  }
  uint32_t at = leaf;
  for (uint32_t element = 0; element < source->primitive_count; element++)
    if (!element_is_removed(source, element)) made->leaves[at++] = element;
  return *fresh;
}

/* Assigns each body its place, and the known data of its pose. */
static void place_bodies(const tree_forest *old, const update_input *input, tree_forest *made) {
  uint32_t leaf = 0, block = 0;
  for (uint32_t i = 0; i < made->body_count; i++) {
    const tree_body fresh = made->bodies[i];
    const uint32_t before = fresh.object < old->object_count ? old->body_of[fresh.object] : NO_BODY;
    if (before != NO_BODY) {
      made->posed[i] = old->posed[before];
      made->boxes[i] = old->boxes[before];
    }
    if (fresh.owner != i) continue;
    tree_body *body = &made->bodies[i];
    *body = place_owner(old, input, &fresh, made, leaf, block);
    body->object = fresh.object;
    body->owner = i;
    body->first_leaf = leaf;
    body->first_block = block;
    leaf += body->leaf_count;
    block += tree_block_count(body->leaf_count);
  }
}

static bool topology_changed(const tree_forest *forest, const update_input *input) {
  bool changed = forest->object_count != input->view->object_count || forest->body_of == NULL;
  for (size_t i = 0; i < input->view->object_count && !changed; i++)
    changed = (input->changes[i] & CHANGED_TOPOLOGY) != 0;
  return changed;
}

static graze_result place_forest(tree_forest *forest, const update_input *input) {
  tree_forest made;
  tree_forest_init(&made, forest->heap, &forest->options);
  const graze_result result = size_forest(input, &made);
  if (result != GRAZE_OK) {
    release_arrays(made.heap, &made);
    return result;
  }
  place_bodies(forest, input, &made);
  tree_forest_release(forest);
  *forest = made;
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- trees */

typedef struct update_work {
  tree_forest *forest;
  const update_input *input;
  bool for_device;
  _Atomic(uint64_t) built, refitted; /* sums, independent of the order of their terms */
  atomic_bool out_of_memory;
} update_work;

static object_change change_of(const update_work *work, const tree_body *body) {
  return work->input->changes[body->object];
}

static void build_body(update_work *work, const body_work *body, bool for_long) {
  const graze_tree_builder wanted = work->forest->options.builder;
  const bool by_splits = wanted == GRAZE_TREE_BUILDER_SPLITS || (wanted == GRAZE_TREE_BUILDER_AUTO && for_long);
  if (!(by_splits ? tree_order_by_splits(body) : tree_order_by_morton(body))) {
    atomic_store(&work->out_of_memory, true);
    return;
  }
  tree_refit(body);
  if (by_splits) tree_fit_slabs(body);
  body->body->has_slabs = by_splits;
  body->body->built_area = body->body->area;
  atomic_fetch_add(&work->built, 1);
}

static void refit_body(update_work *work, const body_work *body) {
  const graze_tree_update wanted = work->forest->options.update;
  if (wanted != GRAZE_TREE_UPDATE_REBUILD) {
    tree_refit(body);
    body->body->has_slabs = false;
    if (wanted == GRAZE_TREE_UPDATE_REFIT || body->body->area <= DECAYED * body->body->built_area) {
      atomic_fetch_add(&work->refitted, 1);
      return;
    }
  }
  build_body(work, body, false);
}

/* A device has the positions, some of them exclusively. The host builds trees after insertions or removals if it
 * can: for rigid bodies the better order, and slabs, pay. */
static bool is_for_device(const update_work *work, tree_body *body, object_change change) {
  const primitive_view *view = work->input->view;
  const bool on_host = view->sources[body->object].positions != NULL;
  if (!work->for_device || ((change & CHANGED_TOPOLOGY) != 0 && on_host)) return false;
  if (on_host && (change & CHANGED_POSITIONS) == 0) return true; /* unchanged */
  const bool orders = (change & CHANGED_TOPOLOGY) != 0 || work->forest->options.update == GRAZE_TREE_UPDATE_REBUILD;
  body->elsewhere = true;
  body->has_slabs = false;
  if (orders || body->task != TREE_ORDER) body->task = orders ? TREE_ORDER : TREE_FIT;
  return true;
}

static void update_body(update_work *work, tree_body *body, workers *team_or_null) {
  const object_change change = change_of(work, body);
  if (is_for_device(work, body, change)) return;
  if (body->prepared || body != &work->forest->bodies[body->owner]) return;
  if ((change & (CHANGED_TOPOLOGY | CHANGED_POSITIONS)) == 0) return;
  const body_work own = {.source = &work->input->view->sources[body->object],
                         .body = body,
                         .leaves = work->forest->leaves + body->first_leaf,
                         .blocks = work->forest->blocks + body->first_block,
                         .slabs = work->forest->slabs + body->first_block,
                         .team_or_null = team_or_null,
                         .scratch = work->input->scratch};
  body->elsewhere = false;
  body->task = TREE_DONE;
  tree_measure(&own);
  if ((change & CHANGED_TOPOLOGY) != 0)
    build_body(work, &own, true);
  else
    refit_body(work, &own);
}

/* Bodies that share a tree have the coordinates of its owner. */
static void share_tree(const tree_forest *forest, tree_body *body) {
  const uint32_t object = body->object;
  *body = forest->bodies[body->owner];
  body->object = object;
}

static void share_trees(void *context, size_t first, size_t end, uint32_t worker) {
  const update_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    tree_body *body = &work->forest->bodies[i];
    if (body->owner != i) share_tree(work->forest, body);
  }
}

static void small_bodies(void *context, size_t first, size_t end, uint32_t worker) {
  update_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (work->forest->bodies[i].leaf_count < LARGE_BODY) update_body(work, &work->forest->bodies[i], NULL);
}

static void pose_body(tree_forest *forest, size_t i, const object_source *sources) {
  forest->posed[i] = pose_space(&forest->bodies[i].space, sources[forest->bodies[i].object].pose);
  forest->boxes[i] = box_of_posed(&forest->posed[i]);
}

static void pose_bodies(void *context, size_t first, size_t end, uint32_t worker) {
  const update_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if ((change_of(work, &work->forest->bodies[i]) & (CHANGED_TOPOLOGY | CHANGED_POSITIONS | CHANGED_POSE)) != 0)
      pose_body(work->forest, i, work->input->view->sources);
}

/* Copies the first corners of each leaf, in the order of the tree. */
static void copy_headers(void *context, size_t first, size_t end, uint32_t worker) {
  const update_work *work = context;
  tree_forest *forest = work->forest;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    tree_body *body = &forest->bodies[i];
    object_source source = work->input->view->sources[body->object];
    const uint32_t *leaves = forest->leaves + body->first_leaf;
    body->prepared = false;
    if (body->owner != i) continue;
    source.first_vertex = source.first_primitive = 0;
    for (uint32_t leaf = 0; leaf < body->leaf_count; leaf++)
      forest->headers[body->first_leaf + leaf] = primitive_header_of(&source, leaves[leaf], 0);
  }
}

static graze_result update_forest(tree_forest *forest, const update_input *input, bool for_device) {
  const bool placed_again = topology_changed(forest, input);
  const graze_result placed = placed_again ? place_forest(forest, input) : GRAZE_OK;
  if (placed != GRAZE_OK) return placed;
  update_work work = {.forest = forest, .input = input, .for_device = for_device};
  workers_for(input->workers, forest->body_count, BODY_GRAIN, small_bodies, &work);
  for (size_t i = 0; i < forest->body_count; i++)
    if (forest->bodies[i].leaf_count >= LARGE_BODY) update_body(&work, &forest->bodies[i], input->workers);
  if (atomic_load(&work.out_of_memory)) {
    tree_forest_release(forest);
    return GRAZE_OUT_OF_MEMORY;
  }
  if (placed_again) workers_for(input->workers, forest->body_count, POSE_GRAIN, share_trees, &work);
  workers_for(input->workers, forest->body_count, POSE_GRAIN, pose_bodies, &work);
  forest->built_count = atomic_load(&work.built);
  forest->refitted_count = atomic_load(&work.refitted);
  if (placed_again || forest->built_count > 0)
    workers_for(input->workers, forest->body_count, BODY_GRAIN, copy_headers, &work);
  forest->shapes_are_new =
      forest->shapes_are_new || placed_again || forest->built_count > 0 || forest->refitted_count > 0;
  return GRAZE_OK;
}

graze_result tree_forest_update(tree_forest *forest, const update_input *input) {
  return update_forest(forest, input, false);
}

bool tree_forest_suits(const tree_forest *forest) {
  bool spread = false;
  for (size_t i = 0; i < forest->body_count; i++) spread = spread || forest->bodies[i].badly_spread;
  return !spread;
}

/* ---------------------------------------------------------------------------------------------- trees on a device */

graze_result tree_forest_update_for_device(tree_forest *forest, const update_input *input) {
  return update_forest(forest, input, true);
}

void tree_forest_take_measures(tree_forest *forest, uint32_t index, const tree_measures *measured,
                               const object_source *source) {
  tree_body *body = &forest->bodies[index];
  const bool ordered = body->task == TREE_ORDER;
  body->space = space_of_box(&measured->box);
  body->area = measured->area;
  body->badly_spread =
      spheres_reach_too_far(&body->space, source) || leaves_are_badly_spread(measured->small, body->leaf_count);
  if (ordered) body->built_area = body->area;
  const bool decayed = forest->options.update == GRAZE_TREE_UPDATE_AUTO && body->area > DECAYED * body->built_area;
  body->task = decayed ? TREE_ORDER : TREE_DONE;
  forest->was_measured = true;
}

typedef struct measured_work {
  tree_forest *forest;
  const object_source *sources;
} measured_work;

static void pose_measured(void *context, size_t first, size_t end, uint32_t worker) {
  const measured_work *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (work->forest->bodies[i].elsewhere) pose_body(work->forest, i, work->sources);
}

void tree_forest_pose_measured(tree_forest *forest, const object_source *sources, workers *team) {
  measured_work work = {forest, sources};
  if (forest->was_measured) workers_for(team, forest->body_count, POSE_GRAIN, pose_measured, &work);
  forest->was_measured = false;
}
