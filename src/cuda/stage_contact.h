/* Contacts of pairs, one thread per pair: the measures of narrow/pair_measure_inline.h, in stages by their stack size;
 * each stage skips the pairs of the others. Triangles and tetrahedra are measured with the double filter; pairs that it
 * leaves undecided are listed for stages with all exact tiers. A contact writes its number of points, and up to
 * MEASURE_POINTS of them to its slot; a prefix sum of the numbers gives the first point of each contact, and the points
 * are compacted. Pairs with more points than a slot holds, as of polygons and polyhedra, are measured again, directly
 * into place.
 *
 * Workload: the pairs of one query, sorted by object, so that the threads of a warp rarely diverge. */
#ifndef GRAZE_CUDA_STAGE_CONTACT_H
#define GRAZE_CUDA_STAGE_CONTACT_H

#include "cuda/contact_view.h"
#include "cuda/device_atomic.h"
#include "cuda/stage_order.h"
#include "narrow/pair_measure_inline.h"

/* ---------------------------------------------------------------------------------------------- wrenches
 *
 * Summed for each pair of objects: the highest exponents first, as pairs are measured, then sums that do not
 * depend on the order (geometry/wrench_sum.h).
 *
 * Workload: about 10^4 to 10^6 pairs, 92 bytes each; with two objects, as in haptics, all of them to one place. */

GEOMETRY_FUNCTION void raise_highest(const contact_view *v, uint32_t place, const wrench_sum *seen) {
  for (int i = 0; i < WRENCH_QUANTITIES; i++)
    device_raise_of(place, &v->wrenches.sums[place].highest[i], seen->highest[i]);
}

/* Records the contribution of a contact to the sums of its objects. */
GEOMETRY_FUNCTION void record_wrench(const contact_view *v, uint32_t index, const graze_contact *contact) {
  if (contact->kind != GRAZE_CONTACT_KIND_VOLUME) return;
  const uint32_t place = contact->pair.object_a * v->scene.object_count + contact->pair.object_b;
  const wrench_terms terms = wrench_terms_of(contact, v->wrenches.rule);
  wrench_sum seen;
  for (int i = 0; i < WRENCH_QUANTITIES; i++) seen.highest[i] = 0;
  note_highest(&seen, &terms);
  raise_highest(v, place, &seen);
  v->wrenches.places[index] = place;
  v->wrenches.terms[index] = terms;
}

GEOMETRY_FUNCTION void add_wrench(const contact_view *v, uint32_t index, uint32_t place, wrench_sum *sum) {
  for (int i = 0; i < WRENCH_QUANTITIES; i++) sum->highest[i] = v->wrenches.sums[place].highest[i];
  add_terms(sum, &v->wrenches.terms[index]);
}

GEOMETRY_FUNCTION void join_wrench(const contact_view *v, uint32_t place, const wrench_sum *sum) {
  device_wrench *wrench = &v->wrenches.sums[place];
  for (int term = 0; term < WRENCH_TERMS; term++)
    for (int limb = 0; limb < SUM_LIMBS; limb++)
      device_add_alike(&wrench->limbs[term][limb], (uint64_t)sum->sums[term].limb[limb]);
  device_add_alike(&wrench->count, sum->count);
}

/* On a device the threads of a block first combine their sums: cuda_wrenches.cu. */
GEOMETRY_FUNCTION void stage_wrench_add(uint32_t index, const contact_view *v) {
  const uint32_t place = v->wrenches.places[index];
  if (place == WRENCH_NONE) return;
  wrench_sum sum;
  memset(&sum, 0, sizeof sum);
  add_wrench(v, index, place, &sum);
  join_wrench(v, place, &sum);
}

/* ---------------------------------------------------------------------------------------------- contacts */

GEOMETRY_FUNCTION measured_scene measured_view(const contact_view *v) {
  measured_scene scene;
  scene.sources = v->scene.sources;
  scene.headers = v->scene.headers;
  scene.object_count = 0;
  scene.test = v->test;
  scene.heap = NULL;
  scene.keeps_unit = v->wrenches_only != 0;
  return scene;
}

