/* Text in a cell of a CSV file. */
#ifndef GRAZE_CSV_TEXT_H
#define GRAZE_CSV_TEXT_H

#include <stdio.h>

/* Text with a comma, a quote or a line end in it stands between quotes, as RFC 4180 has it. */
void csv_write_text(const char *text, FILE *stream);

#endif
