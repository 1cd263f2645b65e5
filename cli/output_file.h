/* A file that appears complete or not at all.
 *
 * It is written under another name in the same folder and renamed at the end. An existing path that is not a regular
 * file (/dev/null, a pipe) is written directly. */
#ifndef GRAZE_OUTPUT_FILE_H
#define GRAZE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Zeroed: no file. Every function that fails has printed a complaint. */
typedef struct output_file {
  const char *path;   /* as given by the user; borrowed */
  char *final_path;   /* the target of a symbolic link */
  char *partial_path; /* the name while it is written; equal to final_path if written directly */
  FILE *stream;       /* NULL unless opened here */
  bool direct;
} output_file;

/* Chooses the names. The caller writes the file to partial_path, which has the same ending as the path. */
bool output_file_plan(output_file *file, const char *path);

/* Chooses the names and opens the stream. */
bool output_file_open(output_file *file, const char *path);

/* Closes the stream; false after a complaint if not everything was written. */
bool output_file_close(output_file *file);

/* Renames the file to its final name. */
bool output_file_publish(output_file *file);

/* Releases the struct; an unpublished file is removed. */
void output_file_discard(output_file *file);

/* Complains with the message of another writer about partial_path, with the name that the user knows in its place. */
void output_file_complain(const output_file *file, const char *message);

/* Whether two paths lead to one existing file, or are equal. */
bool same_file(const char *a, const char *b);

/* Whether a path names a folder: an existing one, or a name that ends like one. */
bool path_is_folder(const char *path);

/* An output, by the name of its option. */
typedef struct named_output {
  const char *option; /* for an image, its kind: a picture, a plot */
  const char *path;   /* NULL: not requested; "-": standard output */
  const char *format; /* what is written, for messages */
  const char *ending; /* endings of that format, in lower case */
  bool is_image;      /* the ending is required, because viewers use it */
  bool by_path;       /* its writer opens partial_path itself */
} named_output;

/* Whether the path is "-"; false for NULL. */
bool is_standard_output(const char *path_or_null);

/* Whether one of them goes to standard output, so that text goes to stderr. */
bool outputs_take_standard_output(const named_output *outputs, size_t output_count);

/* Writes the output with this number to the stream of the file, or to its partial path; false after a complaint. Errors
 * of the stream are left to the caller. */
typedef bool output_writer(const void *outcome, size_t output, const output_file *file);

/* Writes all requested outputs: files before the first of them is renamed, so that a full disk leaves no partial or
 * incomplete set of files, then what goes to standard output. False after a complaint. */
bool outputs_write(const named_output *outputs, size_t output_count, output_writer *write, const void *outcome);

/* Checks that a name does not have the ending of another format: an image needs its own ending, and cannot go to
 * standard output; a record must not have the ending of another format. False after a complaint. */
bool named_outputs_end_well(const named_output *outputs, size_t output_count);

/* Checks that outputs differ from each other and from files that are read; false after a complaint. `use` is what is
 * done with the inputs. */
bool named_outputs_are_apart(const named_output *outputs, size_t output_count, char *const *inputs, size_t input_count,
                             const char *use);

#endif