GEOMETRY_FUNCTION bool object_has_number(const device_object *o, uint32_t object, uint32_t primitive) {
  return o->public_object == object && primitive >= o->public_primitive &&
         primitive - o->public_primitive < o->primitive_count;
}

/* The slot of the object with the primitive of these numbers, if there is one. If pairs have the scene's own
 * numbers, it is the number itself; otherwise it is found by binary search. */
GEOMETRY_FUNCTION uint32_t slot_of_numbers(const scene_arrays *v, uint32_t object, uint32_t primitive) {
  if (object < v->object_count && object_has_number(&v->objects[object], object, primitive)) return object;
  uint32_t first = 0,
           end = v->object_count; /* the last object that begins at or before the primitive is before `first` */
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    const device_object *o = &v->objects[v->objects[middle].by_number];
    if (o->public_object < object || (o->public_object == object && o->public_primitive <= primitive))
      first = middle + 1;
    else
      end = middle;
  }
  return first > 0 ? v->objects[first - 1].by_number : 0;
}

GEOMETRY_FUNCTION bool ranked_primitive_number(const scene_arrays *v, uint32_t object, uint32_t primitive,
                                               uint32_t *number_out) {
  const uint64_t key = (uint64_t)object << 32 | primitive;
  uint32_t first = 0, end = v->primitive_count;
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (v->rank_keys[middle] < key)
      first = middle + 1;
    else
      end = middle;
  }
  if (first == v->primitive_count || v->rank_keys[first] != key) return false;
  *number_out = v->rank_primitives[first];
  return true;
}

GEOMETRY_FUNCTION bool consecutive_primitive_number(const scene_arrays *v, uint32_t object, uint32_t primitive,
                                                    uint32_t *number_out) {
  if (v->object_count == 0) return false;
  const uint32_t slot = slot_of_numbers(v, object, primitive);
  if (!object_has_number(&v->objects[slot], object, primitive)) return false;
  *number_out = v->sources[slot].first_primitive + (primitive - v->objects[slot].public_primitive);
  return true;
}

/* The scene's number of a primitive, given its numbers in a pair; false if there is none, or it is removed. */
GEOMETRY_FUNCTION bool device_primitive_number(const scene_arrays *v, uint32_t object, uint32_t primitive,
                                               uint32_t *number_out) {
  const bool found = v->rank_keys != NULL ? ranked_primitive_number(v, object, primitive, number_out)
                                          : consecutive_primitive_number(v, object, primitive, number_out);
  return found && (v->removed == NULL || v->removed[*number_out] == 0);
}

GEOMETRY_FUNCTION bool device_pair_numbers(const scene_arrays *v, const graze_pair *pair, index_pair *numbers_out) {
  return device_primitive_number(v, pair->object_a, pair->primitive_a, &numbers_out->a) &&
         device_primitive_number(v, pair->object_b, pair->primitive_b, &numbers_out->b);
}

/* The lowest refused pair is kept, regardless of the order. */
GEOMETRY_FUNCTION void refuse_pair(const contact_view *v, uint32_t index) {
  device_raise(&v->totals->refused, ~(uint64_t)index);
}

/* The halves of a count are summed separately: the sum of a warp might not fit into 32 bits otherwise. */
GEOMETRY_FUNCTION void count_points(const contact_view *v, uint32_t index, uint32_t count) {
  device_contact_totals *totals = v->totals;
  const uint32_t slot = (index >> 5) % TALLY_SLOTS;
  if (v->first == NULL) return;
  v->first[index] = count;
  device_tally(&totals->points_low[slot], count & 0xffffu);
  device_tally(&totals->points_high[slot], count >> 16);
  device_tally(&totals->overfull[slot], count > MEASURE_POINTS ? 1u : 0u);
}

