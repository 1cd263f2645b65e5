/* Tests boxes and slabs of two trees: they may be classified as separate, or beyond a limit, only if no two points
 * disprove it.
 *
 * Points that coincide after their poses are placed at corners of boxes and on planes of slabs that face away from each
 * other, which is the hardest case for the test; the worst rounding of the poses is added. The bit of the two nodes
 * must be set, and be the same for all vector widths. Uses long double, which must be more precise than double. */
#include "base/number_sequence.h"
#include "base/simd_choice.h"
#include "broad/tree_kernels.h"
#include "geometry/float_rounding.h"
#include "test_scale.h"
#include "tree_scenes.h"

#include <float.h>

typedef struct placed_body {
  body_space space;
  rigid_pose pose;
  bool posed;
  posed_space made;
  tree_block block;
  tree_slab slab;
  uint32_t lane;           /* of the node that has the point */
  long double own[3];      /* the point, in the body's own coordinates */
  long double in_scene[3]; /* where exact tests see it */
} placed_body;

/* ---------------------------------------------------------------------------------------------- nodes */

/* How far the point may be off because long double has rounded it: its way into the scene and back is some twenty
 * roundings of these magnitudes, each of 2^-64. */
static long double point_error(const placed_body *body) {
  long double sum = 0.0L;
  for (int i = 0; i < 3; i++)
    sum += fabsl((long double)body->space.origin[i]) + fabsl(body->in_scene[i]) +
           (body->posed ? fabsl((long double)body->pose.translation[i]) : 0.0L);
  return sum * 0x1p-59L;
}

/* The same in the body's unit, with what double rounds here. */
static double own_error(const placed_body *body) {
  return (double)(point_error(body) / body->space.unit) + 0x1p-52;
}

/* A box that holds the point on its border, lies to one side of it, and within what the body reaches. */
static void set_box(placed_body *body, uint32_t lane, uint64_t *sequence) {
  for (int axis = 0; axis < 3; axis++) {
    const double reach = body->space.half[axis] / body->space.unit, own = (double)body->own[axis];
    const double side = sequence_below(sequence, 2) == 0 ? -1.0 : 1.0, room = 0.5 * (reach - side * own);
    const float half =
        (float)(fabs(sequence_signed(sequence)) * room * pow(2.0, -(double)sequence_below(sequence, 20)));
    const float center = (float)((double)body->own[axis] + side * half);
    const double off = fabs((double)(body->own[axis] - (long double)center));
    body->block.center[axis][lane] = center;
    body->block.half[axis][lane] = float_round_up(off + own_error(body));
  }
}

static void set_slab(placed_body *body, uint32_t lane, uint64_t *sequence) {
  double normal[3], length = 0.0;
  long double along = 0.0L;
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] = sequence_below(sequence, 4) == 0 ? 0.0 : sequence_signed(sequence);
    length += normal[axis] * normal[axis];
  }
  for (int axis = 0; axis < 3; axis++) {
    body->slab.normal[axis][lane] = length > 0.0 ? (float)(normal[axis] / sqrt(length)) : axis == 2 ? 1.0f : 0.0f;
    along += (long double)body->slab.normal[axis][lane] * body->own[axis];
  }
  const double half = pow(2.0, -(double)sequence_below(sequence, 40));
  const double side = sequence_below(sequence, 2) == 0 ? -half : half;
  const float middle = (float)((double)along + side);
  body->slab.middle[lane] = middle;
  body->slab.half[lane] = float_round_up(fabs((double)(along - (long double)middle)) + 3.0 * own_error(body));
}

static void set_nodes(placed_body *body, uint64_t *sequence) {
  for (uint32_t lane = 0; lane < TREE_FANOUT; lane++) {
    for (int axis = 0; axis < 3; axis++) {
      body->block.center[axis][lane] = body->slab.normal[axis][lane] = 0.0f;
      body->block.half[axis][lane] = -HUGE_VALF;
    }
    body->slab.normal[2][lane] = 1.0f;
    body->slab.middle[lane] = 0.0f;
    body->slab.half[lane] = 4.0f;
  }
  body->lane = (uint32_t)sequence_below(sequence, TREE_FANOUT);
  set_box(body, body->lane, sequence);
  set_slab(body, body->lane, sequence);
}

