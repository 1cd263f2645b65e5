// graze_peers: compares graze with other libraries packaged by Debian, on the same meshes, interleaved, as ratios.
//
// For each scene and thread count, every peer runs in its own process. A first, untimed call returns the answer and
// warms up the process. Peers with wrong answers, crashes, time-outs or twenty times the fastest time keep a row with
// this note and are not called again. Then each round calls every peer once, so that a slow phase of the machine
// affects all of them. Times of peers end with an unsorted list; graze's include its sort and hash.
#include "peer_report.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <thread>
#include <unistd.h>

namespace {

// One, two, and all processors.
std::vector<uint32_t> default_threads() {
  std::vector<uint32_t> threads = {1, 2};
  const uint32_t all = std::thread::hardware_concurrency();
  if (all > 2) threads.push_back(all);
  return threads;
}

struct settings {
  bench_scene_options scenes = {false, nullptr, 0};
  std::string scene_part; // of a name; "" for all
  std::string peer_part;
  std::vector<uint32_t> threads = default_threads();
  size_t rounds = 5;
  double limit_seconds = 20.0;
  std::string csv;
};

const char help_text[] =
    "usage: graze_peers [options]\n"
    "  --quick         small scenes only\n"
    "  --scene TEXT    scenes whose name contains TEXT\n"
    "  --peer TEXT     peers whose name contains TEXT (graze always runs)\n"
    "  --threads LIST  thread counts, default 1, 2 and all\n"
    "  --rounds N      timed rounds, default 5\n"
    "  --limit S       time limit of a call in seconds, default 20\n"
    "  --csv FILE      the same rows as comma separated values\n"
    "  --list          names of scenes and peers\n"
    "The variable GRAZE_DATA names the folder of real meshes; without it only built-in models run.\n"
    "A ratio is the time of a peer over that of graze: above 1, graze is faster.\n";

// Prints a message and exits with status 2.
[[noreturn]] void refuse(const std::string &message) {
  fprintf(stderr, "graze_peers: %s\n", message.c_str());
  exit(2);
}

long positive_number(const char *text, const char *option) {
  char *end = nullptr;
  const long value = strtol(text, &end, 10);
  if (end == text || value < 1 || value > 1000000)
    refuse(std::string(option) + " requires a positive number, not " + text);
  return value;
}

std::vector<uint32_t> read_threads(std::string list) {
  std::vector<uint32_t> threads;
  for (char *part = strtok(list.data(), ","); part != nullptr; part = strtok(nullptr, ",")) {
    threads.push_back(static_cast<uint32_t>(positive_number(part, "--threads")));
  }
  return threads;
}

void list_names() {
  for (size_t i = 0; i < bench_scene_count(); i++) printf("scene %s\n", bench_scene_name(i));
  for (const peer_row &row : peer_rows()) printf("peer %s\n", row.name);
}

// Rejects names without a match, which would run only graze.
void check_names(const settings &chosen) {
  bool is_scene = false, is_peer = false;
  for (size_t i = 0; i < bench_scene_count(); i++)
    is_scene = is_scene || strstr(bench_scene_name(i), chosen.scene_part.c_str()) != nullptr;
  for (const peer_row &row : peer_rows()) is_peer = is_peer || strstr(row.name, chosen.peer_part.c_str()) != nullptr;
  if (!is_scene) refuse("--scene " + chosen.scene_part + ": no scene has this in its name; --list shows the names");
  if (!is_peer) refuse("--peer " + chosen.peer_part + ": no peer has this in its name; --list shows the names");
}

settings read_options(int count, char **arguments) {
  static const struct option options[] = {
      {"quick", no_argument, nullptr, 'q'},        {"scene", required_argument, nullptr, 's'},
      {"peer", required_argument, nullptr, 'p'},   {"threads", required_argument, nullptr, 't'},
      {"rounds", required_argument, nullptr, 'r'}, {"limit", required_argument, nullptr, 'l'},
      {"csv", required_argument, nullptr, 'c'},    {"list", no_argument, nullptr, 'n'},
      {"help", no_argument, nullptr, 'h'},         {nullptr, 0, nullptr, 0}};
  settings chosen;
  chosen.scenes.data = getenv("GRAZE_DATA");
  for (int letter; (letter = getopt_long(count, arguments, "", options, nullptr)) != -1;) {
    switch (letter) {
    case 'q':
      chosen.scenes.quick = true;
      break;
    case 's':
      chosen.scene_part = optarg;
      break;
    case 'p':
      chosen.peer_part = optarg;
      break;
    case 't':
      chosen.threads = read_threads(optarg);
      break;
    case 'r':
      chosen.rounds = static_cast<size_t>(positive_number(optarg, "--rounds"));
      break;
    case 'l':
      chosen.limit_seconds = static_cast<double>(positive_number(optarg, "--limit"));
      break;
    case 'c':
      chosen.csv = optarg;
      break;
    case 'n':
      list_names();
      exit(0);
    case 'h':
      fputs(help_text, stdout);
      exit(0);
    default:
      refuse("see --help");
    }
  }
  if (optind < count) refuse(std::string("unexpected argument ") + arguments[optind]);
  check_names(chosen);
  return chosen;
}

bool wanted(const settings &chosen, const peer_row &row, uint32_t threads) {
  if (threads > 1 && !row.threaded) return false;
  return strcmp(row.name, base_peer) == 0 || strstr(row.name, chosen.peer_part.c_str()) != nullptr;
}

void show_progress(const char *scene, uint32_t threads, const char *peer_name, size_t round) {
  if (!isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r\033[K%s, threads %u, round %zu: %s", scene, threads, round, peer_name);
  if (*peer_name == '\0') fputs("\r\033[K", stderr);
  fflush(stderr);
}

// Round 0 is the untimed first call.
void run_round(size_t round, const settings &chosen, std::vector<report_row> &rows,
               std::vector<std::unique_ptr<peer_child>> &children) {
  for (size_t i = 0; i < rows.size(); i++) {
    report_row &row = rows[i];
    if (!children[i]) continue;
    show_progress(row.scene.c_str(), row.threads, row.peer->name, round);
    const peer_answer answer = children[i]->ask(chosen.limit_seconds);
    if (round == 0) {
      row.first = answer;
    } else if (answer.state == peer_state::answered) {
      row.wrong = row.wrong || answer.count != row.first.count || answer.hash != row.first.hash;
      row.rounds.push_back(answer);
    } else {
      row.rounds.clear();
    }
    if (answer.state != peer_state::answered) children[i].reset();
  }
}

std::vector<report_row> run_scene(const bench_scene &scene, const peer_scene &view, uint32_t threads,
                                  const settings &chosen) {
  std::vector<report_row> rows;
  std::vector<std::unique_ptr<peer_child>> children;
  for (const peer_row &each : peer_rows()) {
    if (!wanted(chosen, each, threads)) continue;
    report_row row;
    row.scene = scene.name;
    row.kind = scene.kind;
    row.triangles = view.triangle_count;
    row.peer = &each;
    row.threads = threads;
    rows.push_back(row);
    children.push_back(std::make_unique<peer_child>(each, threads, view));
  }
  run_round(0, chosen, rows, children);
  reference_rows(rows);
  mark_slow_rows(rows);
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i].wrong || rows[i].slow) children[i].reset();
  }
  for (size_t round = 1; round <= chosen.rounds; round++) run_round(round, chosen, rows, children);
  show_progress("", threads, "", 0);
  return rows;
}

} // namespace

