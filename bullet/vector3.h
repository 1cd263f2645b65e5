// Points and directions in double precision, for both flavors of Bullet.
#ifndef GRAZE_BULLET_VECTOR3_H
#define GRAZE_BULLET_VECTOR3_H

#include "graze/graze.h"

#include <LinearMath/btVector3.h>
#include <cmath>

namespace graze_bullet {

struct vector3 {
  double x = 0, y = 0, z = 0;
};

inline vector3 operator+(const vector3 &a, const vector3 &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline vector3 operator-(const vector3 &a, const vector3 &b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline vector3 operator*(double s, const vector3 &a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const vector3 &a, const vector3 &b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline vector3 cross(const vector3 &a, const vector3 &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const vector3 &a) {
  return std::sqrt(dot(a, a));
}
// The direction, or zero if there is none.
inline vector3 direction(const vector3 &a) {
  const double size = length(a);
  return size > 0 ? (1 / size) * a : vector3();
}

inline vector3 from_array(const double a[3]) {
  return {a[0], a[1], a[2]};
}
inline vector3 from_bullet(const btVector3 &a) {
  return {double(a.x()), double(a.y()), double(a.z())};
}
inline btVector3 to_bullet(const vector3 &a) {
  return btVector3(btScalar(a.x), btScalar(a.y), btScalar(a.z));
}

inline vector3 placed(const graze_pose &pose, const vector3 &p) {
  const double *const r = pose.rotation, *const t = pose.translation;
  return {r[0] * p.x + r[1] * p.y + r[2] * p.z + t[0], r[3] * p.x + r[4] * p.y + r[5] * p.z + t[1],
          r[6] * p.x + r[7] * p.y + r[8] * p.z + t[2]};
}

// Rotates a direction into the frame of the pose, and out of it.
inline vector3 turned(const graze_pose &pose, const vector3 &v) {
  const double *const r = pose.rotation;
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}
inline vector3 turned_back(const graze_pose &pose, const vector3 &v) {
  const double *const r = pose.rotation;
  return {r[0] * v.x + r[3] * v.y + r[6] * v.z, r[1] * v.x + r[4] * v.y + r[7] * v.z,
          r[2] * v.x + r[5] * v.y + r[8] * v.z};
}

} // namespace graze_bullet

#endif
