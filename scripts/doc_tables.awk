# The tables of scripts/doc_tables.sh and scripts/papers.sh: converts rows of a benchmark to lines of markdown. `table` names the table.
# If `columns` is given, COLUMN or COLUMN=WORDS separated by commas, the table has these columns of the rows, unchanged.
#
# Columns are found by their names in the first line. Scenes, bodies and numbers of clusters keep their order. Nothing is printed if
# no row belongs to the table.

function field(name) {
  if (!(name in column)) {
    print "doc_tables.awk: there is no column " name > "/dev/stderr"
    exit 2
  }
  return $column[name]
}

# Adds an item to a list unless it is there: count[list], item[list, 1 ...].
function note(list, word) {
  if ((list, word) in noted) return
  noted[list, word] = 1
  item[list, ++count[list]] = word
}

function grouped(digits) {
  while (match(digits, /[0-9][0-9][0-9][0-9]+/))
    digits = substr(digits, 1, RSTART + RLENGTH - 4) "," substr(digits, RSTART + RLENGTH - 3)
  return digits
}

function commas(number) { return grouped(sprintf("%d", number)) }

function short(number) { return sprintf(number >= 100 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number) }

# ---------------------------------------------------------------------------------------------- columns copied from the rows

function print_heading(i, parts, row, rule) {
  column_count = split(columns, chosen, /, */)
  row = rule = "|"
  for (i = 1; i <= column_count; i++) {
    split(chosen[i], parts, "=")
    chosen[i] = parts[1]
    field(chosen[i])
    row = row " " (parts[2] != "" ? parts[2] : parts[1]) " |"
    rule = rule (i == 1 ? "---|" : "--:|")
  }
  print row "\n" rule
}

function print_row(i, text, row) {
  row = "|"
  for (i = 1; i <= column_count; i++) {
    text = field(chosen[i])
    row = row " " (text ~ /^[0-9]+$/ ? grouped(text) : text) " |"
  }
  print row
}

# ---------------------------------------------------------------------------------------------- the fastest method

function keep_method(name) {
  if (field("table") != "methods") return
  if (rounds == "" || field("rounds") + 0 < rounds) rounds = field("rounds") + 0
  threads = field("threads")
  name = field("builder") == "morton" ? "morton" : field("method")
  note("scenes", field("scene"))
  if (name == "grid") note(field("kind") == "moving" ? "moving" : "still", field("scene"))
  number[field("scene")] = field("primitives")
  pairs[field("scene")] = field("pairs")
  time[field("scene"), field("frame"), name] = field("least_ms")
}

# The times of the named methods, the fastest, and its ratio to the next.
function race(scene, frame, names, words, i, n, ms, least, next_best, best, text) {
  n = split(names, words, " ")
  least = next_best = 0
  text = ""
  for (i = 1; i <= n; i++) {
    if (!((scene, frame, words[i]) in time)) return "| – | – "
    ms = time[scene, frame, words[i]]
    text = text (i > 1 ? " / " : "") short(ms)
    if (i == 1 || ms < least) {
      next_best = i == 1 ? 0 : least
      least = ms
      best = words[i]
    } else if (next_best == 0 || ms < next_best)
      next_best = ms
  }
  if (best == "morton") best = "tree, morton"
  if (next_best >= 1.2 * least) best = "**" best "**"
  return "| " text " | " best " " sprintf("%.2f", next_best / least) " "
}

function print_methods(i, scene) {
  if (count["still"] == 0) return
  print origin("least") "\n"
  print "| scene | triangles | pairs | from scratch: grid / tree / morton / clusters | wins, by | new positions: grid / tree / clusters | wins, by | new pose: grid / tree | wins, by |"
  print "|---|--:|--:|--:|---|--:|---|--:|---|"
  for (i = 1; i <= count["still"]; i++) {
    scene = item["still", i]
    print "| " scene " | " commas(number[scene]) " | " commas(pairs[scene]) " " race(scene, "first", "grid tree morton clusters") race(scene, "positions", "grid tree clusters") race(scene, "poses", "grid tree") "|"
  }
}

function print_moving(i, scene) {
  if (count["moving"] == 0) return
  print origin("least") "\n"
  print "| scene | triangles | grid / tree / clusters | wins, by |"
  print "|---|--:|--:|---|"
  for (i = 1; i <= count["moving"]; i++) {
    scene = item["moving", i]
    print "| " scene " | " commas(number[scene]) " " race(scene, "first", "grid tree clusters") "|"
  }
}

# ---------------------------------------------------------------------------------------------- clusters