/* Whether the shared volume of the two adds a wrench. */
GEOMETRY_FUNCTION bool pair_adds_wrench(const contact_view *v, const graze_pair *pair, index_pair numbers) {
  return pair->object_a != pair->object_b &&
         kinds_share_volume(v->scene.sources[v->scene.headers[numbers.a].object].kind,
                            v->scene.sources[v->scene.headers[numbers.b].object].kind);
}

/* The pair with this number, found by the query or given by the caller; false if it is invalid. */
GEOMETRY_FUNCTION bool fetch_pair(const contact_view *v, uint32_t index, index_pair *numbers_out,
                                  graze_pair *pair_out) {
  if (v->wrenches.terms != NULL) {
    *numbers_out = pair_of_key(v->wrenches.key_bits, v->wrenches.keys[index]);
    *pair_out = pair_by_objects(&v->scene, *numbers_out);
    return true;
  }
  *pair_out = v->pairs[index];
  return device_pair_numbers(&v->scene, pair_out, numbers_out);
}

/* Whether a stage of this variant measures a valid pair. */
GEOMETRY_FUNCTION bool measures_pair(const contact_view *v, measure_variant variant, const graze_pair *pair,
                                     index_pair numbers) {
  if (v->wrenches_only != 0 && !pair_adds_wrench(v, pair, numbers)) return false;
  const measured_scene scene = measured_view(v);
  return measure_variant_of(&scene, numbers) == variant;
}

/* Whether a stage of this variant measures the pair; an invalid pair is refused. */
GEOMETRY_FUNCTION bool begin_contact(const contact_view *v, uint32_t index, measure_variant variant,
                                     index_pair *numbers_out, graze_contact *contact_out) {
  memset(contact_out, 0, sizeof *contact_out);
  if (fetch_pair(v, index, numbers_out, &contact_out->pair))
    return measures_pair(v, variant, &contact_out->pair, *numbers_out);
  refuse_pair(v, index);
  return false;
}

/* Counts the result, or refuses the pair; true if the contact must be written. */
GEOMETRY_FUNCTION bool conclude_contact(const contact_view *v, uint32_t index, bool meets,
                                        const graze_contact *contact) {
  if (v->wrenches.terms != NULL) {
    if (meets) record_wrench(v, index, contact);
    return false;
  }
  if (meets)
    count_points(v, index, contact->point_count);
  else if (v->wrenches_only == 0)
    refuse_pair(v, index);
  return meets;
}

GEOMETRY_FUNCTION void end_contact(const contact_view *v, uint32_t index, bool meets, const graze_contact *contact) {
  if (conclude_contact(v, index, meets, contact)) v->contacts[index] = *contact;
}

GEOMETRY_FUNCTION point_writer slot_writer(const contact_view *v, uint32_t index) {
  return point_writer_make(v->slots + MEASURE_POINTS * (size_t)index, MEASURE_POINTS);
}

/* Lists pairs that the filter has not decided for the stage with all exact tiers. */
GEOMETRY_FUNCTION bool conclude_filtered(const contact_view *v, uint32_t index, int answer,
                                         const graze_contact *contact) {
  const bool open = answer == SIGN_UNDECIDED;
  const uint64_t place = device_append_long(&v->totals->open, open);
  if (open) v->open[place] = index;
  return !open && conclude_contact(v, index, answer == 1, contact);
}

/* True if the contact must be written: by the stage, or by the threads of a warp together. */
GEOMETRY_FUNCTION bool filtered_contact_triangles(uint32_t index, const contact_view *v, graze_contact *contact_out) {
  const measured_scene scene = measured_view(v);
  index_pair numbers;
  if (!begin_contact(v, index, MEASURE_TRIANGLES, &numbers, contact_out)) return false;
  point_writer writer = slot_writer(v, index);
  const int answer = measure_triangles_filtered(&scene, numbers, contact_out, &writer);
  return conclude_filtered(v, index, answer, contact_out);
}

/* ---------------------------------------------------------------------------------------------- volumes */

/* The shared volume of two tetrahedra, in progress. */
typedef struct volume_run {
  overlap_measure measure;
  uint32_t index; /* of the pair */
} volume_run;

