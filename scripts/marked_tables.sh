#!/bin/sh
# Generated tables of documents, for scripts that source this file: lists the tables of a document and replaces their lines.
#
# A table is between the lines <!-- table NAME --> and <!-- end of table NAME -->. A mark <!-- table NAME: COLUMN, COLUMN=WORDS,
# ... --> also states its columns and their headings. The text about a table is outside the marks.

# Prints the name of each table of a document and the columns of its mark, one line each.
marked_tables() { # document
  sed -n 's/^<!-- table \([^ :]*\):\{0,1\} \(.*\)-->$/\1 \2/p' "$1"
}

# Writes the document to standard output, with the lines of FOLDER/NAME in each table NAME that has such a file; other tables stay.
# Fails if a table has no end.
with_tables() { # folder, document
  awk -v folder="$1" -v document="$2" '
    /^<!-- table / {
      name = $3
      sub(/:$/, "", name)
      end = "<!-- end of table " name " -->"
      path = folder "/" name
      print
      replaced = (getline line < path) > 0
      if (replaced) {
        print ""
        do print line; while ((getline line < path) > 0)
        print ""
      }
      close(path)
      next
    }
    $0 == end { replaced = 0; end = "" }
    !replaced { print }
    END { if (end != "") { print document ": there is no line " end > "/dev/stderr"; exit 1 } }' "$2"
}
