// The scene behind a dispatcher: adds and removes bodies, runs the query, and divides its answer by pairs of bodies.
#include "detector.h"

#include "near_filter.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace graze_bullet {
namespace {

// After this many steps without a pair, a body leaves the scene. With a hook there are no steps, and queries for one
// pair count instead.
const uint64_t kept_steps = 120, kept_queries = 1 << 14;
const uint32_t no_body = UINT32_MAX;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int revision_of(const btCollisionShape &shape) {
  if (!shape.isCompound()) return 0;
  const auto &compound = static_cast<const btCompoundShape &>(shape);
  int revision = compound.getUpdateRevision();
  for (int i = 0; i < compound.getNumChildShapes(); i++) revision += revision_of(*compound.getChildShape(i));
  return revision;
}

shape_stamp stamp_of(const btCollisionShape &shape) {
  btVector3 lower, upper;
  shape.getAabb(btTransform::getIdentity(), lower, upper);
  const btVector3 scaling = shape.getLocalScaling();
  shape_stamp made;
  made.revision = revision_of(shape), made.margin = shape.getMargin();
  for (size_t i = 0; i < 3; i++)
    made.sizes[i] = scaling[int(i)], made.sizes[3 + i] = lower[int(i)], made.sizes[6 + i] = upper[int(i)];
  return made;
}

} // namespace

// Compares bits, so that a box that is not finite equals itself.
bool shape_stamp::operator==(const shape_stamp &other) const {
  return revision == other.revision && std::memcmp(&margin, &other.margin, sizeof margin) == 0 &&
         std::memcmp(&sizes, &other.sizes, sizeof sizes) == 0;
}

bool make_pose(const btTransform &transform, graze_pose &pose) {
  const btMatrix3x3 &basis = transform.getBasis();
  const vector3 x = direction(from_bullet(basis.getColumn(0)));
  const vector3 given = from_bullet(basis.getColumn(1));
  const vector3 y = direction(given - dot(given, x) * x), z = cross(x, y);
  const double rotation[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  const vector3 t = from_bullet(transform.getOrigin());
  std::copy(rotation, rotation + 9, pose.rotation);
  pose.translation[0] = t.x, pose.translation[1] = t.y, pose.translation[2] = t.z;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      if (!(std::fabs(rotation[3 * i + j] - double(basis[i][j])) < 1e-3)) return false;
    if (!std::isfinite(pose.translation[i])) return false;
  }
  return true;
}

double threshold_of(const btCollisionObject &a, const btCollisionObject &b) {
  const btScalar most = gContactBreakingThreshold;
  return double(std::min({most, a.getCollisionShape()->getContactBreakingThreshold(most),
                          b.getCollisionShape()->getContactBreakingThreshold(most)}));
}

detector::detector(const graze_bullet_settings &settings) : settings_(settings) {
  graze_workers_def workers = graze_workers_def_default();
  workers.worker_count = settings.worker_count;
  if (failed(graze_workers_create(&workers, &workers_))) return;
  graze_backend_def backend = graze_backend_def_default();
  backend.name = settings.backend;
  graze_scene_def def = graze_scene_def_default();
  def.workers = workers_, def.backend = &backend;
  if (failed(graze_scene_create(&def, &scene_))) return;
  graze_method_def method = graze_method_def_default();
  method.name = settings.method;
  if (failed(graze_scene_set_method(scene_, &method))) {
    graze_scene_destroy(scene_);
    scene_ = nullptr;
  }
  scratch_.resize(graze_workers_count(workers_));
  plane_.names.push_back({0, 0, 0});
}

detector::~detector() {
  graze_pairs_free(&found_);
  graze_distances_free(&distances_);
  graze_contacts_free(&contacts_);
  graze_scene_destroy(scene_);
  bodies_.clear();
  graze_workers_destroy(workers_);
}

void detector::say(const char *format, ...) const {
  if (!settings_.message) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  settings_.message(settings_.message_context, text);
}

bool detector::failed(graze_result result) const {
  if (result != GRAZE_OK) say("graze: %s", graze_error_text());
  return result != GRAZE_OK;
}

