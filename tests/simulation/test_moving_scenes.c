/* Tests moving scenes: their guarantees in every frame, and golden hashes of positions and pairs, which must not depend
 * on processor, compiler, optimization or number of threads. */
#include "models/mesh_object.h"
#include "scene_calls.h"
#include "simulation/moving_scene.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIMITIVES = 600, FRAMES = 12 };

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *byte = data;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

typedef struct frame_facts {
  size_t pairs;
  uint64_t pair_hash;
} frame_facts;

/* The pairs of graze in a frame, by exact tests that are independent of the simulation. */
static frame_facts check_frame(const mesh *meshes, size_t count) {
  OWNED_SCENE *scene = NULL;
  OWNED(graze_pairs) pairs = {0};
  assert_ok(graze_scene_create(NULL, &scene));
  for (size_t i = 0; i < count; ++i) {
    graze_object object;
    assert_ok(mesh_object_add(scene, &meshes[i], NULL, &object));
  }
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  const frame_facts facts = {pairs.count, pairs.hash};
  return facts;
}

static void expect_finite(const mesh *meshes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; ++k) assert_true(isfinite(meshes[i].positions[k]));
  }
}

/* FNV-1a over positions, radii, counts and the hashes of pairs of all frames, little-endian as the tested machines
 * are. */
static uint64_t play(const moving_scene *scene, const scene_parameters *parameters, bool checked) {
  char error[256] = "";
  scene_stage *stage = scene_stage_open(scene, parameters, error, sizeof error);
  if (stage == NULL) fail_msg("%s", error);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t begun_with = 0;
  for (uint64_t frame = 1; frame <= scene_stage_frames(stage); ++frame) {
    if (frame > 1 && !scene_stage_next(stage, error, sizeof error)) fail_msg("%s", error);
    size_t count = 0;
    const mesh *meshes = scene_stage_meshes(stage, &count);
    for (size_t i = 0; i < count; ++i) {
      assert_int_equal(meshes[i].kind, scene->kind);
      hash = hash_bytes(hash, meshes[i].positions, 3 * meshes[i].vertex_count * sizeof(double));
      hash = hash_bytes(hash, meshes[i].radii, meshes[i].radii == NULL ? 0 : meshes[i].vertex_count * sizeof(double));
    }
    if (!checked) continue;
    expect_finite(meshes, count);
    const frame_facts facts = check_frame(meshes, count);
    if (frame == 1) begun_with = facts.pairs;
    if (!scene->crosses && facts.pairs > begun_with) {
      fail_msg("%s: frame %d has %zu pairs, frame 1 had %zu", scene->name, (int)frame, facts.pairs, begun_with);
    }
    hash = hash_bytes(hash, &facts.pair_hash, sizeof facts.pair_hash);
  }
  scene_stage_close(stage);
  return hash;
}

static const struct {
  const char *name;
  uint64_t hash;
} golden[] = {
    {"cloth-ball", UINT64_C(0xa4fcd3040fe0cc89)},      {"funnel", UINT64_C(0x481537437f7cd01e)},
    {"whirling-cloth", UINT64_C(0xd04ce8c47a510f51)},  {"cloth-chair", UINT64_C(0xbdba491dd450fb50)},
    {"cloth-statue", UINT64_C(0xceb9a4fccf6d96aa)},    {"n-body", UINT64_C(0x69a82ed9d75cd469)},
    {"exploding-solid", UINT64_C(0x579cebe2bae2d26b)}, {"breaking-solid", UINT64_C(0x33cb199a0eea0420)},
    {"soft-pair", UINT64_C(0xa2f7fb624063fe02)},       {"soft-on-stiff", UINT64_C(0x048483088629b8f0)},
    {"soft-net", UINT64_C(0x252cd0cd87afca12)},        {"pass-through", UINT64_C(0xeb33b81864fabe59)},
    {"packings", UINT64_C(0x805a528abee93f7a)},        {"stiff-on-soft", UINT64_C(0xe5a91c23b386c9c9)},
};

TEST(scenes_have_their_golden_hashes) {
  bool equal = true;
  for (size_t i = 0; i < moving_scene_count(); ++i) {
    const moving_scene *scene = moving_scene_at(i);
    const scene_parameters parameters = {.primitives = PRIMITIVES, .frames = FRAMES, .seed = 5, .worker_count = 1};
    const uint64_t hash = play(scene, &parameters, true);
    bool found = false;
    for (size_t k = 0; k < sizeof golden / sizeof golden[0]; ++k) {
      found = found || (strcmp(golden[k].name, scene->name) == 0 && golden[k].hash == hash);
    }
    if (!found) printf("    {\"%s\", UINT64_C(0x%016llx)},\n", scene->name, (unsigned long long)hash);
    equal = equal && found;
  }
  assert_true(equal);
}

