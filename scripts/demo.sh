#!/bin/sh
# Makes built-in scenes, checks them with the built tool, and writes report/index.html: the gallery of `graze view` with a link to
# report/scenes/index.html, one page with pictures, times and commands. Without the viewer, report/index.html is that page.
#
# usage: scripts/demo.sh        (GRAZE_TOOL replaces build/graze)
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
tool=${GRAZE_TOOL:-build/graze}
report=report/scenes
mkdir -p "$report"
page=report/index.html
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

escape() { sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'; }

# Prints the members of a flat object of numbers in a JSON file, one per line: name, value.
members_of() { # key, file
  tr -d '\n' <"$2" | sed -n "s/.*\"$1\": *{\([^}]*\)}.*/\1/p" | tr ',' '\n' | sed -n 's/^ *"\([^"]*\)": *\(.*[^ ]\) *$/\1 \2/p'
}

value_of() { # key, file
  tr -d '\n' <"$2" | sed -n "s/.*\"$1\": *\"\{0,1\}\([0-9a-f.]*\).*/\1/p"
}

# Adds commas between thousands.
grouped() { sed -e :again -e 's/^\([0-9]\{1,\}\)\([0-9]\{3\}\)/\1,\2/' -e 't again'; }

# Rows that are zero are omitted.
table_of() { # heading, key, format of a value, file
  echo "<table><caption>$1</caption>"
  members_of "$2" "$4" | while read -r name value || [ -n "$name" ]; do
    # shellcheck disable=SC2059  # the argument is a format
    text=$(printf "$3" "$value" | grouped)
    case $text in *[1-9]*) echo "<tr><th>$(echo "$name" | tr _ ' ')</th><td>$text</td></tr>" ;; esac
  done
  echo "</table>"
}

section() { # title, words, model, primitives, ending of the file, options of make, options of check
  title=$1 words=$2 model=$3 primitives=$4 ending=$5 make_options=$6 options=$7
  mesh=$report/$model$ending picture=$report/$model.png record=$report/$model.json verdict=$report/$model.txt
  # shellcheck disable=SC2086  # options are words
  "$tool" make "$model" --primitives "$primitives" $make_options --output "$mesh" >/dev/null
  files=$mesh
  if [ -n "$make_options" ]; then files="$report/${model}_0$ending $report/${model}_1$ending"; fi
  status=0
  # shellcheck disable=SC2086  # options and files are words
  "$tool" check $files $options --picture "$picture" --json "$record" >"$verdict" || status=$?
  # Status 1 is not an error: something intersects.
  if [ "$status" -gt 1 ]; then
    echo "demo.sh: $tool check ended with $status on $mesh" >&2
    exit "$status"
  fi
  message=$(head -n 1 "$verdict")
  printf '  %-14s %s\n' "$model" "$message"
  {
    echo "<section><h2>$(echo "$title" | escape)</h2><p>$(echo "$words" | escape)</p>"
    echo "<p class=\"$([ "$status" -eq 0 ] && echo clear || echo meets)\">$(echo "$message" | escape)</p>"
    printf '<img alt="%s, what intersects is marked" src="data:image/png;base64,' "$model"
    base64 <"$picture" | tr -d '\n'
    echo '">'
    echo '<div class="tables">'
    table_of "milliseconds" timings_ms "%.2f" "$record"
    table_of "counts" counters "%.0f" "$record"
    echo '</div>'
    echo "<p class=\"hash\">$(value_of pair_count "$record" | grouped) pairs, hash $(value_of hash "$record")</p>"
    echo "<pre>$tool make $model --primitives $primitives${make_options:+ $make_options} --output $mesh"
    echo "$tool check $files${options:+ $options} --picture $picture --json $record</pre></section>"
  } >>"$rows"
}

