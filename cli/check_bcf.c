/* Clashes as a BCF archive, which building tools import as issues: one topic for each pair of objects that intersect.
 * With --solid, one for each object inside another.
 *
 * Workload: some hundred topics; now and then 10^4. The id of a topic follows from the names of its objects, so that
 * importing a later archive updates the topics. A snapshot shows only the two objects of its topic. An object that
 * meets thousands of others is drawn for each of them, so snapshots end when snapshot_work is spent, most pairs first.
 */
#include "check_bcf.h"

#include "bcf_names.h"
#include "bcf_topic.h"
#include "complaint.h"
#include "pair_picture.h"
#include "zip_writer.h"

#include "graze/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of primitives drawn for all snapshots; each snapshot counts picture_work more. */
static const double snapshot_work = 2e8, picture_work = 2e5;

enum { LINES_SHOWN = 20, FILES_OF_TOPIC = 3, VALUE_BYTES = 24 };

/* The subject of a topic. */
typedef struct subject {
  size_t a, b;                         /* equal: within the object */
  const graze_region_objects *regions; /* NULL: */
  const graze_containment *inside;     /* a is inside b */
  bool has_snapshot;
} subject;

typedef struct object_words {
  char *label;              /* the name in the report, without folders; owned */
  const char *file;         /* with folders; borrowed */
  char *id;                 /* the id in the authoring program; owned */
  char number[VALUE_BYTES]; /* distinguishes objects with the same label */
  bool repeats;             /* whether such objects exist */
} object_words;

typedef struct topic_list {
  const check_outcome *outcome;
  const graze_scene *scene;
  object_words *words; /* of each object */
  subject *subjects;
  size_t count;
} topic_list;

/* ------------------------------------------------------------------------------------------------ names */

static int compare_labels(const void *first, const void *second) {
  const object_words *a = *(object_words *const *)first, *b = *(object_words *const *)second;
  const int labels = strcmp(a->label, b->label), order = labels != 0 ? labels : strcmp(a->file, b->file);
  return order != 0 ? order : a < b ? -1 : a > b;
}

static bool number_labels(object_words *words, size_t count) {
  object_words **sorted = malloc((count + 1) * sizeof *sorted);
  if (sorted == NULL) return false;
  for (size_t i = 0; i < count; i++) sorted[i] = &words[i];
  qsort(sorted, count, sizeof *sorted, compare_labels);
  for (size_t i = 0, number = 0; i < count; i++) {
    const bool repeats = i > 0 && strcmp(sorted[i]->label, sorted[i - 1]->label) == 0;
    number = repeats ? number + 1 : 0;
    if (repeats) sorted[i]->repeats = sorted[i - 1]->repeats = true;
    snprintf(sorted[i]->number, sizeof sorted[i]->number, "%zu", number);
  }
  free(sorted);
  return true;
}

static bool make_words(topic_list *topics) {
  const object_list *objects = topics->outcome->objects;
  topics->words = calloc(objects->count + 1, sizeof *topics->words);
  if (topics->words == NULL) return false;
  for (size_t i = 0; i < objects->count; i++) {
    object_words *words = &topics->words[i];
    words->label = bcf_object_label(objects, i);
    words->file = objects->entries[i].file;
    words->id = bcf_object_id(objects, i);
    if (words->label == NULL || words->id == NULL) return false;
  }
  return number_labels(topics->words, objects->count);
}

/* ------------------------------------------------------------------------------------------------ subjects */

static size_t containment_count(const check_outcome *outcome) {
  return outcome->options->solid ? outcome->containments.count : 0;
}

