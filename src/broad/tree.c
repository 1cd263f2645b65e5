/* The method "tree", a broad phase: persistent bounding volume hierarchies of objects, descended in pairs.
 *
 * Paper: Gress, Zachmann, "Object-space interference detection on programmable graphics hardware", 2004. */
#include "broad/tree_listing.h"
#include "broad/tree_search.h"

static graze_result create(memory *heap, const method_options *options, void **state_out) {
  tree_forest *forest = memory_allocate(heap, 1, sizeof *forest);
  if (forest == NULL) return GRAZE_OUT_OF_MEMORY;
  const tree_options chosen = tree_options_of(options);
  tree_forest_init(forest, heap, &chosen);
  *state_out = forest;
  return GRAZE_OK;
}

static graze_result update(void *state, const update_input *input) {
  return tree_forest_update(state, input);
}

static bool suits(const void *state) {
  return tree_forest_suits(state);
}

static graze_result find(const void *state, search *s) {
  return tree_search(state, s);
}

static graze_result list(const void *state, search *s, structure_list *nodes) {
  return tree_list(state, s, nodes);
}

static void destroy(memory *heap, void *state) {
  tree_forest_release(state);
  memory_release(heap, state, 1, sizeof(tree_forest));
}

const cpu_method cpu_tree = {
    .create = create, .update = update, .suits = suits, .find = find, .list = list, .destroy = destroy};
