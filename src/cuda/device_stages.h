/* The list of stages: name, the number of indices that it runs over (known on the device alone for those over lists),
 * and a bound on that number which the host knows. */
#ifndef GRAZE_CUDA_DEVICE_STAGES_H
#define GRAZE_CUDA_DEVICE_STAGES_H

#include "cuda/device_view.h"

#define DEVICE_LIGHT_STAGE_LIST(X)                                                                                     \
  X(sample, v->sample_count, v->sample_count)                                                                          \
  X(rounding, v->vertex_count, v->vertex_count)                                                                        \
  X(rounding_mapped, v->vertex_count, v->vertex_count)                                                                 \
  X(box, v->primitive_count, v->primitive_count)                                                                       \
  X(focus, FOCUS_LANES, FOCUS_LANES)                                                                                   \
  X(box_focused, v->primitive_count, v->primitive_count)                                                               \
  X(entry, v->primitive_count, v->primitive_count)                                                                     \
  X(bundle, device_bundle_count(v), v->primitive_count / BUNDLE_ENTRIES + 1)                                           \
  X(partner, device_list_length(v, LIST_PAIRS), v->list_capacity[LIST_PAIRS])                                          \
  X(contact_join, v->contact_count, v->contact_count)                                                                  \
  X(ball, v->measure.lanes, v->measure.lanes)                                                                          \
  X(tree_leaf, v->trees.leaf_count, v->trees.leaf_count)                                                               \
  X(tree_relate, device_tree_pairs(v), v->trees.pair_room)                                                             \
  X(cluster_point, v->clusters.point_count, v->clusters.point_count)                                                   \
  X(cluster_weigh, v->clusters.point_count, v->clusters.point_count)                                                   \
  X(cluster_side, device_divided_entries(v), v->primitive_count)                                                       \
  X(cluster_huge, device_huge_entries(v), v->primitive_count)                                                          \
  X(cluster_count, v->totals->entry_count, v->primitive_count)                                                         \
  X(cluster_member, device_cluster_entries(v), v->primitive_count)                                                     \
  X(cluster_row, device_cluster_members(v), v->clusters.member_room)                                                   \
  X(tree_bounds, v->trees.leaf_count, v->trees.leaf_count)                                                             \
  X(tree_space, v->trees.body_count, v->trees.body_count)                                                              \
  X(tree_code, v->trees.leaf_count, v->trees.leaf_count)                                                               \
  X(tree_order, v->trees.leaf_count, v->trees.leaf_count)                                                              \
  X(tree_fit, v->trees.block_count, v->trees.block_count)                                                              \
  X(tree_pose, v->trees.body_count, v->trees.body_count)                                                               \
  X(gas_sum, GAS_PROTOTYPES * v->gas.block_count, GAS_PROTOTYPES * v->gas.block_count)                                 \
  X(gas_move, GAS_PROTOTYPES * v->gas.node_count, GAS_PROTOTYPES * v->gas.node_count)

/* Stages that write pairs; what they return is summed up: TALLY_HASH. */
#define DEVICE_PAIR_STAGE_LIST(X)                                                                                      \
  X(rank, device_list_length(v, LIST_PAIRS), v->list_capacity[LIST_PAIRS])                                             \
  X(unpack, device_list_length(v, LIST_PAIRS), v->list_capacity[LIST_PAIRS])

