/* The public calls of graze/sphere_tree.h: check arguments, and set error messages. */
#include "spheres/sphere_calls.h"

#include "base/definition.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "spheres/sphere_build.h"
#include "spheres/sphere_queries.h"
#include "spheres/sphere_search.h"

#include <math.h>
#include <string.h>

MAKER(graze_sphere_tree_def, .builder = GRAZE_SPHERE_BUILDER_NEURAL_GAS, .magnification = 3)
MAKER(graze_sphere_options, .stiffness = 1.0)

DEFINITION(sphere_tree, graze_sphere_tree_def, workers, "the tree's definition", "graze_sphere_tree_def_default()");
DEFINITION(sphere_options, graze_sphere_options, about, "the options", "graze_sphere_options_default()");
ANSWER(sphere_info, graze_sphere_tree_info, bytes, "the info");
ANSWER(sphere_volume, graze_sphere_volume, node_pairs, "the volume");
ANSWER(sphere_distance, graze_sphere_distance, node_pairs, "the distance");

/* There are at most twice as many nodes as spheres, with numbers of 32 bits. */
#define SPHERES_MOST ((size_t)1 << 31)

static graze_result fail_null(const char *what) {
  return fail(GRAZE_INVALID_ARGUMENT, "the %s is NULL", what);
}

/* ---------------------------------------------------------------------------------------------- creation */

static graze_result check_gas_options(const graze_sphere_tree_def *def) {
#define BUILDER_NAME(name, value, words) words,
  static const char *const builders[] = {GRAZE_SPHERE_BUILDER_LIST(BUILDER_NAME)};
#undef BUILDER_NAME
  const graze_sphere_tree_def usual = graze_sphere_tree_def_default();
  if (def->builder == GRAZE_SPHERE_BUILDER_NEURAL_GAS) return GRAZE_OK;
  if (def->iterations != usual.iterations)
    return fail(GRAZE_INVALID_ARGUMENT, "the builder \"%s\" has no option iterations (given: %u); neural_gas has it",
                builders[def->builder], def->iterations);
  if (def->magnification != usual.magnification)
    return fail(GRAZE_INVALID_ARGUMENT, "the builder \"%s\" has no option magnification (given: %u); neural_gas has it",
                builders[def->builder], def->magnification);
  return GRAZE_OK;
}

static graze_result check_def(const graze_sphere_tree_def *def) {
  graze_result result = view_check(&def->centers, GRAZE_FORMAT_DOUBLE3, "centers");
  if (result == GRAZE_OK) result = view_check(&def->radii, GRAZE_FORMAT_DOUBLE, "radii");
  if (result != GRAZE_OK) return result;
  if (def->centers.count == 0) return fail(GRAZE_INVALID_ARGUMENT, "a tree needs at least one sphere");
  if (def->centers.count != def->radii.count)
    return fail(GRAZE_INVALID_ARGUMENT, "%zu spheres have %zu radii", def->centers.count, def->radii.count);
  if (def->centers.count > SPHERES_MOST)
    return fail(GRAZE_TOO_LARGE, "%zu spheres; a tree has at most %zu", def->centers.count, SPHERES_MOST);
  if ((unsigned)def->builder > GRAZE_SPHERE_BUILDER_EXTREMES)
    return fail(GRAZE_INVALID_ARGUMENT, "unknown sphere tree builder %d", (int)def->builder);
  if (def->magnification > 3)
    return fail(GRAZE_INVALID_ARGUMENT, "the magnification is %u; it must be 0 to 3", def->magnification);
  return check_gas_options(def);
}

static graze_result copy_spheres(const graze_sphere_tree_def *def, double (*spheres)[4]) {
  for (size_t i = 0; i < def->centers.count; i++) {
    view_read_place(view_at(&def->centers, i), def->centers.format == GRAZE_FORMAT_DOUBLE3, spheres[i]);
    for (int axis = 0; axis < 3; axis++)
      if (!isfinite(spheres[i][axis]))
        return fail(GRAZE_NOT_FINITE, "coordinate %c of sphere %zu is %g", "xyz"[axis], i, spheres[i][axis]);
    const double radius = view_read_number(&def->radii, i);
    if (!isfinite(radius)) return fail(GRAZE_NOT_FINITE, "the radius of sphere %zu is %g", i, radius);
    if (radius < 0.0)
      return fail(GRAZE_INVALID_ARGUMENT, "the radius of sphere %zu is %g; it must be 0 or more", i, radius);
    spheres[i][3] = fabs(radius); /* -0 becomes 0 */
  }
  return GRAZE_OK;
}

