// The dispatcher and the hook: collect the pairs of the broad phase, make one query per step, then run Bullet's own
// dispatch.
#include "graze_bullet.h"

#include "detector.h"
#include "pair_algorithm.h"

#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <chrono>

using graze_bullet::create_function;
using graze_bullet::detector;
using graze_bullet::dispatcher_tables;

namespace {

void register_functions(btCollisionDispatcher &dispatcher, create_function &contacts, create_function &closest) {
  create_function::for_each_pair([&](int type_0, int type_1) {
    dispatcher.registerCollisionCreateFunc(type_0, type_1, &contacts);
    dispatcher.registerClosestPointsCreateFunc(type_0, type_1, &closest);
  });
}

} // namespace

graze_bullet_dispatcher::graze_bullet_dispatcher(btCollisionConfiguration *configuration,
                                                 const graze_bullet_settings &settings)
    : btCollisionDispatcher(configuration), detector_(std::make_unique<detector>(settings)),
      contacts_(std::make_unique<create_function>(*detector_, dispatcher_tables::contacts(*this))),
      closest_(std::make_unique<create_function>(*detector_, dispatcher_tables::closest(*this))) {
  register_functions(*this, *contacts_, *closest_);
}

graze_bullet_dispatcher::~graze_bullet_dispatcher() = default;

// Bullet's own dispatch follows the query. It calls the near callback for each pair, as always, and the algorithm of
// each pair reads its part of the answer.
void graze_bullet_dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache *pairs, const btDispatcherInfo &info,
                                                        btDispatcher *dispatcher) {
  if (!detector_->enter_step()) {
    detector_->say("a step began during another step: it found no contacts");
    return;
  }
  // Also if a callback or an allocation throws.
  const struct step_end {
    detector &detection;
    ~step_end() { detection.end_step(); }
  } end{*detector_};
  std::vector<std::pair<const btCollisionObject *, const btCollisionObject *>> decided;
  const btBroadphasePair *const overlapping = pairs->getOverlappingPairArrayPtr();
  for (int i = 0; i < pairs->getNumOverlappingPairs(); i++) {
    const auto *const a = static_cast<const btCollisionObject *>(overlapping[i].m_pProxy0->m_clientObject);
    const auto *const b = static_cast<const btCollisionObject *>(overlapping[i].m_pProxy1->m_clientObject);
    if (detector_->decision_of(*a, *a->getCollisionShape(), *b, *b->getCollisionShape()) == detector::decision::SCENE &&
        needsCollision(a, b))
      decided.emplace_back(a, b);
  }
  detector_->begin_step(decided);
  const auto began = std::chrono::steady_clock::now();
  btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
  detector_->report.contact_ms +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

void graze_bullet_dispatcher::shape_changed(const btCollisionShape *shape) {
  detector_->shape_changed(shape);
}

const graze_bullet_report &graze_bullet_dispatcher::report() const {
  return detector_->report;
}

graze_bullet_hook::graze_bullet_hook(btCollisionDispatcher &dispatcher, const graze_bullet_settings &settings)
    : detector_(std::make_unique<detector>(settings)),
      contacts_(std::make_unique<create_function>(*detector_, dispatcher_tables::contacts(dispatcher))),
      closest_(std::make_unique<create_function>(*detector_, dispatcher_tables::closest(dispatcher))) {
  register_functions(dispatcher, *contacts_, *closest_);
}

graze_bullet_hook::~graze_bullet_hook() = default;

void graze_bullet_hook::shape_changed(const btCollisionShape *shape) {
  detector_->shape_changed(shape);
}
