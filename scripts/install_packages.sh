#!/bin/sh
# Installs the missing Debian packages of the named sets; silent and quick if none is missing.
#
# usage: scripts/install_packages.sh SET...      sets: base test docs peers bullet mpi coverage python viewer
#
# An entry a|b is satisfied by either package; a is installed if both are missing.
set -eu

packages_of() {
  case $1 in
  base) echo "cmake ninja-build gcc g++ libc6-dev pkg-config|pkgconf zlib1g-dev" ;;
  test) echo "libcmocka-dev libgmp-dev clang libclang-rt-dev|libclang-rt-14-dev libomp-dev|libomp-14-dev dpkg-dev debhelper abigail-tools zsh fish unzip libxml2-utils libbullet-dev" ;;
  docs) echo "doxygen scdoc mandoc python3-sphinx python3-myst-parser python3-breathe furo" ;;
  peers) echo "libcgal-dev libembree-dev libfcl-dev libbullet-dev libode-dev" ;;
  bullet) echo "libbullet-dev" ;;
  mpi) echo "libopenmpi-dev|libmpich-dev openmpi-bin|mpich" ;;
  # A node from another source includes npm, with which Debian's package would conflict.
  viewer) echo "clang lld wasi-libc libclang-rt-14-dev-wasm32 nodejs $(command -v npm >/dev/null || echo npm) chromium" ;;
  coverage) echo "gcovr" ;;
  python) echo "python3-numpy python3-venv python3-pip python3-wheel python3-setuptools python3-pytest python3-hypothesis python3-pandas mypy python3-nbclient python3-nbformat python3-ipykernel" ;;
  *)
    echo "install_packages.sh: there is no package set '$1' (base test docs peers bullet mpi coverage python viewer)" >&2
    exit 2
    ;;
  esac
}

is_installed() {
  for name in $(echo "$1" | tr '|' ' '); do
    case $installed in *" $name "*) return 0 ;; esac
  done
  return 1
}

[ $# -gt 0 ] || set -- base
wanted=
for package_set in "$@"; do
  wanted="$wanted $(packages_of "$package_set")"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "install_packages.sh: this is not a Debian system, so nothing was installed; graze needs these packages, by their Debian names:$wanted" >&2
  exit 0
fi

# shellcheck disable=SC2016,SC2046  # the format is dpkg's own language; the names are meant to split into words
installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $(echo "$wanted" | tr '|' ' ') 2>/dev/null |
  sed -n 's/^installed //p' | tr '\n' ' ')"
missing=
for entry in $wanted; do
  is_installed "$entry" || missing="$missing ${entry%%|*}"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    echo "install_packages.sh: these packages are missing, and installing them requires root:$missing" >&2
    exit 1
  fi
fi

# Waits while another program, such as unattended-upgrades, holds a lock. apt-get itself waits only for the locks of dpkg.
lock_seconds=600
run_apt() {
  deadline=$(($(date +%s) + lock_seconds))
  until $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=$lock_seconds "$@" >"$log" 2>&1; do
    if [ "$(date +%s)" -ge $deadline ] || ! grep -q '^E: Could not get lock' "$log"; then return 1; fi
    sleep 1
  done
}

echo "installing:$missing (waiting up to $lock_seconds s if another program holds a lock of apt or dpkg)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Stale package lists may suffice, so a failed update is not an error.
run_apt update || true
# shellcheck disable=SC2086  # the list is meant to split into words
if ! run_apt install -y --no-install-recommends $missing; then
  tail -n 15 "$log" >&2
  echo "install_packages.sh: apt-get cannot install:$missing" >&2
  exit 1
fi
