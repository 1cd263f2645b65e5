// Runs one process per peer and scene: fork, two pipes, a poll with a time limit.
//
// A few processes run at a time, each called six to ten times. The child sorts and hashes the answer after its clock
// has stopped.
#include "peer_child.h"

#include "graze/graze.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

uint64_t hash_pairs(peer_pairs &pairs, uint32_t second_object) {
  std::sort(pairs.begin(), pairs.end());
  std::vector<graze_pair> listed;
  listed.reserve(pairs.size());
  for (const auto &[a, b] : pairs) listed.push_back({0, a, second_object, b});
  return graze_pairs_hash(listed.data(), listed.size());
}

// A pose is hashed as a pair of its number with itself.
uint64_t hash_poses(const std::vector<uint8_t> &found) {
  peer_pairs meeting;
  for (uint32_t i = 0; i < found.size(); i++) {
    if (found[i] != 0) meeting.emplace_back(i, i);
  }
  return hash_pairs(meeting, 1);
}

double cpu_milliseconds() {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void answer_call(peer &asked, const peer_scene &scene, peer_answer &answer) {
  peer_times times;
  const double begin = cpu_milliseconds();
  if (scene.kind == BENCH_MOVING) {
    std::vector<uint8_t> found;
    times = asked.moving_any(scene.meshes[0], scene.meshes[1], scene.poses, found);
    answer.cpu_ms = cpu_milliseconds() - begin;
    answer.hash = hash_poses(found);
    answer.count = static_cast<uint64_t>(std::count(found.begin(), found.end(), 1));
  } else {
    peer_pairs pairs;
    const bool self = scene.kind == BENCH_SELF;
    times =
        self ? asked.self_pairs(scene.meshes[0], pairs) : asked.between_pairs(scene.meshes[0], scene.meshes[1], pairs);
    answer.cpu_ms = cpu_milliseconds() - begin;
    answer.hash = hash_pairs(pairs, self ? 0 : 1);
    answer.count = pairs.size();
  }
  answer.build_ms = times.build_ms;
  answer.query_ms = times.query_ms;
}

// Discards the output of libraries, and disables core files.
void quieten() {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

[[noreturn]] void serve(const peer_row &row, uint32_t threads, const peer_scene &scene, int command, int result) {
  quieten();
  std::unique_ptr<peer> asked;
  char letter;
  while (read(command, &letter, 1) == 1) {
    peer_answer answer = {};
    answer.state = peer_state::answered;
    try {
      if (!asked) asked = row.make(threads);
      answer_call(*asked, scene, answer);
    } catch (const std::exception &problem) {
      answer.state = peer_state::failed;
      snprintf(answer.message, sizeof answer.message, "%s", problem.what());
    }
    if (write(result, &answer, sizeof answer) != static_cast<ssize_t>(sizeof answer)) break;
  }
  _exit(0);
}

} // namespace

peer_scene::peer_scene(const bench_scene &scene) : kind(scene.kind), meshes(), triangle_count(0) {
  for (size_t i = 0; i < scene.shape_count; i++) {
    const bench_shape &shape = scene.shapes[i];
    floats[i].assign(shape.positions, shape.positions + 3 * shape.vertex_count);
    meshes[i] = {floats[i].data(), shape.positions, shape.vertex_count, shape.triangles, shape.triangle_count};
    triangle_count += shape.triangle_count;
  }
  for (size_t i = 0; i < scene.pose_count; i++) {
    peer_pose pose;
    std::copy(scene.poses[i].rotation, scene.poses[i].rotation + 9, pose.rotation);
    std::copy(scene.poses[i].translation, scene.poses[i].translation + 3, pose.translation);
    poses.push_back(pose);
  }
}

peer_child::peer_child(const peer_row &row, uint32_t threads, const peer_scene &scene) {
  int command[2], result[2];
  if (pipe(command) != 0) throw std::runtime_error("cannot create a pipe");
  if (pipe(result) != 0) {
    close(command[0]);
    close(command[1]);
    throw std::runtime_error("cannot create a pipe");
  }
  process_ = fork();
  if (process_ == 0) {
    close(command[1]);
    close(result[0]);
    serve(row, threads, scene, command[0], result[1]);
  }
  close(command[0]);
  close(result[1]);
  command_ = command[1];
  result_ = result[0];
  if (process_ < 0) throw std::runtime_error("cannot create a process");
}

peer_child::~peer_child() {
  stop();
}

void peer_child::stop() {
  if (command_ >= 0) close(command_);
  if (result_ >= 0) close(result_);
  command_ = result_ = -1;
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }
}

// Reads the signal before stop() sends its own.
peer_answer peer_child::lost(peer_state state) {
  peer_answer answer = {};
  answer.state = state;
  int status = 0;
  if (state == peer_state::crashed && waitpid(process_, &status, 0) == process_) {
    process_ = -1;
    const char *const words = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended";
    snprintf(answer.message, sizeof answer.message, "%s", words);
  }
  stop();
  return answer;
}

peer_answer peer_child::ask(double limit_seconds) {
  if (write(command_, "g", 1) != 1) return lost(peer_state::crashed);
  peer_answer answer = {};
  size_t filled = 0;
  while (filled < sizeof answer) {
    struct pollfd watched = {result_, POLLIN, 0};
    if (poll(&watched, 1, static_cast<int>(1000.0 * limit_seconds)) <= 0) return lost(peer_state::over_time);
    const ssize_t got = read(result_, reinterpret_cast<char *>(&answer) + filled, sizeof answer - filled);
    if (got <= 0) return lost(peer_state::crashed);
    filled += static_cast<size_t>(got);
  }
  if (answer.state != peer_state::answered) stop();
  return answer;
}