static bool make_subjects(topic_list *topics) {
  const check_outcome *outcome = topics->outcome;
  const graze_regions *regions = &outcome->regions;
  const size_t inside_count = containment_count(outcome);
  topics->subjects = calloc(regions->object_pair_count + inside_count + 1, sizeof *topics->subjects);
  if (topics->subjects == NULL) return false;
  for (size_t i = 0; i < regions->object_pair_count; i++) {
    const graze_region_objects *met = &regions->objects[i];
    topics->subjects[topics->count++] = (subject){met->object_a, met->object_b, met, NULL, false};
  }
  for (size_t i = 0; i < inside_count; i++) {
    const graze_containment *inside = &outcome->containments.containments[i];
    topics->subjects[topics->count++] = (subject){inside->inner, inside->outer, NULL, inside, false};
  }
  return true;
}

static size_t pair_count_of(const subject *s) {
  return s->regions == NULL ? 0 : s->regions->pair_count;
}

static int compare_subjects(const void *first, const void *second) {
  const subject *a = *(subject *const *)first, *b = *(subject *const *)second;
  const size_t p = pair_count_of(a), q = pair_count_of(b);
  if (p != q) return p > q ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool choose_snapshots(topic_list *topics) {
  subject **sorted = malloc((topics->count + 1) * sizeof *sorted);
  if (sorted == NULL) return false;
  const object_entry *entries = topics->outcome->objects->entries;
  for (size_t i = 0; i < topics->count; i++) sorted[i] = &topics->subjects[i];
  qsort(sorted, topics->count, sizeof *sorted, compare_subjects);
  double left = snapshot_work;
  for (size_t i = 0; i < topics->count; i++) {
    subject *s = sorted[i];
    left -= picture_work + (double)entries[s->a].primitive_count +
            (s->a == s->b ? 0.0 : (double)entries[s->b].primitive_count);
    s->has_snapshot = i == 0 || left >= 0.0;
  }
  free(sorted);
  return true;
}

/* ------------------------------------------------------------------------------------------------ words */

static const graze_region *largest_region(const graze_regions *regions, const graze_region_objects *met) {
  const graze_region *largest = &regions->regions[met->first_region];
  for (size_t i = 1; i < met->region_count; i++) {
    const graze_region *region = &regions->regions[met->first_region + i];
    if (region->pair_count > largest->pair_count) largest = region;
  }
  return largest;
}

static const char *clash_name(graze_clash clash) {
  return graze_enumeration_name(GRAZE_ENUMERATION_CLASH, (int)clash);
}

static graze_clash strongest_clash(const graze_regions *regions, const graze_region_objects *met) {
  graze_clash strongest = GRAZE_CLASH_TOUCHING;
  for (size_t i = 0; i < met->region_count; i++) {
    const graze_clash clash = regions->regions[met->first_region + i].clash;
    if (clash > strongest) strongest = clash;
  }
  return strongest;
}

static void write_object(const topic_list *topics, size_t object, FILE *stream) {
  fputs(topics->words[object].label, stream);
  if (topics->words[object].repeats) fprintf(stream, " (object %zu)", object);
}

static void write_title(const topic_list *topics, const subject *s, FILE *stream) {
  write_object(topics, s->a, stream);
  fputs(s->a == s->b ? " intersects itself" : s->inside != NULL ? " lies inside " : " intersects ", stream);
  if (s->a != s->b) write_object(topics, s->b, stream);
}

static void write_region(const graze_region *region, FILE *stream) {
  double middle[3];
  for (int axis = 0; axis < 3; axis++) middle[axis] = 0.5 * region->box_min[axis] + 0.5 * region->box_max[axis];
  fprintf(stream, "\n%s, %s, near (%.6g, %.6g, %.6g), depth %.6g", clash_name(region->clash),
          counted(region->pair_count, "pair").text, middle[0], middle[1], middle[2], region->depth);
}

static void write_description(const topic_list *topics, const subject *s, FILE *stream) {
  if (s->inside != NULL) {
    fprintf(stream, "%" PRIu32 " of %" PRIu32 " primitives lie inside.", s->inside->inside_count,
            s->inside->primitive_count);
    return;
  }
  const graze_regions *regions = &topics->outcome->regions;
  const graze_region_objects *met = s->regions;
  fprintf(stream, "%s in %s of primitives.", counted_as(met->region_count, "clash", "clashes").text,
          counted(met->pair_count, "pair").text);
  if (met->depth > 0.0)
    fprintf(stream, " Moving the second object by %.6g along (%.4g, %.4g, %.4g) separates the two.", met->depth,
            met->normal[0], met->normal[1], met->normal[2]);
  for (size_t i = 0; i < met->region_count && i < LINES_SHOWN; i++)
    write_region(&regions->regions[met->first_region + i], stream);
  if (met->region_count > LINES_SHOWN) fprintf(stream, "\nand %zu more", met->region_count - LINES_SHOWN);
}

/* ------------------------------------------------------------------------------------------------ camera */

static void object_box(const topic_list *topics, size_t object, picture_box *box) {
  /* Objects are added in the order of the list, so their ids are predictable. */
  if (graze_object_get_box(topics->scene, (graze_object){(uint32_t)object, 1}, box->low, box->high) != GRAZE_OK)
    *box = (picture_box){{0}, {0}};
}

static void focus_of(const topic_list *topics, const subject *s, picture_box *box) {
  if (s->inside != NULL) {
    object_box(topics, s->a, box);
    return;
  }
  const graze_region *region = largest_region(&topics->outcome->regions, s->regions);
  memcpy(box->low, region->box_min, sizeof box->low);
  memcpy(box->high, region->box_max, sizeof box->high);
}

static double diagonal(const picture_box *box) {
  return hypot(hypot(box->high[0] - box->low[0], box->high[1] - box->low[1]), box->high[2] - box->low[2]);
}

/* The extent of the box toward the viewer beyond a point. */
static double reach(const picture_box *box, const double point[3], const double toward[3]) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++)
    sum += toward[axis] * ((toward[axis] > 0.0 ? box->high[axis] : box->low[axis]) - point[axis]);
  return sum;
}

