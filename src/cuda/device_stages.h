/* The list of stages: for each stage its view, its name, the number of its indices (for stages over lists known only on
 * the device), and an upper bound of that number, known on the host. In both, `v` is the view.
 *
 * Lists are by the subject of a stage and by the kind of its kernel:
 *
 *   LIGHT    one thread per index
 *   TEST     likewise; appends to lists, each index at most once to each
 *   DOUBLE   likewise, typically of few pairs, whose threads diverge
 *   PAIR     writes pairs; the returned values are summed: TALLY_HASH
 *   JOINT    cooperating threads: has a kernel of its own
 *   EXACT    has all exact tiers: slow to compile, with a deep stack; in files of their own
 *
 * Only files that expand a list need the types of its views. */
#ifndef GRAZE_CUDA_DEVICE_STAGES_H
#define GRAZE_CUDA_DEVICE_STAGES_H

#define SCENE_LIGHT_STAGE_LIST(X)                                                                                      \
  X(update_view, sample, v->sample_count, v->sample_count)                                                             \
  X(update_view, rounding, v->scene.vertex_count, v->scene.vertex_count)                                               \
  X(update_view, rounding_mapped, v->scene.vertex_count, v->scene.vertex_count)
#define SCENE_JOINT_STAGE_LIST(X) X(update_view, pose, v->vertex_lanes, v->vertex_lanes)
#define SCENE_EXACT_STAGE_LIST(X) X(update_view, volume, v->scene.primitive_count, v->scene.primitive_count)
#define SCENE_STAGE_LIST(X) SCENE_LIGHT_STAGE_LIST(X) SCENE_JOINT_STAGE_LIST(X) SCENE_EXACT_STAGE_LIST(X)

#define GRID_LIGHT_STAGE_LIST(X)                                                                                       \
  X(grid_view, clearance_box, v->pairs.scene.primitive_count, v->pairs.scene.primitive_count)                          \
  X(grid_view, box, v->pairs.scene.primitive_count, v->pairs.scene.primitive_count)                                    \
  X(grid_view, focus, FOCUS_LANES, FOCUS_LANES)                                                                        \
  X(grid_view, box_focused, v->pairs.scene.primitive_count, v->pairs.scene.primitive_count)                            \
  X(grid_view, entry, v->pairs.scene.primitive_count, v->pairs.scene.primitive_count)                                  \
  X(grid_view, bundle, device_bundle_count(v), v->pairs.scene.primitive_count / BUNDLE_ENTRIES + 1)
#define GRID_JOINT_STAGE_LIST(X) X(grid_view, search, device_search_count(v), v->pairs.scene.primitive_count)
#define GRID_STAGE_LIST(X) GRID_LIGHT_STAGE_LIST(X) GRID_JOINT_STAGE_LIST(X)

#define BRUTE_STAGE_LIST(X) X(brute_view, brute, device_brute_count(v), BRUTE_PAIRS)

#define TREE_LIGHT_STAGE_LIST(X)                                                                                       \
  X(tree_view, tree_leaf, v->forest.leaf_count, v->forest.leaf_count)                                                  \
  X(tree_view, tree_relate, device_tree_pairs(v), v->pair_capacity)
#define TREE_TEST_STAGE_LIST(X) X(tree_view, tree_descend, device_tree_count(v), TREE_NODE_PAIRS * v->entry_capacity)
#define TREE_STAGE_LIST(X) TREE_LIGHT_STAGE_LIST(X) TREE_TEST_STAGE_LIST(X)

#define TREE_FIT_STAGE_LIST(X)                                                                                         \
  X(tree_fit_view, tree_bounds, v->forest.leaf_count, v->forest.leaf_count)                                            \
  X(tree_fit_view, tree_space, v->forest.body_count, v->forest.body_count)                                             \
  X(tree_fit_view, tree_code, v->forest.leaf_count, v->forest.leaf_count)                                              \
  X(tree_fit_view, tree_order, v->forest.leaf_count, v->forest.leaf_count)                                             \
  X(tree_fit_view, tree_fit, v->forest.block_count, v->forest.block_count)                                             \
  X(tree_fit_view, tree_pose, v->forest.body_count, v->forest.body_count)

#define CLUSTER_LIGHT_STAGE_LIST(X)                                                                                    \
  X(cluster_view, cluster_side, device_divided_entries(v), v->pairs.scene.primitive_count)                             \
  X(cluster_view, cluster_huge, device_huge_entries(v), v->pairs.scene.primitive_count)                                \
  X(cluster_view, cluster_count, v->pairs.lists.totals->entry_count, v->pairs.scene.primitive_count)                   \
  X(cluster_view, cluster_member, device_cluster_entries(v), v->pairs.scene.primitive_count)                           \
  X(cluster_view, cluster_row, device_cluster_members(v), v->member_capacity)
