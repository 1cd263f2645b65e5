# The public headers carry plain C comments. Doxygen needs its own marks, so this filter adds them:
# - A comment that opens a file documents the file, one after code on its line belongs to that code, any other to what follows.
# - The comment before an X-macro documents the type that the macro defines. Its rows become a list, unless the comment has one.
# - Indented lines after an empty one are code, "word  text" is an entry of a list, and words between backticks are code.
# Rulers between sections stay plain.

function flush_comment() {
  if (comment != "") printf "%s", comment
  comment = ""
}

# A line of a comment with Doxygen's marks.
function marked(line) {
  if (!in_code && previous_empty && line ~ /^ \*     /) {
    in_code = 1
    line = " * @code{.c}\n" line
  } else if (in_code && line !~ /^ \*     /) {
    in_code = 0
    line = " * @endcode\n" line
  }
  if (!in_code) {
    if (line ~ /^ \*   [a-z0-9_]+  / && !(line ~ /^ \*   - /)) {
      match(line, /^ \*   [a-z0-9_]+/)
      line = " *   - <b>" substr(line, 6, RLENGTH - 5) "</b>: " substr(line, RLENGTH + 1)
      has_list = 1
    }
    while (match(line, /`[^`]*`/))
      line = substr(line, 1, RSTART - 1) "<tt>" substr(line, RSTART + 1, RLENGTH - 2) "</tt>" substr(line, RSTART + RLENGTH)
  }
  if (in_code && line ~ / \*\/$/) sub(/ \*\/$/, "\n * @endcode */", line)
  previous_empty = line ~ /^ \*$/
  return line
}

# The end of a comment, with the rows of the X-macro that follows it.
function close_list() {
  if (held == "" || rows == "") return
  sub(/ \*\/\n$/, "\n", held)
  held = held rows " */\n"
  rows = ""
}

/^\/\* ---/ { print; next }

# A comment that begins at the margin: kept until the line after it is known.
!in_comment && /^\/\* / {
  flush_comment()
  previous_empty = in_code = has_list = 0
  line = $0
  if (NR == 1) {
    sub(/^\/\* graze: ([a-z A-Z]+\. )?/, "", line)
    line = "/** @file\n * " toupper(substr(line, 1, 1)) substr(line, 2)
  } else {
    sub(/^\/\* /, "/** ", line)
    sub(/: name, [a-z, ]*\./, ".", line)
  }
  comment = marked(line) "\n"
  in_comment = $0 !~ /\*\/$/
  next
}

in_comment {
  comment = comment marked($0) "\n"
  if ($0 ~ /\*\/$/) in_comment = 0
  next
}

comment != "" && /^#define GRAZE_[A-Z_]*_LIST\(X\)/ {
  held = comment
  comment = ""
  in_rows = !has_list
}

in_rows && /^  X\(/ {
  name = text = $0
  sub(/^  X\(/, "", name)
  sub(/,.*/, "", name)
  if (match(text, /"[^"]*"\)/)) rows = rows " *   - <b>" name "</b>: " substr(text, RSTART + 1, RLENGTH - 3) "\n"
}
in_rows && !/\\$/ {
  in_rows = 0
  close_list()
}

held != "" && /^typedef / {
  if (comment != "") {
    sub(/ \*\/\n$/, "\n *\n", comment)
    sub(/^\/\*\* /, " * ", held)
    comment = comment held
  } else
    comment = held
  held = ""
}

{
  flush_comment()
  # A comment after a struct that is only declared would document what follows.
  if ($0 ~ /^struct [a-z_]*; /) sub(/ *\/\*.*/, "")
  if ($0 ~ /^ *\/\* /) sub(/\/\* /, "/** ")
  else if (match($0, /[^ ] *\/\* /)) $0 = substr($0, 1, RSTART) " /**< " substr($0, RSTART + RLENGTH)
  while (match($0, /`[^`]*`/))
    $0 = substr($0, 1, RSTART - 1) "<tt>" substr($0, RSTART + 1, RLENGTH - 2) "</tt>" substr($0, RSTART + RLENGTH)
  print
}
