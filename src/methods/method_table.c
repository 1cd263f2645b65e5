/* The table of methods, the broad phases: the properties of each on any device, and its implementations on the
 * processor and on a device. A new method needs its files, a name in METHOD_LIST (broad/method.h) and a row here. */
#include "methods/method_table.h"

#include "cuda/cuda_method.h"

#include <string.h>

const method method_grid = {
    .name = "grid",
    .description = "hierarchical hashed grid, rebuilt in each query, linear in the number of triangles",
    .auto_reason = "it needs no earlier frames",
    .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_MAKES_BOXES | METHOD_AUTO_ON_DEVICE,
    .cpu = &cpu_grid,
    .cuda = &cuda_grid};

const method method_tree = {
    .name = "tree",
    .description = "bounding volume hierarchies kept by objects: rigid motion costs no more than setting poses",
    .auto_reason = "the last updates have only changed poses",
    .traits = METHOD_KEEPS_STATE | METHOD_FILTERS_ROUNDED | METHOD_KEEPS_TREES,
    .options = METHOD_OPTION_TREE_BUILDER | METHOD_OPTION_TREE_UPDATE,
    .device_options = METHOD_OPTION_TREE_BUILDER | METHOD_OPTION_TREE_UPDATE,
    .cpu = &cpu_tree,
    .cuda = &cuda_tree};

const method method_clusters = {
    .name = "clusters",
    .description = "sweep-and-prune along the principal axes of fuzzy clusters, kept from frame to frame",
    .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_KEEPS_STATE,
    .options = METHOD_OPTION_CLUSTERS | METHOD_OPTION_AXIS | METHOD_OPTION_METRIC | METHOD_OPTION_FUZZINESS,
    .device_options = METHOD_OPTION_CLUSTERS | METHOD_OPTION_AXIS | METHOD_OPTION_METRIC | METHOD_OPTION_FUZZINESS,
    .cpu = &cpu_clusters,
    .cuda = &cuda_clusters};

const method method_brute = {.name = "brute",
                             .description = "all pairs of boxes: the reference, quadratic in the number of primitives",
                             .auto_reason = "there are few primitives",
                             .traits = METHOD_NEEDS_ROUNDED_VERTICES | METHOD_NEEDS_BOXES | METHOD_IS_REFERENCE,
                             .cpu = &cpu_brute,
                             .cuda = &cuda_brute};

#define METHOD_ADDRESS(name) &method_##name,
static const method *const table[] = {METHOD_LIST(METHOD_ADDRESS)};
#undef METHOD_ADDRESS
enum { METHOD_COUNT = sizeof table / sizeof table[0] };

const method *method_at(size_t index) {
  return index < METHOD_COUNT ? table[index] : NULL;
}

const method *method_named(const char *name) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}