TEST(threads_change_nothing) {
  const char *const names[] = {"cloth-ball", "breaking-solid", "soft-pair"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    scene_parameters parameters = {.primitives = 3000, .frames = 5, .worker_count = 1};
    const uint64_t one = play(moving_scene_find(names[i]), &parameters, false);
    parameters.worker_count = 3;
    assert_true(play(moving_scene_find(names[i]), &parameters, false) == one);
    parameters.seed = 1;
    if (i != 2) assert_true(play(moving_scene_find(names[i]), &parameters, false) != one);
  }
}

/* Long enough for cloth and pieces to come to rest: nothing meets anything in the end. */
TEST(settled_scenes_have_no_more_pairs_than_they_began_with) {
  const char *const names[] = {"cloth-ball",    "funnel",        "breaking-solid",
                               "soft-on-stiff", "stiff-on-soft", "whirling-cloth"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    const scene_parameters parameters = {.primitives = 500, .frames = test_scaled(90, 20), .worker_count = 1};
    play(moving_scene_find(names[i]), &parameters, true);
  }
}

/* The sheet lies on the ball: its middle stays above, its corners hang down. */
TEST(cloth_lies_on_the_ball) {
  char error[256];
  const scene_parameters parameters = {.primitives = 1000, .frames = 60, .worker_count = 1};
  scene_stage *stage = scene_stage_open(moving_scene_find("cloth-ball"), &parameters, error, sizeof error);
  assert_non_null(stage);
  for (uint64_t frame = 2; frame <= parameters.frames; ++frame) {
    assert_true(scene_stage_next(stage, error, sizeof error));
  }
  size_t count = 0;
  const mesh *meshes = scene_stage_meshes(stage, &count);
  assert_int_equal(count, 2);
  double highest = -1e9, lowest = 1e9, ball_top = -1e9;
  for (size_t i = 0; i < meshes[0].vertex_count; ++i) {
    const double y = meshes[0].positions[3 * i + 1];
    highest = y > highest ? y : highest;
    lowest = y < lowest ? y : lowest;
  }
  for (size_t i = 0; i < meshes[1].vertex_count; ++i) {
    const double y = meshes[1].positions[3 * i + 1];
    ball_top = y > ball_top ? y : ball_top;
  }
  assert_true(highest > ball_top && highest < ball_top + 0.2);
  assert_true(lowest < ball_top - 0.6 && lowest > ball_top - 1.5);
  scene_stage_close(stage);
}

TEST(solids_that_break_change_their_objects) {
  char error[256];
  const scene_parameters parameters = {.primitives = 2000, .frames = 3};
  scene_stage *stage = scene_stage_open(moving_scene_find("exploding-solid"), &parameters, error, sizeof error);
  assert_non_null(stage);
  size_t count = 0;
  (void)scene_stage_meshes(stage, &count);
  assert_int_equal(count, 1);
  assert_true(scene_stage_next(stage, error, sizeof error));
  (void)scene_stage_meshes(stage, &count);
  assert_true(count >= 4);
  scene_stage_close(stage);
}

static bool stop_now(void *context) {
  (void)context;
  return true;
}

TEST(scenes_can_be_stopped) {
  char error[256] = "x";
  const scene_parameters parameters = {.primitives = 20000, .frames = 3, .should_stop = stop_now};
  scene_stage *stage = scene_stage_open(moving_scene_find("cloth-ball"), &parameters, error, sizeof error);
  assert_non_null(stage);
  assert_false(scene_stage_next(stage, error, sizeof error));
  assert_string_equal(error, "");
  scene_stage_close(stage);
}

TEST(sizes_are_met_or_refused) {
  char error[256] = "";
  for (size_t i = 0; i < moving_scene_count(); ++i) {
    const moving_scene *scene = moving_scene_at(i);
    const uint64_t sizes[] = {1, 5000};
    for (size_t k = 0; k < 2; ++k) {
      const scene_parameters parameters = {.primitives = sizes[k], .frames = 1};
      scene_stage *stage = scene_stage_open(scene, &parameters, error, sizeof error);
      if (stage == NULL) fail_msg("%s", error);
      if (scene->changes) assert_true(scene_stage_next(stage, error, sizeof error));
      size_t count = 0;
      uint64_t sum = 0;
      const mesh *meshes = scene_stage_meshes(stage, &count);
      for (size_t m = 0; m < count; ++m) sum += mesh_element_count(&meshes[m]);
      if (k == 1 && (sum < 3900 || sum > 6100)) fail_msg("%s: %d primitives", scene->name, (int)sum);
      scene_stage_close(stage);
    }
    const scene_parameters too_many = {.primitives = SCENE_PRIMITIVE_LIMIT + 1};
    assert_null(scene_stage_open(scene, &too_many, error, sizeof error));
    assert_non_null(strstr(error, "at most 20000000 primitives"));
  }
  assert_null(moving_scene_find("no such scene"));
  assert_null(moving_scene_at(moving_scene_count()));
}
