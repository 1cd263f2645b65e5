// graze_bullet_scenes: scenes of rigid and soft bodies in Bullet worlds, with Bullet's own collision detection and
// graze's.
#include "bench/bullet/demo_scenes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>

namespace {

const char *const usage =
    "usage: graze_bullet_scenes [SCENE ...] [options]\n"
    "\n"
    "Steps Bullet worlds with Bullet's own collision detection and with graze's, and prints a table:\n"
    "times of a step and of its detection in milliseconds; the share of copies; pairs of bodies that\n"
    "intersect when contacts are searched, and those of them without a contact; pairs of triangles that\n"
    "intersect after a step, in the mean and in the last step; steps that gain energy. Intersections\n"
    "are decided exactly, by a graze scene of its own. Contacts are those in Bullet's own lists, so a\n"
    "soft body that graze holds by edges alone counts as missed. GRAZE_DATA names a folder with a bunny.\n"
    "\n"
    "  --detection NAME   graze, bullet or clusters (default: all)\n"
    "  --steps N          of each scene (default: a whole run)\n"
    "  --judge-every N    how often intersections are counted (default: 8)\n"
    "  --frames FOLDER    write frames for 'graze play FOLDER/SCENE-DETECTION --separate'\n"
    "  --frame-every N    (default: 8)\n"
    "  --csv FILE         write the table as CSV\n"
    "  --check            exit status 1 where a step with graze's detection gains energy, or rigid bodies\n"
    "                     intersect without a contact or after the last step\n"
    "  --list             name the scenes\n";

struct options {
  std::vector<std::string> scenes;
  std::string detection, frames, csv;
  int steps = 0, judge_every = 8, frame_every = 8;
  bool check = false;
};

struct totals {
  size_t bodies = 0, triangles = 0, steps = 0, judged = 0, met = 0, missed = 0, crossing = 0, last_crossing = 0;
  size_t exploded = 0;
  double step_ms = 0, detect_ms = 0, copy_ms = 0, contact_ms = 0;

