/* Defines the scenarios and their analytic models. */
#include "lab/quality_scenarios.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

const char *const quality_model_names[QUALITY_MODELS] = {"depth", "volume", "gradient"};

/* Corners of a cross-section: at 96 a polygon has 0.07 % less area than its circle. */
enum { AROUND = 96 };

static void stand(double x, double y, double z, quality_pose *pose_out) {
  *pose_out = (quality_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .translation = {x, y, z}};
}

/* ---------------------------------------------------------------------------------------------- I: a cone over a block
 */

#define CONE_HEIGHT 1.0
#define CONE_RADIUS (CONE_HEIGHT / 2)
#define CONE_DEPTH (CONE_HEIGHT / 3)
#define BLOCK_THICK (CONE_HEIGHT / 2)
#define BLOCK_THIN (CONE_HEIGHT / 16)
/* The proportions of 728 x 24 x 303 voxels. */
#define BLOCK_LENGTH (BLOCK_THICK * 728 / 24)
#define BLOCK_WIDTH (BLOCK_THICK * 303 / 24)

static bool make_block(double height, mesh *body_out) {
  const double half[3] = {BLOCK_LENGTH / 2, BLOCK_WIDTH / 2, height / 2};
  return quality_box_make(half, body_out);
}

static bool make_thick(mesh *body_out) {
  return make_block(BLOCK_THICK, body_out);
}

static bool make_thin(mesh *body_out) {
  return make_block(BLOCK_THIN, body_out);
}

static bool make_cone(mesh *body_out) {
  return quality_cone_make(CONE_RADIUS, CONE_HEIGHT, AROUND, body_out);
}

/* All that is below the block's top lies above the block all the way: no nearer to its ends than the cone's radius. */
static void drag_cone(double part, double block_height, quality_pose *pose_out) {
  stand((part - 0.5) * (BLOCK_LENGTH - 2 * CONE_RADIUS), 0.0, block_height / 2 - CONE_DEPTH + CONE_HEIGHT / 2,
        pose_out);
}

static void drag_over_thick(double part, quality_pose *pose_out) {
  drag_cone(part, BLOCK_THICK, pose_out);
}

static void drag_over_thin(double part, quality_pose *pose_out) {
  drag_cone(part, BLOCK_THIN, pose_out);
}

static void push_cone(quality_model model, double part, quality_wrench *wrench_out) {
  (void)model;
  (void)part;
  *wrench_out = (quality_wrench){.force = {0, 0, 1}};
}

/* ---------------------------------------------------------------------------------------------- II: a sphere around a
 * cylinder */

#define ORBIT (5.0 / 3.0)

static bool make_cylinder(mesh *body_out) {
  return quality_cylinder_make(1.0, 2.0 * 816 / 491, AROUND, body_out);
}

static bool make_sphere(mesh *body_out) {
  return quality_sphere_make(1.0, AROUND, body_out);
}

static void circle_cylinder(double part, quality_pose *pose_out) {
  stand(ORBIT * cos(2 * PI * part), ORBIT * sin(2 * PI * part), 0.0, pose_out);
}

static void push_outward(quality_model model, double part, quality_wrench *wrench_out) {
  (void)model;
  *wrench_out = (quality_wrench){.force = {cos(2 * PI * part), sin(2 * PI * part), 0.0}};
}

/* ---------------------------------------------------------------------------------------------- III: a pin turns in
 * its hole */

#define PIN_LENGTH 1.0
#define PIN_SIDE (PIN_LENGTH / 2)
#define TURN_MOST (PI / 6)

/* How far a corner is beyond the wall, in halves of the side. */
static double corner_reach(double angle) {
  return sqrt(2.0) * cos(PI / 4 - angle) - 1.0;
}

double quality_turned_depth(double c, double angle) {
  return corner_reach(angle) * c / 2;
}

double quality_turned_volume(double a, double c, double angle) {
  if (angle == 0.0) return 0.0;
  const double reach = corner_reach(angle);
  return a * c * c / 2 * reach * reach * (1.0 / tan(angle) + tan(angle));
}

double quality_turned_gradient(double a, double c, double angle) {
  if (angle == 0.0) return a * c * c / 2;
  const double reach = corner_reach(angle), growth = cos(angle) - sin(angle), both = sin(2 * angle);
  return a * c * c / 2 * (2 * reach * growth * 2 / both - reach * reach * 4 * cos(2 * angle) / (both * both));
}

static bool make_holes(mesh *body_out) {
  return quality_holes_make(PIN_LENGTH, PIN_SIDE, AROUND, body_out);
}

