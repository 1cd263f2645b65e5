// The btCollisionAlgorithm of two bodies that graze decides: reads its part of the answer and owns its manifolds.
#ifndef GRAZE_BULLET_PAIR_ALGORITHM_H
#define GRAZE_BULLET_PAIR_ALGORITHM_H

#include "detector.h"
#include "dispatcher_tables.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <vector>

namespace graze_bullet {

class pair_algorithm final : public btCollisionAlgorithm {
public:
  pair_algorithm(const btCollisionAlgorithmConstructionInfo &info, detector &detection, bool is_plane)
      : btCollisionAlgorithm(info), detection_(detection), is_plane_(is_plane) {}
  ~pair_algorithm() override;

  void processCollision(const btCollisionObjectWrapper *wrap_0, const btCollisionObjectWrapper *wrap_1,
                        const btDispatcherInfo &info, btManifoldResult *result) override;
  btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                 btManifoldResult *) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray &manifolds) override;

private:
  pair_answer answer_for(const btCollisionObject &object_0, const btCollisionObject &object_1, double reach);
  btPersistentManifold *manifold_for(const patch &made, const pair_answer &answer, size_t taken,
                                     const btCollisionObject *object_0, const btCollisionObject *object_1);
  void take(const pair_answer &answer, const btCollisionObject *object_0, const btCollisionObject *object_1,
            btManifoldResult &result);
  void fill(btPersistentManifold &manifold, const patch &made, const pair_answer &answer, btManifoldResult &result);

  void release_from(size_t first);

  detector &detection_;
  const bool is_plane_;
  std::vector<btPersistentManifold *> manifolds_;
};

// Creates pair_algorithms for pairs that graze decides, and calls the previously registered functions for all others.
class create_function final : public btCollisionAlgorithmCreateFunc {
public:
  create_function(detector &detection, const create_table &before) : detection_(detection), before_(before) {}

  btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                 const btCollisionObjectWrapper *wrap_0,
                                                 const btCollisionObjectWrapper *wrap_1) override;

  // Calls visit(type_0, type_1) for each two types of shapes whose pairs graze may decide.
  template <class visitor> static void for_each_pair(const visitor &visit) {
    static const int types[] = {TRIANGLE_MESH_SHAPE_PROXYTYPE,
                                SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE,
                                MULTIMATERIAL_TRIANGLE_MESH_PROXYTYPE,
                                TERRAIN_SHAPE_PROXYTYPE,
                                GIMPACT_SHAPE_PROXYTYPE,
                                STATIC_PLANE_PROXYTYPE,
                                COMPOUND_SHAPE_PROXYTYPE,
                                BOX_SHAPE_PROXYTYPE,
                                TETRAHEDRAL_SHAPE_PROXYTYPE,
                                CONVEX_TRIANGLEMESH_SHAPE_PROXYTYPE,
                                CONVEX_HULL_SHAPE_PROXYTYPE,
                                CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE};
    const auto may_be_concave = [](int type) { return type > CONCAVE_SHAPES_START_HERE; };
    for (const int type_0 : types)
      for (const int type_1 : types)
        if (may_be_concave(type_0) || may_be_concave(type_1)) visit(type_0, type_1);
  }

private:
  detector &detection_;
  const create_table before_;
};

} // namespace graze_bullet

#endif
