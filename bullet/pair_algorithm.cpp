// Manifolds of two bodies: one for each contact patch, filled by Bullet's own rules, so that callbacks, materials and
// warm starting are Bullet's.
#include "pair_algorithm.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <algorithm>
#include <new>

namespace graze_bullet {
namespace {

// A contact point in Bullet's convention: it includes the margins, and the normal points from body 1 to body 0.
struct bullet_point {
  btVector3 on_0, on_1, normal;
  btScalar distance;
  triangle_name name_0, name_1;
};

bullet_point point_of(const contact_point &point, const pair_answer &answer, bool swapped) {
  const triangle_name &name_a = answer.surface_a->names[point.triangle_a];
  const triangle_name &name_b = answer.surface_b->names[point.triangle_b];
  const vector3 on_a = point.on_a - name_a.margin * point.normal, on_b = point.on_b + name_b.margin * point.normal;
  const btScalar distance = btScalar(point.distance - name_a.margin - name_b.margin);
  if (swapped) return {to_bullet(on_b), to_bullet(on_a), to_bullet(-1 * point.normal), distance, name_b, name_a};
  return {to_bullet(on_a), to_bullet(on_b), to_bullet(point.normal), distance, name_a, name_b};
}

} // namespace

pair_algorithm::~pair_algorithm() {
  release_from(0);
}

void pair_algorithm::release_from(size_t first) {
  for (size_t i = first; i < manifolds_.size(); i++) m_dispatcher->releaseManifold(manifolds_[i]);
  manifolds_.resize(first);
}

void pair_algorithm::getAllContactManifolds(btManifoldArray &manifolds) {
  for (btPersistentManifold *manifold : manifolds_) manifolds.push_back(manifold);
}

// The manifold after the first `taken` with the most points near those of the patch, moved to index `taken`; a new one
// if none has any.
btPersistentManifold *pair_algorithm::manifold_for(const patch &made, const pair_answer &answer, size_t taken,
                                                   const btCollisionObject *object_0,
                                                   const btCollisionObject *object_1) {
  size_t best = manifolds_.size();
  int best_count = 0;
  for (size_t i = taken; i < manifolds_.size(); i++) {
    const btPersistentManifold &manifold = *manifolds_[i];
    const bool swapped = manifold.getBody0() != answer.a;
    const btTransform back = manifold.getBody0()->getWorldTransform().inverse();
    const btScalar limit = manifold.getContactBreakingThreshold();
    int count = 0;
    for (int k = 0; k < made.point_count; k++) {
      const btVector3 local = back * point_of(made.points[k], answer, swapped).on_0;
      for (int j = 0; j < manifold.getNumContacts(); j++)
        count += (manifold.getContactPoint(j).m_localPointA - local).length2() < limit * limit;
    }
    if (count > best_count) best = i, best_count = count;
  }
  if (best == manifolds_.size()) {
    manifolds_.push_back(m_dispatcher->getNewManifold(object_0, object_1));
    manifolds_[best]->setContactBreakingThreshold(btScalar(threshold_of(*object_0, *object_1)));
  }
  std::rotate(manifolds_.begin() + ptrdiff_t(taken), manifolds_.begin() + ptrdiff_t(best),
              manifolds_.begin() + ptrdiff_t(best) + 1);
  return manifolds_[taken];
}

// Removes points that the patch no longer has. Bullet's manifold identifies the others by their position and keeps
// their impulses.
void pair_algorithm::fill(btPersistentManifold &manifold, const patch &made, const pair_answer &answer,
                          btManifoldResult &result) {
  const bool swapped = manifold.getBody0() != answer.a;
  const btTransform back = manifold.getBody0()->getWorldTransform().inverse();
  const btScalar limit = manifold.getContactBreakingThreshold();
  btVector3 locals[PATCH_POINTS];
  for (int k = 0; k < made.point_count; k++) locals[k] = back * point_of(made.points[k], answer, swapped).on_0;
  for (int j = manifold.getNumContacts() - 1; j >= 0; j--) {
    const btVector3 old = manifold.getContactPoint(j).m_localPointA;
    const bool kept = std::any_of(locals, locals + made.point_count,
                                  [&](const btVector3 &local) { return (local - old).length2() < limit * limit; });
    if (!kept) manifold.removeContactPoint(j);
  }
  result.setPersistentManifold(&manifold);
  const bool swapped_result = result.getBody0Internal() != answer.a;
  for (int k = 0; k < made.point_count; k++) {
    const bullet_point point = point_of(made.points[k], answer, swapped_result);
    result.setShapeIdentifiersA(point.name_0.part, point.name_0.index);
    result.setShapeIdentifiersB(point.name_1.part, point.name_1.index);
    result.addContactPoint(point.normal, point.on_1, point.distance);
  }
}

// The answer of the step's query; outside of a step, as for a manual test or another dispatcher, that of a separate
// query.
pair_answer pair_algorithm::answer_for(const btCollisionObject &object_0, const btCollisionObject &object_1,
                                       double reach) {
  if (is_plane_) return detection_.decide_plane(object_0, object_1);
  if (detection_.in_step()) return detection_.answer(object_0, object_1);
  return detection_.decide(object_0, object_1, std::max(reach_of(object_0, object_1), reach));
}

void pair_algorithm::processCollision(const btCollisionObjectWrapper *wrap_0, const btCollisionObjectWrapper *wrap_1,
                                      const btDispatcherInfo &, btManifoldResult *result) {
  const btCollisionObject *const object_0 = wrap_0->getCollisionObject(), *const object_1 =
                                                                              wrap_1->getCollisionObject();
  const bool own_query = is_plane_ || !detection_.in_step();
  if (own_query && !detection_.enter_query()) {
    detection_.say("two bodies were tested during another test: it found no contacts");
    return;
  }
  const struct query_end {
    detector *detection;
    ~query_end() {
      if (detection) detection->end_query();
    }
  } end{own_query ? &detection_ : nullptr};
  take(answer_for(*object_0, *object_1, double(result->m_closestPointDistanceThreshold)), object_0, object_1, *result);
}

// Transfers the patches of the answer to manifolds.
void pair_algorithm::take(const pair_answer &answer, const btCollisionObject *object_0,
                          const btCollisionObject *object_1, btManifoldResult &result) {
  size_t taken = 0;
  for (; taken < answer.count; taken++)
    fill(*manifold_for(answer.patches[taken], answer, taken, object_0, object_1), answer.patches[taken], answer,
         result);
  if (!answer.crosses) release_from(taken);
  for (btPersistentManifold *manifold : manifolds_) {
    result.setPersistentManifold(manifold);
    result.refreshContactPoints();
  }
  result.setPersistentManifold(nullptr);
  // Of the unchanged manifolds, those that have lost all points are removed.
  const auto empty =
      std::stable_partition(manifolds_.begin() + ptrdiff_t(taken), manifolds_.end(),
                            [](btPersistentManifold *manifold) { return manifold->getNumContacts() > 0; });
  release_from(size_t(empty - manifolds_.begin()));
}

btCollisionAlgorithm *create_function::CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                                const btCollisionObjectWrapper *wrap_0,
                                                                const btCollisionObjectWrapper *wrap_1) {
  const btCollisionShape &shape_0 = *wrap_0->getCollisionShape(), &shape_1 = *wrap_1->getCollisionShape();
  const detector::decision decision =
      detection_.decision_of(*wrap_0->getCollisionObject(), shape_0, *wrap_1->getCollisionObject(), shape_1);
  if (decision == detector::decision::BULLET)
    return before_[size_t(shape_0.getShapeType())][size_t(shape_1.getShapeType())]->CreateCollisionAlgorithm(
        info, wrap_0, wrap_1);
  // Not from the dispatcher's pool, whose blocks have the size of Bullet's own algorithms; it frees both.
  return new (btAlignedAlloc(sizeof(pair_algorithm), 16))
      pair_algorithm(info, detection_, decision == detector::decision::PLANE);
}

} // namespace graze_bullet