detector::decision detector::decision_of(const btCollisionObject &a, const btCollisionShape &shape_a,
                                         const btCollisionObject &b, const btCollisionShape &shape_b) const {
  // A child of a compound that Bullet separates has a shape that is not the object's.
  if (!scene_ || a.getCollisionShape() != &shape_a || b.getCollisionShape() != &shape_b) return decision::BULLET;
  const bool plane_a = shape_a.getShapeType() == STATIC_PLANE_PROXYTYPE;
  const bool plane_b = shape_b.getShapeType() == STATIC_PLANE_PROXYTYPE;
  if (plane_a || plane_b) {
    const btCollisionShape &other = plane_a ? shape_b : shape_a;
    return plane_a != plane_b && is_concave(other) && has_surface(other) ? decision::PLANE : decision::BULLET;
  }
  const bool concave_a = is_concave(shape_a), concave_b = is_concave(shape_b);
  if (settings_.convex_by_graze ? !concave_a && !concave_b : !concave_a || !concave_b) return decision::BULLET;
  return has_surface(shape_a) && has_surface(shape_b) ? decision::SCENE : decision::BULLET;
}

// ------------------------------------------------------------------------------------------------ bodies

uint32_t detector::free_body() {
  if (free_bodies_.empty()) {
    bodies_.emplace_back();
    return uint32_t(bodies_.size() - 1);
  }
  const uint32_t number = free_bodies_.back();
  free_bodies_.pop_back();
  return number;
}

// A body is compared with its shape once per step, because patches name triangles of that shape.
uint32_t detector::body_of(const btCollisionObject &object) {
  const auto found = body_numbers_.find(&object);
  const uint32_t number = found == body_numbers_.end() ? free_body() : found->second;
  if (found == body_numbers_.end()) body_numbers_.emplace(&object, number);
  body &taken = bodies_[number];
  if (taken.object == &object && taken.shared && in_step_ && taken.last_step == step_) return number;
  const btCollisionShape &shape = *object.getCollisionShape();
  const int proxy = object.getBroadphaseHandle() ? object.getBroadphaseHandle()->m_uniqueId : -1;
  const shape_stamp stamp = stamp_of(shape);
  const bool same = taken.object == &object && taken.shape == &shape && taken.proxy == proxy && taken.stamp == stamp;
  taken.last_step = step_, taken.last_query = query_;
  if (same) return number;
  taken.object = &object, taken.shape = &shape, taken.proxy = proxy, taken.stamp = stamp;
  take_shape(taken);
  return number;
}

