#!/bin/bash
# Installs the Debian packages that are missing; quick and silent when none is.
#   tools/setup.sh             what the program needs
#   tools/setup.sh --test      also what the tests need, and the libraries that tests and benchmarks compare with
#   tools/setup.sh --python    what the program needs, and what its package of Python needs
#   tools/setup.sh --dev       what the program needs, and what formatting and linting need
#   tools/setup.sh --fuzz      what the program needs, and what fuzzing needs
#   tools/setup.sh --viewer    what the program needs, and Node.js for the viewer's page, unless it is there
set -eu

packages=(
  g++ cmake ninja-build make pkg-config git python3
  libeigen3-dev libsundials-dev libtbb-dev libfmt-dev
  libyaml-cpp-dev liburdfdom-dev libhdf5-dev nlohmann-json3-dev libcli11-dev
  libassimp-dev libqhull-dev libgdal-dev libpng-dev libceres-dev libboost-dev
)
test=(
  libgtest-dev libgmock-dev
  libccd-dev libbullet-dev  # to compare our body contact with other libraries'
  libsiconos-numerics-dev  # to compare our contact solvers with another library's
  libsimbody-dev  # to compare our dynamics with another library's
)
python=(pybind11-dev python3-dev python3-numpy)
test+=("${python[@]}" python3-pytest mypy)
dev=(clang-format-14 clang-tidy-14)
fuzz=(clang-14 libclang-rt-14-dev)

case "${1:-}" in
  '') ;;
  --test) packages+=("${test[@]}") ;;
  --python) packages+=("${python[@]}") ;;
  --dev) packages+=("${dev[@]}") ;;
  --fuzz) packages+=("${fuzz[@]}") ;;
  --viewer) command -v npm >/dev/null || packages+=(nodejs npm) ;;
  *) echo "usage: tools/setup.sh [--test|--python|--dev|--fuzz|--viewer]" >&2; exit 1 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  cat >&2 <<'END'
This is not a Debian system. Before building, please make sure of:
  a C++20 compiler (GCC 12 or later), CMake 3.25, Ninja, Python 3,
  Eigen 3.4, SUNDIALS 6.4 (CVODE, ARKODE), oneTBB, fmt 9, yaml-cpp 0.7, urdfdom 3,
  HDF5 1.10 (serial, C), nlohmann-json 3.11, CLI11 2.1, Assimp 5.2, Qhull 2020.2, GDAL 3.6,
  libpng 1.6, Ceres 2.1, Boost 1.74 (headers), GoogleTest;
  for the viewer's page: Node.js 20.19 with npm;
  for the package of Python: pybind11 2.10, numpy, headers of Python; pytest and mypy for its tests;
  optional: Simbody 3.7, libccd 2.1, Bullet 3.2 and Siconos Numerics 4.4 (tests and benchmarks that compare);
  for `make format lint`: clang-format and clang-tidy 14.
Then call cmake --preset release && cmake --build --preset release.
END
  exit 0
fi

# Prints which of its arguments are not installed.
missing() {
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    sed -n 's/ installed$//p') || true
  comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

mapfile -t wanted < <(missing "${packages[@]}")
if ((${#wanted[@]} == 0)); then exit 0; fi

if ((EUID == 0)); then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  echo "These packages are missing, and only root can install them. Please run:" >&2
  echo "  sudo apt-get install ${wanted[*]}" >&2
  exit 1
fi

echo "Installing: ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { "${as_root[@]}" apt-get install -y -q --no-install-recommends "$@"; }
# The package lists may be fresh already; fetching them is slow and needs the network.
if ! install "${wanted[@]}"; then
  "${as_root[@]}" apt-get update -q
  install "${wanted[@]}"
fi
