/* Sums over the leaves of each node of a sphere tree, and the largest distance of the tree from the origin.
 *
 * A volume has four roundings, an area three, and each sum on the path to the root fewer than four a level: below 300
 * roundings in all, so a factor 1 + 2^-40 makes the sums upper bounds. */
#include "spheres/sphere_sums.h"

#include "geometry/sphere_lens.h"

static void sum_leaf(const sphere_node *node, sphere_node_sum *sum) {
  sum->volume = sphere_volume(node->radius) * (1.0 + 0x1p-40);
  sum->area = 4.0 * SPHERE_PI * node->radius * node->radius * (1.0 + 0x1p-40);
  sum->leaf_count = sum->height = 1;
}

static void sum_children(const sphere_node *node, sphere_node_sum *sums, sphere_node_sum *sum) {
  *sum = (sphere_node_sum){0};
  for (uint32_t i = 0; i < node->child_count; i++) {
    const sphere_node_sum *child = &sums[node->first + i];
    sum->volume += child->volume;
    sum->area += child->area;
    sum->leaf_count += child->leaf_count;
    sum->height = child->height >= sum->height ? child->height + 1 : sum->height;
  }
}

/* Children are after their parents, so the array is read from its end. */
bool sphere_tree_sum(graze_sphere_tree *tree) {
  tree->sums = memory_allocate(&tree->heap, tree->node_count, sizeof *tree->sums);
  if (tree->sums == NULL) return false;
  tree->extent = 0.0;
  for (uint32_t i = tree->node_count; i-- > 0;) {
    const sphere_node *node = &tree->nodes[i];
    if (node->child_count == 0)
      sum_leaf(node, &tree->sums[i]);
    else
      sum_children(node, tree->sums, &tree->sums[i]);
    const double *c = node->center, distance = sqrt((c[0] * c[0] + c[1] * c[1]) + c[2] * c[2]);
    tree->extent = distance > tree->extent ? distance : tree->extent;
  }
  tree->extent = tree->extent * (1.0 + 0x1p-48) + 0x1p-500;
  return true;
}