/* Stages that append to lists, each index at most once to each. */
#define DEVICE_TEST_STAGE_LIST(X)                                                                                      \
  X(filter_triangles, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                       \
  X(filter_solids, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                          \
  X(filter, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                                 \
  X(filter_kinds, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                           \
  X(inside, device_list_length(v, LIST_SOLIDS), v->list_capacity[LIST_SOLIDS])                                         \
  X(inside_turned, device_list_length(v, LIST_TURNED), v->list_capacity[LIST_TURNED])                                  \
  X(box_pair, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                               \
  X(neighbours, device_list_length(v, LIST_CANDIDATES), v->list_capacity[LIST_CANDIDATES])                             \
  X(near_triangles, device_list_length(v, LIST_TRIANGLES), v->list_capacity[LIST_TRIANGLES])                           \
  X(brute, device_brute_count(v), BRUTE_PAIRS)                                                                         \
  X(tree_descend, device_tree_count(v), TREE_NODE_PAIRS * v->trees.entry_room)                                         \
  X(near_tetrahedra, device_list_length(v, LIST_TETRAHEDRA), v->list_capacity[LIST_TETRAHEDRA])

/* The same of few pairs as a rule, whose threads go different ways. */
#define DEVICE_DOUBLE_STAGE_LIST(X)                                                                                    \
  X(exact, device_list_length(v, LIST_TRIANGLES), v->list_capacity[LIST_TRIANGLES])                                    \
  X(tetrahedra, device_list_length(v, LIST_TETRAHEDRA), v->list_capacity[LIST_TETRAHEDRA])

/* Stages whose threads work together: kernels of their own, cuda_vertices.cu, cuda_search.cu, cuda_sweep.cu,
 * cuda_learning.cu, cuda_volumes.cu and cuda_pushes.cu. */
#define DEVICE_JOINT_STAGE_LIST(X)                                                                                     \
  X(pose, v->vertex_lanes, v->vertex_lanes)                                                                            \
  X(search, device_search_count(v), v->primitive_count)                                                                \
  X(cluster_sweep, device_cluster_lanes(v), CLUSTER_LANES)                                                             \
  X(cluster_move, v->clusters.centres.count, v->clusters.centres.count)                                                \
  X(contact_volumes, device_contact_count(v), device_contact_bound(v))                                                 \
  X(push_add, device_contact_count(v), device_contact_bound(v))

/* Likewise, with all exact tiers in them: long to compile, deep of stack; a file of their own. */
#define DEVICE_EXACT_STAGE_LIST(X)                                                                                     \
  X(volume, v->primitive_count, v->primitive_count)                                                                    \
  X(wide, device_list_length(v, LIST_UNDECIDED), v->list_capacity[LIST_UNDECIDED])                                     \
  X(close, device_list_length(v, LIST_CLOSE), v->list_capacity[LIST_CLOSE])                                            \
  X(others, device_list_length(v, LIST_OTHERS), v->list_capacity[LIST_OTHERS])                                         \
  X(near_open, device_list_length(v, LIST_UNDECIDED), v->list_capacity[LIST_UNDECIDED])                                \
  X(near_others, v->measure.lanes, v->measure.lanes)

/* Stages that measure pairs as far as the double filter decides them: many registers, and little stack. */
#define DEVICE_MEASURE_STAGE_LIST(X)                                                                                   \
  X(contact_triangles, device_contact_count(v), device_contact_bound(v))                                               \
  X(contact_tetrahedra, device_contact_count(v), device_contact_bound(v))

/* Stages that measure pairs with all exact tiers: no less deep than those that find them, and they append to no list; a
 * file of their own too. */
#define DEVICE_CONTACT_STAGE_LIST(X)                                                                                   \
  X(contact_open_triangles, device_open_count(v), device_contact_bound(v))                                             \
  X(contact_open_tetrahedra, device_open_count(v), device_contact_bound(v))                                            \
  X(contact_spheres, device_contact_count(v), device_contact_bound(v))                                                 \
  X(contact_others, device_contact_count(v), device_contact_bound(v))

/* Poses: deep as well, and they append to no list; a file of their own again. */
#define DEVICE_POSE_STAGE_LIST(X) X(pose_answer, v->poses.count, v->poses.count)

/* Sphere packings: exact signs by a thread each, prototypes by a warp each; a file of their own as well. */
#define DEVICE_PACKING_STAGE_LIST(X)                                                                                   \
  X(packing_inside, v->packing.job_count, v->packing.job_count)                                                        \
  X(packing_job, v->packing.job_count, v->packing.job_count)

/* All but those whose bodies return something. */
#define DEVICE_PLAIN_STAGE_LIST(X)                                                                                     \
  DEVICE_LIGHT_STAGE_LIST(X)                                                                                           \
  DEVICE_TEST_STAGE_LIST(X)                                                                                            \
  DEVICE_DOUBLE_STAGE_LIST(X)                                                                                          \
  DEVICE_JOINT_STAGE_LIST(X)                                                                                           \
  DEVICE_MEASURE_STAGE_LIST(X)                                                                                         \
  DEVICE_EXACT_STAGE_LIST(X) DEVICE_CONTACT_STAGE_LIST(X) DEVICE_POSE_STAGE_LIST(X) DEVICE_PACKING_STAGE_LIST(X)

#define DEVICE_STAGE_LIST(X) DEVICE_PLAIN_STAGE_LIST(X) DEVICE_PAIR_STAGE_LIST(X)

typedef enum device_stage {
#define DEVICE_STAGE_ENUM(name, count, bound) STAGE_##name,
  DEVICE_STAGE_LIST(DEVICE_STAGE_ENUM)
#undef DEVICE_STAGE_ENUM
      STAGE_COUNT
} device_stage;

#endif