/* ---------------------------------------------------------------------------------------------- bodies */

static void make_space(placed_body *body, double size, double away, uint64_t *sequence) {
  const pose_kind kind = (pose_kind)sequence_below(sequence, POSE_KINDS);
  double largest = 0.0;
  int exponent;
  body->posed = kind != POSE_NONE;
  choose_pose(sequence, kind, size * away, body->pose.rotation, body->pose.translation);
  const double off = sequence_below(sequence, 3) == 0 ? 1e6 : 1.0;
  for (int axis = 0; axis < 3; axis++) {
    body->space.half[axis] = size * fabs(sequence_signed(sequence));
    if (sequence_below(sequence, 5) == 0) body->space.half[axis] *= 1e-12;
    body->space.origin[axis] = off * size * sequence_signed(sequence);
    largest = fmax(largest, body->space.half[axis]);
  }
  (void)frexp(largest, &exponent);
  body->space.unit = ldexp(1.0, exponent < -1000 ? -1000 : exponent);
}

/* Any own point, or one on the border of what the body reaches, or next to its origin. */
static void choose_point(placed_body *body, uint64_t *sequence) {
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t kind = sequence_below(sequence, 4);
    const double part = kind == 0 ? 1.0 : (kind == 1 ? 1e-9 : 1.0) * fabs(sequence_signed(sequence));
    const double sign = sequence_below(sequence, 2) == 0 ? -1.0 : 1.0;
    body->own[axis] = (long double)(sign * part * body->space.half[axis]) / body->space.unit;
  }
}

/* The most that a pose rounds: seven roundings of the sum of magnitudes, of a position and of the origin each are in
 * the bound; a position has half of it. */
static long double rounding_of(const placed_body *body, int row) {
  if (!body->posed) return 0.0L;
  long double sum = fabsl((long double)body->pose.translation[row]);
  for (int i = 0; i < 3; i++)
    sum += fabsl((long double)body->pose.rotation[3 * row + i]) *
           (fabsl((long double)body->space.origin[i]) + body->space.half[i]);
  return 7.0L * 0x1p-53L * sum;
}

static void pose_point(placed_body *body, uint64_t *sequence) {
  for (int row = 0; row < 3; row++) {
    body->in_scene[row] = body->posed ? body->pose.translation[row] : 0.0L;
    for (int i = 0; i < 3; i++)
      body->in_scene[row] += (body->posed ? (long double)body->pose.rotation[3 * row + i]
                              : row == i  ? 1.0L
                                          : 0.0L) *
                             ((long double)body->space.origin[i] + body->own[i] * body->space.unit);
    body->in_scene[row] += rounding_of(body, row) * sequence_signed(sequence);
  }
}

static void invert_exactly(const placed_body *body, long double inverse_out[9]) {
  const double *r = body->pose.rotation;
  long double determinant = 0.0L;
  for (int i = 0; i < 9; i++) inverse_out[i] = i % 4 == 0 ? 1.0L : 0.0L;
  if (!body->posed) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = 3 * ((i + 1) % 3), b = 3 * ((i + 2) % 3), c = (j + 1) % 3, d = (j + 2) % 3;
      inverse_out[3 * j + i] = (long double)r[a + c] * r[b + d] - (long double)r[a + d] * r[b + c];
    }
  for (int i = 0; i < 3; i++) determinant += r[i] * inverse_out[3 * i];
  for (int i = 0; i < 9; i++) inverse_out[i] /= determinant;
}

