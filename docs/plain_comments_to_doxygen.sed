# The public headers carry plain C comments. Doxygen wants its own marks, so this filter makes them on the way in: a
# comment that opens a file documents the file, one after code on its line belongs to that code, any other to what follows.
# Rulers between sections stay plain.
1s,^/\* ,/** @file\n * ,
/\/\* ---/b
# A comment after a struct that is only declared would document what follows.
/^struct [a-z_]*; /s, */\*.*,,
s,^\( *\)/\* ,\1/** ,
s,\([^ ].*[^ ]\) */\* ,\1 /**< ,
# Words between backticks are code.
s,`\([^`]*\)`,<tt>\1</tt>,g
