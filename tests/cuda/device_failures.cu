/* Tests failures of a real device, each in a separate process, because a lost device stays lost for its process. Prints
 * one line each; the exit status is the result. Without arguments, the program runs itself for each failure; exits with
 * 77 without a device.
 *
 * Workload: two crossing sheets of a few million triangles, which nearly fill the memory. */
#include "backend_choice.h"
#include "graze/cuda.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

enum { SMALL_SIDE = 64, LARGE_SIDE = 1024, SECONDS_A_WAY = 240, SKIPPED = 77 };

const char *variant_words = "";

void require(bool condition, const char *what) {
  if (condition) return;
  std::printf("%s: FAILED: %s: %s\n", variant_words, what, graze_error_text());
  std::exit(1);
}

/* ---------------------------------------------------------------------------------------------- the sheets */

struct sheet {
  std::vector<float> positions;
  std::vector<uint32_t> triangles;
};

/* Waves make the two cross in many places. */
sheet make_sheet(uint32_t side, uint32_t number) {
  sheet made;
  for (uint32_t i = 0; i < side * side; i++) {
    const uint32_t x = i % side, y = i / side;
    const float wave = number == 0 ? 0.0f : static_cast<float>((x * 7 + y * 3) % 11) * 0.1f - 0.45f;
    made.positions.insert(made.positions.end(), {static_cast<float>(x), static_cast<float>(y), wave});
  }
  for (uint32_t y = 0; y + 1 < side; y++)
    for (uint32_t x = 0; x + 1 < side; x++) {
      const uint32_t a = y * side + x;
      made.triangles.insert(made.triangles.end(), {a, a + 1, a + side, a + 1, a + side + 1, a + side});
    }
  return made;
}

graze_view positions_of(const sheet &s) {
  return {s.positions.data(), s.positions.size() / 3, 0, GRAZE_FORMAT_FLOAT3};
}

struct subject {
  sheet sheets[2];
  uint64_t hash; /* of the pairs, by the processor */
  size_t count;
};

graze_scene *make_scene(const subject &s, const char *backend) {
  graze_scene *scene = NULL;
  require(create_on(backend, 0, graze_scene_def_default(), &scene) == GRAZE_OK, "making a scene");
  for (const sheet &one : s.sheets) {
    graze_mesh_def mesh = graze_mesh_def_default();
    mesh.positions = positions_of(one);
    mesh.triangles = {one.triangles.data(), one.triangles.size() / 3, 0, GRAZE_FORMAT_UINT32_3};
    graze_object object;
    require(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object) == GRAZE_OK, "adding a sheet");
  }
  return scene;
}

/* The result of a frame. */
struct outcome {
  graze_result result;
  uint64_t hash, device_bytes;
  size_t count;
};

outcome find_pairs(graze_scene *scene) {
  graze_pairs pairs = {};
  const graze_result result = graze_scene_find_pairs(scene, NULL, &pairs);
  const outcome found = {result, pairs.hash, result == GRAZE_OK ? pairs.counters->device_bytes : 0, pairs.count};
  graze_pairs_free(&pairs);
  return found;
}

outcome run_frame(graze_scene *scene) {
  const graze_result result = graze_scene_update(scene);
  return result == GRAZE_OK ? find_pairs(scene) : outcome{result, 0, 0, 0};
}

subject make_subject(uint32_t side) {
  subject s = {{make_sheet(side, 0), make_sheet(side, 1)}, 0, 0};
  graze_scene *reference = make_scene(s, "cpu");
  const outcome found = run_frame(reference);
  require(found.result == GRAZE_OK && found.count > 0, "the reference");
  s.hash = found.hash;
  s.count = found.count;
  graze_scene_destroy(reference);
  return s;
}

outcome require_answer(const subject &s, graze_scene *scene, const char *what) {
  const outcome found = run_frame(scene);
  require(found.result == GRAZE_OK, what);
  require(found.hash == s.hash && found.count == s.count, what);
  return found;
}

void require_words(const char *words) {
  require(std::strstr(graze_error_text(), words) != NULL, words);
}

/* ---------------------------------------------------------------------------------------------- no device */

void require_refused(int device, const char *words) {
  char message[256] = "";
  require(graze_cuda_describe(device, message, sizeof message) == GRAZE_NO_DEVICE, message);
  require(std::strstr(message, words) != NULL, message);
  graze_scene *scene = NULL;
  require(create_on("cuda", device, graze_scene_def_default(), &scene) == GRAZE_NO_DEVICE && scene == NULL,
          "a scene was made");
  require_words(message);
  const subject s = make_subject(SMALL_SIDE);
  scene = make_scene(s, "cpu");
  require(move_to(scene, "cuda", device) == GRAZE_NO_DEVICE, "a device was taken");
  require_words(message);
  require_answer(s, scene, "the processor goes on");
  graze_scene_destroy(scene);
  std::printf("%s: refused, \"%s\"\n", variant_words, message);
}

void no_such_number() {
  require_refused(1000, "there is no CUDA device 1000");
  require_refused(-1, "there is no CUDA device -1");
}

void no_device() {
  require_refused(0, "no CUDA device");
}

