#!/usr/bin/env python3
"""Writes dependencies.tsv: the SHA-256, name and licence of every library that a class path holds.

usage: launcher/dependencies.py CLASSPATH_FILE... > dependencies.tsv

The files are those of `mvn dependency:build-classpath -Dmdep.outputFile=FILE`, one for each module. Read what changed
before it is committed: the launcher and the tests take these sums for the truth.
"""
import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

SPACE = "{http://maven.apache.org/POM/4.0.0}"


def child(node, name):
    found = node.find(SPACE + name)
    return found if found is not None else node.find(name)


def text(node, name):
    found = child(node, name) if node is not None else None
    return (found.text or "").strip() if found is not None else ""


def licences(pom, repository):
    """Those a POM names, else its parent's."""
    while pom.exists():
        root = tree.parse(pom).getroot()
        named = child(root, "licenses")
        if named is not None and len(named):
            return " or ".join(text(one, "name") for one in named)
        parent = child(root, "parent")
        if parent is None:
            break
        group, name, version = (text(parent, key) for key in ("groupId", "artifactId", "version"))
        pom = repository.joinpath(*group.split("."), name, version, f"{name}-{version}.pom")
    return "not stated"


def main():
    rows = set()
    for file in sys.argv[1:]:
        for entry in pathlib.Path(file).read_text().strip().split(":"):
            jar = pathlib.Path(entry)
            if jar.suffix != ".jar" or not jar.exists() or jar.name.startswith("ngd-"):
                continue
            version, name = jar.parent.name, jar.parent.parent.name
            parts = jar.parts
            begin = next(i for i in range(len(parts)) if parts[i] == "repository") + 1
            repository = pathlib.Path(*parts[:begin])
            group = ".".join(parts[begin:-3])
            licence = re.sub(r"\s+", " ", licences(jar.parent / f"{name}-{version}.pom", repository))
            rows.add((f"{group}:{name}", version, jar.name, hashlib.sha256(jar.read_bytes()).hexdigest(), licence))
    print("sha256\tfile\tlibrary\tversion\tlicence")
    for library, version, file, digest, licence in sorted(rows):
        print("\t".join((digest, file, library, version, licence)))


main()
