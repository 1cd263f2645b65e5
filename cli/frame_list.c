/* Finds the frames of the operands. Workload: up to hundreds of thousands of names; only folders are read. */
#include "frame_list.h"

#include "complaint.h"
#include "frame_name.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum operand_kind { OPERAND_FILE, OPERAND_FOLDER, OPERAND_PATTERN } operand_kind;

bool number_place_find(const char *path, number_place *place_out) {
  for (const char *at = path; (at = strchr(at, '%')) != NULL; at++) {
    const size_t digits = strspn(at + 1, "0123456789");
    if (at[1 + digits] != 'd' || digits > 3) continue;
    *place_out = (number_place){(size_t)(at - path), (size_t)(at - path) + digits + 2, 0};
    place_out->least_digits = digits == 0 ? 1 : (size_t)strtoul(at + 1, NULL, 10);
    return true;
  }
  return false;
}

bool number_place_is_only(const number_place *first, const char *path, const char *words) {
  number_place second;
  if (!number_place_find(path + first->end, &second)) return true;
  return decline("%s%s: a pattern can have only one frame-number placeholder", words, path);
}

static operand_kind kind_of(const char *operand) {
  struct stat about;
  number_place place;
  if (stat(operand, &about) == 0) return S_ISDIR(about.st_mode) ? OPERAND_FOLDER : OPERAND_FILE;
  return number_place_find(operand, &place) || strpbrk(operand, "*?[") != NULL ? OPERAND_PATTERN : OPERAND_FILE;
}

/* Copies a text and escapes the special characters of glob(3). */
static char *append_escaped(char *end, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (strchr("*?[]\\", text[i]) != NULL) *end++ = '\\';
    *end++ = text[i];
  }
  return end;
}

static char *pattern_for_glob(const char *operand, const number_place *place) {
  const size_t length = strlen(operand);
  char *pattern = malloc(2 * length + 2);
  if (pattern == NULL) return NULL;
  char *end = append_escaped(pattern, operand, place->begin);
  *end++ = '*';
  end = append_escaped(end, operand + place->end, length - place->end);
  *end = '\0';
  return pattern;
}

/* Whether the text in the place of the number is a number. */
static bool number_fits(const char *operand, const number_place *place, const char *path) {
  const size_t behind = strlen(operand) - place->end, length = strlen(path);
  if (length < place->begin + behind) return false;
  const size_t digits = length - behind - place->begin;
  return digits >= place->least_digits && strspn(path + place->begin, "0123456789") >= digits;
}

static bool add_matches(mesh_file_list *files, const char *operand) {
  number_place place;
  const bool numbered = number_place_find(operand, &place);
  if (numbered && !number_place_is_only(&place, operand, "")) return false;
  char *escaped = numbered ? pattern_for_glob(operand, &place) : NULL;
  if (numbered && escaped == NULL) return decline("out of memory");
  glob_t found = {0};
  const int status = glob(numbered ? escaped : operand, GLOB_NOSORT, NULL, &found);
  bool added = status == 0 || status == GLOB_NOMATCH;
  for (size_t i = 0; status == 0 && added && i < found.gl_pathc; i++) {
    if (!numbered || number_fits(operand, &place, found.gl_pathv[i]))
      added = mesh_file_list_add_found(files, found.gl_pathv[i]);
  }
  if (status == 0) globfree(&found);
  free(escaped);
  if (status != 0 && status != GLOB_NOMATCH) return decline("out of memory");
  return added;
}

static int by_natural_order(const void *a, const void *b) {
  return natural_order(((const mesh_file_entry *)a)->path, ((const mesh_file_entry *)b)->path);
}

/* The number of bytes of the path before the file name; 0: no folder. */
static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path);
}

static int by_folder(const void *a, const void *b) {
  const char *first = ((const mesh_file_entry *)a)->path, *second = ((const mesh_file_entry *)b)->path;
  const size_t length = folder_length(first), other = folder_length(second);
  const int order = strncmp(first, second, length < other ? length : other);
  return order != 0 ? order : (length > other) - (length < other);
}

/* Sorts the files by their folders. Parts of a scene in separate folders, played as frames, would answer a different
 * question. */
