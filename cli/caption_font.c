/* The letters of captions, drawn with strokes of one width: straight lines and quarters of ellipses.
 *
 * Workload: one line of some dozen letters a picture. A letter is a word of numbers: its width, then commands with the
 * place they go to, in CAPTION_CAP_HEIGHT-ths of a capital letter's height above the base line:
 *   m x y   begin a stroke
 *   l x y   a line
 *   h x y   a quarter of an ellipse that leaves horizontally and arrives vertically
 *   v x y   one that leaves vertically and arrives horizontally */
#include "caption_font.h"

#include <math.h>
#include <stdlib.h>

enum { ARC_LINES = 8 };

/* clang-format off */
static const char *const letters[95] = {
    "6", /* space */
    "0 m 0 28 l 0 9 m 0 1 l 0 0", /* ! */
    "6 m 0 28 l 0 20 m 6 28 l 6 20", /* " */
    "18 m 6 26 l 3 2 m 15 26 l 12 2 m 0 18 l 18 18 m 0 10 l 17 10", /* # */
    "17 m 16 22 v 8 26 h 1 20 v 8 14 h 17 7 v 8 1 h 0 6 m 8 31 l 8 -4", /* $ */
    "22 m 20 28 l 2 0 m 4 28 h 8 23 v 4 18 h 0 23 v 4 28 m 18 10 h 22 5 v 18 0 h 14 5 v 18 10", /* % */
    "20 m 20 0 l 5 19 v 9 28 h 13 23 v 7 15 h 0 7 v 8 0 h 19 13", /* & */
    "0 m 0 28 l 0 20", /* ' */
    "5 m 5 32 l 2 25 l 0 17 l 0 7 l 2 -1 l 5 -8", /* ( */
    "5 m 0 32 l 3 25 l 5 17 l 5 7 l 3 -1 l 0 -8", /* ) */
    "10 m 5 28 l 5 16 m 0 25 l 10 19 m 10 25 l 0 19", /* star */
    "16 m 8 20 l 8 4 m 0 12 l 16 12", /* + */
    "2 m 2 1 l 2 0 l 0 -5", /* , */
    "9 m 0 11 l 9 11", /* - */
    "0 m 0 1 l 0 0", /* . */
    "11 m 11 30 l 0 -3", /* slash */
    "16 m 8 28 h 16 20 l 16 8 v 8 0 h 0 8 l 0 20 v 8 28", /* 0 */
    "16 m 3 23 l 9 28 l 9 0", /* 1 */
    "16 m 1 21 v 8 28 h 15 21 l 14 17 l 11 12 l 0 0 l 16 0", /* 2 */
    "16 m 1 23 v 8 28 h 15 22 v 8 15 l 5 15 m 8 15 h 16 8 v 8 0 h 0 6", /* 3 */
    "16 m 12 0 l 12 28 l 0 8 l 16 8", /* 4 */
    "16 m 14 28 l 2 28 l 1 14 v 8 18 h 16 9 v 8 0 h 0 5", /* 5 */
    "16 m 13 28 h 0 10 v 8 0 h 16 9 v 8 18 h 0 10", /* 6 */
    "16 m 0 28 l 16 28 l 5 0", /* 7 */
    "16 m 8 28 h 15 22 v 8 15 h 1 22 v 8 28 m 8 15 h 16 8 v 8 0 h 0 8 v 8 15", /* 8 */
    "16 m 3 0 h 16 18 v 8 28 h 0 19 v 8 10 h 16 18", /* 9 */
    "0 m 0 1 l 0 0 m 0 17 l 0 16", /* : */
    "2 m 2 1 l 2 0 l 0 -5 m 2 17 l 2 16", /* ; */
    "14 m 14 21 l 0 12 l 14 3", /* < */
    "16 m 0 16 l 16 16 m 0 8 l 16 8", /* = */
    "14 m 0 21 l 14 12 l 0 3", /* > */
    "13 m 0 22 v 6 28 h 13 22 l 12 18 l 7 13 l 6 8 m 6 1 l 6 0", /* ? */
    "26 m 18 18 l 18 9 v 21 6 h 26 14 v 13 27 h 0 12 v 13 -4 h 20 -2 m 13 18 h 18 12 v 13 6 h 8 12 v 13 18", /* @ */
    "20 m 0 0 l 10 28 l 20 0 m 4 10 l 16 10", /* A */
    "17 m 0 0 l 0 28 l 9 28 h 16 22 v 9 15 l 0 15 m 9 15 h 17 8 v 9 0 l 0 0", /* B */
    "19 m 19 23 v 11 28 h 0 14 v 11 0 h 19 5", /* C */
    "20 m 0 0 l 0 28 l 7 28 h 20 14 v 7 0 l 0 0", /* D */
    "15 m 15 28 l 0 28 l 0 0 l 15 0 m 0 15 l 13 15", /* E */
    "15 m 15 28 l 0 28 l 0 0 m 0 14 l 13 14", /* F */
    "20 m 19 23 v 11 28 h 0 14 v 11 0 h 20 9 l 20 13 l 12 13", /* G */
    "19 m 0 0 l 0 28 m 19 0 l 19 28 m 0 15 l 19 15", /* H */
    "0 m 0 0 l 0 28", /* I */
    "12 m 12 28 l 12 7 v 6 0 h 0 6", /* J */
    "17 m 0 0 l 0 28 m 16 28 l 0 11 m 5 16 l 17 0", /* K */
    "14 m 0 28 l 0 0 l 14 0", /* L */
    "22 m 0 0 l 0 28 l 11 8 l 22 28 l 22 0", /* M */
    "19 m 0 0 l 0 28 l 19 0 l 19 28", /* N */
    "22 m 11 28 h 22 14 v 11 0 h 0 14 v 11 28", /* O */
    "16 m 0 0 l 0 28 l 8 28 h 16 21 v 8 13 l 0 13", /* P */
    "22 m 11 28 h 22 14 v 11 0 h 0 14 v 11 28 m 14 6 l 22 -2", /* Q */
    "17 m 0 0 l 0 28 l 8 28 h 16 21 v 8 14 l 0 14 m 8 14 l 17 0", /* R */
    "17 m 16 23 v 8 28 h 1 21 v 8 15 h 17 7 v 8 0 h 0 5", /* S */
    "18 m 0 28 l 18 28 m 9 28 l 9 0", /* T */
    "18 m 0 28 l 0 9 v 9 0 h 18 9 l 18 28", /* U */
    "20 m 0 28 l 10 0 l 20 28", /* V */
    "28 m 0 28 l 7 0 l 14 26 l 21 0 l 28 28", /* W */
    "18 m 0 28 l 18 0 m 18 28 l 0 0", /* X */
    "18 m 0 28 l 9 13 l 18 28 m 9 13 l 9 0", /* Y */
    "17 m 0 28 l 17 28 l 0 0 l 17 0", /* Z */
    "6 m 6 31 l 0 31 l 0 -6 l 6 -6", /* [ */
    "11 m 0 30 l 11 -3", /* backslash */
    "6 m 0 31 l 6 31 l 6 -6 l 0 -6", /* ] */
    "14 m 1 18 l 7 28 l 13 18", /* ^ */
    "16 m 0 -4 l 16 -4", /* _ */
    "5 m 0 28 l 5 23", /* ` */
    "13 m 1 16 v 7 20 h 13 14 l 13 0 m 13 11 l 6 11 h 0 6 v 6 0 h 13 6", /* a */
    "14 m 0 28 l 0 0 m 0 10 v 7 20 h 14 10 v 7 0 h 0 10", /* b */
    "12 m 12 16 v 7 20 h 0 10 v 7 0 h 12 4", /* c */
    "14 m 14 28 l 14 0 m 14 10 v 7 20 h 0 10 v 7 0 h 14 10", /* d */
    "14 m 0 11 l 14 11 v 7 20 h 0 10 v 7 0 h 13 4", /* e */
    "8 m 9 28 l 8 28 h 3 23 l 3 0 m 0 19 l 8 19", /* f */
    "14 m 14 20 l 14 -1 v 7 -8 h 1 -4 m 14 10 v 7 20 h 0 10 v 7 0 h 14 10", /* g */
    "13 m 0 28 l 0 0 m 0 13 v 7 20 h 13 13 l 13 0", /* h */
    "0 m 0 20 l 0 0 m 0 28 l 0 27", /* i */
    "4 m 4 20 l 4 -3 v 0 -8 m 4 28 l 4 27", /* j */
    "13 m 0 28 l 0 0 m 12 20 l 0 8 m 4 12 l 13 0", /* k */
    "3 m 0 28 l 0 4 v 3 0", /* l */
    "22 m 0 20 l 0 0 m 0 13 v 6 20 h 11 13 l 11 0 m 11 13 v 17 20 h 22 13 l 22 0", /* m */
    "13 m 0 20 l 0 0 m 0 13 v 7 20 h 13 13 l 13 0", /* n */
    "14 m 7 20 h 14 10 v 7 0 h 0 10 v 7 20", /* o */
    "14 m 0 20 l 0 -8 m 0 10 v 7 20 h 14 10 v 7 0 h 0 10", /* p */
    "14 m 14 20 l 14 -8 m 14 10 v 7 20 h 0 10 v 7 0 h 14 10", /* q */
    "7 m 0 20 l 0 0 m 0 12 v 7 20", /* r */
    "12 m 12 16 v 6 20 h 1 15 v 6 10 h 12 5 v 6 0 h 0 4", /* s */
    "9 m 4 26 l 4 5 v 8 0 l 9 0 m 0 20 l 9 20", /* t */
    "13 m 0 20 l 0 7 v 6 0 h 13 7 m 13 20 l 13 0", /* u */
    "14 m 0 20 l 7 0 l 14 20", /* v */
    "22 m 0 20 l 5 0 l 11 18 l 17 0 l 22 20", /* w */
    "13 m 0 20 l 13 0 m 13 20 l 0 0", /* x */
    "14 m 0 20 l 7 0 m 14 20 l 7 0 l 4 -8 l 1 -8", /* y */
    "12 m 0 20 l 12 20 l 0 0 l 12 0", /* z */
    "7 m 7 31 h 3 26 l 3 17 v 0 12 h 3 7 l 3 -2 v 7 -7", /* { */
    "0 m 0 31 l 0 -7", /* | */
    "7 m 0 31 h 4 26 l 4 17 v 7 12 h 4 7 l 4 -2 v 0 -7", /* } */
    "16 m 0 10 v 4 14 h 8 12 v 12 10 h 16 14", /* ~ */
};
/* clang-format on */

