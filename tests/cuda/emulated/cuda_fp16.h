/* Halves are integers on the host: cell_box.h. */
