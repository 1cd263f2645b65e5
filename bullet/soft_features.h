// Nodes near faces and edges near edges, of two triangles that are near each other.
//
// Triangles of a soft body are its faces, or its links if it has no faces; a link is a triangle whose last two corners
// are equal. The correct side of a node or an edge is that at the beginning of the step: features that cross within a
// step are pushed back.
#ifndef GRAZE_BULLET_SOFT_FEATURES_H
#define GRAZE_BULLET_SOFT_FEATURES_H

#include "vector3.h"

#include <cstdint>
#include <vector>

namespace graze_bullet {

// A triangle of a body in the scene, now and at the beginning of the step.
struct moving_triangle {
  uint32_t object;      // number of the body
  uint32_t triangle;    // its number there
  uint32_t vertices[3]; // numbers of its corners in the body
  vector3 now[3], before[3];
  bool is_link; // the last two corners are one
  bool outward; // of a closed rigid mesh: contacts are on the outer side
};

// Two points to be separated along the normal, which points from side 1 to side 0. If they were nearer than the margin
// when the step began, the step restores a fifth of the missing distance, so that bodies are not thrown apart. A point
// is a weighted sum of corners: one corner and three of a face, or two corners of each of two edges.
struct soft_contact {
  struct side {
    uint32_t object, triangle, count;
    uint32_t vertices[3];
    double weights[3];
  } sides[2];
  vector3 normal;
  double distance; // along the normal
  double target;   // the required distance after this step
};

// Appends the contacts of two triangles whose distance is below the margin, or that have passed each other in the step.
void find_soft_contacts(const moving_triangle &a, const moving_triangle &b, double margin,
                        std::vector<soft_contact> &out);

// Contacts of a step, one for each pair of features: a node and a face, or two edges. Several triangles around a
// feature find the same contact; the first is kept.
class contact_set {
public:
  void clear();
  // Adds the contacts appended to `found` that are new.
  void add(const std::vector<soft_contact> &found);
  // The contacts in the order of their features.
  const std::vector<soft_contact> &sorted();

private:
  struct key {
    uint32_t words[8]; // for each side: the body, the number of corners, and the names of the feature
    bool operator<(const key &other) const;
    bool operator==(const key &other) const;
  };
  static key key_of(const soft_contact &contact);
  void grow();

  std::vector<key> keys_;
  std::vector<soft_contact> contacts_, sorted_;
  std::vector<uint32_t> slots_; // of a hash table: the number of a contact plus one
  std::vector<uint32_t> order_;
};

} // namespace graze_bullet

#endif