# Only of the first number of threads, because counts do not depend on it. Rows of clusters-thesis and clusters-hard come from
# `graze-lab tables --table clusters`.
function keep_clusters(key, members_by) {
  if (field("table") != "clusters") return
  note("cloths", field("scene"))
  if (rounds == "" || field("rounds") + 0 < rounds) rounds = field("rounds") + 0
  if (threads !~ ("(^| )" field("threads") "( |$)")) threads = threads (threads == "" ? "" : " and ") field("threads")
  if (field("method") == "grid") truth[field("scene")] = field("pairs")
  members_by = field("method") ~ /^clusters-/ ? substr(field("method"), 10) : "covering"
  if (field("axis") == "principal" && members_by == "covering") {
    note("counts", field("threads"))
    frame_ms[field("scene"), field("method") == "grid" ? "grid" : field("clusters"), field("threads")] = field("least_ms")
  }
  if (field("method") !~ /^clusters/ || field("threads") != threads + 0) return
  if (members_by != "covering") lossy = 1
  if (field("clusters") ~ /^(1|2|4|8|16|32|64)$/) note("numbers", field("clusters"))
  key = field("scene") SUBSEP field("clusters") SUBSEP field("axis") SUBSEP members_by
  tests[key] = field("box_tests")
  found[key] = field("pairs")
  made[key] = field("clusters_made")
  members[key] = sprintf("%.1f, %.1f, %.1f, %.1f, %.1f", part("members_1"), part("members_2"), part("members_3"), part("members_4"), 100 - part("members_1") - part("members_2") - part("members_3") - part("members_4"))
  sub(/-0\.0$/, "0.0", members[key])
}

function part(name) { return 100 * field(name) / field("primitives") }

# A column for each cloth, and a row for each number of clusters, ascending.
function print_of_cloths(first_cell, least, words, i, j, line) {
  line = "| " first_cell
  for (j = 1; j <= count["cloths"]; j++) line = line " | " item["cloths", j] words
  print line " |"
  line = "|--:"
  for (j = 1; j <= count["cloths"]; j++) line = line (table == "cluster_members" ? "|---" : "|--:")
  print line "|"
  if (table == "cluster_times") print grid_line
  for (i = 1; i <= count["numbers"]; i++) {
    if (item["numbers", i] + 0 < least) continue
    line = "| " item["numbers", i]
    for (j = 1; j <= count["cloths"]; j++) line = line " | " cell_of_cloth(item["cloths", j], item["numbers", i])
    print line " |"
  }
}

function millions(scene, clusters, key) {
  key = scene SUBSEP clusters SUBSEP "principal" SUBSEP "thesis"
  if (!(key in tests)) return "–"
  return made[key] < clusters ? "one" : sprintf("%.0f", tests[key] / 1e6)
}

function cell_of_cloth(scene, clusters, principal, x, hard) {
  principal = scene SUBSEP clusters SUBSEP "principal" SUBSEP "covering"
  x = scene SUBSEP clusters SUBSEP "x" SUBSEP "covering"
  hard = scene SUBSEP clusters SUBSEP "principal" SUBSEP "hard"
  if (table == "cluster_times") return frame_times(scene, clusters)
  if (table == "cluster_members") return members[principal]
  if (table == "cluster_axes") return x in tests ? sprintf("%.2f", tests[principal] / tests[x]) : "–"
  return (hard in found ? commas(truth[scene] - found[hard]) : "–") ", " millions(scene, clusters)
}

# The times of a frame with each number of threads that was measured.
function frame_times(scene, way, i, key, text) {
  for (i = 1; i <= count["counts"]; i++) {
    key = scene SUBSEP way SUBSEP item["counts", i]
    if (key in frame_ms) text = text (text == "" ? "" : " / ") short(frame_ms[key])
  }
  return text == "" ? "–" : text
}

function print_times(j, line) {
  print origin("least") "\n"
  line = "| grid"
  for (j = 1; j <= count["cloths"]; j++) line = line " | " frame_times(item["cloths", j], "grid")
  grid_line = line " |"
  print_of_cloths("clusters", 1, "")
}

function print_clusters(j, line) {
  if (count["cloths"] == 0) return
  if (table == "cluster_times") print_times()
  if (table == "cluster_members") print_of_cloths("clusters", 2, ": in 1, 2, 3, 4, more")
  if (table == "cluster_axes") print_of_cloths("clusters", 1, "")
  if (table != "cluster_lost" || !lossy) return
  for (j = 1; j <= count["cloths"]; j++) line = line (j > 1 ? ", " : "") commas(truth[item["cloths", j]])
  print "Pairs that `hard` loses, of " line ", and comparisons of `thesis` in millions:\n"
  print_of_cloths("clusters", 2, "")
}

# ---------------------------------------------------------------------------------------------- rigid bodies

function keep_rigid(key) {
  note(field("part"), field("object") SUBSEP field("triangles"))
  key = field("part") SUBSEP field("object") SUBSEP field("state") SUBSEP field("engine")
  done[key] = field("steps")
  mean[key] = field("mean_us")
  over[key] = field("over_tree")
  if (field("part") == "rotation") keep_rotation()
  unlike[key] = field("unlike_counts") + field("unlike_answers")
}

function over_tree(part_name, object, state, engine, key) {
  key = part_name SUBSEP object SUBSEP state SUBSEP engine
  if (!(key in done) || done[key] == 0) return "–"
  return short(over[key]) (unlike[key] > 0 ? " *" : "")
}