/* Moves the body so that one of its own points, and what its pose rounds, is where the point of the other is. */
static void meet_point(placed_body *body, const placed_body *other, uint64_t *sequence) {
  long double inverse[9];
  invert_exactly(body, inverse);
  choose_point(body, sequence);
  pose_point(body, sequence);
  if (body->posed)
    for (int i = 0; i < 3; i++) body->pose.translation[i] += (double)(other->in_scene[i] - body->in_scene[i]);
  else
    for (int i = 0; i < 3; i++) body->space.origin[i] += (double)(other->in_scene[i] - body->in_scene[i]);
  long double before[3]; /* the translation and what the pose rounds */
  for (int i = 0; i < 3; i++)
    before[i] = other->in_scene[i] - rounding_of(body, i) * sequence_signed(sequence) -
                (body->posed ? body->pose.translation[i] : 0.0L);
  for (int i = 0; i < 3; i++) {
    const long double *row = inverse + 3 * i;
    const long double place = row[0] * before[0] + row[1] * before[1] + row[2] * before[2];
    body->own[i] = (place - body->space.origin[i]) / body->space.unit;
  }
  memcpy(body->in_scene, other->in_scene, sizeof body->in_scene);
}

/* The point may have moved out of the stated reach of the body, or long double may not resolve its position in a tiny
 * body. */
static bool point_is_own(const placed_body *body) {
  bool own = own_error(body) < 1.0;
  for (int axis = 0; axis < 3; axis++)
    own = own && fabsl(body->own[axis]) * body->space.unit <= (long double)body->space.half[axis];
  return own;
}

/* Where the point may truly lie outside of what the body reaches, the body reaches further: boxes of bodies without
 * poses are told apart by less than long double rounds. */
static void reach_point(placed_body *body) {
  for (int axis = 0; axis < 3; axis++) {
    const long double furthest = fabsl(body->own[axis]) * body->space.unit + point_error(body);
    if (furthest > body->space.half[axis]) body->space.half[axis] = nextafter((double)furthest, HUGE_VAL);
  }
}

/* ---------------------------------------------------------------------------------------------- tests */

static uint32_t meet_by_all(const tree_relation *relation, const placed_body *s, const placed_body *t, bool slabs) {
  const tree_slab *s_slab = slabs ? &s->slab : NULL, *t_slab = slabs ? &t->slab : NULL;
  const uint32_t bits = tree_kernels_scalar.meet(relation, &s->block, s_slab, &t->block, t_slab);
  for (int simd = GRAZE_SIMD_128; simd <= GRAZE_SIMD_256; simd++)
    if (simd_available((graze_simd)simd))
      assert_int_equal(SIMD_KERNELS(tree_kernels, simd)->meet(relation, &s->block, s_slab, &t->block, t_slab), bits);
  return bits;
}

static void check_bodies(const placed_body *s, const placed_body *t, const char *name) {
  const uint32_t bit = 1u << (TREE_FANOUT * s->lane + t->lane);
  const tree_relation relation = relate_trees(&s->made, &t->made), in_scene = relate_in_scene(&s->made, &t->made);
  for (int slabs = 0; slabs < 2; slabs++)
    if (meet_by_all(&relation, s, t, slabs == 1) != bit) fail_msg("%s: told apart, slabs %d", name, slabs);
  if (meet_by_all(&in_scene, s, t, false) != bit) fail_msg("%s: told apart in the scene", name);
  if (!posed_spaces_meet(&s->made, &t->made)) fail_msg("%s: bodies told apart", name);
}

/* Bits and bounds of two blocks, the same for all vector widths. */
static uint32_t near_by_all(const tree_limits *limits, const placed_body *s, const placed_body *t, bool slabs,
                            tree_gaps *gaps_out) {
  const tree_slab *s_slab = slabs ? &s->slab : NULL, *t_slab = slabs ? &t->slab : NULL;
  const uint32_t all = tree_kernels_scalar.near(limits, &s->block, s_slab, &t->block, t_slab, gaps_out);
  for (int simd = GRAZE_SIMD_128; simd <= GRAZE_SIMD_256; simd++) {
    if (!simd_available((graze_simd)simd)) continue;
    tree_gaps gaps;
    assert_int_equal(SIMD_KERNELS(tree_kernels, simd)->near(limits, &s->block, s_slab, &t->block, t_slab, &gaps), all);
    for (uint32_t bits = all; bits != 0; bits &= bits - 1) {
      const int pair = __builtin_ctz(bits);
      assert_true(gaps.ahead[pair] == gaps_out->ahead[pair] && gaps.aside[pair] == gaps_out->aside[pair] &&
                  gaps.boxes[pair] == gaps_out->boxes[pair]);
    }
  }
  return all;
}

