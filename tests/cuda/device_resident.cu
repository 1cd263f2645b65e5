/* Tests data that stays on the device: a kernel on the caller's stream makes positions, pairs and contacts are read in
 * place, and k is measured there. Only the check uses the host. Exits with 77 without a device. */
#include "backend_choice.h"
#include "contact_bits.h"
#include "graze/cuda.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

enum { SIDE = 64, FRAMES = 8, BY_TREES = 2, BY_NEW_TREES = 5 }; /* the frames from which on */

__global__ void make_sheet(float *positions, float height, float tilt) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= SIDE * SIDE) return;
  const float x = static_cast<float>(i % SIDE), y = static_cast<float>(i / SIDE);
  positions[3 * i] = x;
  positions[3 * i + 1] = y;
  positions[3 * i + 2] = height + tilt * x;
}

void require(bool condition, const char *what) {
  if (condition) return;
  std::printf("device_resident: %s: %s\n", what, graze_error_text());
  std::exit(1);
}

graze_object add_sheet(graze_scene *scene, const std::vector<float> &positions,
                       const std::vector<uint32_t> &triangles) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions.data = positions.data();
  def.positions.count = positions.size() / 3;
  def.positions.format = GRAZE_FORMAT_FLOAT3;
  def.triangles.data = triangles.data();
  def.triangles.count = triangles.size() / 3;
  def.triangles.format = GRAZE_FORMAT_UINT32_3;
  graze_object object;
  require(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object) == GRAZE_OK, "adding");
  return object;
}

/* With the grid, then with trees fitted on the device, then with trees ordered again in every frame. */
void choose_method(graze_scene *scene, int frame) {
  graze_method_def method = graze_method_def_default();
  if (frame != BY_TREES && frame != BY_NEW_TREES) return;
  method.name = "tree";
  method.tree_update = frame == BY_NEW_TREES ? GRAZE_TREE_UPDATE_REBUILD : GRAZE_TREE_UPDATE_AUTO;
  require(graze_scene_set_method(scene, &method) == GRAZE_OK, "choosing trees");
}

/* Contacts made of pairs that are on the device, and left there, against the processor's; the number of points. */
size_t check_contacts(graze_scene *scene, const graze_device_pairs &there, graze_scene *reference,
                      const graze_pairs &wanted) {
  graze_device_contacts left = {};
  graze_contacts expected = {};
  require(graze_scene_make_contacts_on_device(scene, there.device_pairs, there.count, NULL, &left) == GRAZE_OK,
          "contacts");
  require(graze_scene_make_contacts(reference, wanted.pairs, wanted.count, NULL, &expected) == GRAZE_OK, "reference");
  require(left.count == expected.count && left.point_count == expected.point_count, "as many contacts");
  std::vector<graze_contact> contacts(left.count + 1);
  std::vector<double> points(3 * left.point_count + 1);
  const bool fetched = cudaMemcpy(contacts.data(), left.device_contacts, left.count * sizeof(graze_contact),
                                  cudaMemcpyDeviceToHost) == cudaSuccess &&
                       cudaMemcpy(points.data(), left.device_points, 3 * left.point_count * sizeof(double),
                                  cudaMemcpyDeviceToHost) == cudaSuccess;
  require(fetched, "fetching contacts");
  bool same =
      left.point_count == 0 || std::memcmp(points.data(), expected.points, 3 * left.point_count * sizeof(double)) == 0;
  for (size_t i = 0; i < left.count; i++) same = same && same_contact(&contacts[i], &expected.contacts[i]);
  require(same, "the contacts differ from the processor's");
  const size_t point_count = left.point_count;
  graze_device_contacts_free(&left);
  graze_contacts_free(&expected);
  return point_count;
}

void compare_crowding(graze_scene *scene, graze_object sheet, graze_scene *reference, graze_object reference_sheet) {
  graze_crowding there = {}, here = {};
  require(graze_scene_measure_crowding(scene, sheet, &there) == GRAZE_OK, "measuring k");
  require(graze_scene_measure_crowding(reference, reference_sheet, &here) == GRAZE_OK, "measuring k");
  require(there.count == here.count && there.levels == here.levels &&
              std::memcmp(there.k_of, here.k_of, here.count * sizeof *here.k_of) == 0 &&
              std::memcmp(there.neighbors_of, here.neighbors_of, here.count * sizeof *here.neighbors_of) == 0 &&
              std::memcmp(there.diameter_of, here.diameter_of, here.count * sizeof *here.diameter_of) == 0,
          "k differs from the processor's");
  graze_crowding_free(&there);
  graze_crowding_free(&here);
}

} // namespace

