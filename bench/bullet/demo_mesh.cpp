// Makes the surfaces of the Bullet demonstration; see demo_mesh.h.
#include "bench/bullet/demo_mesh.h"

extern "C" {
#include "mesh_io/mesh_file.h"
#include "models/model.h"
}

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace {

// Joins all meshes of a list, and takes ownership of the list.
demo_mesh joined(mesh *meshes, size_t count) {
  demo_mesh made;
  for (size_t i = 0; i < count; i++) {
    const uint32_t first = uint32_t(made.positions.size());
    for (size_t v = 0; v < meshes[i].vertex_count; v++) {
      const double *const p = meshes[i].positions + 3 * v;
      made.positions.push_back({p[0], p[1], p[2]});
    }
    for (size_t t = 0; t < meshes[i].triangle_count; t++) {
      const uint32_t *const corners = meshes[i].triangles + 3 * t;
      made.triangles.push_back({first + corners[0], first + corners[1], first + corners[2]});
    }
  }
  mesh_list_free(meshes, count);
  return made;
}

// Adds the squares of a lattice of rows x columns points from `first`, each as two triangles.
void add_lattice(demo_mesh &mesh, uint32_t first, uint32_t rows, uint32_t columns, bool wrapped) {
  for (uint32_t i = 0; i + 1 < rows; i++) {
    for (uint32_t j = 0; j < (wrapped ? columns : columns - 1); j++) {
      const uint32_t a = first + i * columns + j, b = first + i * columns + (j + 1) % columns;
      mesh.triangles.push_back({a, b, b + columns});
      mesh.triangles.push_back({a, b + columns, a + columns});
    }
  }
}

} // namespace

demo_mesh make_model(const char *name, uint64_t triangles, uint64_t seed) {
  const model *const chosen = model_find(name);
  if (chosen == nullptr) throw std::runtime_error(std::string("there is no model ") + name);
  model_parameters parameters = model_parameters_default();
  parameters.primitives = triangles, parameters.seed = seed;
  mesh *meshes;
  size_t count;
  char error[256];
  if (!model_make(chosen, &parameters, &meshes, &count, error, sizeof error)) throw std::runtime_error(error);
  return joined(meshes, count);
}

demo_mesh read_surface(const std::string &path, size_t triangles) {
  mesh *meshes;
  size_t count;
  char error[256];
  if (!mesh_file_read(path.c_str(), nullptr, &meshes, &count, error, sizeof error)) throw std::runtime_error(error);
  demo_mesh made = joined(meshes, count);
  decimate(made, triangles);
  return made;
}

// A hand in a lattice of cells: palm, four fingers and a thumb. Fingers are one cell apart, so no two cells share only
// an edge or a corner, and the boundary is a manifold.
demo_mesh make_glove(int detail) {
  const int w = detail, gap = std::max(1, detail / 2), palm_width = 4 * w + 3 * gap, palm = 4 * w;
  const int fingers[4] = {palm + 3 * w, palm + 4 * w, palm + 9 * w / 2, palm + 4 * w};
  const auto inside = [&](int x, int y, int z) {
    if (z < 0 || z >= w || y < 0) return false;
    if (y < palm && x >= 0 && x < palm_width) return true;
    // The thumb leaves the palm sideways.
    if (x >= palm_width && x < palm_width + 3 * w && y >= w && y < 2 * w) return true;
    for (int f = 0; f < 4; f++)
      if (x >= f * (w + gap) && x < f * (w + gap) + w && y < fingers[f]) return true;
    return false;
  };
  demo_mesh made;
  std::map<std::array<int, 3>, uint32_t> numbers;
  const auto number = [&](std::array<int, 3> at) {
    const auto entry = numbers.emplace(at, uint32_t(made.positions.size()));
    if (entry.second) made.positions.push_back({double(at[0]), double(at[1]), double(at[2])});
    return entry.first->second;
  };
  for (int x = 0; x < palm_width + 3 * w; x++) {
    for (int y = 0; y < palm + 5 * w; y++) {
      for (int z = 0; z < w; z++) {
        if (!inside(x, y, z)) continue;
        for (int axis = 0; axis < 3; axis++) {
          for (const int side : {0, 1}) {
            std::array<int, 3> beside = {x, y, z};
            beside[size_t(axis)] += 2 * side - 1;
            if (inside(beside[0], beside[1], beside[2])) continue;
            // The corners of the cell's side, counterclockwise as seen from outside.
            const size_t u = size_t(axis + 1) % 3, v = size_t(axis + 2) % 3;
            uint32_t corners[4];
            const int steps[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
            for (size_t i = 0; i < 4; i++) {
              std::array<int, 3> at = {x, y, z};
              at[size_t(axis)] += side, at[u] += steps[side ? i : 3 - i][0], at[v] += steps[side ? i : 3 - i][1];
              corners[i] = number(at);
            }
            made.triangles.push_back({corners[0], corners[1], corners[2]});
            made.triangles.push_back({corners[0], corners[2], corners[3]});
          }
        }
      }
    }
  }
  // Two steps, inward and outward, so that fingers do not shrink (Taubin: "A signal processing approach to fair surface
  // design", 1995).
  for (int round = 0; round < 6; round++) {
    std::vector<demo_point> sums(made.positions.size(), demo_point{0, 0, 0});
    std::vector<double> counts(made.positions.size(), 0);
    for (const auto &t : made.triangles) {
      for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) sums[t[i]][k] += made.positions[t[(i + 1) % 3]][k];
        counts[t[i]]++;
      }
    }
    const double share = round % 2 == 0 ? 0.5 : -0.52;
    for (size_t v = 0; v < sums.size(); v++)
      for (size_t k = 0; k < 3; k++) made.positions[v][k] += share * (sums[v][k] / counts[v] - made.positions[v][k]);
  }
  return made;
}