#define CLUSTER_JOINT_STAGE_LIST(X) X(cluster_view, cluster_sweep, device_cluster_lanes(v), CLUSTER_LANES)
#define CLUSTER_STAGE_LIST(X) CLUSTER_LIGHT_STAGE_LIST(X) CLUSTER_JOINT_STAGE_LIST(X)

#define LEARNING_LIGHT_STAGE_LIST(X)                                                                                   \
  X(learning_view, cluster_point, v->point_count, v->point_count)                                                      \
  X(learning_view, cluster_weigh, v->point_count, v->point_count)
#define LEARNING_JOINT_STAGE_LIST(X) X(learning_view, cluster_move, v->centers.count, v->centers.count)
#define LEARNING_STAGE_LIST(X) LEARNING_LIGHT_STAGE_LIST(X) LEARNING_JOINT_STAGE_LIST(X)

#define PAIR_ROW(X, name, list) X(pair_view, name, device_list_length(&v->lists, list), v->lists.capacity[list])
#define PAIR_TEST_STAGE_LIST(X)                                                                                        \
  PAIR_ROW(X, filter_triangles, LIST_CANDIDATES)                                                                       \
  PAIR_ROW(X, filter_solids, LIST_CANDIDATES)                                                                          \
  PAIR_ROW(X, filter, LIST_CANDIDATES)                                                                                 \
  PAIR_ROW(X, filter_kinds, LIST_CANDIDATES)                                                                           \
  PAIR_ROW(X, filter_parts, LIST_CANDIDATES)                                                                           \
  PAIR_ROW(X, inside, LIST_SOLIDS)                                                                                     \
  PAIR_ROW(X, inside_turned, LIST_TURNED)                                                                              \
  PAIR_ROW(X, box_pair, LIST_CANDIDATES)
#define PAIR_DOUBLE_STAGE_LIST(X)                                                                                      \
  PAIR_ROW(X, double_triangles, LIST_TRIANGLES)                                                                        \
  PAIR_ROW(X, double_tetrahedra, LIST_TETRAHEDRA)
#define PAIR_EXACT_STAGE_LIST(X)                                                                                       \
  PAIR_ROW(X, exact_triangles, LIST_UNDECIDED)                                                                         \
  PAIR_ROW(X, exact_tetrahedra, LIST_CLOSE)                                                                            \
  PAIR_ROW(X, exact_others, LIST_OTHERS)
#define PAIR_CLEARANCE_STAGE_LIST(X) PAIR_ROW(X, within, LIST_CANDIDATES)
#define PAIR_STAGE_LIST(X)                                                                                             \
  PAIR_TEST_STAGE_LIST(X) PAIR_DOUBLE_STAGE_LIST(X) PAIR_EXACT_STAGE_LIST(X) PAIR_CLEARANCE_STAGE_LIST(X)

#define ORDER_ROW(X, name) X(order_view, name, device_list_length(&v->lists, LIST_PAIRS), v->lists.capacity[LIST_PAIRS])
#define ORDER_LIGHT_STAGE_LIST(X) ORDER_ROW(X, partner)
#define ORDER_PAIR_STAGE_LIST(X)                                                                                       \
  ORDER_ROW(X, rank)                                                                                                   \
  ORDER_ROW(X, unpack)
#define ORDER_STAGE_LIST(X) ORDER_LIGHT_STAGE_LIST(X) ORDER_PAIR_STAGE_LIST(X)

#define CROWDING_ROW(X, name, list)                                                                                    \
  X(crowding_view, name, device_list_length(&v->pairs.lists, list), v->pairs.lists.capacity[list])
#define CROWDING_LIGHT_STAGE_LIST(X) X(crowding_view, ball, v->lanes, v->lanes)
#define CROWDING_TEST_STAGE_LIST(X)                                                                                    \
  CROWDING_ROW(X, neighbors, LIST_CANDIDATES)                                                                          \
  CROWDING_ROW(X, near_triangles, LIST_TRIANGLES)                                                                      \
  CROWDING_ROW(X, near_tetrahedra, LIST_TETRAHEDRA)
#define CROWDING_EXACT_STAGE_LIST(X)                                                                                   \
  CROWDING_ROW(X, near_open, LIST_UNDECIDED)                                                                           \
  X(crowding_view, near_others, v->lanes, v->lanes)
#define CROWDING_STAGE_LIST(X) CROWDING_LIGHT_STAGE_LIST(X) CROWDING_TEST_STAGE_LIST(X) CROWDING_EXACT_STAGE_LIST(X)

