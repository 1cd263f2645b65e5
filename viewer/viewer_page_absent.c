/* Stands in for the page of the viewer in a build without it. */
#include "viewer/viewer_page.h"

const viewer_page *viewer_page_text(void) {
  return NULL;
}