static const char *letter_word(char letter) {
  const unsigned code = (unsigned char)letter;
  return letters[code >= 32 && code < 127 ? code - 32 : '?' - 32];
}

int caption_letter_width(char letter) {
  return (int)strtol(letter_word(letter), NULL, 10);
}

static void add_line(caption_lines *lines, double to_x, double to_y, double pen[2]) {
  lines->lines[lines->count++] = (caption_line){pen[0], pen[1], to_x, to_y};
  pen[0] = to_x;
  pen[1] = to_y;
}

/* The center is the corner of the box around both ends that the arc stays away from. */
static void add_arc(caption_lines *lines, bool leaves_level, double to_x, double to_y, double pen[2]) {
  const double from_x = pen[0], from_y = pen[1], right_angle = 1.57079632679489662;
  const double center_x = leaves_level ? from_x : to_x, center_y = leaves_level ? to_y : from_y;
  for (int i = 1; i <= ARC_LINES; i++) {
    const double c = cos(right_angle * i / ARC_LINES), s = sin(right_angle * i / ARC_LINES);
    add_line(lines, center_x + (from_x - center_x) * c + (to_x - center_x) * s,
             center_y + (from_y - center_y) * c + (to_y - center_y) * s, pen);
  }
}

void caption_letter(char letter, caption_lines *lines_out) {
  char *word = NULL;
  double pen[2] = {0.0, 0.0};
  lines_out->count = 0;
  (void)strtol(letter_word(letter), &word, 10);
  while (*word != '\0') {
    const char stroke = word[1];
    const double x = (double)strtol(word + 2, &word, 10), y = (double)strtol(word, &word, 10);
    if (stroke == 'l') {
      add_line(lines_out, x, y, pen);
    } else if (stroke != 'm') {
      add_arc(lines_out, stroke == 'h', x, y, pen);
    }
    pen[0] = x;
    pen[1] = y;
  }
}
