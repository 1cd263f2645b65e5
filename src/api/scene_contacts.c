/* The public call for contacts, which the scene's backend measures. */
#include "api/scene_contacts.h"

#include "api/answer_fields.h"
#include "api/definitions.h"
#include "api/query_reading.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "scene/scene_failure.h"

graze_result scene_read_contact_options(const graze_scene *scene, const graze_contact_options *given_or_null,
                                        graze_contact_options *options_out) {
  const graze_result result = definition_read(&contact_options_definition, given_or_null, true, options_out);
  if (result != GRAZE_OK) return result;
  if (options_out->reserved != 0)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "the reserved field of the contact options is not 0");
  return scene_check_test(scene, options_out->test);
}

graze_result scene_query_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer) {
  if (request->count > 0 && request->pairs == NULL)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", request->count);
  graze_result result = scene_check_test(scene, request->test);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result != GRAZE_OK) return result;
  scene_lock_device(scene);
  result = scene->backend->contacts(scene, request, answer);
  scene_unlock_device(scene);
  return result;
}

graze_result graze_scene_make_contacts(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                       const graze_contact_options *given, graze_contacts *contacts) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (contacts == NULL) return scene_fail_null("list of contacts");
  graze_list_memory *list = contacts->memory;
  graze_result result = scene_open_list(scene, &contacts_definition, contacts, &list);
  if (result != GRAZE_OK) return result;
  graze_contacts fields = {.element_bytes = sizeof(graze_contact), .memory = list};
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
                              .element_bytes = sizeof(graze_contact),
                              .points = (const double(*)[3])answer.points,
                              .point_count = answer.point_count,
                              .timings = &list->timings,
                              .memory = list};
  }
  answer_list_write(&contacts_definition, contacts, &fields);
  return result;
}