void old_driver() {
  require_refused(0, "the driver supports CUDA 9.0; this build requires");
}

/* ---------------------------------------------------------------------------------------------- memory */

struct hog {
  std::vector<void *> blocks;
};

/* Takes memory until at most so many bytes are free. */
hog take_all_but(size_t leave) {
  hog taken;
  for (size_t step = size_t(1) << 34; step >= size_t(1) << 20;) {
    size_t left = 0, all = 0;
    void *block = NULL;
    require(cudaMemGetInfo(&left, &all) == cudaSuccess, "asking for free memory");
    if (left >= leave + step && cudaMalloc(&block, step) == cudaSuccess)
      taken.blocks.push_back(block);
    else
      step /= 2;
    (void)cudaGetLastError();
  }
  return taken;
}

void give_back(hog *taken) {
  for (void *block : taken->blocks) (void)cudaFree(block);
  taken->blocks.clear();
}

/* A frame with little memory: right, or refused with the bytes in words. True: right. */
bool try_frame(const subject &s, graze_scene *scene) {
  const outcome found = run_frame(scene);
  if (found.result == GRAZE_OK) {
    require(found.hash == s.hash && found.count == s.count, "wrong pairs with little memory");
    return true;
  }
  require(found.result == GRAZE_OUT_OF_MEMORY, "another failure than that of memory");
  require_words("out of memory");
  require_words("free");
  return false;
}

void no_memory() {
  const subject s = make_subject(LARGE_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  hog taken = take_all_but(0);
  require(!try_frame(s, scene), "a frame without memory");
  const std::string message = graze_error_text();
  give_back(&taken);
  require_answer(s, scene, "the same scene when there is memory again");
  graze_scene_destroy(scene);
  std::printf("%s: refused, \"%s\"; right when there was memory again\n", variant_words, message.c_str());
}

/* A small scene, and no memory left for the stacks of kernels that have not run yet. */
void no_stacks() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  hog taken = take_all_but(size_t(1) << 24);
  const bool right = try_frame(s, scene);
  const std::string message = right ? "" : graze_error_text();
  give_back(&taken);
  require_answer(s, scene, "the same scene when there is memory again");
  graze_scene_destroy(scene);
  std::printf("%s: %s \"%s\"; right when there was memory again\n", variant_words, right ? "right" : "refused,",
              message.c_str());
}

/* From plenty to far too little, in steps of what the scene holds when there is plenty. */
void little_memory() {
  const subject s = make_subject(LARGE_SIDE);
  graze_scene *first = make_scene(s, "cuda");
  const size_t plenty = require_answer(s, first, "with plenty").device_bytes;
  graze_scene_destroy(first);
  size_t right = 0, refused = 0;
  double least = 0.0;
  for (int percent = 110; percent >= 20; percent -= 5) {
    graze_scene *scene = make_scene(s, "cuda");
    hog taken = take_all_but(plenty / 100 * static_cast<size_t>(percent));
    if (try_frame(s, scene)) {
      right++;
      least = percent;
    } else {
      refused++;
    }
    give_back(&taken);
    require_answer(s, scene, "the same scene when there is memory again");
    graze_scene_destroy(scene);
  }
  require(right > 0 && refused > 0, "all right or all refused");
  std::printf("%s: right %zu times, down to %.0f %% of %zu bytes; refused %zu times; always right afterwards\n",
              variant_words, right, least, plenty, refused);
}

/* ---------------------------------------------------------------------------------------------- lost */

__global__ void write_nowhere(int *nowhere) {
  *nowhere = 1;
}

void lose_device() {
  write_nowhere<<<1, 1>>>(reinterpret_cast<int *>(size_t(1) << 4));
}

/* The scene has failed: on with the processor, and no way back to the device. */
void go_on(const subject &s, graze_scene *scene, graze_result result) {
  require(result == GRAZE_DEVICE_FAILED, "the device is lost, and that is the result");
  require_words("illegal memory access");
  const std::string message = graze_error_text();
  require(move_to(scene, "cpu", 0) == GRAZE_OK, "going over to the processor");
  require_answer(s, scene, "on the processor");
  require(move_to(scene, "cuda", 0) != GRAZE_OK, "a lost device was taken");
  require_words("CUDA device 0");
  require_answer(s, scene, "on the processor still");
  graze_scene_destroy(scene);
  std::printf("%s: \"%s\"; right on the processor\n", variant_words, message.c_str());
}

void lost_at_rest() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  require_answer(s, scene, "before");
  lose_device();
  (void)cudaDeviceSynchronize();
  go_on(s, scene, run_frame(scene).result);
}

void lost_in_update() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  require_answer(s, scene, "before");
  lose_device();
  go_on(s, scene, run_frame(scene).result);
}

void lost_in_query() {
  const subject s = make_subject(LARGE_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  require(graze_scene_update(scene) == GRAZE_OK, "update");
  lose_device();
  go_on(s, scene, find_pairs(scene).result);
}

/* No call between the loss and the end. */
void lost_and_ended() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  require_answer(s, scene, "before");
  lose_device();
  graze_scene_destroy(scene);
  std::printf("%s: destroyed\n", variant_words);
}