// The graze shape; NULL if it is refused, with a message.
void detector::make_shape(const body &taken, shared_shape &shared) const {
  const surface &made = shared.made;
  const int number = taken.object->getWorldArrayIndex();
  if (made.triangles.empty()) {
    say("collision object %d: its shape (%s) has no triangles; objects with this shape have no contacts from graze",
        number, taken.shape->getName());
    return;
  }
  if (const bad_coordinate bad = find_bad_coordinate(made); bad.triangle < made.triangles.size()) {
    const triangle_name &name = made.names[bad.triangle];
    say("collision object %d: its shape (%s) has the coordinate %g in triangle %d of part %d; objects with this shape "
        "have no contacts from graze",
        number, taken.shape->getName(), bad.value, name.index, name.part);
    return;
  }
  // In the precision of this build of Bullet.
  std::vector<btScalar> positions;
  for (const vector3 &p : made.positions)
    for (const double value : {p.x, p.y, p.z}) positions.push_back(btScalar(value));
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = {positions.data(), made.positions.size(), 0,
                    sizeof(btScalar) == sizeof(float) ? GRAZE_FORMAT_FLOAT3 : GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = {made.triangles.data(), made.triangles.size(), 0, GRAZE_FORMAT_UINT32_3};
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &mesh, def.workers = workers_;
  failed(graze_shape_create(&def, &shared.shape));
}

// A shape is read for each new body, but once per step, and shared if it is unchanged.
void detector::take_shape(body &taken) {
  known_shape &known = shapes_[taken.shape];
  std::shared_ptr<shared_shape> shared = known.shared.lock();
  if (!shared || !in_step_ || known.checked_step != step_) {
    auto read = std::make_shared<shared_shape>();
    read->made = make_surface(*taken.shape);
    read->hash = fingerprint(read->made);
    if (!shared || shared->hash != read->hash) {
      shared = read;
      make_shape(taken, *shared);
    }
    known.shared = shared, known.checked_step = step_;
  }
  if (taken.shared == shared && taken.placed.generation != 0) return;
  if (taken.placed.generation != 0) graze_scene_remove_object(scene_, taken.placed);
  taken.placed = {0, 0};
  taken.shared = shared;
}

bool detector::read_pose(body &taken) {
  const bool good = make_pose(taken.object->getWorldTransform(), taken.pose);
  if (!good && !taken.bad_pose)
    say("collision object %d: its transform is not a rotation and a translation; it has no contacts from graze",
        taken.object->getWorldArrayIndex());
  taken.bad_pose = !good;
  return good;
}

// Adds the body to the scene, or makes queries find it again.
void detector::want(uint32_t number) {
  body &taken = bodies_[number];
  if (taken.wanted) return;
  taken.wanted = true;
  wanted_.push_back(number);
  if (taken.placed.generation == 0) {
    graze_object_def def = graze_object_def_default();
    def.self = false;
    if (failed(graze_scene_add_shape(scene_, taken.shared->shape, &def, &taken.placed))) return;
    if (body_of_object_.size() <= taken.placed.index) body_of_object_.resize(taken.placed.index + 1, no_body);
    body_of_object_[taken.placed.index] = number;
  } else if (!taken.was_wanted) {
    failed(graze_object_set_filter(scene_, taken.placed, 1, UINT64_MAX, false));
  }
  taken.was_wanted = true;
}

void detector::forget_unseen() {
  for (size_t i = 0; i < bodies_.size(); i++) {
    body &taken = bodies_[i];
    if (!taken.object || (step_ - taken.last_step < kept_steps && query_ - taken.last_query < kept_queries)) continue;
    if (taken.placed.generation != 0) graze_scene_remove_object(scene_, taken.placed);
    body_numbers_.erase(taken.object);
    taken = body();
    free_bodies_.push_back(uint32_t(i));
  }
  for (auto shape = shapes_.begin(); shape != shapes_.end();)
    shape = shape->second.shared.expired() ? shapes_.erase(shape) : std::next(shape);
}

void detector::shape_changed(const btCollisionShape *shape) {
  for (body &taken : bodies_)
    if (taken.object) taken.proxy = -2; // All are read again; equal ones remain.
  shapes_.erase(shape);
}

// ------------------------------------------------------------------------------------------------ a step

void detector::clear_pairs() {
  pair_numbers_.clear();
  pair_count_ = 0;
  clearance_ = 0;
  for (const uint32_t number : wanted_) bodies_[number].wanted = false;
  wanted_.clear();
}

void detector::add_pair(const btCollisionObject &a, const btCollisionObject &b, double reach) {
  uint32_t first = body_of(a), second = body_of(b);
  for (const uint32_t number : {first, second})
    if (!bodies_[number].shared->shape || !read_pose(bodies_[number])) return;
  want(first), want(second);
  if (bodies_[first].placed.generation == 0 || bodies_[second].placed.generation == 0) return;
  if (bodies_[first].placed.index > bodies_[second].placed.index) std::swap(first, second);
  const auto added = pair_numbers_.try_emplace(uint64_t(first) << 32 | second, uint32_t(pair_count_));
  if (!added.second) return;
  if (pair_count_ == pairs_.size()) pairs_.emplace_back();
  body_pair &pair = pairs_[pair_count_++];
  pair.a = first, pair.b = second, pair.reach = reach, pair.crosses = false;
  pair.near.clear(), pair.patches.clear();
  const double margins = bodies_[first].shared->made.greatest_margin + bodies_[second].shared->made.greatest_margin;
  clearance_ = std::max(clearance_, margins + reach);
}

// Sets the poses of all bodies of the step, and removes unused bodies from the search.
bool detector::update_scene() {
  std::vector<graze_object> objects;
  std::vector<graze_pose> poses;
  for (const uint32_t number : wanted_) {
    objects.push_back(bodies_[number].placed);
    poses.push_back(bodies_[number].pose);
  }
  for (body &taken : bodies_) {
    if (taken.wanted || !taken.was_wanted) continue;
    taken.was_wanted = false;
    if (taken.placed.generation != 0) graze_object_set_filter(scene_, taken.placed, 0, 0, false);
  }
  return !failed(graze_scene_set_poses(scene_, objects.data(), objects.size(), poses.data())) &&
         !failed(graze_scene_update(scene_));
}

placed_surface detector::placed_body(uint32_t number) const {
  return {&bodies_[number].shared->made, bodies_[number].pose};
}

// The pair of bodies of two triangles; NULL if Bullet excludes it.
detector::body_pair *detector::pair_of(const graze_pair &pair) {
  const uint64_t key = uint64_t(body_of_object_[pair.object_a]) << 32 | body_of_object_[pair.object_b];
  const auto known = pair_numbers_.find(key);
  return known == pair_numbers_.end() ? nullptr : &pairs_[known->second];
}

// Bodies that cross have contacts at the crossings. All others have contacts within their margins, whose search costs
// more.
bool detector::find(graze_query query) {
  query.clearance = 0;
  if (!find_crossing(query)) return false;
  if (crossing_.size() == pair_count_) return true;
  query.clearance = clearance_;
  query.candidates_only = true;
  if (crossing_.empty()) return find_near(query);
  const bool found = !failed(graze_scene_exclude_pairs(scene_, crossing_.data(), crossing_.size(), true)) &&
                     !failed(graze_scene_update(scene_)) && find_near(query);
  return !failed(graze_scene_exclude_pairs(scene_, crossing_.data(), crossing_.size(), false)) && found;
}

bool detector::find_crossing(const graze_query &query) {
  crossing_.clear();
  if (failed(graze_scene_find_pairs(scene_, &query, &found_)) ||
      failed(graze_scene_make_contacts(scene_, found_.pairs, found_.count, nullptr, &contacts_)))
    return false;
  for (size_t i = 0; i < found_.count; i++) {
    const graze_pair &pair = found_.pairs[i];
    body_pair *const bodies = pair_of(pair);
    if (!bodies) continue;
    if (!bodies->crosses) crossing_.push_back({bodies_[bodies->a].placed, bodies_[bodies->b].placed});
    bodies->crosses = true;
    const graze_contact *const contact = &contacts_.contacts[i];
    bodies->near.push_back(
        {pair.primitive_a, pair.primitive_b, nullptr, contact, contacts_.points + contact->first_point});
    report.crossing++;
  }
  return true;
}

bool detector::find_near(const graze_query &query) {
  if (failed(graze_scene_find_pairs(scene_, &query, &found_))) return false;
  near_.clear();
  uint32_t last_a = no_body, last_b = no_body;
  const body_pair *bodies = nullptr;
  std::unique_ptr<near_filter> filter;
  for (size_t i = 0; i < found_.count; i++) {
    const graze_pair &pair = found_.pairs[i];
    if (pair.object_a != last_a || pair.object_b != last_b) {
      last_a = pair.object_a, last_b = pair.object_b;
      bodies = pair_of(pair);
      if (bodies) filter = std::make_unique<near_filter>(placed_body(bodies->a), placed_body(bodies->b), clearance_);
    }
    if (bodies && filter->keeps(pair.primitive_a, pair.primitive_b)) near_.push_back(pair);
  }
  if (failed(graze_scene_make_distances(scene_, near_.data(), near_.size(), &distances_))) return false;
  for (size_t i = 0; i < near_.size(); i++) {
    const graze_distance *const distance = &distances_.distances[i];
    if (distance->distance <= clearance_)
      pair_of(near_[i])->near.push_back({near_[i].primitive_a, near_[i].primitive_b, distance, nullptr, nullptr});
  }
  return true;
}

void detector::make_all_patches() {
  graze_workers_run(
      workers_,
      [](void *context, uint32_t index, uint32_t worker) {
        detector &self = *static_cast<detector *>(context);
        body_pair &pair = self.pairs_[index];
        make_patches(self.placed_body(pair.a), self.placed_body(pair.b), pair.near, pair.reach, self.scratch_[worker],
                     pair.patches);
      },
      this, uint32_t(pair_count_));
}

void detector::begin_step(const std::vector<std::pair<const btCollisionObject *, const btCollisionObject *>> &pairs) {
  step_++;
  report = graze_bullet_report();
  const double began = now_ms();
  clear_pairs();
  for (const auto &pair : pairs) add_pair(*pair.first, *pair.second, reach_of(*pair.first, *pair.second));
  forget_unseen();
  if (pair_count_ == 0 || !update_scene()) {
    pair_count_ = 0;
    return;
  }
  const double updated = now_ms();
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  const bool found = find(query);
  const double detected = now_ms();
  if (found) make_all_patches();
  report.copy_ms = updated - began, report.detect_ms = detected - updated, report.contact_ms = now_ms() - detected;
  report.bodies = graze_scene_object_count(scene_), report.body_pairs = pair_count_;
  for (size_t i = 0; i < pair_count_; i++) {
    report.pairs += pairs_[i].near.size();
    report.patches += pairs_[i].patches.size();
  }
}

void detector::end_step() {
  in_step_ = false;
}

pair_answer detector::answer(const btCollisionObject &a, const btCollisionObject &b) const {
  pair_answer made;
  const auto first = body_numbers_.find(&a), second = body_numbers_.find(&b);
  if (first == body_numbers_.end() || second == body_numbers_.end()) return made;
  uint32_t number_a = first->second, number_b = second->second;
  if (bodies_[number_a].placed.index > bodies_[number_b].placed.index) std::swap(number_a, number_b);
  const auto known = pair_numbers_.find(uint64_t(number_a) << 32 | number_b);
  if (known == pair_numbers_.end() || known->second >= pair_count_) return made;
  const body_pair &pair = pairs_[known->second];
  made.a = bodies_[pair.a].object, made.b = bodies_[pair.b].object;
  made.surface_a = &bodies_[pair.a].shared->made, made.surface_b = &bodies_[pair.b].shared->made;
  made.patches = pair.patches.data(), made.count = pair.patches.size(), made.crosses = pair.crosses;
  return made;
}

pair_answer detector::decide(const btCollisionObject &a, const btCollisionObject &b, double reach) {
  clear_pairs();
  if (++query_ % (kept_queries / 4) == 0) forget_unseen();
  add_pair(a, b, reach);
  if (pair_count_ == 0 || !update_scene()) {
    pair_count_ = 0;
    return pair_answer();
  }
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.about_count = 2;
  query.about_a = bodies_[pairs_[0].a].placed, query.about_b = bodies_[pairs_[0].b].placed;
  if (find(query)) make_all_patches();
  return answer(a, b);
}

pair_answer detector::decide_plane(const btCollisionObject &a, const btCollisionObject &b) {
  const bool plane_first = a.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
  const btCollisionObject &concave = plane_first ? b : a, &plane = plane_first ? a : b;
  const auto &shape = static_cast<const btStaticPlaneShape &>(*plane.getCollisionShape());
  const uint32_t number = body_of(concave);
  body &taken = bodies_[number];
  pair_answer made;
  graze_pose pose;
  if (!taken.shared->shape || !read_pose(taken) || !make_pose(plane.getWorldTransform(), pose)) return made;
  const vector3 normal = turned(pose, direction(from_bullet(shape.getPlaneNormal())));
  const double height = double(shape.getPlaneConstant()) + dot(normal, from_array(pose.translation));
  plane_patches_.clear();
  make_plane_patch(placed_body(number), normal, height, reach_of(concave, concave), scratch_[0], plane_patches_);
  made.a = &concave, made.b = &plane;
  made.surface_a = &taken.shared->made, made.surface_b = &plane_;
  made.patches = plane_patches_.data(), made.count = plane_patches_.size();
  return made;
}

} // namespace graze_bullet