static graze_sphere_tree *allocate_tree(const graze_allocator *allocator) {
  memory first;
  memory_init(&first, allocator);
  graze_sphere_tree *tree = memory_allocate(&first, 1, sizeof *tree);
  if (tree == NULL) return NULL;
  memset(tree, 0, sizeof *tree);
  memory_init(&tree->heap, allocator);
  atomic_store(&tree->heap.bytes_now, sizeof *tree);
  atomic_store(&tree->heap.bytes_peak, sizeof *tree);
  return tree;
}

static graze_result take_workers(graze_sphere_tree *tree, const graze_sphere_tree_def *def) {
  if (def->workers != NULL) {
    workers_retain(def->workers);
    tree->team = def->workers;
    return GRAZE_OK;
  }
  const graze_workers_def own = {.worker_count = def->worker_count, .threading = def->threading, .tasks = def->tasks};
  return workers_create(&tree->heap, &own, &tree->team);
}

static graze_result fail_build(graze_result result, size_t count, const gas_stages *gas_or_null) {
  const char *error = gas_or_null != NULL ? gas_or_null->error(gas_or_null->context) : "";
  if (error[0] != '\0') return fail(result, "%s", error);
  return fail(result, "out of memory: cannot build a tree of %zu spheres", count);
}

static graze_result fill_tree(graze_sphere_tree *tree, const graze_sphere_tree_def *def,
                              const gas_stages *gas_or_null) {
  const size_t count = def->centers.count;
  graze_result result = take_workers(tree, def);
  if (result != GRAZE_OK) return result;
  tree->sphere_count = (uint32_t)count;
  tree->spheres = memory_allocate(&tree->heap, count, sizeof *tree->spheres);
  if (tree->spheres == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot copy %zu spheres", count);
  result = copy_spheres(def, tree->spheres);
  if (result != GRAZE_OK) return result;
  result = sphere_tree_build(tree, def, gas_or_null);
  if (result != GRAZE_OK) return fail_build(result, count, gas_or_null);
  if (!sphere_tree_sum(tree) || !sphere_tree_count_overlaps(tree)) return fail_build(GRAZE_OUT_OF_MEMORY, count, NULL);
  return GRAZE_OK;
}

graze_result sphere_tree_read(const graze_sphere_tree_def *given, graze_sphere_tree_def *def_out) {
  const graze_result result = definition_read(&sphere_tree_definition, given, false, def_out);
  return result == GRAZE_OK ? check_def(def_out) : result;
}

graze_result sphere_tree_make(const graze_sphere_tree_def *def, const gas_stages *gas_or_null,
                              graze_sphere_tree **tree_out) {
  graze_allocator allocator;
  graze_result result = memory_read_allocator(def->allocator, &allocator);
  if (result != GRAZE_OK) return result;
  graze_sphere_tree *tree = allocate_tree(&allocator);
  if (tree == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a tree");
  result = fill_tree(tree, def, gas_or_null);
  if (result == GRAZE_OK)
    *tree_out = tree;
  else
    graze_sphere_tree_destroy(tree);
  return result;
}

void graze_sphere_tree_destroy(graze_sphere_tree *tree) {
  if (tree == NULL) return;
  memory_release(&tree->heap, tree->spheres, tree->sphere_count, sizeof *tree->spheres);
  memory_release(&tree->heap, tree->nodes, tree->node_count, sizeof *tree->nodes);
  memory_release(&tree->heap, tree->sums, tree->node_count, sizeof *tree->sums);
  workers_destroy(&tree->heap, tree->team);
  /* The tree contains its own accounting, so it is released from a copy. */
  const graze_allocator allocator = tree->heap.allocator;
  memory last;
  memory_init(&last, &allocator);
  atomic_store(&last.bytes_now, sizeof *tree);
  memory_release(&last, tree, 1, sizeof *tree);
}

graze_result graze_sphere_tree_get_info(const graze_sphere_tree *tree, graze_sphere_tree_info *info) {
  if (tree == NULL) return fail_null("tree");
  if (info == NULL) return fail_null("output for the info");
  if (definition_capacity(&sphere_info_definition, info->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  const graze_sphere_tree_info fields = {.sphere_count = tree->sphere_count,
                                         .node_count = tree->node_count,
                                         .depth = tree->sums[0].height,
                                         .multiplicity = tree->multiplicity,
                                         .bytes = atomic_load(&tree->heap.bytes_now)};
  definition_answer(&sphere_info_definition, info, &fields);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- queries */

static graze_result read_pose(const graze_pose *given_or_null, const char *tree_name, rigid_pose *pose_out) {
  static const rigid_pose nowhere = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  *pose_out = nowhere;
  if (given_or_null == NULL) return GRAZE_OK;
  *pose_out = *given_or_null;
  if (pose_is_sound(pose_out)) return GRAZE_OK;
  const double defect = rotation_defect(pose_out->rotation), *translation = pose_out->translation;
  if (!(defect <= ROTATION_DEFECT_MOST))
    return fail(GRAZE_NOT_A_ROTATION,
                "the pose of %s is not a rotation: R times its transpose differs from the identity by %g", tree_name,
                defect);
  if (!(rotation_determinant(pose_out->rotation) > 0.0))
    return fail(GRAZE_NOT_A_ROTATION, "the pose of %s is a reflection: its determinant is %g", tree_name,
                rotation_determinant(pose_out->rotation));
  const int axis = !isfinite(translation[0]) ? 0 : !isfinite(translation[1]) ? 1 : 2;
  return fail(GRAZE_NOT_FINITE, "translation %c of the pose of %s is %g", "xyz"[axis], tree_name, translation[axis]);
}

/* Whether the pose keeps all centers finite. */
static graze_result check_centers(const graze_sphere_tree *tree, const rigid_pose *pose, const char *tree_name) {
  if (tree->extent + fabs(pose->translation[0]) + fabs(pose->translation[1]) + fabs(pose->translation[2]) < 0x1p1020)
    return GRAZE_OK;
  for (uint32_t i = 0; i < tree->sphere_count; i++) {
    double place[3];
    pose_position(pose, tree->spheres[i], place);
    if (!(fabs(place[0]) <= DBL_MAX && fabs(place[1]) <= DBL_MAX && fabs(place[2]) <= DBL_MAX))
      return fail(GRAZE_NOT_FINITE, "a coordinate of sphere %u of %s is not finite after the pose", i, tree_name);
  }
  return GRAZE_OK;
}

static graze_result check_options(const graze_sphere_options *options) {
  if (!isfinite(options->stiffness))
    return fail(GRAZE_INVALID_ARGUMENT, "the stiffness is %g; it must be finite", options->stiffness);
  if ((unsigned)options->force > GRAZE_FORCE_GRADIENT)
    return fail(GRAZE_INVALID_ARGUMENT, "unknown force %d", (int)options->force);
  for (int axis = 0; axis < 3; axis++)
    if (!isfinite(options->about[axis]))
      return fail(GRAZE_INVALID_ARGUMENT, "coordinate %c of the reference point of torques is %g", 'x' + axis,
                  options->about[axis]);
  return GRAZE_OK;
}

/* Reads the arguments of both queries. */
static graze_result read_arguments(const graze_sphere_tree *a, const graze_pose *pose_a, const graze_sphere_tree *b,
                                   const graze_pose *pose_b, const graze_sphere_options *given,
                                   graze_sphere_options *options, posed_trees *pair) {
  rigid_pose rigid_a, rigid_b;
  if (a == NULL || b == NULL) return fail_null(a == NULL ? "first tree" : "second tree");
  graze_result result = definition_read(&sphere_options_definition, given, true, options);
  if (result == GRAZE_OK) result = check_options(options);
  if (result == GRAZE_OK) result = read_pose(pose_a, "a", &rigid_a);
  if (result == GRAZE_OK) result = read_pose(pose_b, "b", &rigid_b);
  if (result == GRAZE_OK) result = check_centers(a, &rigid_a, "a");
  if (result == GRAZE_OK) result = check_centers(b, &rigid_b, "b");
  if (result == GRAZE_OK) posed_trees_make(a, &rigid_a, b, &rigid_b, pair);
  return result;
}

graze_result graze_sphere_trees_volume(const graze_sphere_tree *a, const graze_pose *pose_a, const graze_sphere_tree *b,
                                       const graze_pose *pose_b, const graze_sphere_options *given,
                                       graze_sphere_volume *volume) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_sphere_options options;
  posed_trees pair;
  if (volume == NULL) return fail_null("output for the volume");
  if (definition_capacity(&sphere_volume_definition, volume->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  const graze_result result = read_arguments(a, pose_a, b, pose_b, given, &options, &pair);
  if (result != GRAZE_OK) return result;
  graze_sphere_volume fields = {0};
  if (!sphere_trees_volume(&pair, &options, &fields))
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot compute the shared volume of two sphere trees");
  definition_answer(&sphere_volume_definition, volume, &fields);
  return GRAZE_OK;
}

graze_result graze_sphere_trees_distance(const graze_sphere_tree *a, const graze_pose *pose_a,
                                         const graze_sphere_tree *b, const graze_pose *pose_b,
                                         const graze_sphere_options *given, graze_sphere_distance *distance) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_sphere_options options;
  posed_trees pair;
  if (distance == NULL) return fail_null("output for the distance");
  if (definition_capacity(&sphere_distance_definition, distance->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  const graze_result result = read_arguments(a, pose_a, b, pose_b, given, &options, &pair);
  if (result != GRAZE_OK) return result;
  graze_sphere_distance fields = {0};
  if (!sphere_trees_distance(&pair, options.budget, &fields))
    return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot compute the distance of two sphere trees");
  definition_answer(&sphere_distance_definition, distance, &fields);
  return GRAZE_OK;
}