/* Positions that only the device has are lost with it, and are set again. */
void lost_with_positions() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  void *there = NULL;
  const size_t bytes = s.sheets[1].positions.size() * sizeof(float);
  require(cudaMalloc(&there, bytes) == cudaSuccess &&
              cudaMemcpy(there, s.sheets[1].positions.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess,
          "positions");
  const graze_object second = {1, 1};
  require(graze_object_set_device_positions(scene, second, there, GRAZE_FORMAT_FLOAT3, NULL) == GRAZE_OK, "giving");
  require_answer(s, scene, "before");
  require(move_to(scene, "cpu", 0) == GRAZE_OK, "fetching positions");
  require_answer(s, scene, "with positions fetched");
  require(move_to(scene, "cuda", 0) == GRAZE_OK, "back to the device");
  require(graze_object_set_device_positions(scene, second, there, GRAZE_FORMAT_FLOAT3, NULL) == GRAZE_OK, "giving");
  require_answer(s, scene, "back on the device");
  lose_device();
  const graze_result result = run_frame(scene).result;
  require(move_to(scene, "cpu", 0) == GRAZE_DEVICE_FAILED, "positions are lost");
  require_words("object 1: its positions are on the device");
  require_words("illegal memory access");
  require(graze_object_set_positions(scene, second, 0, positions_of(s.sheets[1])) == GRAZE_OK, "setting");
  require(run_frame(scene).result == result, "the device stays lost");
  go_on(s, scene, result);
}

/* ---------------------------------------------------------------------------------------------- memory of the host */

void host_pointer() {
  const subject s = make_subject(SMALL_SIDE);
  graze_scene *scene = make_scene(s, "cuda");
  require_answer(s, scene, "before");
  const graze_object second = {1, 1};
  require(graze_object_set_device_positions(scene, second, s.sheets[1].positions.data(), GRAZE_FORMAT_FLOAT3, NULL) ==
              GRAZE_INVALID_ARGUMENT,
          "memory of the host was taken");
  require_words("is not in memory of CUDA device 0");
  const std::string message = graze_error_text();
  /* Memory of the device, and far too little of it. */
  void *there = NULL;
  require(cudaMalloc(&there, 64) == cudaSuccess, "memory");
  const graze_result result = graze_object_set_device_positions(scene, second, there, GRAZE_FORMAT_FLOAT3, NULL);
  require(result == GRAZE_OK || result == GRAZE_INVALID_ARGUMENT, "too little memory");
  require(graze_object_set_positions(scene, second, 0, positions_of(s.sheets[1])) == GRAZE_OK, "setting");
  require_answer(s, scene, "afterwards");
  graze_scene_destroy(scene);
  std::printf("%s: refused, \"%s\"\n", variant_words, message.c_str());
}

/* ---------------------------------------------------------------------------------------------- all ways */

struct variant {
  const char *name;
  void (*run)();
  const char *variable; /* of the environment, and its value; NULL: none */
  const char *value;    /* a folder beside the program where it begins with a slash */
};

const variant variants[] = {
    {"no such number", no_such_number, NULL, NULL},
    {"no device", no_device, "CUDA_VISIBLE_DEVICES", ""},
    {"old driver", old_driver, "LD_LIBRARY_PATH", "/old_driver"},
    {"no memory", no_memory, NULL, NULL},
    {"no stacks", no_stacks, NULL, NULL},
    {"little memory", little_memory, NULL, NULL},
    {"lost at rest", lost_at_rest, NULL, NULL},
    {"lost in update", lost_in_update, NULL, NULL},
    {"lost in query", lost_in_query, NULL, NULL},
    {"lost and ended", lost_and_ended, NULL, NULL},
    {"lost with positions", lost_with_positions, NULL, NULL},
    {"host pointer", host_pointer, NULL, NULL},
};

std::string folder_of(const char *program) {
  const std::string path = program;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

/* A process of its own, ended from outside where it hangs. */
bool run_variant(const char *program, const variant &one) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const std::string value = one.value != NULL && one.value[0] == '/' ? folder_of(program) + one.value
                                                                       : std::string(one.value ? one.value : "");
    if (one.variable != NULL) setenv(one.variable, value.c_str(), 1);
    alarm(SECONDS_A_WAY);
    execl("/proc/self/exe", program, one.name, static_cast<char *>(NULL));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status)) std::printf("%s: FAILED: ended by signal %d\n", one.name, WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run_all(const char *program) {
  size_t failed = 0;
  for (const variant &one : variants) failed += run_variant(program, one) ? 0 : 1;
  std::printf("%zu ways to fail, %zu not as they should be\n", sizeof variants / sizeof variants[0], failed);
  return failed == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) {
  for (const variant &one : variants)
    if (count > 1 && std::strcmp(arguments[1], one.name) == 0) {
      variant_words = one.name;
      one.run();
      return 0;
    }
  char words[256];
  if (graze_cuda_describe(0, words, sizeof words) == GRAZE_OK) return run_all(arguments[0]);
  std::printf("skipped: no CUDA device (%s)\n", words);
  return SKIPPED;
}
