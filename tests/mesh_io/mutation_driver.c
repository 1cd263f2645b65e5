/* Drives a fuzz entry without libFuzzer: runs every file of a corpus folder, then seeded mutations of each. It explores
 * less than a coverage-guided fuzzer, but works with every compiler and is deterministic. */
#include "fuzz/fuzz_reader.h"
#include "test_scale.h"

#include <dirent.h>

enum { FILE_BYTES_MAX = 1 << 16, FILES_MAX = 64, ROUNDS = 20000 };

typedef struct corpus_file {
  char name[256];
  uint8_t bytes[FILE_BYTES_MAX];
  size_t size;
} corpus_file;

static uint64_t next_number(uint64_t *state) {
  uint64_t value = *state += 0x9E3779B97F4A7C15u;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const corpus_file *)a)->name, ((const corpus_file *)b)->name);
}

static size_t load_corpus(const char *folder_name, corpus_file *files) {
  DIR *folder = opendir(folder_name);
  size_t count = 0;
  for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] == '.' || count == FILES_MAX) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder_name, entry->d_name);
    FILE *file = fopen(path, "rb");
    if (!file) continue;
    snprintf(files[count].name, sizeof files[count].name, "%s", entry->d_name);
    files[count].size = fread(files[count].bytes, 1, FILE_BYTES_MAX, file);
    fclose(file);
    count++;
  }
  if (folder) closedir(folder);
  /* The order of a folder is chance; that of the mutations must not be. */
  qsort(files, count, sizeof *files, compare_names);
  return count;
}

/* A few edits: other bytes, words that readers know, pieces taken out, doubled, or brought in from another file. */
static size_t mutate(uint64_t *state, uint8_t *bytes, size_t size, const corpus_file *other) {
  static const char *const words[] = {"nan",
                                      "inf",
                                      "-1",
                                      "999999999999",
                                      "1e999",
                                      "\n",
                                      "\\\n",
                                      "\r",
                                      "#",
                                      "list",
                                      "f ",
                                      "v ",
                                      "g x\n",
                                      "0",
                                      "/",
                                      "-",
                                      "end_header\n",
                                      "\xFF\xFF\xFF\x7F",
                                      "$End",
                                      "42",
                                      "4",
                                      "@"};
  for (uint64_t edits = 1 + next_number(state) % 4; edits > 0 && size > 0; edits--) {
    const size_t place = next_number(state) % size;
    const size_t length = 1 + next_number(state) % 16;
    switch (next_number(state) % 6) {
    case 0:
      bytes[place] = (uint8_t)next_number(state);
      break;
    case 1:
      bytes[place] ^= (uint8_t)(1 << next_number(state) % 8);
      break;
    case 2: {
      const char *word = words[next_number(state) % (sizeof words / sizeof *words)];
      const size_t room = size - place;
      memcpy(bytes + place, word, strlen(word) < room ? strlen(word) : room);
      break;
    }
    case 3:
      if (place + length < size) {
        memmove(bytes + place, bytes + place + length, size - place - length);
        size -= length;
      }
      break;
    case 4:
      if (place + length < size && size + length < FILE_BYTES_MAX) {
        memmove(bytes + place + length, bytes + place, size - place);
        size += length;
      }
      break;
    default: {
      const size_t from = next_number(state) % (other->size + 1);
      size_t copied = other->size - from < length ? other->size - from : length;
      if (copied > size - place) copied = size - place;
      memcpy(bytes + place, other->bytes + from, copied);
      break;
    }
    }
  }
  return next_number(state) % 8 == 0 && size > 0 ? next_number(state) % size : size;
}

int main(int argument_count, char **arguments) {
  corpus_file *files = calloc(FILES_MAX + 1, sizeof *files);
  if (!files || argument_count != 2) return 2;
  const size_t count = load_corpus(arguments[1], files);
  if (count == 0) {
    fprintf(stderr, "%s: no file in the corpus\n", arguments[1]);
    return 2;
  }
  uint8_t *bytes = files[FILES_MAX].bytes;
  uint64_t state = 1;
  for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(files[i].bytes, files[i].size);
  const size_t rounds = test_scaled(ROUNDS, ROUNDS / 10);
  for (size_t i = 0; i < rounds; i++) {
    const corpus_file *file = &files[i % count];
    memcpy(bytes, file->bytes, file->size);
    const size_t size = mutate(&state, bytes, file->size, &files[next_number(&state) % count]);
    LLVMFuzzerTestOneInput(bytes, size);
  }
  printf("%zu files, %zu mutations\n", count, rounds);
  free(files);
  return 0;
}
