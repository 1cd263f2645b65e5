/* Ranks of one process for tests: one thread each, with a scene of parts of a whole scene. */
#ifndef GRAZE_TESTS_RANK_TEAM_H
#define GRAZE_TESTS_RANK_TEAM_H

#include "distributed/local_transport.h"
#include "distributed/rank_regions.h"
#include "distributed/rank_wrenches.h"
#include "models/model.h"

enum { TEAM_MOST = 16 };

typedef struct team_rank {
  struct rank_team *team;
  transport net;
  rank_state state;
  graze_scene *scene;
  graze_pairs pairs;
  array wrenches; /* graze_wrench */
  graze_regions regions;
  rank_totals totals;
  graze_result result;
  const graze_query *query;
  const graze_contact_options *wrench_options;
  const graze_region_options *region_options;
  const graze_allocator *allocator; /* of the rank and its slab; NULL: the C library's */
  bool is_open;
} team_rank;

typedef struct rank_team {
  memory heap;
  local_hub *hub;
  uint32_t count;
  team_rank ranks[TEAM_MOST];
  uint64_t (*work_us)(void *context, uint32_t rank, uint64_t measured_us);
  void *work_context;
  const graze_backend_def *backend; /* of the slabs; NULL: the processor */
  uint32_t odd_rank;                /* a rank that queries with different options; 0: none */
  graze_contact_options odd_options;
} rank_team;

/* Empty scenes. Allocators, times and the backend may be set before team_open. */
void team_begin(rank_team *team, uint32_t count);
/* The result of all ranks, which the test has to find alike. */
graze_result team_open(rank_team *team);
void team_end(rank_team *team);

/* A scene that works on the calling thread alone; and one of a built-in model. */
graze_scene *team_empty_scene(void);
graze_scene *team_model_scene(const model *chosen, uint64_t primitives);
void team_add_model(graze_scene *scene, const model *chosen, uint64_t primitives, uint64_t seed);

/* Which rank has a primitive of the whole scene, whose objects are named by their index. */
typedef uint32_t rank_rule(const void *context, uint32_t object, uint32_t primitive);

/* Rules, whose context is a chance. Where primitives go by chance, neighbors may be on different ranks. */
typedef struct chance {
  uint64_t seed;
  uint32_t rank_count;
} chance;
uint32_t objects_by_chance(const void *context, uint32_t object, uint32_t primitive);
uint32_t primitives_by_chance(const void *context, uint32_t object, uint32_t primitive);
uint32_t all_on_the_last(const void *context, uint32_t object, uint32_t primitive);

/* The scenes of the ranks become the parts of the whole; primitives that the whole has erased are in none. */
void team_share(rank_team *team, const graze_scene *whole, rank_rule *rule, const void *context);

/* All ranks ask; their results and messages are alike. */
graze_result team_find(rank_team *team, const graze_query *query);
graze_result team_find_wrenches(rank_team *team, const graze_query *query, const graze_contact_options *options);
graze_result team_find_regions(rank_team *team, const graze_query *query, const graze_region_options *options);
graze_result team_exclude(rank_team *team, const graze_object_pair *pairs, size_t count);

/* The last find against the whole scene: the joined lists, the hash and the number of pairs. */
void team_compare(rank_team *team, graze_scene *whole, const graze_query *query, const char *words);

#endif
