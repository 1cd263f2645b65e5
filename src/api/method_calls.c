/* The public calls that set and report a scene's method. */
#include "api/method_calls.h"

#include "api/definitions.h"
#include "api/method_options.h"
#include "base/float_environment.h"
#include "base/simd_choice.h"
#include "methods/method_table.h"
#include "scene/scene_failure.h"

#include <stdio.h>
#include <string.h>

static graze_result fail_method(const graze_scene *scene, const char *name) {
  char known[256] = "auto";
  for (size_t i = 0; method_at(i) != NULL; i++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, ", %s", method_at(i)->name);
  }
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no method \"%.64s\"; the methods are %s", name, known);
}

/* Prepares the method before queries, which may run on several threads. On failure the previous method remains. */
static graze_result change_method(graze_scene *scene, const method *chosen, const graze_method_def *def) {
  const method *old_method = scene->method;
  const graze_method_def old_def = scene->method_def;
  const graze_simd old_simd = scene->simd;
  scene->method = chosen;
  scene->method_def = *def;
  scene->simd = def->simd == GRAZE_SIMD_AUTO ? simd_widest() : def->simd;
  const graze_result result = scene->backend->change_method(scene);
  if (result == GRAZE_OK) return GRAZE_OK;
  scene->method = old_method;
  scene->method_def = old_def;
  scene->simd = old_simd;
  return result;
}

graze_result graze_scene_set_method(graze_scene *scene, const graze_method_def *given) {
  GUARD_FLOAT_ENVIRONMENT(); /* an updated scene prepares the method at once */
  if (scene == NULL) return scene_fail_null("scene");
  graze_method_def def;
  graze_result result = definition_read(&method_definition, given, false, &def);
  if (result != GRAZE_OK) return result;
  const bool automatic = def.name == NULL || strcmp(def.name, "auto") == 0;
  const method *chosen = automatic ? NULL : method_named(def.name);
  if (!automatic && chosen == NULL) return fail_method(scene, def.name);
  def.name = NULL;
  result = method_options_check(scene, scene->backend, chosen, &def);
  return result == GRAZE_OK ? change_method(scene, chosen, &def) : result;
}

graze_result scene_set_method_row(graze_scene *scene, const method *row, const graze_method_def *given) {
  graze_method_def def;
  graze_result result = definition_read(&method_definition, given, false, &def);
  if (result == GRAZE_OK) result = method_backend_check(scene, scene->backend, row);
  if (result != GRAZE_OK) return result;
  def.name = NULL;
  return change_method(scene, row, &def);
}

const char *graze_scene_method(const graze_scene *scene, const char **reason_out) {
  const char *reason = "there is no scene", *name = NULL;
  if (scene != NULL && !scene_is_updated(scene)) {
    reason = "the scene is not updated";
    name = scene->method != NULL ? scene->method->name : "auto";
  } else if (scene != NULL) {
    name = scene->backend->searched_by(scene, &reason)->name;
  }
  if (reason_out != NULL) *reason_out = reason;
  return name;
}
