// The triangles of a Bullet shape: meshes by their mesh interface, height fields by their callback, hulls by Bullet's
// own hull computation.
#include "surface.h"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <LinearMath/btConvexHullComputer.h>
#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace graze_bullet {
namespace {

bool is_concave_leaf(int type) {
  switch (type) {
  case TRIANGLE_MESH_SHAPE_PROXYTYPE:
  case SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE:
  case MULTIMATERIAL_TRIANGLE_MESH_PROXYTYPE:
  case TERRAIN_SHAPE_PROXYTYPE:
    return true;
  default:
    return false;
  }
}

bool is_mesh_of_gimpact(const btCollisionShape &shape) {
  return shape.getShapeType() == GIMPACT_SHAPE_PROXYTYPE &&
         static_cast<const btGImpactShapeInterface &>(shape).getGImpactShapeType() == CONST_GIMPACT_TRIMESH_SHAPE;
}

bool is_hull_leaf(int type) {
  switch (type) {
  case BOX_SHAPE_PROXYTYPE:
  case TETRAHEDRAL_SHAPE_PROXYTYPE:
  case CONVEX_TRIANGLEMESH_SHAPE_PROXYTYPE:
  case CONVEX_HULL_SHAPE_PROXYTYPE:
  case CONVEX_POINT_CLOUD_SHAPE_PROXYTYPE:
    return true;
  default:
    return false;
  }
}

// A corner's bits; -0 is 0.
struct place {
  double at[3];
  bool operator==(const place &other) const { return std::memcmp(at, other.at, sizeof at) == 0; }
};

uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

struct place_hash {
  size_t operator()(const place &p) const {
    uint64_t hash = 0, words[3];
    std::memcpy(words, p.at, sizeof words);
    for (const uint64_t word : words) hash = mixed(hash, word);
    return hash;
  }
};

// Collects triangles; the transform is that of the leaf in the object.
class collector final : public btTriangleCallback, public btInternalTriangleIndexCallback {
public:
  explicit collector(surface &made) : made_(made) {}

  void begin_leaf(const btTransform &transform, const btVector3 &scaling, int child, double margin) {
    transform_ = transform, scaling_ = scaling, child_ = child, margin_ = margin;
    if (margin > made_.greatest_margin) made_.greatest_margin = margin;
  }

  void processTriangle(btVector3 *corners, int part, int index) override { add(corners, part, index); }
  void internalProcessTriangleIndex(btVector3 *corners, int part, int index) override { add(corners, part, index); }

  void add(const btVector3 *corners, int part, int index) {
    std::array<uint32_t, 3> triangle;
    for (int i = 0; i < 3; i++) triangle[i] = vertex(corners[i]);
    made_.triangles.push_back(triangle);
    made_.names.push_back({child_ < 0 ? part : child_, index, margin_});
  }

private:
  uint32_t vertex(const btVector3 &corner) {
    const vector3 p = from_bullet(transform_ * (corner * scaling_));
    const auto found =
        vertices_.try_emplace(place{{p.x + 0.0, p.y + 0.0, p.z + 0.0}}, uint32_t(made_.positions.size()));
    if (found.second) made_.positions.push_back(p);
    return found.first->second;
  }