static tree_limits limits_of(const placed_body *s, const placed_body *t, const tree_distance *map,
                             const double direction[3], double farthest) {
  tree_limits limits = {.relation = relate_trees(&s->made, &t->made)};
  tree_limits_set_direction(&limits, map, &s->made, direction);
  tree_limits_set(&limits, map, farthest);
  return limits;
}

static long double points_apart(const placed_body *s, const placed_body *t) {
  long double sum = 0.0L;
  for (int i = 0; i < 3; i++) sum += (s->in_scene[i] - t->in_scene[i]) * (s->in_scene[i] - t->in_scene[i]);
  return sqrtl(sum) + point_error(s) + point_error(t);
}

/* In the frame along the two points, and in any other. */
static void check_nearness(const placed_body *s, const placed_body *t, uint64_t *sequence, const char *name) {
  const uint32_t pair = TREE_FANOUT * s->lane + t->lane;
  const long double apart = points_apart(s, t);
  const tree_distance map = tree_distance_make(&s->made, &t->made);
  if (!map.known || apart > 1e300L) return;
  const double least = nextafter((double)apart, HUGE_VAL), limits[] = {least, 2.0 * least, HUGE_VAL};
  for (int slabs = 0; slabs < 2; slabs++)
    for (int along = 0; along < 2; along++)
      for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        double direction[3];
        for (int k = 0; k < 3; k++)
          direction[k] = along == 0 ? (double)((t->in_scene[k] - s->in_scene[k]) / apart) : sequence_signed(sequence);
        const tree_limits limit = limits_of(s, t, &map, direction, limits[i]);
        tree_gaps gaps;
        if (near_by_all(&limit, s, t, slabs == 1, &gaps) != 1u << pair)
          fail_msg("%s: beyond the limit, slabs %d, along %d, limit %zu", name, slabs, along, i);
        const double square = tree_gaps_square(&gaps, pair, &limit), bound = tree_distance_of_square(&map, square);
        assert_true(square <= limit.square);
        if (!(bound <= least))
          fail_msg("%s: the bound %.17g is above %.17g, slabs %d, along %d", name, bound, least, slabs, along);
      }
}

typedef struct body_scale {
  double size, ratio, away;
} body_scale;

TEST(test_points_in_common_are_never_told_apart) {
  if (LDBL_MANT_DIG <= DBL_MANT_DIG) skip();
  const body_scale scales[] = {{1, 1, 1},      {1, 1e-9, 1e-9},   {1, 1e-9, 1},     {1, 1e9, 1},   {1, 1, 1e8},
                               {1, 1e-6, 1},   {1, 1e-6, 1e8},    {1, 1e-30, 1},    {1, 1e6, 1},   {1, 1, 1e-9},
                               {1e-300, 1, 1}, {1e-300, 1e30, 1}, {1e30, 1e-30, 1}, {1e300, 1, 1}, {1e300, 1e-6, 1},
                               {1, 1, 1e14},   {1, 1e30, 1}};
  uint64_t sequence = 1;
  size_t checked = 0;
  const size_t rounds = test_scaled(40000, 3000);
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    for (size_t round = 0; round < rounds; round++) {
      placed_body s, t;
      char name[96];
      make_space(&s, scales[i].size, scales[i].away, &sequence);
      make_space(&t, scales[i].size * scales[i].ratio, scales[i].away, &sequence);
      if (sequence_below(&sequence, 5) == 0 && s.posed && t.posed)
        memcpy(t.pose.rotation, s.pose.rotation, sizeof t.pose.rotation);
      choose_point(&s, &sequence);
      pose_point(&s, &sequence);
      meet_point(&t, &s, &sequence);
      if (!point_is_own(&t)) continue;
      reach_point(&s);
      reach_point(&t);
      s.made = pose_space(&s.space, s.posed ? &s.pose : NULL);
      t.made = pose_space(&t.space, t.posed ? &t.pose : NULL);
      set_nodes(&s, &sequence);
      set_nodes(&t, &sequence);
      snprintf(name, sizeof name, "size %g ratio %g away %g round %zu", scales[i].size, scales[i].ratio, scales[i].away,
               round);
      check_bodies(&s, &t, name);
      checked++;
    }
  print_message("%zu of %zu points\n", checked, rounds * sizeof scales / sizeof scales[0]);
  assert_true(checked > rounds * 5);
}

