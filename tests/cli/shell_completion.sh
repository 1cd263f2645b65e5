#!/bin/sh
# Completes command lines in a shell with its script in completions/. Prints "skipped: " if the shell is not installed.
#
# usage: shell_completion.sh SHELL SCRIPTS TOOL_FOLDER
set -eu
shell=$1
scripts=$2
export PATH="$3:$PATH"
if ! command -v "$shell" >/dev/null 2>&1; then
  echo "skipped: there is no $shell"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir folder
touch part.obj PART.STL words.txt 'two words.ply.gz'

complete_by_bash() { # words
  bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _graze; printf "%s\n" "${COMPREPLY[@]}"' "$scripts/graze.bash" "$@"
}
complete_by_fish() { # words
  fish -c '. $argv[1]; complete -C (string join " " -- $argv[2..-1])' "$scripts/graze.fish" "$@" | cut -f 1 | sed 's|/$||'
}
expect() { # wanted lines, words
  wanted=$1
  shift
  found=$("complete_by_$shell" "$@" | LC_ALL=C sort)
  [ "$found" = "$wanted" ] || {
    printf 'shell_completion.sh: %s completes "%s" to\n%s\nnot to\n%s\n' "$shell" "$*" "$found" "$wanted"
    exit 1
  }
}

if [ "$shell" = zsh ]; then
  # zsh completes lines only in a terminal, so it gets one. A key binding of this test records the line after a tab.
  expect_zsh() { # words, the completed line
    rm -f line
    zsh -f -c '
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; keep() { print -r -- \$BUFFER >kept; mv kept line }"
      zpty -w shell "zle -N keep; bindkey ^X keep"
      zpty -w -n shell "$2"$'"'\\t\\x18'"'
      for ((i = 0; i < 300; i++)); do
        [[ -e line ]] && break
        sleep 0.1
      done' zsh "$scripts" "$1"
    [ "$(cat line)" = "$2" ] || {
      echo "shell_completion.sh: zsh completes \"$1\" to \"$(cat line)\", not to \"$2\""
      exit 1
    }
  }
  expect_zsh 'graze ch' 'graze check '
  expect_zsh 'graze check --tree-b' 'graze check --tree-builder '
  expect_zsh 'graze check --method cl' 'graze check --method clusters '
  expect_zsh 'graze check PA' 'graze check PART.STL '
else
  expect check graze ch
  expect --tree-builder graze check --tree-b
  expect "auto
brute
clusters
grid
tree" graze check --method ''
  expect grid,tree graze bench --method grid,t
  expect "PART.STL
folder
part.obj
two words.ply.gz" graze check ''
  expect folder graze bench --figures ''
fi
echo "$shell completes lines of graze"