/* Starts a pair, whether it meets or not; false if it is not for this stage. If the filter cannot decide the signs
 * of the tetrahedra's volumes, there is no shared volume to compute. */
GEOMETRY_FUNCTION bool begin_volume(const contact_view *v, uint32_t index, const overlap_scratch *scratch,
                                    volume_run *run_out, bool *more_out) {
  const measured_scene scene = measured_view(v);
  index_pair numbers;
  graze_pair pair;
  double p[12], q[12];
  overlap_frame frame;
  int smaller_sign, larger_sign;
  run_out->index = index;
  *more_out = false;
  if (!fetch_pair(v, index, &numbers, &pair) || !measures_pair(v, MEASURE_TETRAHEDRA, &pair, numbers)) return false;
  fetch_tetrahedron(&scene, numbers.a, p);
  fetch_tetrahedron(&scene, numbers.b, q);
  const bool known = overlap_frame_filtered(p, q, &frame, &smaller_sign, &larger_sign);
  *more_out =
      overlap_measure_begin(&frame, known ? smaller_sign : 0, known ? larger_sign : 0, scratch, &run_out->measure);
  return true;
}

/* The memory for the volume of a pair and its centroid until the next stage overwrites it: in the contact, or in the
 * wrench. */
typedef struct volume_place {
  double *volume, *centroid;
  int32_t *unit;
} volume_place;

GEOMETRY_FUNCTION volume_place place_of_volume(const contact_view *v, uint32_t index) {
  volume_place place;
  wrench_terms *terms = v->wrenches.terms != NULL ? &v->wrenches.terms[index] : NULL;
  graze_contact *contact = terms == NULL ? &v->contacts[index] : NULL;
  place.volume = terms != NULL ? &terms->value[0] : &contact->volume;
  place.centroid = terms != NULL ? &terms->value[1] : contact->centroid;
  place.unit = terms != NULL ? &terms->unit : (int32_t *)&contact->first_point;
  return place;
}

/* Writes the volume after the last step. */
GEOMETRY_FUNCTION void end_volume(const contact_view *v, const volume_run *run) {
  const volume_place place = place_of_volume(v, run->index);
  shared_volume shared = {0.0, {0.0, 0.0, 0.0}, 0};
  (void)overlap_measure_end(&run->measure, &shared);
  *place.volume = shared.volume;
  *place.unit = shared.unit;
  for (int axis = 0; axis < 3; axis++) place.centroid[axis] = shared.centroid[axis];
}

GEOMETRY_FUNCTION shared_volume volume_of_pair(const contact_view *v, uint32_t index) {
  const volume_place place = place_of_volume(v, index);
  shared_volume shared;
  shared.volume = *place.volume;
  shared.unit = *place.unit;
  for (int axis = 0; axis < 3; axis++) shared.centroid[axis] = place.centroid[axis];
  return shared;
}

/* A device distributes the steps among threads: cuda_measures.cu. */
GEOMETRY_FUNCTION void stage_contact_volumes(uint32_t index, const contact_view *v) {
  double space[OVERLAP_SCRATCH];
  const overlap_scratch scratch = {space, 1};
  volume_run run;
  bool more;
  if (!begin_volume(v, index, &scratch, &run, &more)) return;
  while (more) more = overlap_cut_step(&run.measure.cut, &scratch);
  end_volume(v, &run);
}

/* ---------------------------------------------------------------------------------------------- tetrahedra */

/* Doubles to measure a pair of tetrahedra, in shared memory on a device: the hull, which overwrites the first
 * tetrahedron, and the second tetrahedron. */
enum { TETRAHEDRA_ROOM = HULL_ROOM + 12 };

