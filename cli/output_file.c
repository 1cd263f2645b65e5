/* Files that appear complete or not at all: rename(2) within a folder replaces a file atomically.
 *
 * Workload: up to three files per run, of any size. */
#define _XOPEN_SOURCE 700 /* realpath(3) */
#include "output_file.h"

#include "complaint.h"

#include "mesh_io/mesh_format.h"
#include "mesh_io/mesh_name.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* File systems allow names of 255 bytes. The last bytes are kept, because they contain the ending that determines the
 * format. */
enum { KEPT_NAME_BYTES = 200, PARTIAL_PREFIX_BYTES = 40 };

static bool refuse(const char *path, int code) {
  return decline("%s: %s", path, strerror(code));
}

/* "folder/name" -> "folder/.graze-PID-name". */
static char *make_partial_path(const char *final_path) {
  const char *slash = strrchr(final_path, '/');
  const char *name = slash == NULL ? final_path : slash + 1;
  const size_t folder_bytes = (size_t)(name - final_path);
  const size_t name_bytes = strlen(name);
  const char *kept = name_bytes > KEPT_NAME_BYTES ? name + (name_bytes - KEPT_NAME_BYTES) : name;
  const size_t room = folder_bytes + PARTIAL_PREFIX_BYTES + strlen(kept) + 1;
  char *partial = malloc(room);
  if (partial == NULL) return NULL;
  memcpy(partial, final_path, folder_bytes);
  snprintf(partial + folder_bytes, room - folder_bytes, ".graze-%ld-%s", (long)getpid(), kept);
  return partial;
}

static char *copied(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = malloc(bytes);
  if (copy != NULL) memcpy(copy, text, bytes);
  return copy;
}

