// The functions that create the collision algorithms of a dispatcher, by the types of two shapes.
#ifndef GRAZE_BULLET_DISPATCHER_TABLES_H
#define GRAZE_BULLET_DISPATCHER_TABLES_H

#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <array>

namespace graze_bullet {

typedef std::array<std::array<btCollisionAlgorithmCreateFunc *, MAX_BROADPHASE_COLLISION_TYPES>,
                   MAX_BROADPHASE_COLLISION_TYPES>
    create_table;

// Copies the protected tables of any dispatcher.
class dispatcher_tables : public btCollisionDispatcher {
public:
  static create_table contacts(const btCollisionDispatcher &dispatcher) {
    return copied(dispatcher.*(&dispatcher_tables::m_doubleDispatchContactPoints));
  }
  static create_table closest(const btCollisionDispatcher &dispatcher) {
    return copied(dispatcher.*(&dispatcher_tables::m_doubleDispatchClosestPoints));
  }

private:
  typedef btCollisionAlgorithmCreateFunc *const given[MAX_BROADPHASE_COLLISION_TYPES][MAX_BROADPHASE_COLLISION_TYPES];
  static create_table copied(given &from) {
    create_table made;
    for (size_t i = 0; i < made.size(); i++)
      for (size_t j = 0; j < made.size(); j++) made[i][j] = from[i][j];
    return made;
  }
};

} // namespace graze_bullet

#endif