/* Called once the volume is known. */
GEOMETRY_FUNCTION bool filtered_contact_tetrahedra(uint32_t index, const contact_view *v,
                                                   double scratch[TETRAHEDRA_ROOM], graze_contact *contact_out) {
  const measured_scene scene = measured_view(v);
  index_pair numbers;
  if (!begin_contact(v, index, MEASURE_TETRAHEDRA, &numbers, contact_out)) return false;
  double *p = scratch, *q = scratch + HULL_ROOM;
  fetch_tetrahedron(&scene, numbers.a, p);
  fetch_tetrahedron(&scene, numbers.b, q);
  int answer = tetrahedron_pair_filtered(p, q);
  if (answer == 1) {
    const shared_volume shared = volume_of_pair(v, index);
    answer = measure_tetrahedra_sharing(&scene, p, q, &shared, scratch, contact_out);
  }
  return conclude_filtered(v, index, answer, contact_out);
}

GEOMETRY_FUNCTION void stage_contact_triangles(uint32_t index, const contact_view *v) {
  graze_contact contact;
  if (filtered_contact_triangles(index, v, &contact)) v->contacts[index] = contact;
}

GEOMETRY_FUNCTION void stage_contact_tetrahedra(uint32_t index, const contact_view *v) {
  double scratch[TETRAHEDRA_ROOM];
  graze_contact contact;
  if (filtered_contact_tetrahedra(index, v, scratch, &contact)) v->contacts[index] = contact;
}

GEOMETRY_FUNCTION void stage_contact_open_triangles(uint32_t number, const contact_view *v) {
  const measured_scene scene = measured_view(v);
  const uint32_t index = v->open[number];
  index_pair numbers;
  graze_contact contact;
  if (!begin_contact(v, index, MEASURE_TRIANGLES, &numbers, &contact)) return;
  point_writer writer = slot_writer(v, index);
  const bool meets = measure_triangles_exactly(&scene, numbers, &contact, &writer);
  end_contact(v, index, meets, &contact);
}

GEOMETRY_FUNCTION void stage_contact_open_tetrahedra(uint32_t number, const contact_view *v) {
  const measured_scene scene = measured_view(v);
  const uint32_t index = v->open[number];
  index_pair numbers;
  graze_contact contact;
  if (!begin_contact(v, index, MEASURE_TETRAHEDRA, &numbers, &contact)) return;
  const bool meets = measure_tetrahedra_exactly(&scene, numbers, &contact);
  end_contact(v, index, meets, &contact);
}

GEOMETRY_FUNCTION void stage_contact_spheres(uint32_t index, const contact_view *v) {
  const measured_scene scene = measured_view(v);
  index_pair numbers;
  graze_contact contact;
  if (!begin_contact(v, index, MEASURE_SPHERES, &numbers, &contact)) return;
  const bool meets = measure_spheres(&scene, numbers, &contact);
  end_contact(v, index, meets, &contact);
}

/* Runs once for points that go to slots, and again, for contacts with too many, once the places of all points are
 * known. */
GEOMETRY_FUNCTION void stage_contact_others(uint32_t index, const contact_view *v) {
  const measured_scene scene = measured_view(v);
  const bool again = v->points != NULL;
  if (again && v->contacts[index].point_count <= MEASURE_POINTS) return;
  index_pair numbers;
  graze_contact contact;
  if (!begin_contact(v, index, MEASURE_OTHERS, &numbers, &contact)) return;
  point_writer writer = slot_writer(v, index);
  if (again) writer = point_writer_make(v->points + v->first[index], v->contacts[index].point_count);
  const bool meets = measure_others(&scene, numbers, &contact, &writer);
  if (!again) end_contact(v, index, meets, &contact);
}

/* Sets the first point of each contact and moves points from its slot there, if there is space; otherwise the stage
 * runs again. The number of points is that of the prefix sum, because a refused pair has no contact. */
GEOMETRY_FUNCTION void stage_contact_join(uint32_t index, const contact_view *v) {
  const uint32_t first = v->first[index], count = v->first[index + 1] - first;
  v->contacts[index].first_point = v->points_before + first;
  if (count > MEASURE_POINTS || (uint64_t)first + count > v->point_capacity) return;
  const double(*slot)[3] = (const double(*)[3])(v->slots + MEASURE_POINTS * (size_t)index);
  for (uint32_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) v->points[first + i][axis] = slot[i][axis];
}

#endif