/* The eye is outside both objects, so that no viewer clips geometry in front of the clash. */
static void place_camera(const topic_list *topics, const subject *s, const picture_box *focus, double height,
                         double axes[3][3], bcf_camera *camera) {
  double away = 0.0, size = height, middle[3];
  for (int axis = 0; axis < 3; axis++) middle[axis] = 0.5 * focus->low[axis] + 0.5 * focus->high[axis];
  const size_t objects[] = {s->a, s->b};
  for (int i = 0; i < 2; i++) {
    picture_box box;
    object_box(topics, objects[i], &box);
    away = fmax(away, reach(&box, middle, axes[2]) + 0.1 * diagonal(&box));
    if (size == 0.0) size = 0.05 * diagonal(&box); /* a point: show its surroundings */
  }
  for (int axis = 0; axis < 3; axis++) {
    camera->eye[axis] = middle[axis] + away * axes[2][axis];
    camera->direction[axis] = -axes[2][axis];
    camera->up[axis] = axes[1][axis];
  }
  camera->height = size > 0.0 ? size : 1.0;
}

/* Only the two objects, numbered 0 and 1, with their pairs. */
static bool draw_snapshot(const topic_list *topics, const subject *s, const picture_box *focus, FILE *stream,
                          picture_view *view_out) {
  const object_list *all = topics->outcome->objects;
  const graze_regions *regions = &topics->outcome->regions;
  object_entry entries[] = {all->entries[s->a], all->entries[s->b]};
  mesh meshes[] = {all->meshes[s->a], all->meshes[s->b]};
  object_list two = *all;
  two.entries = entries;
  two.meshes = meshes;
  two.count = s->a == s->b ? 1 : 2;
  const size_t count = pair_count_of(s);
  graze_pair *pairs = malloc((count + 1) * sizeof *pairs);
  if (pairs == NULL) return false;
  const size_t first = count > 0 ? regions->regions[s->regions->first_region].first_pair : 0;
  for (size_t i = 0; i < count; i++) {
    pairs[i] = regions->pairs[first + i];
    pairs[i].object_a = 0;
    pairs[i].object_b = (uint32_t)two.count - 1;
  }
  const graze_pairs marked = {.pairs = pairs, .count = count};
  const bool drawn = pair_picture_snapshot(&two, &marked, &topics->outcome->options->drawing, focus, stream, view_out);
  free(pairs);
  return drawn;
}

