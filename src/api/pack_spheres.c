/* graze_pack_spheres: reads the definition, packs, certifies the packing and fills the caller's list. */
#include "api/backend_table.h"
#include "api/definitions.h"
#include "api/packing_certificate.h"
#include "base/answer_list.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/timer.h"
#include "geometry/binary_scale.h"
#include "packing/packing_gaps.h"

#include <math.h>
#include <string.h>

/* The least useful radius, as a fraction of the diagonal. */
#define SMALLEST_PART 1e-6

/* The state of one call. */
typedef struct packing_call {
  graze_packing_options options;
  memory heap;
  graze_workers *team;
  graze_scene *scene; /* for the certificate; it also checks the mesh */
  graze_object body;
  closed_mesh mesh;
  packer packed; /* with the stages of a backend, once they are open */
  stop_check stop;
} packing_call;

static graze_result read_options(const graze_packing_options *given, graze_packing_options *options) {
  const graze_result result = definition_read(&packing_options_definition, given, true, options);
  if (result != GRAZE_OK) return result;
  if (options->count == 0) return fail(GRAZE_INVALID_ARGUMENT, "the count of spheres is 0");
  if (options->count > UINT32_MAX) return fail(GRAZE_TOO_LARGE, "too many spheres: %zu", options->count);
  if (!(options->fill_rate > 0.0 && options->fill_rate <= 1.0))
    return fail(GRAZE_INVALID_ARGUMENT, "the fill rate is %g; it must be above 0 and at most 1", options->fill_rate);
  if (!(options->smallest_radius >= 0.0) || !isfinite(options->smallest_radius))
    return fail(GRAZE_INVALID_ARGUMENT, "the smallest radius is %g; it must be 0 or more", options->smallest_radius);
  return GRAZE_OK;
}

static graze_result open_workers(packing_call *call) {
  if (call->options.workers != NULL) {
    workers_retain(call->options.workers);
    call->team = call->options.workers;
    return GRAZE_OK;
  }
  graze_workers_def def = graze_workers_def_default();
  def.allocator = &call->heap.allocator;
  def.kept_bytes = 0; /* memory is only kept by workers that the host creates */
  return graze_workers_create(&def, &call->team);
}

/* Chooses whether the processor or a device computes the prototypes. */
static graze_result open_stages(packing_call *call) {
  const graze_packing_options *options = &call->options;
  graze_backend_def def;
  const backend *row;
  const graze_result result = backend_read(options->backend, &def, &row);
  if (result != GRAZE_OK) return result;
  stop_check_init(&call->stop, options->should_stop, options->stop_context);
  call->packed.stop = options->should_stop != NULL ? &call->stop : NULL;
  const stages_def stages = {&call->heap, call->team, call->packed.stop};
  return row->open_packing(&def, &stages, &call->packed.stages);
}

static void close_stages(packing_call *call) {
  if (call->packed.stages.close != NULL) call->packed.stages.close(call->packed.stages.context);
}

/* The scene checks views, numbers and coordinates, as for every mesh. */
static graze_result open_scene(packing_call *call, const graze_mesh_def *mesh) {
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &call->heap.allocator;
  def.workers = call->team;
  graze_result result = graze_scene_create(&def, &call->scene);
  if (result != GRAZE_OK) return result;
  graze_mesh_def body = graze_mesh_def_default();
  body.positions = mesh->positions;
  body.triangles = mesh->triangles;
  body.name = mesh->name;
  graze_object_def object = graze_object_def_default();
  object.self = false; /* pairs within the mesh are not needed for spheres */
  return graze_scene_add(call->scene, GRAZE_KIND_TRIANGLE, &body, &object, &call->body);
}

static void prepare_packer(packing_call *call) {
  const graze_packing_options *options = &call->options;
  const double scaled = options->smallest_radius * power_of_two(-call->mesh.exponent);
  call->packed.mesh = &call->mesh;
  call->packed.team = call->team;
  call->packed.limits = (packer_limits){.count = options->count,
                                        .fill_rate = options->fill_rate,
                                        .smallest_radius = fmax(scaled, SMALLEST_PART * call->mesh.diagonal),
                                        .seed = options->seed};
  call->packed.progress = options->progress;
  call->packed.progress_context = options->progress_context;
  call->packed.should_finish = options->should_finish;
  call->packed.finish_context = options->finish_context;
}

static graze_sphere *list_spheres(const packer *packed, graze_list_memory *list) {
  graze_sphere *spheres = answer_list_reserve(list, 0, packed->count, sizeof *spheres);
  const double *scaled = packed->spheres.data, back = power_of_two(packed->mesh->exponent);
  for (size_t i = 0; i < packed->count && spheres != NULL; i++) {
    for (int k = 0; k < 3; k++) spheres[i].center[k] = scaled[OBSTACLE_SPHERE_NUMBERS * i + (size_t)k] * back;
    spheres[i].radius = scaled[OBSTACLE_SPHERE_NUMBERS * i + 3] * back;
  }
  return spheres;
}