static bool make_pin(mesh *body_out) {
  const double half[3] = {PIN_SIDE / 2, PIN_SIDE / 2, PIN_LENGTH / 2};
  return quality_box_make(half, body_out);
}

static void turn_pin(double part, quality_pose *pose_out) {
  const double c = cos(TURN_MOST * part), s = sin(TURN_MOST * part);
  *pose_out = (quality_pose){.rotation = {c, -s, 0, s, c, 0, 0, 0, 1}, .translation = {-PIN_LENGTH / 2, 0, 0}};
}

static void turn_back(quality_model model, double part, quality_wrench *wrench_out) {
  const double angle = TURN_MOST * part;
  const double torque = model == QUALITY_DEPTH    ? quality_turned_depth(PIN_SIDE, angle)
                        : model == QUALITY_VOLUME ? quality_turned_volume(PIN_LENGTH, PIN_SIDE, angle)
                                                  : quality_turned_gradient(PIN_LENGTH, PIN_SIDE, angle);
  *wrench_out = (quality_wrench){.torque = {0, 0, -torque}};
}

/* ---------------------------------------------------------------------------------------------- IV: pins circle in
 * their holes */

#define SWAY (PIN_SIDE / 10)

double quality_square_volume(double a, double c, double x, double y) {
  return a * (c * c - (c - fabs(x)) * (c - fabs(y)));
}

double quality_round_volume(double a, double c, double distance) {
  const double r = c / 2;
  const double shared = 2 * r * r * acos(distance / c) - distance / 2 * sqrt(c * c - distance * distance);
  return a * (PI * r * r - shared);
}

double quality_round_gradient(double a, double c, double distance) {
  return a * sqrt(c * c - distance * distance);
}

static bool make_pins(mesh *body_out) {
  return quality_pins_make(PIN_LENGTH, PIN_SIDE, AROUND, body_out);
}

static void circle_holes(double part, quality_pose *pose_out) {
  stand(SWAY * cos(2 * PI * part), SWAY * sin(2 * PI * part), 0.0, pose_out);
}

/* The forces on the square and on the round pin. */
static void pin_forces(quality_model model, double x, double y, double square_out[2], double round_out[2]) {
  double square = SWAY / 2, round = SWAY / 2; /* how strongly each is pushed to the middle */
  if (model == QUALITY_VOLUME) square = quality_square_volume(PIN_LENGTH, PIN_SIDE, x, y);
  if (model == QUALITY_VOLUME) round = quality_round_volume(PIN_LENGTH, PIN_SIDE, SWAY);
  if (model == QUALITY_GRADIENT) round = quality_round_gradient(PIN_LENGTH, PIN_SIDE, SWAY);
  square_out[0] = -square * x / SWAY;
  square_out[1] = -square * y / SWAY;
  round_out[0] = -round * x / SWAY;
  round_out[1] = -round * y / SWAY;
  if (model != QUALITY_GRADIENT) return;
  square_out[0] = -copysign(PIN_LENGTH * (PIN_SIDE - fabs(y)), x); /* walls push as their areas are, not by depth */
  square_out[1] = -copysign(PIN_LENGTH * (PIN_SIDE - fabs(x)), y);
}

static void push_inward(quality_model model, double part, quality_wrench *wrench_out) {
  double square[2], round[2];
  pin_forces(model, SWAY * cos(2 * PI * part), SWAY * sin(2 * PI * part), square, round);
  *wrench_out = (quality_wrench){.force = {square[0] + round[0], square[1] + round[1], 0.0},
                                 .torque = {0.0, 0.0, PIN_LENGTH / 2 * (round[1] - square[1])}};
}

/* ---------------------------------------------------------------------------------------------- the table */

const quality_scenario quality_scenarios[QUALITY_SCENARIOS] = {
    {"Ia", "a cone is dragged over a thick block", make_thick, make_cone, drag_over_thick, push_cone, false, false, 728,
     15669, CONE_DEPTH, CONE_RADIUS},
    {"Ib", "a cone is dragged through a thin block", make_thin, make_cone, drag_over_thin, push_cone, false, false, 728,
     15669, CONE_DEPTH, CONE_RADIUS},
    {"II", "a sphere circles a cylinder", make_cylinder, make_sphere, circle_cylinder, push_outward, false, true, 491,
     12640, 2.0 - ORBIT, 1.0},
    {"III", "a square pin turns in its hole", make_holes, make_pin, turn_pin, turn_back, true, false, 1204, 12474,
     0.2 * PIN_SIDE, PIN_SIDE / 2},
    {"IV", "two pins circle in their holes", make_holes, make_pins, circle_holes, push_inward, false, true, 243, 13295,
     SWAY, PIN_LENGTH / 2},
};