/* ------------------------------------------------------------------------------------------------ archive */

/* A file of the archive, built in memory. */
typedef struct memory_file {
  FILE *stream;
  char *bytes;
  size_t count;
} memory_file;

static bool memory_file_open(memory_file *file) {
  *file = (memory_file){0};
  return (file->stream = open_memstream(&file->bytes, &file->count)) != NULL;
}

static bool memory_file_close(memory_file *file) {
  const bool is_whole = file->stream != NULL && !ferror(file->stream);
  const bool is_closed = file->stream != NULL && fclose(file->stream) == 0;
  file->stream = NULL;
  return is_whole && is_closed && file->bytes != NULL;
}

static void memory_file_release(memory_file *file) {
  if (file->stream != NULL) fclose(file->stream);
  free(file->bytes);
}

static bool add_file(zip_writer *zip, const bcf_topic *topic, const char *name, memory_file *file) {
  char path[BCF_GUID_BYTES + 32];
  if (topic != NULL)
    snprintf(path, sizeof path, "%s/%s", topic->id.text, name);
  else
    snprintf(path, sizeof path, "%s", name);
  const bool added = memory_file_close(file) && zip_writer_add(zip, path, file->bytes, file->count);
  memory_file_release(file);
  *file = (memory_file){0};
  return added;
}

static bool add_snapshot(const topic_list *topics, const subject *s, const picture_box *focus, bcf_topic *topic,
                         double axes_out[3][3], double *height_out, zip_writer *zip) {
  memory_file file;
  picture_view view;
  bool added = memory_file_open(&file) && draw_snapshot(topics, s, focus, file.stream, &view);
  if (added) {
    memcpy(axes_out, view.axis, sizeof view.axis);
    *height_out = 2.0 * (view.middle_y / view.pixels_per_unit / view.factor);
    added = add_file(zip, topic, BCF_SNAPSHOT, &file);
  }
  memory_file_release(&file);
  return added;
}

/* The id does not depend on the order of the two objects. */
static bcf_guid topic_id(const topic_list *topics, const subject *s, const char *purpose) {
  const object_words *a = &topics->words[s->a], *b = &topics->words[s->b];
  const int order = strcmp(a->label, b->label) != 0 ? strcmp(a->label, b->label) : strcmp(a->number, b->number);
  const object_words *first = order <= 0 ? a : b, *second = order <= 0 ? b : a;
  const char *const words[] = {"graze", purpose, first->label, first->number, second->label, second->number};
  return bcf_guid_of(words, sizeof words / sizeof words[0]);
}

static void name_objects(const topic_list *topics, const subject *s, bcf_topic *topic) {
  const object_list *objects = topics->outcome->objects;
  topic->file_names[0] = bcf_file_name(objects, s->a);
  topic->file_names[1] = bcf_file_name(objects, s->b);
  if (strcmp(topic->file_names[0], topic->file_names[1]) == 0) topic->file_names[1] = NULL;
  topic->objects[0] = topics->words[s->a].id;
  topic->objects[1] = s->a == s->b ? NULL : topics->words[s->b].id;
}