TEST(test_points_are_never_beyond_their_distance) {
  if (LDBL_MANT_DIG <= DBL_MANT_DIG) skip();
  const body_scale scales[] = {{1, 1, 1},    {1, 1e-9, 1e-9}, {1, 1e-9, 1},  {1, 1e9, 1},  {1, 1, 1e3},
                               {1, 1, 1e8},  {1, 1e-6, 1e8},  {1, 1e-30, 1}, {1, 1, 1e-9}, {1e-150, 1, 1},
                               {1, 1, 1e12}, {1e150, 1, 1},   {1, 1e30, 1}};
  uint64_t sequence = 5;
  const size_t rounds = test_scaled(8000, 500);
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    for (size_t round = 0; round < rounds; round++) {
      placed_body s, t, *const both[] = {&s, &t};
      char name[96];
      make_space(&s, scales[i].size, scales[i].away, &sequence);
      make_space(&t, scales[i].size * scales[i].ratio, scales[i].away, &sequence);
      if (sequence_below(&sequence, 5) == 0 && s.posed && t.posed)
        memcpy(t.pose.rotation, s.pose.rotation, sizeof t.pose.rotation);
      for (int k = 0; k < 2; k++) {
        choose_point(both[k], &sequence);
        pose_point(both[k], &sequence);
        both[k]->made = pose_space(&both[k]->space, both[k]->posed ? &both[k]->pose : NULL);
        set_nodes(both[k], &sequence);
      }
      snprintf(name, sizeof name, "size %g ratio %g away %g round %zu", scales[i].size, scales[i].ratio, scales[i].away,
               round);
      check_nearness(&s, &t, &sequence, name);
    }
}

/* ---------------------------------------------------------------------------------------------- all widths */

static float special_float(uint64_t *sequence) {
  const float specials[] = {0.0f, -0.0f, 1.0f, -1.0f, FLT_MAX, FLT_MIN, FLT_TRUE_MIN, HUGE_VALF, -HUGE_VALF, 0x1p100f};
  const uint64_t kind = sequence_below(sequence, 30);
  return kind < 10 ? specials[kind] : (float)(2.0 * sequence_signed(sequence));
}

static void fill_floats(float *to, size_t count, uint64_t *sequence) {
  for (size_t i = 0; i < count; i++) to[i] = special_float(sequence);
}

/* Ordinary nodes never cause a NaN or infinite gap. */
static bool nodes_near_anyhow(tree_relation *relation, placed_body *s, placed_body *t, uint64_t *sequence) {
  tree_limits limits;
  tree_gaps gaps;
  float *const parts[] = {s->block.center[0], t->block.center[0],    s->slab.normal[0],      t->slab.normal[0],
                          limits.s_axes[0],   relation->rotation[0], relation->to_s.rows[0], relation->to_t.rows[0]};
  const size_t counts[] = {
      sizeof s->block / 4,       sizeof t->block / 4,      sizeof s->slab / 4, sizeof t->slab / 4, 22, 9,
      sizeof relation->to_s / 4, sizeof relation->to_t / 4};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    for (size_t k = 0; k < counts[i]; k++) parts[i][k] = (float)sequence_signed(sequence);
  for (int axis = 0; axis < 3; axis++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      s->block.half[axis][lane] = lane == 3 ? -HUGE_VALF : fabsf(s->block.half[axis][lane]);
      t->block.half[axis][lane] = fabsf(t->block.half[axis][lane]);
    }
  relation->unit_s = relation->unit_t = 1.0f;
  relation->in_scene = false;
  limits.relation = *relation;
  limits.most_ahead = limits.limit = limits.s_square = limits.t_square = (float)fabs(sequence_signed(sequence));
  return near_by_all(&limits, s, t, sequence_below(sequence, 2) == 0, &gaps) != 0;
}

