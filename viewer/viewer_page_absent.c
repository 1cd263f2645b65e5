/* Replaces the page of the viewer in builds without it. */
#include "viewer/viewer_page.h"

const viewer_page *viewer_page_text(void) {
  return NULL;
}