demo_mesh make_sheet(double width, int cells) {
  demo_mesh made;
  for (int i = 0; i <= cells; i++)
    for (int j = 0; j <= cells; j++)
      made.positions.push_back({width * (double(j) / cells - 0.5), 0, width * (0.5 - double(i) / cells)});
  add_lattice(made, 0, uint32_t(cells) + 1, uint32_t(cells) + 1, false);
  return made;
}

demo_mesh make_net(double width, int cells) {
  demo_mesh made = make_sheet(width, cells);
  made.is_net = true;
  made.triangles.clear();
  const uint32_t columns = uint32_t(cells) + 1;
  for (uint32_t i = 0; i < columns; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      const uint32_t at = i * columns + j;
      if (j + 1 < columns) made.triangles.push_back({at, at + 1, at + 1});
      if (i + 1 < columns) made.triangles.push_back({at, at + columns, at + columns});
    }
  }
  return made;
}

demo_mesh make_box(double x, double y, double z) {
  demo_mesh made;
  for (int i = 0; i < 8; i++) made.positions.push_back({i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  const uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto &s : sides) {
    made.triangles.push_back({s[0], s[1], s[2]});
    made.triangles.push_back({s[0], s[2], s[3]});
  }
  return made;
}

demo_mesh make_funnel(double upper_radius, double lower_radius, double height, double wall, int around) {
  // A ring of points for each corner of the profile: up on the inner side, down on the outer side, and closed.
  demo_mesh made;
  const int along = 12;
  const auto add_ring = [&](double radius, double y) {
    for (int j = 0; j < around; j++) {
      const double angle = -2 * M_PI * j / around;
      made.positions.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    }
  };
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i <= along; i++) {
      const double t = double(side == 0 ? along - i : i) / along;
      add_ring(lower_radius + t * t * (upper_radius - lower_radius) + side * wall, height * t);
    }
  }
  const uint32_t columns = uint32_t(around), rows = 2 * uint32_t(along) + 2;
  add_lattice(made, 0, rows, columns, true);
  for (uint32_t j = 0; j < columns; j++) {
    const uint32_t a = (rows - 1) * columns + j, b = (rows - 1) * columns + (j + 1) % columns;
    made.triangles.push_back({a, b, (j + 1) % columns});
    made.triangles.push_back({a, (j + 1) % columns, j});
  }
  return made;
}

demo_mesh make_ring(double radius, double tube, int around, int across) {
  demo_mesh made;
  for (int i = 0; i < around; i++) {
    for (int j = 0; j < across; j++) {
      const double u = 2 * M_PI * i / around, v = 2 * M_PI * j / across, r = radius + tube * std::cos(v);
      made.positions.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
    }
  }
  const uint32_t rings = uint32_t(around), columns = uint32_t(across);
  for (uint32_t i = 0; i < rings; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      const uint32_t k = (i + 1) % rings, l = (j + 1) % columns;
      made.triangles.push_back({i * columns + j, k * columns + j, k * columns + l});
      made.triangles.push_back({i * columns + j, k * columns + l, i * columns + l});
    }
  }
  return made;
}

void center(demo_mesh &surface, double width) {
  demo_point lower = surface.positions[0], upper = lower;
  for (const demo_point &p : surface.positions)
    for (size_t k = 0; k < 3; k++) lower[k] = std::min(lower[k], p[k]), upper[k] = std::max(upper[k], p[k]);
  double side = 0;
  for (size_t k = 0; k < 3; k++) side = std::max(side, upper[k] - lower[k]);
  for (demo_point &p : surface.positions)
    for (size_t k = 0; k < 3; k++) p[k] = (p[k] - (lower[k] + upper[k]) / 2) * width / side;
}