static bool add_texts(const topic_list *topics, const subject *s, bcf_topic *topic, zip_writer *zip) {
  memory_file title, description, markup = {0}, viewpoint = {0};
  bool made = memory_file_open(&title);
  made = memory_file_open(&description) && made;
  if (made) write_title(topics, s, title.stream);
  if (made) write_description(topics, s, description.stream);
  made = made && memory_file_close(&title) && memory_file_close(&description);
  topic->title = title.bytes;
  topic->description = description.bytes;
  made = made && memory_file_open(&markup) && memory_file_open(&viewpoint);
  if (made) bcf_write_markup(topic, markup.stream);
  if (made) bcf_write_viewpoint(topic, viewpoint.stream);
  made = made && add_file(zip, topic, BCF_MARKUP, &markup) && add_file(zip, topic, BCF_VIEWPOINT, &viewpoint);
  memory_file_release(&title);
  memory_file_release(&description);
  memory_file_release(&markup);
  memory_file_release(&viewpoint);
  return made;
}

static bool add_topic(const topic_list *topics, size_t number, time_t time, zip_writer *zip) {
  const subject *s = &topics->subjects[number];
  const char *purpose = s->inside != NULL ? "inside" : "clash";
  bcf_topic topic = {.id = topic_id(topics, s, purpose),
                     .viewpoint = topic_id(topics, s, s->inside != NULL ? "inside view" : "clash view"),
                     .index = number + 1,
                     .label = s->inside != NULL ? "inside"
                                                : clash_name(strongest_clash(&topics->outcome->regions, s->regions)),
                     .time = time,
                     .has_snapshot = s->has_snapshot};
  name_objects(topics, s, &topic);
  picture_box focus;
  focus_of(topics, s, &focus);
  double axes[3][3], height = 2.0 * diagonal(&focus);
  picture_camera_axes(&topics->outcome->options->drawing.camera, axes);
  if (s->has_snapshot && !add_snapshot(topics, s, &focus, &topic, axes, &height, zip)) return false;
  place_camera(topics, s, &focus, height, axes, &topic.camera);
  return add_texts(topics, s, &topic, zip);
}

/* SOURCE_DATE_EPOCH (reproducible-builds.org) makes archives reproducible. */
static time_t archive_time(void) {
  const char *given = getenv("SOURCE_DATE_EPOCH");
  char *end = NULL;
  const long long seconds = given == NULL ? 0 : strtoll(given, &end, 10);
  return given != NULL && end != given && *end == '\0' && seconds >= 0 ? (time_t)seconds : time(NULL);
}

static bool write_archive(const topic_list *topics, FILE *stream) {
  const time_t time = archive_time();
  zip_writer zip = zip_writer_start(stream, time);
  progress steps = progress_start(topics->outcome->options->quiet);
  memory_file version;
  bool written = memory_file_open(&version);
  if (written) bcf_write_version(version.stream);
  written = written && add_file(&zip, NULL, "bcf.version", &version);
  memory_file_release(&version);
  for (size_t i = 0; written && i < topics->count; i++) {
    progress_measuring(&steps, "topics", "BCF", (double)i / (double)topics->count);
    written = add_topic(topics, i, time, &zip);
  }
  progress_bar_done(&steps);
  written = written && zip_writer_finish(&zip);
  zip_writer_release(&zip);
  return written;
}

bool check_outcome_write_bcf(const check_outcome *outcome, const graze_scene *scene, FILE *stream) {
  const char *path = outcome->options->bcf;
  topic_list topics = {.outcome = outcome, .scene = scene};
  bool written = make_words(&topics) && make_subjects(&topics);
  if (written && topics.count > (ZIP_ENTRIES - 1) / FILES_OF_TOPIC) {
    complain("%s: BCF holds at most %d topics, but %s of objects intersect", path, (ZIP_ENTRIES - 1) / FILES_OF_TOPIC,
             counted(topics.count, "pair").text);
    written = false;
  } else {
    written = written && choose_snapshots(&topics) && write_archive(&topics, stream);
    if (!written) complain("%s: cannot be written: out of memory, the disk is full, or it would exceed 4 GiB", path);
  }
  for (size_t i = 0; topics.words != NULL && i < outcome->objects->count; i++) {
    free(topics.words[i].label);
    free(topics.words[i].id);
  }
  free(topics.words);
  free(topics.subjects);
  return written;
}
