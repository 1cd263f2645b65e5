/* The page of the viewer as a file: the text made by the build, with a record in it. */
#ifndef GRAZE_PAGE_FILE_H
#define GRAZE_PAGE_FILE_H

#include "page_record.h"

/* Whether this build has the page; false after a complaint that names the option or command that needs it. */
bool page_exists(const char *wanted_by);

/* Writes the page with a finished record; false after a complaint. Errors of the stream are left to its owner. */
bool page_file_write(const page_record *record, FILE *stream);

/* Records one frame, or none, in full precision, and writes its page; likewise. */
bool page_file_write_frame(const page_heading *heading, const page_frame *frame_or_null, FILE *stream);

#endif