/* MEASURE: joint stages that measure pairs with the double filter alone: many registers, and small stacks. */
#define CONTACT_LIGHT_STAGE_LIST(X) X(contact_view, contact_join, v->count, v->count)
#define CONTACT_MEASURE_STAGE_LIST(X)                                                                                  \
  X(contact_view, contact_triangles, device_contact_count(v), device_contact_bound(v))                                 \
  X(contact_view, contact_tetrahedra, device_contact_count(v), device_contact_bound(v))
#define CONTACT_JOINT_STAGE_LIST(X)                                                                                    \
  X(contact_view, contact_volumes, device_contact_count(v), device_contact_bound(v))                                   \
  X(contact_view, wrench_add, device_contact_count(v), device_contact_bound(v))
#define CONTACT_EXACT_STAGE_LIST(X)                                                                                    \
  X(contact_view, contact_open_triangles, device_open_count(v), device_contact_bound(v))                               \
  X(contact_view, contact_open_tetrahedra, device_open_count(v), device_contact_bound(v))                              \
  X(contact_view, contact_spheres, device_contact_count(v), device_contact_bound(v))                                   \
  X(contact_view, contact_others, device_contact_count(v), device_contact_bound(v))
#define CONTACT_STAGE_LIST(X)                                                                                          \
  CONTACT_LIGHT_STAGE_LIST(X)                                                                                          \
  CONTACT_MEASURE_STAGE_LIST(X) CONTACT_JOINT_STAGE_LIST(X) CONTACT_EXACT_STAGE_LIST(X)

#define CONFIGURATION_STAGE_LIST(X)                                                                                    \
  X(configuration_view, configuration_mark, v->mark_count, v->mark_count)                                              \
  X(configuration_view, configuration_sum, OCCUPANCY_LINES, OCCUPANCY_LINES)                                           \
  X(configuration_view, configuration_place, v->count * v->moving_count, v->count * v->moving_count)                   \
  X(configuration_view, configuration_filter, v->count * v->pair_count, v->count * v->pair_count)                      \
  X(configuration_view, configuration_test, v->state->candidate_count, v->count * v->pair_count)
#define NEAR_STAGE_LIST(X) X(configuration_view, near_test, v->state->candidate_count, v->count * v->pair_count)

/* One thread per test of boxes, one warp per search. */
#define DISTANCE_STAGE_LIST(X)                                                                                         \
  X(distance_view, distance_bound, v->task_count * v->task_pairs, v->task_count * v->task_pairs)                       \
  X(distance_view, distance_search, v->task_count, v->task_count)

/* One thread per exact sign, one warp per prototype. */
#define PACKING_STAGE_LIST(X)                                                                                          \
  X(packing_view, packing_inside, v->job_count, v->job_count)                                                          \
  X(packing_view, packing_job, v->job_count, v->job_count)

#define GAS_STAGE_LIST(X)                                                                                              \
  X(gas_view, gas_sum, GAS_PROTOTYPES * v->block_count, GAS_PROTOTYPES * v->block_count)                               \
  X(gas_view, gas_move, GAS_PROTOTYPES * v->node_count, GAS_PROTOTYPES * v->node_count)

/* All except those whose functions return a value. */
#define PLAIN_STAGE_LIST(X)                                                                                            \
  SCENE_STAGE_LIST(X)                                                                                                  \
  GRID_STAGE_LIST(X)                                                                                                   \
  BRUTE_STAGE_LIST(X)                                                                                                  \
  TREE_STAGE_LIST(X)                                                                                                   \
  TREE_FIT_STAGE_LIST(X)                                                                                               \
  CLUSTER_STAGE_LIST(X)                                                                                                \
  LEARNING_STAGE_LIST(X)                                                                                               \
  PAIR_STAGE_LIST(X)                                                                                                   \
  ORDER_LIGHT_STAGE_LIST(X)                                                                                            \
  CROWDING_STAGE_LIST(X)                                                                                               \
  CONTACT_STAGE_LIST(X)                                                                                                \
  CONFIGURATION_STAGE_LIST(X) NEAR_STAGE_LIST(X) DISTANCE_STAGE_LIST(X) PACKING_STAGE_LIST(X) GAS_STAGE_LIST(X)

#define DEVICE_STAGE_LIST(X) PLAIN_STAGE_LIST(X) ORDER_PAIR_STAGE_LIST(X)

typedef enum device_stage {
#define DEVICE_STAGE_ENUM(view, name, count, bound) STAGE_##name,
  DEVICE_STAGE_LIST(DEVICE_STAGE_ENUM)
#undef DEVICE_STAGE_ENUM
      STAGE_COUNT
} device_stage;

#endif
