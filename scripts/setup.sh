# shellcheck shell=bash
# What ./tappet and ./test share: packages, configuration and build. Sourced, never run.
#
# The caller sets `tappet_root` (the checkout) and `tappet_me` (the name that messages start with).
# Everything said to the user goes to standard error: standard output belongs to the program.

: "${tappet_root:?}" "${tappet_me:?}"

say() { printf '%s: %s\n' "$tappet_me" "$*" >&2; }
# Status 3 is kept for a program that could not be set up; the program itself ends with 0, 1 or 2.
die() {
  say "$@"
  exit 3
}

# ---- packages ------------------------------------------------------------------------------------------------------

# The packages of the named groups of packages.txt, one a line.
packages_of() {
  local line group='' wanted=" $* "
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    case $line in
      '') ;;
      \[*\]) group=${line:1:-1} ;;
      *) [[ $wanted != *" $group "* ]] || printf '%s\n' "$line" ;;
    esac
  done < "$tappet_root/packages.txt"
}

# Those of the named groups that dpkg does not know as installed, nor as provided by what is (other makers' nodejs
# brings npm, and would be in the way of Debian's).
missing_packages() {
  local -A installed=()
  local name status provides provided package
  while read -r name status provides; do
    [[ $status == installed ]] || continue
    installed[${name%%:*}]=1
    while read -r -d , provided _; do
      [[ -z $provided ]] || installed[$provided]=1
    done <<< "$provides,"
  done < <(dpkg-query -W -f '${Package} ${db:Status-Status} ${Provides}\n' 2> /dev/null)
  while read -r package; do
    [[ -n ${installed[$package]-} ]] || printf '%s\n' "$package"
  done < <(packages_of "$@")
}

