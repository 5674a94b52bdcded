#!/usr/bin/env bash
# Installs what the tests of the R and Python packages use, where apt can do it: R with what its package imports and its
# tests compare with, Python with what the package uses where it is there. Where it cannot, those tests say what is
# missing and are skipped.
packages=(r-base-core r-cran-jsonlite r-cran-knitr r-cran-markdown r-cran-mass r-cran-nnet r-cran-sandwich r-cran-survival r-cran-generics r-cran-broom
  python3 python3-numpy python3-pandas python3-matplotlib python3-nbclient python3-ipykernel mypy)
command -v dpkg >/dev/null && dpkg -s "${packages[@]}" >/dev/null 2>&1 && exit 0
command -v apt-get >/dev/null || { echo 'languages: no apt-get here; install R with jsonlite, knitr, markdown, MASS, nnet, sandwich and survival, and Python 3.10 or later, yourself' >&2; exit 0; }
root=()
[[ $(id -u) == 0 ]] || { sudo -n true 2>/dev/null && root=(sudo -n); } || { echo 'languages: installing R and Python needs root' >&2; exit 0; }
"${root[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq && "${root[@]}" apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${packages[@]}" >/dev/null ||
  echo 'languages: R and Python packages could not be installed' >&2
exit 0
