/* What methods support; see method_options.h. A new option is a bit in broad/method.h, in the rows of the methods
 * that have it, and a row here.
 *
 * Workload: once per change of method or backend; a few options and methods. */
#include "api/method_options.h"

#include "api/enumeration_table.h"
#include "base/simd_choice.h"
#include "broad/clusters_learning.h"
#include "broad/clusters_metric.h"
#include "methods/method_table.h"
#include "scene/scene_failure.h"

#include <stdio.h>
#include <string.h>

typedef struct method_option {
  uint32_t bit;
  const char *name, *words; /* name of the field, and its description */
  size_t offset;            /* of the field; 32 bits except the fuzziness */
  bool is_named;            /* otherwise a number */
  graze_enumeration values; /* if is_named */
} method_option;

#define NAMED(upper, field, words, values)                                                                             \
  { METHOD_OPTION_##upper, #field, words, offsetof(graze_method_def, field), true, GRAZE_ENUMERATION_##values }
#define NUMBER(upper, field, words)                                                                                    \
  { METHOD_OPTION_##upper, #field, words, offsetof(graze_method_def, field), false, (graze_enumeration)0 }

static const method_option options[] = {
    NAMED(TREE_BUILDER, tree_builder, "builder of trees", TREE_BUILDER),
    NAMED(TREE_UPDATE, tree_update, "update of trees", TREE_UPDATE),
    NUMBER(CLUSTERS, clusters, "number of clusters"),
    NAMED(AXIS, axis, "axis", AXIS),
    NAMED(METRIC, metric, "metric", METRIC),
    NUMBER(FUZZINESS, fuzziness, "fuzziness"),
};
enum { OPTION_COUNT = sizeof options / sizeof options[0], LIST_BYTES = 128 };

static double value_of(const method_option *option, const graze_method_def *def) {
  if (option->bit == METHOD_OPTION_FUZZINESS) return def->fuzziness;
  uint32_t value;
  memcpy(&value, (const char *)def + option->offset, sizeof value);
  return value;
}

/* ---------------------------------------------------------------------------------------------- values */

static graze_result check_names(const graze_scene *scene, const graze_method_def *def) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const method_option *option = &options[i];
    name_row row;
    if (!option->is_named || enumeration_row(option->values, (uint32_t)value_of(option, def), &row)) continue;
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown %s number %d", option->words,
                      (int)(uint32_t)value_of(option, def));
  }
  return GRAZE_OK;
}

static graze_result check_numbers(const graze_scene *scene, const graze_method_def *def) {
  if (def->clusters > CLUSTERS_MOST)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "at most %u clusters are allowed, not %u", CLUSTERS_MOST,
                      def->clusters);
  if (!(def->fuzziness > 1.0 && def->fuzziness <= FUZZINESS_MOST))
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the fuzziness must be above 1 and at most %g, not %g",
                      FUZZINESS_MOST, def->fuzziness);
  return GRAZE_OK;
}

static graze_result check_simd(const graze_scene *scene, const graze_method_def *def) {
  if ((unsigned)def->simd > GRAZE_SIMD_256)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "unknown vector width number %d", (int)def->simd);
  if (!simd_available(def->simd))
    return scene_fail(scene, GRAZE_UNSUPPORTED, "this processor or build has no vectors of %d bits",
                      def->simd == GRAZE_SIMD_256 ? 256 : 128);
  return GRAZE_OK;
}

static void append_name(const char *name, char *list) {
  const size_t used = strlen(list);
  snprintf(list + used, LIST_BYTES - used, "%s%s", used > 0 ? ", " : "", name);
}

/* ---------------------------------------------------------------------------------------------- backends of methods */

static bool runs_on(const method *row, const backend *where) {
  return where->on_device ? row->cuda != NULL : row->cpu != NULL;
}

graze_result method_backend_check(const graze_scene *scene, const backend *where, const method *chosen) {
  if (chosen == NULL || runs_on(chosen, where)) return GRAZE_OK;
  char methods[LIST_BYTES] = "auto";
  for (size_t i = 0; method_at(i) != NULL; i++)
    if (runs_on(method_at(i), where)) append_name(method_at(i)->name, methods);
  return scene_fail(scene, GRAZE_UNSUPPORTED, "the method \"%s\" does not run on the backend %s; methods that do: %s",
                    chosen->name, where->name, methods);
}

/* ---------------------------------------------------------------------------------------------- options of methods */

static uint32_t options_of_auto(bool on_device) {
  uint32_t bits = 0;
  for (size_t i = 0; method_at(i) != NULL; i++) {
    const method *row = method_at(i);
    if (on_device && method_has_traits(row, METHOD_AUTO_ON_DEVICE)) bits |= row->device_options;
    if (!on_device && row->auto_reason != NULL) bits |= row->options;
  }
  return bits;
}

static bool has_option(const method *row_or_auto, uint32_t bit, bool on_device) {
  const uint32_t bits = row_or_auto == NULL ? options_of_auto(on_device)
                        : on_device         ? row_or_auto->device_options
                                            : row_or_auto->options;
  return (bits & bit) != 0;
}

static void list_methods(uint32_t bit, bool on_device, char *list_out) {
  list_out[0] = '\0';
  if (has_option(NULL, bit, on_device)) append_name("auto", list_out);
  for (size_t i = 0; method_at(i) != NULL; i++)
    if (has_option(method_at(i), bit, on_device)) append_name(method_at(i)->name, list_out);
}

static graze_result refuse_option(const graze_scene *scene, const backend *where, const method *chosen,
                                  const method_option *option, const graze_method_def *def) {
  const double value = value_of(option, def);
  char number[32], methods[LIST_BYTES];
  snprintf(number, sizeof number, "%g", value);
  name_row row;
  const char *given = option->is_named && enumeration_row(option->values, (uint32_t)value, &row) ? row.name : number;
  const char *name = chosen != NULL ? chosen->name : "auto";
  if (where->on_device && has_option(chosen, option->bit, false)) {
    list_methods(option->bit, true, methods);
    return scene_fail(
        scene, GRAZE_UNSUPPORTED,
        "the method \"%s\" has no option %s (given: %s) on the backend %s; methods that have it there: %s", name,
        option->name, given, where->name, methods[0] != '\0' ? methods : "none");
  }
  list_methods(option->bit, false, methods);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                    "the method \"%s\" has no option %s (given: %s); methods that have it: %s", name, option->name,
                    given, methods);
}

static graze_result check_owners(const graze_scene *scene, const backend *where, const method *chosen,
                                 const graze_method_def *def) {
  const graze_method_def usual = graze_method_def_default();
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (value_of(&options[i], def) != value_of(&options[i], &usual) &&
        !has_option(chosen, options[i].bit, where->on_device))
      return refuse_option(scene, where, chosen, &options[i], def);
  return GRAZE_OK;
}

graze_result method_options_check(const graze_scene *scene, const backend *where, const method *chosen,
                                  const graze_method_def *def) {
  graze_result result = method_backend_check(scene, where, chosen);
  if (result == GRAZE_OK) result = check_names(scene, def);
  if (result == GRAZE_OK) result = check_numbers(scene, def);
  if (result == GRAZE_OK) result = check_owners(scene, where, chosen, def);
  return result == GRAZE_OK ? check_simd(scene, def) : result;
}