static bool lies_in_one_folder(mesh_file_list *track, const char *folder) {
  enum { FOLDERS_SHOWN = 4, LIST_BYTES = 1024 };
  char list[LIST_BYTES] = "";
  size_t length = strlen(folder), folders = 0, below = 0;
  while (length > 1 && folder[length - 1] == '/') length--;
  qsort(track->entries, track->count, sizeof *track->entries, by_folder);
  for (size_t i = 0, end; i < track->count; i = end) {
    const char *path = track->entries[i].path;
    const size_t here = folder_length(path), used = strlen(list);
    end = i + 1;
    while (end < track->count && by_folder(&track->entries[i], &track->entries[end]) == 0) end++;
    below += here > length ? end - i : 0;
    if (folders++ < FOLDERS_SHOWN)
      snprintf(list + used, sizeof list - used, "%s%zu in %.*s", used == 0 ? "" : ", ", end - i,
               here < 200 ? (int)here : 200, path);
  }
  if (below == 0) return true;
  if (folders > FOLDERS_SHOWN)
    snprintf(list + strlen(list), sizeof list - strlen(list), " and more in %zu other folders",
             folders - FOLDERS_SHOWN);
  return decline(
      "%s: the meshes are in subfolders: %s. The frames of a sequence must be in one folder; name that folder or a "
      "pattern. Parts of a scene are not frames; place them in a scene file and play it",
      folder, list);
}

static bool fill_track(mesh_file_list *track, const char *operand, operand_kind kind) {
  if (kind == OPERAND_PATTERN ? !add_matches(track, operand) : !mesh_file_list_add(track, operand)) return false;
  if (track->count == 0 && kind == OPERAND_PATTERN) return decline("%s: no file matches the pattern", operand);
  if (track->count == 0) {
    return decline("%s: the folder has no meshes", operand);
  }
  if (kind == OPERAND_FOLDER && !lies_in_one_folder(track, operand)) return false;
  qsort(track->entries, track->count, sizeof *track->entries, by_natural_order);
  return true;
}

/* Whether the two names differ only in their numbers, and by how much. */
static bool is_one_sequence(const char *a, const char *b, uint64_t *step_out) {
  frame_number first, second;
  if (!frame_number_find(a, &first) || !frame_number_find(b, &second)) return false;
  if (first.begin != second.begin || strncmp(a, b, first.begin) != 0) return false;
  if (strcmp(a + first.end, b + second.end) != 0 || second.value <= first.value) return false;
  *step_out = second.value - first.value;
  return true;
}

/* The least step from the file on, within its sequence. Frames 10, 20, 30 have no gaps. */
static uint64_t least_step(const mesh_file_list *track, size_t first, size_t *end_out) {
  uint64_t least = UINT64_MAX, step = 0;
  size_t i = first + 1;
  for (; i < track->count && is_one_sequence(track->entries[i - 1].path, track->entries[i].path, &step); i++) {
    least = step < least ? step : least;
  }
  *end_out = i;
  return least;
}

static bool append_gap(frame_list *frames, frame_gap gap) {
  frame_gap *gaps = realloc(frames->gaps, (frames->gap_count + 1) * sizeof *gaps);
  if (gaps == NULL) return decline("out of memory");
  frames->gaps = gaps;
  gaps[frames->gap_count++] = gap;
  return true;
}

static bool find_gaps(frame_list *frames, const mesh_file_list *track) {
  for (size_t first = 0, end = 0; first < track->count; first = end) {
    const uint64_t usual = least_step(track, first, &end);
    for (size_t i = first + 1; i < end; i++) {
      uint64_t step = 0;
      const char *before = track->entries[i - 1].path, *after = track->entries[i].path;
      (void)is_one_sequence(before, after, &step);
      if (step > usual && !append_gap(frames, (frame_gap){before, after, (step - 1) / usual})) return false;
    }
  }
  return true;
}

/* Files that stand still are tracks of one file and need no number. */
static bool numbers_are_apart(const mesh_file_list *track, bool stands_still) {
  frame_number last = {0}, number;
  for (size_t i = 0; !stands_still && i < track->count; i++) {
    if (!frame_number_find(track->entries[i].path, &number)) return false;
    if (i > 0 && number.value <= last.value) return false;
    last = number;
  }
  return true;
}

