#!/usr/bin/env bash
# Installs what the tests of the window drive, Chromium and its driver, where apt can do it. Where it cannot, those
# tests say so and are skipped.
command -v chromedriver >/dev/null && { command -v chromium >/dev/null || command -v google-chrome >/dev/null; } && exit 0
command -v apt-get >/dev/null || { echo 'browser: no apt-get here; install Chromium and chromedriver yourself' >&2; exit 0; }
root=()
[[ $(id -u) == 0 ]] || { sudo -n true 2>/dev/null && root=(sudo -n); } || { echo 'browser: installing Chromium needs root' >&2; exit 0; }
"${root[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq && "${root[@]}" apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends chromium chromium-driver >/dev/null ||
  echo 'browser: Chromium could not be installed' >&2
exit 0