int main() {
  char words[256];
  if (graze_cuda_describe(0, words, sizeof words) != GRAZE_OK) {
    std::printf("skipped: no CUDA device (%s)\n", words);
    return 77;
  }
  std::vector<uint32_t> triangles;
  for (uint32_t y = 0; y + 1 < SIDE; y++)
    for (uint32_t x = 0; x + 1 < SIDE; x++) {
      const uint32_t a = y * SIDE + x;
      const uint32_t quad[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
      triangles.insert(triangles.end(), quad, quad + 6);
    }
  std::vector<float> start(3 * SIDE * SIDE, 0.0f), copy(start.size());
  graze_scene *scene = NULL, *reference = NULL;
  require(create_on("cuda", 0, graze_scene_def_default(), &scene) == GRAZE_OK &&
              create_on("cpu", 0, graze_scene_def_default(), &reference) == GRAZE_OK,
          "making scenes");
  graze_object sheets[2], reference_sheets[2];
  float *device_positions[2];
  cudaStream_t stream;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "a stream");
  for (int i = 0; i < 2; i++) {
    sheets[i] = add_sheet(scene, start, triangles);
    reference_sheets[i] = add_sheet(reference, start, triangles);
    require(cudaMalloc(&device_positions[i], start.size() * sizeof(float)) == cudaSuccess, "memory");
    require(graze_object_set_device_positions(scene, sheets[i], device_positions[i], GRAZE_FORMAT_FLOAT3, stream) ==
                GRAZE_OK,
            "giving positions");
  }
  /* Two lists alternate; that of the last frame outlives the scene. */
  graze_device_pairs lists[2] = {};
  graze_pairs wanted = {};
  size_t all = 0, points = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    choose_method(scene, frame);
    for (int i = 0; i < 2; i++)
      make_sheet<<<SIDE * SIDE / 256, 256, 0, stream>>>(device_positions[i], 0.3f * static_cast<float>(frame * i),
                                                        i == 0 ? 0.0f : -0.02f * static_cast<float>(frame + 1));
    /* The same pointers, changed content: every update reads it. */
    require(graze_scene_update(scene) == GRAZE_OK, "update");
    graze_device_pairs &there = lists[frame % 2];
    require(graze_scene_find_pairs_on_device(scene, NULL, &there) == GRAZE_OK, "query");
    for (int i = 0; i < 2; i++) {
      require(cudaMemcpy(copy.data(), device_positions[i], copy.size() * sizeof(float), cudaMemcpyDeviceToHost) ==
                  cudaSuccess,
              "copying");
      graze_view view = {copy.data(), copy.size() / 3, 0, GRAZE_FORMAT_FLOAT3};
      require(graze_object_set_positions(reference, reference_sheets[i], 0, view) == GRAZE_OK, "reference");
    }
    require(graze_scene_update(reference) == GRAZE_OK && graze_scene_find_pairs(reference, NULL, &wanted) == GRAZE_OK,
            "reference");
    std::vector<graze_pair> pairs(there.count + 1);
    require(cudaMemcpy(pairs.data(), there.device_pairs, there.count * sizeof(graze_pair), cudaMemcpyDeviceToHost) ==
                cudaSuccess,
            "fetching");
    require(there.count == wanted.count &&
                std::memcmp(pairs.data(), wanted.pairs, wanted.count * sizeof(graze_pair)) == 0,
            "the pairs differ from the processor's");
    require(there.hash == wanted.hash, "the hash differs from the processor's");
    points += check_contacts(scene, there, reference, wanted);
    all += wanted.count;
    for (int i = 0; i < 2; i++) compare_crowding(scene, sheets[i], reference, reference_sheets[i]);
  }
  require(all > 0 && points > 0, "no pair was there to compare");
  graze_device_pairs_free(&lists[FRAMES % 2]);
  graze_scene_destroy(scene);
  graze_scene_destroy(reference);
  graze_device_pairs &last = lists[(FRAMES - 1) % 2];
  std::vector<graze_pair> kept(last.count + 1);
  require(cudaMemcpy(kept.data(), last.device_pairs, last.count * sizeof(graze_pair), cudaMemcpyDeviceToHost) ==
                  cudaSuccess &&
              graze_pairs_hash(kept.data(), last.count) == wanted.hash,
          "a list that outlives its scene");
  graze_device_pairs_free(&last);
  graze_pairs_free(&wanted);
  std::printf("%s: %d frames on the device, %zu pairs, %zu points of contact and all k as on the processor\n", words,
              FRAMES, all, points);
  return 0;
}