static int by_value(const void *a, const void *b) {
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

/* All numbers of all sequences, each once; NULL when out of memory. */
static uint64_t *all_numbers(const frame_list *frames, const bool *stands_still, size_t *count_out) {
  size_t total = 0, count = 0, unique = 0;
  for (size_t i = 0; i < frames->track_count; i++) total += frames->tracks[i].count;
  uint64_t *numbers = malloc((total + 1) * sizeof *numbers);
  if (numbers == NULL) return NULL;
  for (size_t i = 0; i < frames->track_count; i++) {
    frame_number number = {0};
    for (size_t k = 0; !stands_still[i] && k < frames->tracks[i].count; k++) {
      (void)frame_number_find(frames->tracks[i].entries[k].path, &number);
      numbers[count++] = number.value;
    }
  }
  if (count > 0) qsort(numbers, count, sizeof *numbers, by_value);
  for (size_t i = 0; i < count; i++) {
    if (unique == 0 || numbers[i] != numbers[unique - 1]) numbers[unique++] = numbers[i];
  }
  *count_out = unique;
  return numbers;
}

static bool line_up_by_number(frame_list *frames, const bool *stands_still) {
  uint64_t *numbers = all_numbers(frames, stands_still, &frames->count);
  frames->files = calloc(frames->count * frames->track_count + 1, sizeof *frames->files);
  if (numbers == NULL || frames->files == NULL) {
    free(numbers);
    return decline("out of memory");
  }
  for (size_t i = 0; i < frames->track_count; i++) {
    const mesh_file_list *track = &frames->tracks[i];
    frame_number number = {0};
    for (size_t frame = 0, k = 0; frame < frames->count; frame++) {
      const char **file = &frames->files[frame * frames->track_count + i];
      if (stands_still[i]) {
        *file = track->entries[0].path;
      } else if (k < track->count && frame_number_find(track->entries[k].path, &number) &&
                 number.value == numbers[frame]) {
        *file = track->entries[k++].path;
      }
    }
  }
  free(numbers);
  return true;
}

static bool line_up_by_place(frame_list *frames, const bool *stands_still) {
  for (size_t i = 0; i < frames->track_count; i++) {
    if (frames->tracks[i].count > frames->count) frames->count = frames->tracks[i].count;
  }
  frames->files = calloc(frames->count * frames->track_count + 1, sizeof *frames->files);
  if (frames->files == NULL) return decline("out of memory");
  for (size_t i = 0; i < frames->track_count; i++) {
    const mesh_file_list *track = &frames->tracks[i];
    for (size_t frame = 0; frame < frames->count; frame++) {
      const size_t k = stands_still[i] ? 0 : frame;
      frames->files[frame * frames->track_count + i] = k < track->count ? track->entries[k].path : NULL;
    }
  }
  return true;
}

static bool line_up(frame_list *frames, const bool *stands_still) {
  bool numbered = frames->track_count > 1;
  for (size_t i = 0; i < frames->track_count; i++) {
    if (!stands_still[i] && !find_gaps(frames, &frames->tracks[i])) return false;
    numbered = numbered && numbers_are_apart(&frames->tracks[i], stands_still[i]);
  }
  return numbered ? line_up_by_number(frames, stands_still) : line_up_by_place(frames, stands_still);
}

static bool make_one_track(frame_list *frames, char *const *operands, size_t operand_count) {
  const bool stands_still = false;
  frames->track_count = 1;
  mesh_file_list *track = frames->tracks;
  for (size_t i = 0; i < operand_count; i++) {
    if (!mesh_file_list_add(track, operands[i])) return false;
  }
  qsort(track->entries, track->count, sizeof *track->entries, by_natural_order);
  return line_up(frames, &stands_still);
}

static bool make_tracks(frame_list *frames, char *const *operands, size_t operand_count, bool *stands_still) {
  for (size_t i = 0; i < operand_count; i++) {
    const operand_kind kind = kind_of(operands[i]);
    stands_still[i] = kind == OPERAND_FILE;
    frames->track_count++;
    if (!fill_track(&frames->tracks[i], operands[i], kind)) return false;
  }
  return line_up(frames, stands_still);
}

bool frame_list_make(frame_list *frames, char *const *operands, size_t operand_count) {
  size_t file_count = 0;
  for (size_t i = 0; i < operand_count; i++) file_count += kind_of(operands[i]) == OPERAND_FILE;
  frames->tracks = calloc(operand_count + 1, sizeof *frames->tracks);
  bool *stands_still = calloc(operand_count + 1, sizeof *stands_still);
  bool made = frames->tracks != NULL && stands_still != NULL;
  if (!made) decline("out of memory");
  made = made && (file_count == operand_count ? make_one_track(frames, operands, operand_count)
                                              : make_tracks(frames, operands, operand_count, stands_still));
  free(stands_still);
  return made;
}

const char *frame_list_name(const frame_list *frames, size_t frame) {
  const char *name = NULL;
  for (size_t i = 0; i < frames->track_count; i++) {
    const char *file = frames->files[frame * frames->track_count + i];
    const bool moves = frames->tracks[i].count > 1;
    if (file != NULL && (name == NULL || moves)) name = file;
    if (file != NULL && moves) break;
  }
  return name;
}

void frame_list_release(frame_list *frames) {
  for (size_t i = 0; i < frames->track_count; i++) mesh_file_list_release(&frames->tracks[i]);
  free(frames->tracks);
  free(frames->files);
  free(frames->gaps);
  *frames = (frame_list){0};
}