static graze_result fail_packing(graze_result result, const packing_call *call) {
  const char *error = call->packed.stages.error(call->packed.stages.context);
  if (result != GRAZE_STOPPED && error[0] != '\0') return fail(result, "%s", error);
  if (result == GRAZE_STOPPED)
    return fail(result, "the caller stopped the packing after %zu spheres", call->packed.count);
  if (result == GRAZE_OUT_OF_MEMORY)
    return fail(result, "out of memory while packing %zu triangles after %zu spheres", call->mesh.triangle_count,
                call->packed.count);
  return result;
}

static void write_numbers(const packing_call *call, const packing_gaps *gaps, graze_packing *fields) {
  const double back = power_of_two(call->mesh.exponent);
  fields->count = call->packed.count;
  fields->mesh_volume = call->mesh.volume * back * back * back;
  fields->sphere_volume = call->packed.volume * back * back * back;
  fields->fill_rate = call->packed.volume / call->mesh.volume;
  fields->largest_gap = gaps->largest * back;
  fields->p95_gap = gaps->p95 * back;
  fields->largest_gap_bound = gaps->bound * back;
  fields->shell_count = call->mesh.shells;
  fields->inverted = call->mesh.inverted;
  fields->cavity_count = call->mesh.inward_shells;
}

static graze_result look_for_crossings(packing_call *call, graze_packing *fields) {
  mesh_crossings crossings;
  const crossings_host host = {&call->heap, call->team, call->options.should_stop, call->options.stop_context};
  const graze_result result = mesh_crossings_find(&call->mesh, &host, &crossings);
  fields->self_crossing_count = crossings.count;
  fields->self_crossing_more = crossings.more;
  memcpy(fields->self_crossing_first, crossings.first, sizeof crossings.first);
  return result;
}

static graze_result fill_packing(packing_call *call, graze_list_memory *list, graze_packing *fields) {
  packing_gaps gaps;
  const double start = timer_now_ms();
  prepare_packer(call);
  graze_result result = packer_run(&call->packed);
  if (result == GRAZE_OK) result = packing_gaps_measure(&call->packed, &gaps);
  if (result != GRAZE_OK) return fail_packing(result, call);
  graze_sphere *spheres = list_spheres(&call->packed, list);
  if (spheres == NULL) return fail_packing(GRAZE_OUT_OF_MEMORY, call);
  const double packed = timer_now_ms();
  packing_certificate found;
  const certified_body mesh = {call->mesh.corners, &call->packed.space.mesh, power_of_two(-call->mesh.exponent)};
  result = packing_certificate_make(call->scene, call->body, &mesh, spheres, call->packed.count, &found);
  if (result == GRAZE_OK) result = packing_certificate_require(&found);
  if (result == GRAZE_OK) result = look_for_crossings(call, fields);
  if (result != GRAZE_OK) return result;
  write_numbers(call, &gaps, fields);
  fields->spheres = spheres;
  fields->certified = 1;
  fields->packing_ms = packed - start;
  fields->certifying_ms = timer_now_ms() - packed;
  return GRAZE_OK;
}

static graze_result run_call(packing_call *call, const graze_mesh_def *mesh, graze_list_memory *list,
                             graze_packing *fields) {
  graze_result result = open_workers(call);
  if (result == GRAZE_OK) result = open_stages(call);
  if (result == GRAZE_OK) result = open_scene(call, mesh);
  if (result == GRAZE_OK) result = closed_mesh_read(&call->mesh, &call->heap, &mesh->positions, &mesh->triangles);
  if (result == GRAZE_OK) result = fill_packing(call, list, fields);
  close_stages(call);
  packer_release(&call->packed);
  closed_mesh_release(&call->mesh, &call->heap);
  graze_scene_destroy(call->scene);
  if (call->team != NULL) workers_destroy(NULL, call->team);
  return result;
}

graze_result graze_pack_spheres(const graze_mesh_def *mesh_given, const graze_packing_options *options_given,
                                graze_packing *packing) {
  GUARD_FLOAT_ENVIRONMENT();
  if (packing == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the packing is NULL");
  if (definition_capacity(&packing_definition, packing->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  graze_list_memory *list = packing->memory;
  answer_list_write(&packing_definition, packing, &(graze_packing){.memory = list});
  packing_call call;
  memset(&call, 0, sizeof call);
  packer_init(&call.packed);
  call.packed.heap = &call.heap;
  graze_mesh_def mesh;
  graze_allocator allocator;
  graze_result result = definition_read(&mesh_definition, mesh_given, false, &mesh);
  if (result == GRAZE_OK) result = read_options(options_given, &call.options);
  if (result == GRAZE_OK) result = memory_read_allocator(call.options.allocator, &allocator);
  if (result != GRAZE_OK) return result;
  memory_init(&call.heap, &allocator);
  list = answer_list_open(list, &allocator, call.options.workers);
  if (list == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a list");
  graze_packing fields = {.memory = list};
  result = run_call(&call, &mesh, list, &fields);
  answer_list_write(&packing_definition, packing, &fields);
  return result;
}