  surface &made_;
  std::unordered_map<place, uint32_t, place_hash> vertices_;
  btTransform transform_;
  btVector3 scaling_;
  int child_ = -1;
  double margin_ = 0;
};

// Corners of triangles, in any order.
class corner_list final : public btInternalTriangleIndexCallback {
public:
  explicit corner_list(std::vector<btVector3> &out) : out_(out) {}
  void internalProcessTriangleIndex(btVector3 *corners, int, int) override {
    out_.insert(out_.end(), corners, corners + 3);
  }

private:
  std::vector<btVector3> &out_;
};

// A convex mesh is the hull of its triangles; Bullet does not count its corners.
std::vector<btVector3> corners_of(const btPolyhedralConvexShape &shape) {
  std::vector<btVector3> corners;
  if (shape.getShapeType() == CONVEX_TRIANGLEMESH_SHAPE_PROXYTYPE) {
    const btVector3 far(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
    corner_list list(corners);
    static_cast<const btConvexTriangleMeshShape &>(shape).getMeshInterface()->InternalProcessAllTriangles(&list, -far,
                                                                                                          far);
    return corners;
  }
  corners.resize(size_t(shape.getNumVertices()));
  for (size_t i = 0; i < corners.size(); i++) shape.getVertex(int(i), corners[i]);
  return corners;
}

// The boundary of a polyhedral convex shape, facing outward. A box includes its margin; a hull has it around it.
void add_hull(const btPolyhedralConvexShape &shape, collector &out) {
  const std::vector<btVector3> corners = corners_of(shape);
  if (corners.empty()) return;
  for (const btVector3 &corner : corners) {
    if (!std::isfinite(corner.x()) || !std::isfinite(corner.y()) || !std::isfinite(corner.z())) {
      const btVector3 point[3] = {corner, corner, corner}; // The caller refuses it.
      out.add(point, 0, 0);
      return;
    }
  }
  btConvexHullComputer hull;
  hull.compute(&corners[0].x(), int(sizeof(btVector3)), int(corners.size()), 0, 0);
  int index = 0;
  for (int f = 0; f < hull.faces.size(); f++) {
    const btConvexHullComputer::Edge *const first = &hull.edges[hull.faces[f]];
    const auto corner = [&](int vertex) { return corners[size_t(hull.original_vertex_index[vertex])]; };
    const btVector3 origin = corner(first->getSourceVertex());
    for (const auto *edge = first->getNextEdgeOfFace(); edge->getTargetVertex() != first->getSourceVertex();
         edge = edge->getNextEdgeOfFace()) {
      const btVector3 triangle[3] = {origin, corner(edge->getSourceVertex()), corner(edge->getTargetVertex())};
      out.add(triangle, 0, index++);
    }
  }
}

void add_mesh(const btStridingMeshInterface &mesh, collector &out) {
  const btVector3 far(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
  mesh.InternalProcessAllTriangles(&out, -far, far);
}

void add_shape(const btCollisionShape &shape, const btTransform &transform, int child, collector &out) {
  const btVector3 one(1, 1, 1);
  const int type = shape.getShapeType();
  if (shape.isCompound()) {
    const auto &compound = static_cast<const btCompoundShape &>(shape);
    for (int i = 0; i < compound.getNumChildShapes(); i++)
      add_shape(*compound.getChildShape(i), transform * compound.getChildTransform(i), child < 0 ? i : child, out);
  } else if (is_hull_leaf(type)) {
    out.begin_leaf(transform, one, child, type == BOX_SHAPE_PROXYTYPE ? 0 : double(shape.getMargin()));
    add_hull(static_cast<const btPolyhedralConvexShape &>(shape), out);
  } else if (type == SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE) {
    const auto &scaled = static_cast<const btScaledBvhTriangleMeshShape &>(shape);
    out.begin_leaf(transform, scaled.getLocalScaling(), child, double(shape.getMargin()));
    add_mesh(*scaled.getChildShape()->getMeshInterface(), out);
  } else if (type == TERRAIN_SHAPE_PROXYTYPE) {
    const auto &terrain = static_cast<const btConcaveShape &>(shape);
    btVector3 lower, upper;
    terrain.getAabb(btTransform::getIdentity(), lower, upper);
    out.begin_leaf(transform, one, child, double(shape.getMargin()));
    terrain.processAllTriangles(&out, lower, upper);
  } else if (is_mesh_of_gimpact(shape)) {
    // Its parts have their own scaling, which replaces that of the mesh.
    const auto &mesh = static_cast<const btGImpactMeshShape &>(shape);
    if (mesh.getMeshPartCount() == 0) return;
    const btVector3 scaling = mesh.getMeshPart(0)->getLocalScaling() / mesh.getMeshInterface()->getScaling();
    out.begin_leaf(transform, scaling, child, double(mesh.getMeshPart(0)->getMargin()));
    add_mesh(*mesh.getMeshInterface(), out);
  } else {
    out.begin_leaf(transform, one, child, double(shape.getMargin()));
    add_mesh(*static_cast<const btTriangleMeshShape &>(shape).getMeshInterface(), out);
  }
}

void find_triangles_around(surface &made) {
  made.around_starts.assign(made.positions.size() + 1, 0);
  for (const auto &triangle : made.triangles)
    for (const uint32_t corner : triangle) made.around_starts[corner + 1]++;
  for (size_t i = 0; i < made.positions.size(); i++) made.around_starts[i + 1] += made.around_starts[i];
  made.around.resize(3 * made.triangles.size());
  std::vector<uint32_t> next(made.around_starts.begin(), made.around_starts.end() - 1);
  for (uint32_t i = 0; i < made.triangles.size(); i++)
    for (const uint32_t corner : made.triangles[i]) made.around[next[corner]++] = i;
}

void find_normals(surface &made) {
  for (const auto &triangle : made.triangles) {
    const vector3 &p = made.positions[triangle[0]];
    made.normals.push_back(direction(cross(made.positions[triangle[1]] - p, made.positions[triangle[2]] - p)));
  }
}

void find_spreads(surface &made) {
  for (size_t i = 0; i < made.triangles.size(); i++) {
    double least = 1; // the cosine
    for (const uint32_t corner : made.triangles[i])
      for (uint32_t k = made.around_starts[corner]; k < made.around_starts[corner + 1]; k++)
        least = std::min(least, dot(made.normals[i], made.normals[made.around[k]]));
    made.spreads.push_back(std::acos(std::max(-1.0, least)));
  }
}

// The number of triangles that use an edge from one vertex to the other.
int count_runs(const surface &made, uint32_t from, uint32_t to) {
  int count = 0;
  for (uint32_t i = made.around_starts[from]; i < made.around_starts[from + 1]; i++) {
    const std::array<uint32_t, 3> &triangle = made.triangles[made.around[i]];
    for (int k = 0; k < 3; k++) count += triangle[k] == from && triangle[(k + 1) % 3] == to;
  }
  return count;
}

bool is_closed(const surface &made) {
  for (const auto &triangle : made.triangles)
    for (int k = 0; k < 3; k++)
      if (count_runs(made, triangle[k], triangle[(k + 1) % 3]) != 1 ||
          count_runs(made, triangle[(k + 1) % 3], triangle[k]) != 1)
        return false;
  return true;
}

} // namespace

bool has_surface(const btCollisionShape &shape) {
  if (!shape.isCompound())
    return is_concave_leaf(shape.getShapeType()) || is_hull_leaf(shape.getShapeType()) || is_mesh_of_gimpact(shape);
  const auto &compound = static_cast<const btCompoundShape &>(shape);
  for (int i = 0; i < compound.getNumChildShapes(); i++)
    if (!has_surface(*compound.getChildShape(i))) return false;
  return true;
}

bool is_concave(const btCollisionShape &shape) {
  if (!shape.isCompound()) return is_concave_leaf(shape.getShapeType()) || is_mesh_of_gimpact(shape);
  const auto &compound = static_cast<const btCompoundShape &>(shape);
  for (int i = 0; i < compound.getNumChildShapes(); i++)
    if (is_concave(*compound.getChildShape(i))) return true;
  return false;
}

surface make_surface(const btCollisionShape &shape) {
  surface made;
  collector out(made);
  add_shape(shape, btTransform::getIdentity(), -1, out);
  find_triangles_around(made);
  find_normals(made);
  find_spreads(made);
  made.closed = is_closed(made);
  return made;
}

bad_coordinate find_bad_coordinate(const surface &made) {
  for (size_t i = 0; i < made.triangles.size(); i++)
    for (const uint32_t corner : made.triangles[i])
      for (const double value : {made.positions[corner].x, made.positions[corner].y, made.positions[corner].z})
        if (!std::isfinite(value)) return {i, value};
  return {made.triangles.size(), 0};
}

uint64_t fingerprint(const surface &made) {
  uint64_t hash = mixed(made.positions.size(), made.triangles.size());
  const place_hash hash_place;
  for (const vector3 &p : made.positions) hash = mixed(hash, hash_place({{p.x, p.y, p.z}}));
  for (size_t i = 0; i < made.triangles.size(); i++) {
    uint64_t margin;
    std::memcpy(&margin, &made.names[i].margin, sizeof margin);
    for (const uint32_t corner : made.triangles[i]) hash = mixed(hash, corner);
    hash = mixed(hash, margin);
  }
  return hash;
}

} // namespace graze_bullet
