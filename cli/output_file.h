/* A file that appears whole or not at all.
 *
 * It is written under another name in the same folder and takes its own name at the end. What is there already and is
 * no plain file (/dev/null, a pipe) is written to directly. */
#ifndef GRAZE_OUTPUT_FILE_H
#define GRAZE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Zeroed: no file. Every function that fails has said why on stderr. */
typedef struct output_file {
  const char *path;   /* as the user wrote it; borrowed */
  char *final_path;   /* where a symbolic link led to */
  char *partial_path; /* the name while it is being written; equal to final_path when written directly */
  FILE *stream;       /* NULL unless opened here */
  bool direct;
} output_file;

/* Chooses the names. Whoever writes the file then writes to partial_path, which ends as the path ends. */
bool output_file_plan(output_file *file, const char *path);

/* Chooses the names and opens the stream. */
bool output_file_open(output_file *file, const char *path);

/* Closes the stream and tells whether everything was written. */
bool output_file_close(output_file *file);

/* Gives the file its name. */
bool output_file_publish(output_file *file);

/* Releases the struct; a file that was not published is removed. */
void output_file_discard(output_file *file);

/* Says what another writer had to say about partial_path, with the name that the user knows in its place. */
void output_file_complain(const output_file *file, const char *message);

/* Whether two paths lead to one existing file, or are the same words. */
bool same_file(const char *a, const char *b);

/* Whether a path names a folder: one that is there, or a name that ends like one. */
bool path_is_folder(const char *path);

/* An output by the name of its option. */
typedef struct named_output {
  const char *option; /* of an image, what it is: a picture, a plot */
  const char *path;   /* NULL: not asked for; "-": standard output */
  const char *format; /* what is written, for messages */
  const char *ending; /* of files of that format, in lower case */
  bool is_image;      /* viewers go by the ending, so that it must be there */
} named_output;

/* A name must not promise another format than is written: an image has its own ending, and does not go to standard
 * output; a record has no ending that belongs to something else. False after a complaint. */
bool named_outputs_end_well(const named_output *outputs, size_t output_count);

/* Outputs must not fall on each other, nor on a file that is read; false after a complaint. `use` says what is to be
 * done with the inputs. */
bool named_outputs_are_apart(const named_output *outputs, size_t output_count, char *const *inputs, size_t input_count,
                             const char *use);

#endif
