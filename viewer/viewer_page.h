/* The page of the viewer, built from this folder: one HTML file in two parts; the recorded scene is inserted between
 * them. */
#ifndef GRAZE_VIEWER_PAGE_H
#define GRAZE_VIEWER_PAGE_H

#include <stddef.h>

typedef struct viewer_page {
  const unsigned char *before; /* not terminated */
  size_t before_bytes;
  const unsigned char *after;
  size_t after_bytes;
} viewer_page;

/* Returns NULL in a build without the viewer. */
const viewer_page *viewer_page_text(void);

#endif
