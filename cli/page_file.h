/* The page of the viewer as a file: the text that the build has made, with a record in it. */
#ifndef GRAZE_PAGE_FILE_H
#define GRAZE_PAGE_FILE_H

#include "page_record.h"

/* Whether this build has the page; false after a complaint that names the option or command that needs it. */
bool page_exists(const char *wanted_by);

/* Writes the page with a record that was ended; false after a complaint. Trouble of the stream itself is left to who
 * closes it. */
bool page_file_write(const page_record *record, FILE *stream);

#endif