  void add(const demo_step &step) {
    steps++, step_ms += step.step_ms, detect_ms += step.detect_ms;
    copy_ms += step.copy_ms, contact_ms += step.contact_ms, exploded += step.exploded;
    if (!step.judged) return;
    judged++, met += step.met, missed += step.missed, crossing += step.crossing, last_crossing = step.crossing;
  }
};

totals run(const demo_scene &scene, demo_detection detection, const options &chosen) {
  demo_world world(detection);
  scene.build(world);
  totals sum;
  sum.bodies = world.body_count(), sum.triangles = world.triangle_count();
  const int steps = chosen.steps > 0 ? chosen.steps : scene.steps;
  std::filesystem::path folder;
  if (!chosen.frames.empty()) {
    folder = std::filesystem::path(chosen.frames) / (std::string(scene.name) + "-" + name_of(detection));
    std::filesystem::create_directories(folder);
  }
  for (int i = 0; i < steps; i++) {
    sum.add(world.step(i % chosen.judge_every == chosen.judge_every - 1 || i == steps - 1));
    if (!folder.empty() && i % chosen.frame_every == chosen.frame_every - 1) {
      char name[32];
      std::snprintf(name, sizeof name, "frame%04d.obj", i / chosen.frame_every + 1);
      world.write_frame((folder / name).string());
    }
  }
  return sum;
}

void print_row(FILE *csv, const demo_scene &scene, demo_detection detection, const totals &sum) {
  const double steps = double(sum.steps), judged = double(sum.judged);
  const double share = sum.detect_ms > 0 ? 100 * sum.copy_ms / sum.detect_ms : 0;
  const bool by_graze = detection == demo_detection::graze;
  // Bullet removes the joints of clusters before a step ends, so their contacts are not visible.
  const bool contacts_are_seen = detection != demo_detection::bullet_clusters;
  char copies[16] = "-", missed[24] = "-";
  if (by_graze) std::snprintf(copies, sizeof copies, "%.0f %%", share);
  if (contacts_are_seen) std::snprintf(missed, sizeof missed, "%zu", sum.missed);
  std::printf("%-11s %-8s %6zu %9zu %6zu %9.2f %9.2f %7s %8zu %7s %10.1f %7zu %9zu\n", scene.name, name_of(detection),
              sum.bodies, sum.triangles, sum.steps, sum.step_ms / steps, sum.detect_ms / steps, copies, sum.met, missed,
              double(sum.crossing) / judged, sum.last_crossing, sum.exploded);
  std::fflush(stdout);
  if (csv == nullptr) return;
  std::fprintf(csv, "%s,%s,%zu,%zu,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%zu,%s,%.2f,%zu,%zu\n", scene.name, name_of(detection),
               sum.bodies, sum.triangles, sum.steps, sum.judged, sum.step_ms / steps, sum.detect_ms / steps,
               sum.copy_ms / steps, sum.contact_ms / steps, sum.met, contacts_are_seen ? missed : "",
               double(sum.crossing) / judged, sum.last_crossing, sum.exploded);
}

options read_options(int count, char **words) {
  options chosen;
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    const auto value = [&] {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    const auto number = [&] {
      const char *const text = value();
      char *end;
      const long given = std::strtol(text, &end, 10);
      if (*end != '\0' || given < 1 || given > 1000000) throw std::runtime_error(word + " needs a number from 1 on");
      return int(given);
    };
    if (word == "--detection") {
      chosen.detection = value();
      if (chosen.detection != "graze" && chosen.detection != "bullet" && chosen.detection != "clusters")
        throw std::runtime_error("there is no detection " + chosen.detection);
    } else if (word == "--steps") {
      chosen.steps = number();
    } else if (word == "--judge-every") {
      chosen.judge_every = number();
    } else if (word == "--frames") {
      chosen.frames = value();
    } else if (word == "--frame-every") {
      chosen.frame_every = number();
    } else if (word == "--csv") {
      chosen.csv = value();
    } else if (word == "--check") {
      chosen.check = true;
    } else if (word == "--list") {
      for (const demo_scene &scene : demo_scenes()) std::printf("%-11s %s\n", scene.name, scene.words);
      std::exit(0);
    } else if (word == "--help" || word == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else if (word[0] == '-') {
      throw std::runtime_error("there is no option " + word);
    } else {
      bool known = false;
      for (const demo_scene &scene : demo_scenes()) known = known || word == scene.name;
      if (!known) throw std::runtime_error("there is no scene " + word + "; --list names them");
      chosen.scenes.push_back(word);
    }
  }
  return chosen;
}

bool is_chosen(const demo_scene &scene, demo_detection detection, const options &chosen) {
  if (detection == demo_detection::bullet_clusters && !scene.soft) return false;
  if (!chosen.detection.empty() && chosen.detection != name_of(detection)) return false;
  if (chosen.scenes.empty()) return true;
  for (const std::string &name : chosen.scenes)
    if (name == scene.name) return true;
  return false;
}

int run_all(const options &chosen) {
  FILE *csv = nullptr;
  if (!chosen.csv.empty()) {
    csv = std::fopen(chosen.csv.c_str(), "w");
    if (csv == nullptr) throw std::runtime_error(chosen.csv + ": cannot be written: " + std::strerror(errno));
    std::fputs(
        "scene,detection,bodies,triangles,steps,judged_steps,step_ms,detect_ms,copy_ms,contact_ms,body_pairs_met,"
        "body_pairs_missed,crossing_mean,crossing_last,exploded_steps\n",
        csv);
  }
  std::printf("%-11s %-8s %6s %9s %6s %9s %9s %7s %8s %7s %10s %7s %9s\n", "scene", "by", "bodies", "triangles",
              "steps", "step", "detection", "copies", "met", "missed", "crossing", "last", "exploded");
  bool good = true;
  for (const demo_scene &scene : demo_scenes()) {
    for (const demo_detection detection :
         {demo_detection::graze, demo_detection::bullet, demo_detection::bullet_clusters}) {
      if (!is_chosen(scene, detection, chosen)) continue;
      const totals sum = run(scene, detection, chosen);
      print_row(csv, scene, detection, sum);
      if (detection != demo_detection::graze) continue;
      good = good && sum.exploded == 0 && (scene.soft || sum.missed + sum.last_crossing == 0);
    }
  }
  if (csv != nullptr && std::fclose(csv) != 0) throw std::runtime_error(chosen.csv + ": cannot be written");
  return good || !chosen.check ? 0 : 1;
}

} // namespace

int main(int count, char **words) {
  try {
    return run_all(read_options(count, words));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "graze_bullet_scenes: %s\n", error.what());
    return 2;
  }
}