# A moving scene: plays its frames, and shows some of them side by side above the plot of time over frames.
moving_section() { # title, words, scene, primitives, frames, frames to draw
  title=$1 words=$2 scene=$3 primitives=$4 frames=$5 drawn=$6
  record=$report/$scene.json plot=$report/$scene.svg verdict=$report/$scene.txt
  "$tool" make "$scene" --primitives "$primitives" --frames "$frames" --output "$report/${scene}_%03d.obj" >/dev/null
  status=0
  "$tool" play "$report/${scene}_%03d.obj" --separate --json "$record" --plot "$plot" >"$verdict" || status=$?
  if [ "$status" -gt 1 ]; then
    echo "demo.sh: $tool play ended with $status on $scene" >&2
    exit "$status"
  fi
  message=$(grep "^$frames frames" "$verdict")
  printf '  %-14s %s\n' "$scene" "$message"
  {
    echo "<section><h2>$(echo "$title" | escape)</h2><p>$(echo "$words" | escape)</p>"
    echo "<p class=\"$([ "$status" -eq 0 ] && echo clear || echo meets)\">$(echo "$message" | escape)</p>"
    echo '<div class="strip">'
    for frame in $drawn; do
      picture=$report/$scene.png
      "$tool" check "$report/${scene}_$frame.obj" --separate --quiet --picture "$picture" || [ $? -eq 1 ]
      printf '<img alt="%s, frame %s" src="data:image/png;base64,' "$scene" "$frame"
      base64 <"$picture" | tr -d '\n'
      echo '">'
    done
    echo '</div>'
    cat "$plot"
    echo "<p class=\"hash\">$(sed -n 's/^hash *//p' "$verdict"), the hash of all frames</p>"
    echo "<pre>$tool play $scene --primitives $primitives --frames $frames --plot $plot</pre></section>"
  } >>"$rows"
}

if [ ! -x "$tool" ]; then
  echo "demo.sh: there is no tool at $tool; build it with: make" >&2
  exit 1
fi
echo "checking built-in scenes:"
moving_section "A cloth falls on a ball" "A simulator that uses graze for its own collisions: nothing intersects in any frame." \
  cloth-ball 6000 60 "001 020 040 060"
section "A folded cloth" "One sheet whose layers cross each other: all intersecting pairs of triangles within one object." \
  folded-cloth 90000 .obj "" ""
section "A cloth on a ball" "A draped sheet in contact with the ball that it lies on, and with itself where its folds press into each other." \
  draped-cloth 90000 .obj "" "--separate"
section "Blobs that overlap" "Eight closed objects, tested against each other and within themselves, in one pass." \
  blobs 100000 .obj "" "--separate"
section "Every tooth cuts every tooth" "Chazelle's polyhedra: the number of pairs grows with the square of the triangles." \
  chazelle 1000 .obj "" "--separate"
section "A rope in tight contact" "Seven twisted rods, a tiny gap apart: many candidates, and no pair." \
  rods 60000 .obj "" "--separate"
section "Two solids in each other" "Two balls of tetrahedra: every pair that shares a point, and the shared volume of the balls." \
  tet-pair 40000 .msh "--separate" ""
section "Cells that fill space" "Two blocks of truncated octahedra; each touches its neighbors exactly." \
  cell-pair 2000 .vtk "--separate" "--self"

# A build without the viewer has no gallery.
if "$tool" view --output report >&2 2>/dev/null; then
  sed -i 's|</ul>|<li><a href="scenes/index.html"><h2>Larger scenes</h2><p>Pictures, times, counts and commands.</p></a></li></ul>|' "$page"
  page=$report/index.html
fi
{
  cat <<'HEAD'
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>graze: demonstration</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fafafa; max-width: 60em; margin: 2em auto; padding: 0 1em }
section { background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 0 1.5em 1em; margin: 1.5em 0 }
img { max-width: 100%; border-radius: 4px; border: 1px solid #eee }
.meets, .clear { font-weight: 600; padding: .5em .8em; border-radius: 4px }
.meets { background: #fde9e0; color: #8a2f00 } .clear { background: #e3f2e6; color: #14532d }
.strip { display: flex; flex-wrap: wrap; gap: .5em } .strip img { width: calc(50% - .5em) } section > svg { max-width: 100%; height: auto }
.tables { display: flex; flex-wrap: wrap; gap: 2em; align-items: flex-start }
table { border-collapse: collapse; font-size: .85em } caption { text-align: left; font-weight: 600; padding: .5em 0 }
th { text-align: left; font-weight: 400; padding-right: 1.5em } td { text-align: right; font-variant-numeric: tabular-nums }
pre { background: #f3f3f3; padding: .6em .8em; overflow-x: auto; font-size: .8em } .hash { font-family: monospace; color: #666 }
</style></head><body>
<h1>graze: demonstration</h1>
HEAD
  echo "<p>$("$tool" --version | head -n 1 | escape), on $(uname -m) with $(nproc) processors. Each scene was generated, read from its file, checked from scratch and drawn.</p>"
  cat <<'WORDS'
<p>graze finds all pairs of primitives that have a point in common, exactly: no pair is missed, none is wrong. Intersecting primitives are red,
and visible through the faces in front of them. The hash of the list of pairs is the same for every method, number of threads and machine. The
commands below a scene reproduce it.</p>
WORDS
  cat "$rows"
  echo "</body></html>"
} >"$page"
echo "report: $PWD/report/index.html"
