/* The scenarios of the force and torque benchmark: two bodies each, a path for one of them, and what a perfect penalty
 * would push along it.
 *
 * After Weller, Sagardia, Mainzer, Hulin, Zachmann, Preusche, "A benchmarking suite for 6-DOF real time collision
 * response algorithms" (2010). Where its printed formulas contradict themselves, docs/lab/force_quality.md says what is
 * taken. Lengths: H = 1, R = 1, a = 1. Forces and torques are those on the moving body, torques about its origin. */
#ifndef GRAZE_QUALITY_SCENARIOS_H
#define GRAZE_QUALITY_SCENARIOS_H

#include "graze/graze.h"
#include "lab/quality_bodies.h"

/* What the magnitude of an ideal force or torque goes by.
 *   depth     translational penetration: the thesis's model for voxmaps
 *   volume    the volume that the two share: the thesis's model for spheres
 *   gradient  what that volume loses a unit of motion, along which force and torque point: the work is the volume */
typedef enum quality_model { QUALITY_DEPTH, QUALITY_VOLUME, QUALITY_GRADIENT, QUALITY_MODELS } quality_model;

extern const char *const quality_model_names[QUALITY_MODELS];

typedef graze_pose quality_pose;

typedef struct quality_wrench {
  double force[3], torque[3];
} quality_wrench;

typedef struct quality_scenario {
  const char *name, *title;
  bool (*make_still)(mesh *body_out);
  bool (*make_moving)(mesh *body_out);
  void (*pose)(double part, quality_pose *pose_out); /* `part` of the path, from 0 to 1 */
  void (*ideal)(quality_model model, double part, quality_wrench *wrench_out);
  bool about_torque;     /* it asks for a torque, and no force; else the other way, or both as in IV */
  bool closed;           /* the path ends where it begins, so that part 1 is part 0 */
  size_t voxels, points; /* the thesis's: voxels along x, points of the shell */
  double deepest;        /* what a point of the moving body reaches, at most */
  double arm;            /* a length of the moving body, by which torques are compared with forces */
} quality_scenario;

enum { QUALITY_SCENARIOS = 5 };
extern const quality_scenario quality_scenarios[QUALITY_SCENARIOS];

/* A square pin of side c and length a turned in its hole by `angle`, from 0 to 45 degrees: how deep its corners are,
 * the volume outside the hole, and what it grows a radian. */
double quality_turned_depth(double c, double angle);
double quality_turned_volume(double a, double c, double angle);
double quality_turned_gradient(double a, double c, double angle);

/* Pins of side or diameter c and length a, moved out of the middle of their holes. */
double quality_square_volume(double a, double c, double x, double y);
double quality_round_volume(double a, double c, double distance);
double quality_round_gradient(double a, double c, double distance); /* a unit of distance */

#endif