# Installs what is missing of the named groups; says exactly what to do where it cannot. A group with a question mark
# ("run?") is installed with the others where that is possible, and done without elsewhere.
ensure_packages() {
  [[ -z ${TAPPET_NO_INSTALL-} ]] || return 0
  local group required=() missing=() as_root=() cannot='' log
  for group; do [[ $group == *\? ]] || required+=("$group"); done

  # Without dpkg nothing can be listed: the tools must be there, and CMake says which library is not.
  if ! command -v dpkg-query > /dev/null; then
    local tool
    for tool in cmake ninja c++; do
      command -v "$tool" > /dev/null || die "'$tool' is missing, and this is not a Debian system whose packages" \
        "could be installed. Needed, by Debian's names:"$'\n'"  $(packages_of "${required[@]}" | paste -sd ' ')"
    done
    return 0
  fi

  mapfile -t missing < <(missing_packages "${@%\?}")
  ((${#missing[@]})) || return 0
  if ! command -v apt-get > /dev/null; then
    cannot="there is no apt-get to install them with. Needed, by Debian's names:"$'\n'" "
  elif ((EUID)); then
    if { command -v sudo && sudo -n true; } > /dev/null 2>&1; then
      as_root=(sudo -n)
    else
      cannot="installing them needs root, or sudo without a password. As root, run"$'\n'
      cannot+="  apt-get update && apt-get install --no-install-recommends"
    fi
  fi
  if [[ -n $cannot ]]; then
    mapfile -t missing < <(missing_packages "${required[@]}")
    ((${#missing[@]})) || return 0
    die "packages are missing, and $cannot ${missing[*]}"
  fi

  say "installing ${#missing[@]} packages: ${missing[*]}"
  log=$(mktemp "${TMPDIR:-/tmp}/tappet-packages.XXXXXX") || die "cannot write to ${TMPDIR:-/tmp}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -y -q -o DPkg::Lock::Timeout=600)
  # A failed update need not matter (one of several sources may be away): the installation decides.
  "${apt[@]}" update < /dev/null > "$log" 2>&1 || true
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" < /dev/null >> "$log" 2>&1; then
    tail -n 20 "$log" >&2
    die "these packages could not be installed: ${missing[*]}; the whole log is $log"
  fi
  rm -f "$log"
}

# ---- the build -----------------------------------------------------------------------------------------------------

# Sets `tappet_build` to the build directory of a preset: in the checkout, or in the user's cache where the checkout
# cannot be written to. Succeeds if what the stamp stands for is there and newer than the sources. A build made by
# someone else is good enough as long as it is up to date.   find_build PRESET STAMP SOURCES...
find_build() {
  local preset=$1 place cache
  shift
  tappet_build=$tappet_root/build/$preset
  ! up_to_date "$@" || return 0
  place=$tappet_build
  while [[ ! -e $place ]]; do place=${place%/*}; done
  [[ ! -w $place ]] || return 1
  cache=${XDG_CACHE_HOME:-${HOME:-${TMPDIR:-/tmp}/tappet-$UID}/.cache}/tappet
  tappet_build=$cache/$(printf '%s' "$tappet_root" | sha256sum | cut -c1-16)/$preset
  up_to_date "$@"
}

# Is the named stamp of this build newer than every source, and made from this checkout where it stands now?
# The stamp is as old as the start of the build that it records; folders count, so that a removed file is seen.
up_to_date() {
  local stamp=$tappet_build/.built-$1 from='' source present=()
  shift
  [[ -f $stamp && -x $tappet_build/app/tappet ]] || return 1
  IFS= read -r from < "$stamp" || return 1
  [[ $from == "$tappet_root" ]] || return 1
  for source; do
    [[ ! -e $tappet_root/$source ]] || present+=("$tappet_root/$source")
  done
  [[ -z $(find "${present[@]}" -newer "$stamp" -print -quit 2>&1) ]]
}

# Runs a command with its output in the log; on a terminal one line shows how far it is.
run_logged() {
  local log=$1 what=$2 line
  shift 2
  if [[ ! -t 2 ]]; then
    "$@" >> "$log" 2>&1 < /dev/null
    return
  fi
  "$@" 2>&1 < /dev/null | while IFS= read -r line; do
    printf '%s\n' "$line" >> "$log"
    [[ ! $line =~ ^\[([0-9]+/[0-9]+)\] ]] || printf '\r%s: %s %s\033[K' "$tappet_me" "$what" "${BASH_REMATCH[1]}" >&2
  done
  local status=${PIPESTATUS[0]}
  printf '\r\033[K' >&2
  return "$status"
}

# Compilers at the same time: one a core, but no more than memory carries.
build_jobs() {
  local cores memory=0 jobs
  cores=$(nproc)
  [[ ! -r /proc/meminfo ]] || memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo)
  jobs=$((memory > 0 && memory < cores ? memory : cores))
  printf '%s\n' "${CMAKE_BUILD_PARALLEL_LEVEL:-$jobs}"
}

# Brings one build up to date: build PRESET STAMP TARGET "PACKAGE GROUPS" "CMAKE OPTIONS" SOURCES...
# Two at the same time: the second waits, and finds the work done.
build() {
  local preset=$1 stamp=$2 target=$3 groups=$4 options=$5 log
  shift 5
  mkdir -p "$tappet_build" 2> /dev/null || die "cannot make the build directory $tappet_build"
  exec {tappet_lock}> "$tappet_build/.lock"
  if ! flock -n "$tappet_lock"; then
    say "another build is under way, waiting for it"
    flock "$tappet_lock"
  fi
  if ! up_to_date "$stamp" "$@"; then
    # shellcheck disable=SC2086  # a list of words
    ensure_packages $groups
    log=$tappet_build/build.log
    : > "$log"
    [[ -t 2 ]] || say "building (log: $log)"

    # The stamp gets the time of the beginning: a source changed while we build is found next time.
    printf '%s\n' "$tappet_root" > "$tappet_build/.building"
    configure "$preset" "$options" "$log" || failed "$log" configured
    run_logged "$log" building env "NINJA_STATUS=[%f/%t] " cmake --build "$tappet_build" --target "$target" \
      --parallel "$(build_jobs)" || failed "$log" built
    [[ $target != all ]] || cp -p "$tappet_build/.building" "$tappet_build/.built-program"
    mv "$tappet_build/.building" "$tappet_build/.built-$stamp"
  fi
  exec {tappet_lock}>&-
}

# Runs CMake where ninja would not do so by itself: the first time, with other options or presets, after the checkout
# was moved.
configure() {
  local preset=$1 options=$2 log=$3 cache=$tappet_build/CMakeCache.txt option fresh=()
  if [[ -f $cache && -f $tappet_build/build.ninja ]]; then
    local same=1
    [[ $tappet_build/.configured -nt $tappet_root/CMakePresets.json ]] || same=0
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$tappet_root" "$cache" || { same=0 fresh=(--fresh); }
    for option in $options; do
      grep -qxF -- "$option" "$cache" || same=0
    done
    ((!same)) || return 0
  elif [[ -f $cache ]]; then
    fresh=(--fresh)
  fi
  local settings=()
  for option in $options; do settings+=("-D$option"); done
  (cd "$tappet_root" &&
    run_logged "$log" configuring cmake --preset "$preset" -B "$tappet_build" "${fresh[@]}" "${settings[@]}") || return
  touch "$tappet_build/.configured"
}

failed() {
  tail -n 40 "$1" >&2
  rm -f "$tappet_build/.building"
  die "Tappet could not be $2; the whole log is $1"
}