int main(int argument_count, char **arguments) {
  const settings chosen = read_options(argument_count, arguments);
  // Opened first, so that an unwritable path fails before the run.
  FILE *const csv = chosen.csv.empty() ? nullptr : fopen(chosen.csv.c_str(), "w");
  if (csv == nullptr && !chosen.csv.empty()) refuse(chosen.csv + ": " + strerror(errno));
  bench_record record;
  bench_record_fill(&record);
  printf("graze %s, %s, %s; medians of %zu interleaved rounds; ratio: time over graze's\n", record.commit,
         record.machine, record.date, chosen.rounds);
  if (chosen.scenes.data == nullptr) printf("GRAZE_DATA is not set: built-in models only\n");
  print_heading(stdout);
  std::vector<report_row> all;
  for (size_t i = 0; i < bench_scene_count(); i++) {
    if (!bench_scene_available(i, &chosen.scenes)) continue;
    if (strstr(bench_scene_name(i), chosen.scene_part.c_str()) == nullptr) continue;
    bench_scene scene;
    char error[512];
    if (!bench_scene_make(i, &chosen.scenes, &scene, error, sizeof error)) refuse(error);
    {
      const peer_scene view(scene);
      for (const uint32_t threads : chosen.threads) {
        const std::vector<report_row> rows = run_scene(scene, view, threads, chosen);
        print_rows(stdout, rows);
        all.insert(all.end(), rows.begin(), rows.end());
      }
    }
    bench_scene_free(&scene);
  }
  print_summary(stdout, all);
  if (csv != nullptr) {
    write_csv(csv, all, record);
    fclose(csv);
  }
  return 0;
}
