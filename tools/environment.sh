# Sourced by the scripts beside it: `environment DIR` makes a fresh virtual environment in DIR.
# On Debian and Ubuntu it installs the two system packages that this needs.

system_packages() {
  command -v git >/dev/null 2>&1 && python3 -c 'import ensurepip, venv' 2>/dev/null && return
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo"
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq git python3-venv
}

find_python() {
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "servelint needs Python 3.11 or newer; none was found on the PATH" >&2
  return 1
}

environment() {
  system_packages
  python=$(find_python)
  "$python" -m venv --clear "$1"
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade pip
}
