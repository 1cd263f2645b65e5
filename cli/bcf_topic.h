/* The files of a topic in a BCF archive: an issue with a camera and the objects it refers to.
 *
 * buildingSMART, BIM Collaboration Format 2.1: markup.xsd, visinfo.xsd, version.xsd. */
#ifndef GRAZE_BCF_TOPIC_H
#define GRAZE_BCF_TOPIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum { BCF_OBJECTS = 2, BCF_GUID_BYTES = 37, BCF_DATE_BYTES = 24 };

typedef struct bcf_guid {
  char text[BCF_GUID_BYTES];
} bcf_guid;

/* Returns an id that is determined by the words and their order: the same words give the same id in every run. */
bcf_guid bcf_guid_of(const char *const *words, size_t count);

/* Orthographic: `eye` looks along `direction`; `height` is the visible extent from bottom to top. */
typedef struct bcf_camera {
  double eye[3], direction[3], up[3], height;
} bcf_camera;

/* All texts are borrowed. Control characters and bytes that are not UTF-8 are replaced. */
typedef struct bcf_topic {
  bcf_guid id, viewpoint;
  size_t index; /* from 1 */
  const char *title, *label, *description;
  const char *file_names[BCF_OBJECTS]; /* NULL: there is no second object, or it has the same name */
  const char *objects[BCF_OBJECTS];    /* written as IfcGuid if the name is one; NULL: there is no second object */
  time_t time;
  bcf_camera camera;
  bool has_snapshot;
} bcf_topic;

/* Names of the files of a topic, in a folder named by its id. */
#define BCF_MARKUP "markup.bcf"
#define BCF_VIEWPOINT "viewpoint.bcfv"
#define BCF_SNAPSHOT "snapshot.png"

void bcf_write_markup(const bcf_topic *topic, FILE *stream);
void bcf_write_viewpoint(const bcf_topic *topic, FILE *stream);

/* Writes the file "bcf.version" of the archive. */
void bcf_write_version(FILE *stream);

#endif
