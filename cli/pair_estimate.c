/* An estimate of the number of near pairs; see pair_estimate.h.
 *
 * The boxes of two samples of primitives are compared, as many pairs of boxes as there are primitives: this costs less
 * than a hundredth of the search. Workload: 10^4 to 10^8 primitives. */
#include "pair_estimate.h"

#include "graze/parts.h"

#include <math.h>
#include <stdlib.h>

enum { BOX_NUMBERS = 6 };

typedef struct chosen_primitive {
  double box[BOX_NUMBERS];
  size_t object, primitive;
} chosen_primitive;

typedef struct estimate_work {
  const graze_scene *scene;
  const object_list *objects;
  const graze_query *query;
  size_t count; /* of each sample */
  chosen_primitive *sample[2];
  uint64_t least, most;
} estimate_work;

static graze_object object_of(size_t object) {
  return (graze_object){(uint32_t)object, 1};
}

/* Primitives at equal steps through all objects; `place` in a step. */
static bool choose_sample(const estimate_work *work, double primitive_count, double place, chosen_primitive *sample) {
  const double step = primitive_count / (double)work->count;
  size_t object = 0;
  double first = 0.0;
  for (size_t i = 0; i < work->count; i++) {
    const double number = floor(((double)i + place) * step);
    while (number >= first + (double)work->objects->entries[object].primitive_count)
      first += (double)work->objects->entries[object++].primitive_count;
    chosen_primitive *one = &sample[i];
    one->object = object;
    one->primitive = (size_t)(number - first);
    if (graze_object_get_boxes(work->scene, object_of(object), one->primitive, 1, one->box) != GRAZE_OK) return false;
  }
  return true;
}

static bool may_pair(const estimate_work *work, const chosen_primitive *a, const chosen_primitive *b) {
  const unsigned scope = (unsigned)work->query->scope;
  if (a->object == b->object) return (scope & GRAZE_SCOPE_WITHIN) != 0 && a->primitive != b->primitive;
  return (scope & GRAZE_SCOPE_BETWEEN) != 0 &&
         !graze_scene_is_excluded(work->scene, object_of(a->object), object_of(b->object));
}

/* Counts boxes whose nearest points are near, and those whose farthest points are, so that the primitives must be. */
static void compare_boxes(estimate_work *work, const chosen_primitive *one, const chosen_primitive *other) {
  const double *a = one->box, *b = other->box, part = 1.0 / work->query->clearance;
  double near = 0.0, far = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double above = part * (b[axis] - a[3 + axis]), below = part * (a[axis] - b[3 + axis]);
    const double gap = above > below ? above : below, reach = above < below ? above : below;
    near += gap > 0.0 ? gap * gap : 0.0;
    far += reach * reach;
  }
  if (!(near <= 1.0) || !may_pair(work, one, other)) return;
  work->most += 1;
  work->least += far <= 1.0;
}

bool pair_estimate_make(const graze_scene *scene, const object_list *objects, const graze_query *query,
                        pair_estimate *estimate_out) {
  const double all = (double)object_list_primitive_count(objects);
  estimate_work work = {.scene = scene, .objects = objects, .query = query, .count = (size_t)ceil(sqrt(all))};
  chosen_primitive *both = calloc(2 * work.count + 1, sizeof *both);
  work.sample[0] = both;
  work.sample[1] = both + work.count;
  const bool made = both != NULL && choose_sample(&work, all, 0.25, work.sample[0]) &&
                    choose_sample(&work, all, 0.75, work.sample[1]);
  for (size_t i = 0; made && i < work.count; i++)
    for (size_t j = 0; j < work.count; j++) compare_boxes(&work, &work.sample[0][i], &work.sample[1][j]);
  const double share = all / (double)work.count; /* each pair of the scene could be compared in two orders */
  *estimate_out = (pair_estimate){0.5 * share * share * (double)work.least, 0.5 * share * share * (double)work.most};
  free(both);
  return made && work.count > 0;
}
