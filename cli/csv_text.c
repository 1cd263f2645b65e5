/* Text in a cell of a CSV file. */
#include "csv_text.h"

#include <string.h>

void csv_write_text(const char *text, FILE *stream) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text != '\0'; ++text) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}