TEST(test_widths_give_the_same_bits) {
  uint64_t sequence = 3;
  size_t set = 0, near = 0;
  for (size_t round = 0; round < test_scaled(200000, 20000); round++) {
    placed_body s, t;
    tree_relation relation;
    fill_floats(s.block.center[0], sizeof s.block / sizeof(float), &sequence);
    fill_floats(t.block.center[0], sizeof t.block / sizeof(float), &sequence);
    fill_floats(s.slab.normal[0], sizeof s.slab / sizeof(float), &sequence);
    fill_floats(t.slab.normal[0], sizeof t.slab / sizeof(float), &sequence);
    fill_floats(relation.to_s.rows[0], sizeof relation.to_s / sizeof(float), &sequence);
    fill_floats(relation.to_t.rows[0], sizeof relation.to_t / sizeof(float), &sequence);
    fill_floats(relation.rotation[0], 9, &sequence);
    relation.slab_slack = special_float(&sequence);
    relation.unit_s = special_float(&sequence);
    relation.unit_t = special_float(&sequence);
    relation.aligned = sequence_below(&sequence, 4) == 0;
    relation.in_scene = sequence_below(&sequence, 4) == 0;
    const uint32_t bits = meet_by_all(&relation, &s, &t, sequence_below(&sequence, 2) == 0);
    assert_true(bits <= 0xffff);
    set += bits != 0;
    near += nodes_near_anyhow(&relation, &s, &t, &sequence);
  }
  assert_true(set > 100 && near > 100);
}

/* Nodes that are separated by more than any rounding are classified as separate: the test does not always accept. */
TEST(test_nodes_far_apart_are_told_apart) {
  uint64_t sequence = 4;
  for (size_t round = 0; round < test_scaled(20000, 2000); round++) {
    placed_body s, t;
    make_space(&s, 1.0, 1.0, &sequence);
    make_space(&t, 1.0, 1.0, &sequence);
    choose_point(&s, &sequence);
    pose_point(&s, &sequence);
    meet_point(&t, &s, &sequence);
    if (!point_is_own(&t)) continue;
    for (int axis = 0; axis < 3; axis++) {
      t.pose.translation[axis] += t.posed ? 5.0 : 0.0;
      t.space.origin[axis] += t.posed ? 0.0 : 5.0;
    }
    s.made = pose_space(&s.space, s.posed ? &s.pose : NULL);
    t.made = pose_space(&t.space, t.posed ? &t.pose : NULL);
    set_nodes(&s, &sequence);
    set_nodes(&t, &sequence);
    const tree_relation relation = relate_trees(&s.made, &t.made), in_scene = relate_in_scene(&s.made, &t.made);
    assert_int_equal(meet_by_all(&relation, &s, &t, false) | meet_by_all(&in_scene, &s, &t, false), 0);
    const tree_distance map = tree_distance_make(&s.made, &t.made);
    const double direction[3] = {5.0, 5.0, 5.0};
    const tree_limits limits = limits_of(&s, &t, &map, direction, 0.5);
    tree_gaps gaps;
    assert_int_equal(near_by_all(&limits, &s, &t, round % 2 == 0, &gaps), 0);
    assert_false(posed_spaces_meet(&s.made, &t.made));
  }
}