bool output_file_plan(output_file *file, const char *path) {
  *file = (output_file){.path = path};
  struct stat about;
  const bool exists = stat(path, &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return refuse(path, EISDIR);
  const size_t length = strlen(path);
  if (length == 0) return refuse("an output without a name", ENOENT);
  if (path[length - 1] == '/') return refuse(path, exists ? ENOTDIR : ENOENT);
  file->direct = exists && !S_ISREG(about.st_mode);
  if (exists && !file->direct && access(path, W_OK) != 0) return refuse(path, errno);
  /* Renaming over a symbolic link would replace the link, so its target is used. */
  file->final_path = exists && !file->direct ? realpath(path, NULL) : copied(path);
  if (file->final_path != NULL) {
    file->partial_path = file->direct ? copied(path) : make_partial_path(file->final_path);
  }
  if (file->final_path != NULL && file->partial_path != NULL) return true;
  output_file_discard(file);
  return refuse(path, ENOMEM);
}

bool output_file_open(output_file *file, const char *path) {
  if (!output_file_plan(file, path)) return false;
  const int flags = file->direct ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
  const int descriptor = open(file->partial_path, flags, 0666);
  file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (file->stream != NULL) return true;
  const int code = errno;
  if (descriptor >= 0) close(descriptor);
  /* A partial file that could not be opened does not belong to this run, so it is not removed. */
  if (descriptor < 0) file->direct = true;
  output_file_discard(file);
  return refuse(path, code);
}

bool output_file_close(output_file *file) {
  errno = 0;
  const bool written = !ferror(file->stream);
  const bool closed = fclose(file->stream) == 0;
  file->stream = NULL;
  if (written && closed) return true;
  return refuse(file->path, errno != 0 ? errno : EIO);
}

bool output_file_publish(output_file *file) {
  if (file->direct) return true;
  struct stat about;
  /* The permissions of the replaced file are kept; if that fails, the new file is still complete. */
  if (stat(file->final_path, &about) == 0) (void)chmod(file->partial_path, about.st_mode & 07777);
  if (rename(file->partial_path, file->final_path) != 0) return refuse(file->path, errno);
  file->direct = true;
  return true;
}

void output_file_discard(output_file *file) {
  if (file->stream != NULL) fclose(file->stream);
  if (file->partial_path != NULL && !file->direct) unlink(file->partial_path);
  free(file->final_path);
  free(file->partial_path);
  *file = (output_file){0};
}

void output_file_complain(const output_file *file, const char *message) {
  const mesh_shown partial = mesh_shown_name(file->partial_path);
  const size_t length = strlen(partial.text);
  const bool named = strncmp(message, partial.text, length) == 0;
  complain("%s%s", named ? file->path : "", named ? message + length : message);
}

bool same_file(const char *a, const char *b) {
  if (strcmp(a, b) == 0) return true;
  struct stat about_a, about_b;
  if (stat(a, &about_a) != 0 || stat(b, &about_b) != 0) return false;
  if (!S_ISREG(about_a.st_mode)) return false;
  return about_a.st_dev == about_b.st_dev && about_a.st_ino == about_b.st_ino;
}

bool is_standard_output(const char *path_or_null) {
  return path_or_null != NULL && strcmp(path_or_null, "-") == 0;
}

bool outputs_take_standard_output(const named_output *outputs, size_t output_count) {
  for (size_t i = 0; i < output_count; i++)
    if (is_standard_output(outputs[i].path)) return true;
  return false;
}

static bool write_partial(const named_output *output, size_t number, output_writer *write, const void *outcome,
                          output_file *file) {
  if (output->path == NULL || is_standard_output(output->path)) return true;
  if (!(output->by_path ? output_file_plan : output_file_open)(file, output->path)) return false;
  return write(outcome, number, file) && (file->stream == NULL || output_file_close(file));
}

bool outputs_write(const named_output *outputs, size_t output_count, output_writer *write, const void *outcome) {
  enum { OUTPUTS_MOST = 16 };
  output_file files[OUTPUTS_MOST] = {{0}};
  bool good = true;
  assert(output_count <= OUTPUTS_MOST);
  for (size_t i = 0; good && i < output_count; i++) good = write_partial(&outputs[i], i, write, outcome, &files[i]);
  for (size_t i = 0; good && i < output_count; i++) good = files[i].path == NULL || output_file_publish(&files[i]);
  for (size_t i = 0; i < output_count; i++) output_file_discard(&files[i]);
  const output_file standard = {.path = "-", .stream = stdout};
  for (size_t i = 0; good && i < output_count; i++)
    if (is_standard_output(outputs[i].path)) good = write(outcome, i, &standard);
  return good;
}

static bool output_is_apart(const named_output *outputs, size_t output, char *const *inputs, size_t input_count,
                            const char *use) {
  const char *path = outputs[output].path, *option = outputs[output].option;
  if (path[0] == '\0') return decline("--%s takes the name of a file, not \"\"", option);
  for (size_t i = 0; i < output; i++) {
    if (outputs[i].path == NULL || !same_file(path, outputs[i].path)) continue;
    return decline("--%s and --%s cannot both write to %s", outputs[i].option, option,
                   strcmp(path, "-") == 0 ? "standard output" : path);
  }
  for (size_t i = 0; i < input_count; i++) {
    if (!same_file(path, inputs[i])) continue;
    return decline("--%s would overwrite %s, which is to be %s", option, inputs[i], use);
  }
  return true;
}

bool named_outputs_are_apart(const named_output *outputs, size_t output_count, char *const *inputs, size_t input_count,
                             const char *use) {
  for (size_t i = 0; i < output_count; i++) {
    if (outputs[i].path != NULL && !output_is_apart(outputs, i, inputs, input_count, use)) return false;
  }
  return true;
}

static bool belongs_to_another(const char *path, const char *ending) {
  static const char *const endings[] = {".json", ".csv", ".png", ".svg", ".jpg", ".jpeg", ".gz"};
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    if (strcmp(endings[i], ending) != 0 && mesh_name_ends_in(path, strlen(path), endings[i])) return true;
  }
  bool compressed;
  return mesh_format_of_name(path, &compressed) != NULL;
}

static bool output_ends_well(const named_output *output) {
  const char *path = output->path;
  if (strcmp(path, "-") == 0) {
    if (output->is_image) complain("--%s takes the name of a file; it cannot write to standard output", output->option);
    return !output->is_image;
  }
  const bool has_ending = mesh_name_ends_in(path, strlen(path), output->ending);
  if (has_ending || (!output->is_image && !belongs_to_another(path, output->ending))) return true;
  if (output->is_image) {
    complain("--%s writes %s, but %s does not end in %s", output->option, output->format, path, output->ending);
  } else {
    complain("--%s writes %s, but %s has the ending of another format", output->option, output->format, path);
  }
  return false;
}

bool named_outputs_end_well(const named_output *outputs, size_t output_count) {
  for (size_t i = 0; i < output_count; i++) {
    if (outputs[i].path != NULL && !output_ends_well(&outputs[i])) return false;
  }
  return true;
}

bool path_is_folder(const char *path) {
  struct stat about;
  return path[strlen(path) - 1] == '/' || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}
