/* Measures the shared volume and the distance of two packings of spheres. docs/theory/sphere_trees.md shows parts of
 * this program. */
#include <graze/sphere_tree.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

/* A cube of spheres that touch. */
enum { SIDE = 10, SPHERES = SIDE * SIDE * SIDE };
static double centers[SPHERES][3], radii[SPHERES];

static graze_sphere_tree *make_tree(void) {
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = (graze_view){centers, SPHERES, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){radii, SPHERES, 0, GRAZE_FORMAT_DOUBLE};
  graze_sphere_tree *tree;
  expect_ok(graze_sphere_tree_create(&def, &tree));
  return tree;
}

static void measure(const graze_sphere_tree *tree, double x) {
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {x, 0, 0}};
  graze_sphere_volume shared = {.struct_bytes = sizeof shared};
  expect_ok(graze_sphere_trees_volume(tree, NULL, tree, &pose, NULL, &shared));
  printf("at %g: volume %.4f, force %.4f\n", x, shared.volume, shared.force[0]);

  graze_sphere_options options = graze_sphere_options_default();
  options.budget = 20; /* node pairs at most */
  expect_ok(graze_sphere_trees_volume(tree, NULL, tree, &pose, &options, &shared));
  printf("at %g: between %.4f and %.4f\n", x, shared.lower, shared.upper);

  graze_sphere_distance nearest = {.struct_bytes = sizeof nearest};
  expect_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &nearest));
  printf("at %g: distance %g\n", x, nearest.distance);
}

int main(void) {
  for (int i = 0; i < SPHERES; i++) {
    centers[i][0] = i % SIDE;
    centers[i][1] = i / SIDE % SIDE;
    centers[i][2] = i / (SIDE * SIDE);
    radii[i] = 0.5;
  }
  graze_sphere_tree *tree = make_tree();
  measure(tree, 8.5);
  measure(tree, 12.0);
  graze_sphere_tree_destroy(tree);
  return 0;
}
