#!/bin/sh
# Tables of documents that are made from files, for scripts that source this: which tables a document has, and new lines for them.
#
# A table stands between the lines <!-- table NAME --> and <!-- end of table NAME -->, and a mark <!-- table NAME: COLUMN,
# COLUMN=WORDS, ... --> says as well which columns it has and what they are called. What is said about a table in words stands outside.

# The name of each table of a document and the columns that its mark asks for, a line each.
marked_tables() { # document
  sed -n 's/^<!-- table \([^ :]*\):\{0,1\} \(.*\)-->$/\1 \2/p' "$1"
}

# The document on standard output, with the lines of FOLDER/NAME in each table NAME that is there; other tables stay. Fails where a
# table has no end.
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
