#!/bin/sh
# Tests that scripts/install_packages.sh waits for the locks of apt and dpkg, and that other errors end it. Scripts stand in for the
# programs of Debian: apt-get cannot get a lock when a command runs for the first time.
#
# usage: package_locks.sh SOURCE WORK
set -eu
source=$1
work=$2
rm -rf "$work"
mkdir -p "$work/bin"
fail() {
  echo "package_locks.sh: $1"
  exit 1
}
program() { # name; the script on standard input
  { echo '#!/bin/sh' && cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
echo 'echo 0' | program id
echo 'exit 1' | program dpkg-query
program apt-get <<PROGRAM
echo "\$*" >>"$work/calls"
case \$* in *Lock::Timeout=[1-9]*) ;; *) exit 100 ;; esac
case \$* in *libbullet-dev*) echo "E: Unable to locate package libbullet-dev" && exit 100 ;; esac
[ "\$(grep -cxF -e "\$*" "$work/calls")" -gt 1 ] || { echo "E: Could not get lock /var/lib/some/lock. It is held by process 1 (apt)" && exit 100; }
PROGRAM

PATH="$work/bin:$PATH" "$source/scripts/install_packages.sh" coverage || fail "it does not wait for a lock"
[ "$(grep -c ' update$' "$work/calls")" -eq 2 ] || fail "it does not wait for the lock of the package lists"
[ "$(grep -c ' install .*gcovr' "$work/calls")" -eq 2 ] || fail "it does not wait for the lock of dpkg"
if PATH="$work/bin:$PATH" "$source/scripts/install_packages.sh" bullet 2>"$work/errors"; then fail "an unknown package is not an error"; fi
[ "$(grep -c libbullet-dev "$work/calls")" -eq 1 ] || fail "it waits although no lock is held"
echo "install_packages.sh waits for locks"
