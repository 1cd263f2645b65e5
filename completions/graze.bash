# bash completion for graze. The tool knows its commands, options and values: `graze complete WORD ...` lists them.

# Completes folders, and files with one of the endings, ignoring case.
_graze_meshes() { # prefix of the word, endings
  local file ending current=$1
  shift
  while IFS= read -r file; do
    if [[ -d $file ]]; then
      COMPREPLY+=("$file")
      continue
    fi
    for ending; do
      [[ ${file,,} == *"$ending" ]] && COMPREPLY+=("$file") && break
    done
  done < <(compgen -f -- "$current")
}

_graze() {
  local line word endings current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
    :mesh*)
      read -ra endings <<<"${line#:mesh}"
      compopt -o filenames 2>/dev/null
      _graze_meshes "$current" "${endings[@]}"
      ;;
    :file | :folder)
      compopt -o filenames 2>/dev/null
      word=-f
      [[ $line == :folder ]] && word=-d
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$word" -- "$current")
      ;;
    *)
      word=${line%%$'\t'*}
      [[ $word == "$current"* ]] && COMPREPLY+=("$word")
      ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}

complete -F _graze graze
