/* Tests `graze play --backend cuda` on an emulated device: frames whose objects appear and disappear and change number,
 * size and kind, and a built-in scene that breaks. Every frame has the processor's hash. */
#include "play_run.h"
#include "scene_source.h"
#include "testing.h"

#include "graze/names.h"
#include "host_operations.h"
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 24 };

/* Some objects in each frame, most of them as in the frame before but for their positions. */
static bool load_mixture(void *context, size_t frame, object_list *objects, bool notes) {
  static const char *const models[] = {"sphere", "tet-ball", "spheres", "torus"};
  (void)context;
  (void)notes;
  const size_t count = (frame * 7 + frame / 5) % 5;
  for (size_t i = 0; i < count; ++i) {
    const model_parameters parameters = {60 + 40 * ((frame / 4 + i) % 3), i};
    mesh *made = NULL;
    size_t made_count = 0;
    char error[256];
    const char *name = models[(frame / 6 + i) % 4];
    if (!model_make(model_find(name), &parameters, &made, &made_count, error, sizeof error)) fail_msg("%s", error);
    for (size_t k = 0; k < made[0].vertex_count; ++k) {
      made[0].positions[3 * k] += 0.6 * (double)i + 0.07 * (double)frame;
      made[0].positions[3 * k + 1] *= 1.0 + 0.01 * (double)frame;
    }
    const bool copied = object_list_copy(objects, name, made, made_count);
    mesh_list_free(made, made_count);
    if (!copied) return false;
  }
  return true;
}

/* On several devices where their number is not 0. */
static void play_on(const char *backend, size_t device_count, const char *method, frame_source source,
                    play_options *options, play_run *run) {
  *options = (play_options){.search = search_options_start(), .quiet = true};
  options->search.scene.backend = backend;
  options->search.scene.thread_count = 2;
  options->search.scene.device_count = device_count;
  for (size_t i = 0; i < device_count; ++i) options->search.scene.devices[i] = (int)(i % 2);
  options->search.method.name = method;
  options->search.query.scope = GRAZE_SCOPE_BOTH;
  assert_true(backend_options_finish(&options->search.scene));
  *run = (play_run){.options = options, .source = source};
  progress steps = progress_start(true);
  assert_true(play_run_all(run, NULL, NULL, &steps));
}

/* Both have played as many frames, each with the same pairs; returns how many pairs there were. */
static uint64_t expect_same(const play_run *one, const play_run *other) {
  uint64_t pairs = 0;
  assert_int_equal(one->count, one->source.count);
  assert_int_equal(other->count, one->count);
  for (size_t i = 0; i < one->count; ++i) {
    assert_true(one->records[i].hash == other->records[i].hash);
    assert_true(one->records[i].pair_count == other->records[i].pair_count);
    pairs += one->records[i].pair_count;
  }
  assert_true(play_run_hash(one) == play_run_hash(other));
  return pairs;
}

TEST(frames_that_change_in_all_ways) {
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); ++i) {
    const frame_source source = {.count = FRAMES, .spent_on = "making", .load = load_mixture};
    play_options cpu_options, device_options;
    OWNED_BY(play_run_release) play_run on_cpu, on_device, on_devices;
    play_on("cpu", 0, graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i), source, &cpu_options, &on_cpu);
    const size_t before = host_device_count().operations;
    play_on("cuda", 1, graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i), source, &device_options, &on_device);
    assert_true(host_device_count().operations > before);
    assert_true(expect_same(&on_cpu, &on_device) > 1000);
    assert_true(on_device.methods[0].shown.kept == on_cpu.methods[0].shown.kept);
    assert_true(on_cpu.methods[0].shown.kept > 0 ||
                strcmp(graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i), "auto") == 0);
    play_on("cuda", 3, graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i), source, &device_options, &on_devices);
    assert_true(expect_same(&on_cpu, &on_devices) > 1000);
  }
}

TEST(scenes_that_break) {
  static const char *const names[] = {"exploding-solid", "breaking-solid", "pass-through"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    const scene_parameters parameters = {.primitives = 900, .frames = 5, .worker_count = 1};
    static const char *const backends[] = {"cpu", "cuda", "cuda"};
    static const size_t device_counts[] = {0, 1, 4};
    play_options options[3];
    play_run runs[3];
    for (size_t k = 0; k < 3; ++k) {
      OWNED_BY(scene_source_close) scene_source scene = {0};
      assert_true(scene_source_open(&scene, moving_scene_find(names[i]), &parameters));
      play_on(backends[k], device_counts[k], "auto", frame_source_of_scene(&scene), &options[k], &runs[k]);
    }
    const uint64_t pairs = expect_same(&runs[0], &runs[1]);
    expect_same(&runs[0], &runs[2]);
    assert_true(i < 2 ? pairs == 0 : pairs > 0);
    for (size_t k = 0; k < 3; ++k) play_run_release(&runs[k]);
  }
}
