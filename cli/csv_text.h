/* Text in a cell of a CSV file. */
#ifndef GRAZE_CSV_TEXT_H
#define GRAZE_CSV_TEXT_H

#include <stdio.h>

/* Writes text, quoted as in RFC 4180 if it contains a comma, a quote or a line end. */
void csv_write_text(const char *text, FILE *stream);

#endif
