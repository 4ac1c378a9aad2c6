#!/bin/bash
# ./tappet and ./test on machines that are not this one: the scripts run in a folder of their own, with package tools and
# a cmake that only play their parts. Usage: setup_test.sh SOURCE_DIR WORK_DIR
set -uo pipefail
source_dir=$1
work=$2
failures=0

rm -rf "$work"
mkdir -p "$work/check out" "$work/bin" "$work/home" "$work/elsewhere"
checkout="$work/check out"
cp -r "$source_dir"/{tappet,test,scripts,packages.txt,CMakePresets.json} "$checkout/"
mkdir -p "$checkout/src/tappet" "$checkout/app" "$checkout/tests"
touch "$checkout/CMakeLists.txt" "$checkout/src/tappet/a.cpp"

# The tools that the scripts may use, and no others.
for tool in bash env wc cat cut sed awk grep find sort head tail paste nproc mkdir mktemp mv cp rm ln touch chmod flock sha256sum \
  readlink dirname sleep printf; do
  path=$(type -P "$tool") && ln -s "$path" "$work/bin/$tool"
done
play() { # play NAME < script
  cat > "$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# cmake: counts its builds, and builds a program that says where it runs and with what.
play cmake << 'END'
#!/bin/bash
if [[ $1 == --preset ]]; then
  mkdir -p "$4" && touch "$4/build.ninja"
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nTAPPET_TESTS:BOOL=OFF\n' "$PWD" > "$4/CMakeCache.txt"
  exit
fi
echo built >> "$PLAY/builds"
[[ ! -e $PLAY/break ]] || { echo "a.cpp:1: error: no good"; exit 1; }
sleep 0.2
mkdir -p "$2/app"
printf '#!/bin/bash\nprintf "%%s|" "$PWD" "$@"\nexit 7\n' > "$2/app/tappet"
chmod +x "$2/app/tappet"
END
play ctest <<< $'#!/bin/bash\necho "ctest $*"; exit 5'
# dpkg-query: everything is installed, but for what the file "missing" names.
play dpkg-query << 'END'
#!/bin/bash
sed -n 's/^\([a-z][^ ]*\) .*/\1/p' "$PACKAGES" | grep -vxFf "$PLAY/missing" | sed 's/$/ installed/'
[[ ! -e $PLAY/provided ]] || cat "$PLAY/provided"
END
installing_apt() {
  play apt-get <<< $'#!/bin/bash\necho "$*" >> "$PLAY/apt"; [[ $* != *install* ]] || : > "$PLAY/missing"'
}

run() { # run COMMAND...: sets `out`, `err`, `status`
  (cd "$work/elsewhere" && env -i PATH="$work/bin" HOME="$work/home" PLAY="$work" PACKAGES="$source_dir/packages.txt" "$@") \
    > "$work/out" 2> "$work/err" < /dev/null
  status=$? out=$(cat "$work/out") err=$(cat "$work/err")
}
expect() { # expect WHAT CONDITION...
  local what=$1
  shift
  if "$@"; then return; fi
  printf 'FAILED: %s\n  status %s\n  out: %s\n  err: %s\n' "$what" "$status" "$out" "$err"
  failures=$((failures + 1))
}
# shellcheck disable=SC2317  # called by expect
contains() { [[ $1 == *"$2"* ]]; }
# shellcheck disable=SC2317
is() { [[ $1 == "$2" ]]; }
builds() { grep -c . "$work/builds" 2> /dev/null || true; }
sources_change() {
  sleep 0.05
  touch "$checkout/src/tappet/a.cpp"
}
printf 'libfmt-dev\ncmake\ngnuplot-nox\n' > "$work/missing"

if ((EUID)); then
  installing_apt
  run "$checkout/tappet"
  expect "no right to install ends with 3" is "$status" 3
  expect "and says what to run" is "${err##*&& }" "apt-get install --no-install-recommends cmake libfmt-dev"
  expect "and nothing on standard output" is "$out" ""
  rm "$work/bin/apt-get"
fi

run "$checkout/tappet"
expect "no package manager ends with 3" is "$status" 3
expect "and names what is missing, no more" is "${err##*$'\n'}" "  cmake libfmt-dev"

echo gnuplot-nox > "$work/missing"
run "$checkout/tappet"
expect "a package that can be done without is done without" is "$status$err" "7tappet: building (log: $checkout/build/release/build.log)"
rm -rf "$checkout/build" "$work/builds"

printf 'ca-certificates\nlibfmt-dev\n' > "$work/missing"
echo 'other installed other-dev, libfmt-dev (= 9), ca-certificates' > "$work/provided"
installing_apt
run "$checkout/tappet"
expect "what another package provides is not missing" is "$status$(cat "$work/apt" 2> /dev/null)" 7
rm -rf "$checkout/build" "$work/builds" "$work/provided" "$work/bin/apt-get"
printf 'libfmt-dev\ncmake\ngnuplot-nox\n' > "$work/missing"

if ((EUID == 0)); then
  play apt-get <<< $'#!/bin/bash\necho "no such source"; exit 100'
  run "$checkout/tappet"
  expect "a failed installation ends with 3" is "$status" 3
  expect "and shows the log's end" contains "$err" "no such source"

  installing_apt
  run "$checkout/tappet"
  expect "root installs what is missing" contains "$(cat "$work/apt")" "install --no-install-recommends cmake libfmt-dev gnuplot-nox"
  expect "after an update" contains "$(head -1 "$work/apt")" update
  rm -f "$work/builds" "$work/apt"
  rm -rf "$checkout/build"
fi
: > "$work/missing"

run "$checkout/tappet" run "a model.yaml" ''
expect "the program's status is ours" is "$status" 7
expect "it runs where the caller is, with its arguments" is "$out" "$work/elsewhere|run|a model.yaml||"
expect "built once" is "$(builds)" 1
expect "no package is installed when none is missing" is "$(cat "$work/apt" 2> /dev/null)" ""
run "$checkout/tappet"
expect "not built again" is "$(builds)" 1
expect "and nothing is said" is "$err" ""
ln -s "$checkout/tappet" "$work/bin/linked"
run linked x
expect "through a symbolic link" is "$out$(builds)" "$work/elsewhere|x|1"

sources_change
run "$checkout/tappet"
expect "built again when a source changed" is "$(builds)" 2
sleep 0.05
rm "$checkout/src/tappet/a.cpp"
run "$checkout/tappet"
expect "built again when a source is gone" is "$(builds)" 3

touch "$work/break" "$checkout/src/tappet/a.cpp"
run "$checkout/tappet"
expect "a failed build ends with 3" is "$status" 3
expect "and shows the error" contains "$err" "error: no good"
expect "and names the log" contains "$err" "$checkout/build/release/build.log"
rm "$work/break"
run "$checkout/tappet"
expect "and is tried again" is "$status" 7

# Two at the same time build once.
sources_change
rm -f "$work/builds"
(run "$checkout/tappet") &
(cd "$work/elsewhere" && env -i PATH="$work/bin" HOME="$work/home" PLAY="$work" PACKAGES="$source_dir/packages.txt" \
  "$checkout/tappet" > /dev/null 2>&1)
wait
expect "two at the same time build once" is "$(builds)" 1

mv "$checkout" "$work/moved"
rm -f "$work/builds"
run "$work/moved/tappet"
expect "built again in a moved checkout" is "$status $(builds)" "7 1"

run "$work/moved/test" -R 'some test'
expect "test runs ctest in the build, with its arguments" is "$out" \
  "ctest --test-dir $work/moved/build/release -j 2 --output-on-failure -R some test"
expect "and ends with its status" is "$status" 5
run "$work/moved/test" --preset debug
expect "another preset has its own build" contains "$out" "$work/moved/build/debug "
run "$work/moved/test" --preset nonsense
expect "an unknown preset is an error that lists the known ones" contains "$status $err" "2 test: there is no preset 'nonsense'; there are release"

# A checkout that cannot be written to. Root can always write, save on a read-only file system.
if ((EUID)); then
  rm -rf "$work/moved/build"
  chmod a-w "$work/moved"
  run "$work/moved/tappet"
  expect "a read-only checkout builds in the user's cache" is "$status $(compgen -G "$work/home/.cache/tappet/*/release/app/tappet" | wc -l)" "7 1"
  chmod u+w "$work/moved"
fi

((failures)) || echo "all well"
exit $((failures > 0))
