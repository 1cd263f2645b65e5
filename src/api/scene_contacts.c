/* The public call for contacts, which the scene's backend measures. */
#include "api/scene_contacts.h"

#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "graze/inside/parts.h"
#include "graze/names.h"
#include "narrow/pair_measure.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

graze_result scene_read_contact_options(const graze_scene *scene, const graze_contact_options *given_or_null,
                                        graze_contact_options *options_out) {
  const graze_result result = definition_read(&contact_options_definition, given_or_null, true, options_out);
  if (result != GRAZE_OK) return result;
  return scene_check_test(scene, options_out->test);
}

graze_result scene_query_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer) {
  if (request->count > 0 && request->pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", request->count);
  graze_result result = scene_check_test(scene, request->test);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK)
    result = scene_check_kinds(scene, request->wrenches_only ? SUPPORTS_VOLUMES : SUPPORTS_CONTACTS);
  if (result != GRAZE_OK) return result;
  scene_lock_device(scene);
  result = scene->backend->contacts(scene, request, answer);
  scene_unlock_device(scene);
  return result;
}

graze_result graze_scene_make_contacts(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                       const graze_contact_options *given, graze_contacts *contacts) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &contacts_definition, contacts, &list);
  if (result != GRAZE_OK) return result;
  graze_contacts fields = {.memory = list};
  graze_contact_options options;
  contact_answer answer = {0};
  result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK)
    result = scene_query_contacts(
        scene, &(contact_request){.pairs = pairs, .count = count, .test = options.test, .list = list}, &answer);
  if (result == GRAZE_OK) {
    list->timings = (graze_timings){
        .struct_bytes = sizeof(graze_timings), .update_ms = scene->update_ms, .contacts_ms = answer.milliseconds};
    fields = (graze_contacts){.contacts = answer.contacts,
                              .count = count,
                              .points = (const double(*)[3])answer.points,
                              .point_count = answer.point_count,
                              .timings = &list->timings,
                              .memory = list};
  }
  answer_list_write(&contacts_definition, contacts, &fields);
  return result;
}

/* Lists the pairs first, in the unused block of the contacts' list, so that similar frames allocate nothing. */
static graze_result find_and_measure(const graze_scene *scene, const graze_query *query,
                                     const graze_contact_options *options, graze_contacts *contacts) {
  graze_pairs pairs = {.memory = contacts->memory};
  graze_result result = graze_scene_find_pairs(scene, query, &pairs);
  if (result != GRAZE_OK) return result;
  graze_timings timings = pairs.memory->timings;
  result = graze_scene_make_contacts(scene, pairs.pairs, pairs.count, options, contacts);
  timings.contacts_ms = pairs.memory->timings.contacts_ms;
  pairs.memory->timings = timings;
  return result;
}

graze_result scene_check_measured(const graze_scene *scene, const char *what, const graze_query *query,
                                  graze_test measured) {
  if (query->clearance > 0.0)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "%s need pairs that intersect: the query has a clearance of %g", what,
                      query->clearance);
  if (measured != GRAZE_TEST_SAT && measured != query->test)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "the test of the options is %s, but the query measures its pairs with %s",
                      graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)measured),
                      graze_enumeration_name(GRAZE_ENUMERATION_TEST, (int)query->test));
  return GRAZE_OK;
}

graze_result graze_scene_find_contacts(const graze_scene *scene, const graze_query *given_query,
                                       const graze_contact_options *given, graze_contacts *contacts) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_query query;
  graze_contact_options options;
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &contacts_definition, contacts, &list);
  if (result != GRAZE_OK) return result;
  const graze_contacts fields = {.memory = list};
  answer_list_write(&contacts_definition, contacts, &fields);
  result = scene_read_contact_options(scene, given, &options);
  if (result == GRAZE_OK) result = scene_read_query(scene, given_query, &query);
  if (result == GRAZE_OK && query.candidates_only)
    result =
        scene_fail(scene, GRAZE_UNSUPPORTED, "contacts need pairs that intersect: candidates_only does not test them");
  if (result == GRAZE_OK) result = scene_check_measured(scene, "contacts", &query, options.test);
  options.test = result == GRAZE_OK ? query.test : options.test;
  if (result == GRAZE_OK) result = find_and_measure(scene, &query, &options, contacts);
  return result;
}