function line_of_engines(part_name, object, state, names, tree, words, i, n, line) {
  n = split(names, words, " ")
  line = " | " tree
  for (i = 1; i <= n; i++) line = line " | " over_tree(part_name, object, state, words[i])
  return line " |"
}

function print_queries(words, states, i, j, body, tree) {
  if (count["queries"] == 0) return
  split("random any,grazing any,random all,grazing all", states, ",")
  split("at random, yes or no;grazing, yes or no;at random, all pairs;grazing, all pairs", words, ";")
  print origin("mean of the least of each pose") "\n"
  print "| poses, question | body | tree, µs | FCL | ODE | Bullet | CGAL | Embree | grid |"
  print "|---|---|--:|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= 4; i++)
    for (j = 1; j <= count["queries"]; j++) {
      split(item["queries", j], body, SUBSEP)
      tree = short(mean["queries", body[1], states[i], "tree"])
      print "| " words[i] " | " body[1] ", " commas(body[2]) line_of_engines("queries", body[1], states[i], "fcl ode bullet cgal embree grid", tree)
    }
}

function build_ms(object, state, engine, key) {
  key = "build" SUBSEP object SUBSEP state SUBSEP engine
  return key in done && done[key] > 0 ? short(mean[key] / 1e3) : "–"
}

# Every fourth distance of the drawn body. Times, not ratios, because slow engines run other steps than the tree.
function keep_rotation() {
  if (field("object") != "fandisk") return
  note("distances", field("state"))
  worst[field("state"), field("engine")] = field("worst_us")
}

function rotation_us(state, engine, times) {
  return (state, engine) in worst && times > 0 ? short(times) : "–"
}

function print_rotation(words, i, j, n, state, line) {
  if (count["distances"] == 0) return
  n = split("tree fcl ode bullet embree grid clusters brute", words, " ")
  print origin("least of each step") "\n"
  print "| distance | tree, µs | FCL | ODE | Bullet | Embree | grid | clusters | brute | worst step of the tree |"
  print "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (i = 1; i <= count["distances"]; i += 4) {
    state = item["distances", i]
    line = "| " substr(state, length("distance ") + 1)
    for (j = 1; j <= n; j++) line = line " | " rotation_us(state, words[j], mean["rotation", "fandisk", state, words[j]])
    print line " | " rotation_us(state, "tree", worst[state, "tree"]) " |"
  }
}

function print_build(j, body) {
  if (count["build"] == 0) return
  print origin("least") "\n"
  print "| body | first update, splits | morton | Embree's first build | frame, refitted | frame, rebuilt by morton | frame, Embree rebuilt |"
  print "|---|--:|--:|--:|--:|--:|--:|"
  for (j = 1; j <= count["build"]; j++) {
    split(item["build", j], body, SUBSEP)
    print "| " body[1] ", " commas(body[2]) " | " build_ms(body[1], "two bodies", "tree-splits") " | " build_ms(body[1], "two bodies", "tree-morton") " | " build_ms(body[1], "two bodies", "embree") " | " build_ms(body[1], "deforming all", "tree-refit") " | " build_ms(body[1], "deforming all", "tree-morton") " | " build_ms(body[1], "deforming all", "embree") " |"
  }
}

function print_world(words, states, i, j, body) {
  if (count["world"] == 0) return
  split("all,bodies,any", states, ",")
  split("all pairs of triangles;which bodies touch;whether any do", words, ";")
  print origin("mean of the least of each frame") "\n"
  print "| bodies, question | tree, ms | FCL | ODE | Bullet | grid |"
  print "|---|--:|--:|--:|--:|--:|"
  for (j = 1; j <= count["world"]; j++)
    for (i = 1; i <= 3; i++) {
      split(item["world", j], body, SUBSEP)
      print "| " body[1] ", " words[i] line_of_engines("world", body[1], states[i], "fcl ode bullet grid", short(mean["world", body[1], states[i], "tree"] / 1e3))
    }
}

# ---------------------------------------------------------------------------------------------- main

# The machine of the rows, and the kind of times. Rows of rigid bodies use one thread and do not state the number of rounds.
function origin(times) {
  return "Commit " commit ", " machine ", " substr(date, 1, 10) (rounds != "" ? ", threads: " threads : "") "; " times (rounds != "" ? " of " rounds " rounds, milliseconds" : "") "."
}

BEGIN { FS = "," }
NR == 1 {
  for (i = 1; i <= NF; i++) column[$i] = i
  if (columns != "") print_heading()
  next
}
columns != "" {
  print_row()
  next
}
{
  commit = field("commit")
  machine = field("machine")
  date = field("date")
  if (table == "methods" || table == "moving") {
    if ("table" in column) keep_method()
  } else if (table ~ /^cluster_/) {
    if ("table" in column) keep_clusters()
  } else if ("part" in column)
    keep_rigid()
}
END {
  if (table == "methods") print_methods()
  if (table == "moving") print_moving()
  if (table ~ /^cluster_/) print_clusters()
  if (table == "rigid_rotation") print_rotation()
  if (table == "rigid_queries") print_queries()
  if (table == "rigid_build") print_build()
  if (table == "rigid_world") print_world()
}
