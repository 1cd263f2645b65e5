/* Runs a query, computes regions, contacts and volumes of its pairs, and flattens the results to arrays. Workload:
 * while an object is dragged, tens of queries a second with a few thousand pairs each, with regions, curves and
 * volumes. */
#include "viewer/engine/engine_query.h"

#include "cli/plain_words.h"

#include <stdlib.h>
#include <string.h>

/* The scope of `graze check`: one file is tested against itself, and its objects against each other; several files are
 * tested against each other only. */
static graze_scope usual_scope(const engine_objects *all) {
  if (all->file_count > 1) return GRAZE_SCOPE_BETWEEN;
  return all->count == 1 ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BOTH;
}

static graze_neighbors usual_neighbors(const engine_objects *all, graze_scope scope) {
  return (scope & GRAZE_SCOPE_WITHIN) != 0 && engine_objects_solid_count(all) == 0 ? GRAZE_NEIGHBORS_BEYOND
                                                                                   : GRAZE_NEIGHBORS_SKIP;
}

static void release_arrays(engine_answer *answer) {
  free(answer->region_numbers);
  free(answer->region_ids);
  free(answer->contact_numbers);
  free(answer->curve_points);
  free(answer->curve_starts);
  free(answer->curve_regions);
  free(answer->curve_closed);
  answer->region_numbers = answer->contact_numbers = NULL;
  answer->region_ids = NULL;
  answer->curve_points = NULL;
  answer->curve_starts = answer->curve_regions = NULL;
  answer->curve_closed = NULL;
}

/* Lists that this query does not fill must not keep the results of the previous query. */
static void empty_answer(engine_answer *answer) {
  release_arrays(answer);
  graze_regions_free(&answer->regions);
  graze_contacts_free(&answer->contacts);
  graze_wrenches_free(&answer->wrenches);
  graze_containments_free(&answer->containments);
}

void engine_answer_release(engine_answer *answer) {
  empty_answer(answer);
  graze_pairs_free(&answer->pairs);
}

/* An empty array is not NULL. */
static bool make_array(void *array, size_t count, size_t element_bytes) {
  void *const made = count < SIZE_MAX / element_bytes ? malloc((count + 1) * element_bytes) : NULL;
  memcpy(array, &made, sizeof made);
  return made != NULL || engine_fail("out of memory for an answer of %zu elements", count);
}

static void write_region(const graze_regions *regions, const graze_region *region, double *numbers) {
  const double first[7] = {region->object_a,           region->object_b,           region->clash,
                           (double)region->first_pair, (double)region->pair_count, (double)region->first_curve,
                           (double)region->curve_count};
  memcpy(numbers, first, sizeof first);
  memcpy(numbers + 7, region->box_min, sizeof region->box_min);
  memcpy(numbers + 10, region->box_max, sizeof region->box_max);
  for (int axis = 0; axis < 3; ++axis) {
    numbers[13 + axis] = 0.5 * region->box_min[axis] + 0.5 * region->box_max[axis];
    numbers[16 + axis] = 0.0;
  }
  numbers[19] = region->depth;
  if (region->point_count == 0) return;
  const graze_region_point *const point = &regions->points[region->first_point];
  memcpy(numbers + 13, point->position, sizeof point->position);
  memcpy(numbers + 16, point->normal, sizeof point->normal);
}

static bool flatten_regions(engine_answer *answer) {
  const graze_regions *regions = &answer->regions;
  if (!make_array(&answer->region_numbers, ENGINE_REGION_NUMBERS * regions->count, sizeof(double)) ||
      !make_array(&answer->region_ids, regions->count, sizeof(uint64_t)))
    return false;
  for (size_t i = 0; i < regions->count; ++i) {
    const graze_region *const region = &regions->regions[i];
    write_region(regions, region, answer->region_numbers + ENGINE_REGION_NUMBERS * i);
    answer->region_ids[i] = region->id;
  }
  return true;
}

static void find_curve_origin(const graze_regions *regions, double origin_out[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    double least = regions->vertex_count > 0 ? regions->vertices[0].position[axis] : 0.0, greatest = least;
    for (size_t i = 0; i < regions->vertex_count; ++i) {
      const double value = regions->vertices[i].position[axis];
      least = value < least ? value : least;
      greatest = value > greatest ? value : greatest;
    }
    origin_out[axis] = 0.5 * least + 0.5 * greatest;
  }
}

/* The vertices of consecutive curves are contiguous. */
static bool flatten_curves(engine_answer *answer) {
  const graze_regions *regions = &answer->regions;
  const size_t count = regions->curve_count;
  if (!make_array(&answer->curve_points, 3 * regions->vertex_count, sizeof(float)) ||
      !make_array(&answer->curve_starts, count + 1, sizeof(uint32_t)) ||
      !make_array(&answer->curve_regions, count, sizeof(uint32_t)) ||
      !make_array(&answer->curve_closed, count, sizeof(uint8_t)))
    return false;
  find_curve_origin(regions, answer->curve_origin);
  size_t points = 0;
  for (size_t i = 0; i < count; ++i) {
    const graze_curve *const curve = &regions->curves[i];
    answer->curve_starts[i] = (uint32_t)points;
    answer->curve_regions[i] = (uint32_t)curve->region;
    answer->curve_closed[i] = (uint8_t)curve->closed;
    for (size_t j = 0; j < curve->vertex_count; ++j, ++points)
      for (int axis = 0; axis < 3; ++axis)
        answer->curve_points[3 * points + axis] =
            (float)(regions->vertices[curve->first_vertex + j].position[axis] - answer->curve_origin[axis]);
  }
  answer->curve_starts[count] = (uint32_t)points;
  return true;
}

static bool make_regions(const engine_objects *all, const engine_question *question, engine_answer *answer) {
  if (answer->query.clearance > 0.0 || answer->pairs.limit_reached != 0) return true;
  graze_region_options how = graze_region_options_default();
  how.test = answer->query.test;
  how.object_depths = (question->parts & ENGINE_DEPTHS) != 0;
  how.depths = how.object_depths || answer->pairs.count <= question->depth_limit;
  how.curves = (question->parts & ENGINE_CURVES) != 0;
  const char **const names = malloc((all->count + 1) * sizeof *names);
  if (names == NULL) return engine_fail("out of memory for the names of %zu objects", all->count);
  for (size_t i = 0; i < all->count; ++i) names[i] = all->objects[i].label;
  how.object_names = names;
  how.object_name_count = all->count;
  const bool made = engine_refused(
      graze_scene_make_regions(all->scene, answer->pairs.pairs, answer->pairs.count, &how, &answer->regions));
  free(names);
  return made && flatten_regions(answer) && flatten_curves(answer);
}

static bool make_contacts(const engine_objects *all, engine_answer *answer) {
  graze_contact_options how = graze_contact_options_default();
  how.test = answer->query.test;
  if (answer->query.clearance > 0.0) return true;
  if (!engine_refused(
          graze_scene_make_contacts(all->scene, answer->pairs.pairs, answer->pairs.count, &how, &answer->contacts)) ||
      !make_array(&answer->contact_numbers, ENGINE_CONTACT_NUMBERS * answer->contacts.count, sizeof(double)))
    return false;
  for (size_t i = 0; i < answer->contacts.count; ++i) {
    const graze_contact *const contact = &answer->contacts.contacts[i];
    double *const numbers = answer->contact_numbers + ENGINE_CONTACT_NUMBERS * i;
    memcpy(numbers, contact->centroid, sizeof contact->centroid);
    memcpy(numbers + 3, contact->normal, sizeof contact->normal);
    numbers[6] = contact->depth;
  }
  return true;
}

static bool make_volumes(const engine_objects *all, engine_answer *answer) {
  graze_contact_options how = graze_contact_options_default();
  how.test = answer->query.test;
  if (answer->query.clearance > 0.0) return true;
  return engine_refused(
      graze_scene_make_wrenches(all->scene, answer->pairs.pairs, answer->pairs.count, &how, &answer->wrenches));
}

static bool make_parts(const engine_objects *all, const engine_question *question, engine_answer *answer) {
  const unsigned parts = question->parts;
  return ((parts & ENGINE_REGIONS) == 0 || make_regions(all, question, answer)) &&
         ((parts & ENGINE_CONTACTS) == 0 || make_contacts(all, answer)) &&
         ((parts & ENGINE_VOLUMES) == 0 || make_volumes(all, answer)) &&
         ((parts & ENGINE_CONTAINMENTS) == 0 ||
          engine_refused(graze_scene_find_containments(all->scene, NULL, &answer->containments)));
}

bool engine_ask(const engine_objects *all, const engine_question *question, engine_answer *answer) {
  empty_answer(answer);
  answer->query = question->query;
  if (!question->own_scope) answer->query.scope = usual_scope(all);
  if (!question->own_neighbors) answer->query.neighbors = usual_neighbors(all, answer->query.scope);
  const double start = clock_milliseconds();
  if (!engine_refused(graze_scene_update(all->scene))) return false;
  if (!engine_refused(graze_scene_find_pairs(all->scene, &answer->query, &answer->pairs))) return false;
  answer->milliseconds = clock_milliseconds() - start;
  return make_parts(all, question, answer);
}
