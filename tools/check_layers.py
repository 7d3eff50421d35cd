#!/usr/bin/env python3
"""Checks that every #include follows the arrows between the layers.

    tools/check_layers.py [ROOT]

Reads the sources below include, src, apps, lab and bindings; prints one line per violation and exits
with 1 if there is any. A layer may include itself, what its arrow names, and what those may
include in turn.
"""

import re
import sys
from pathlib import Path

ARROWS = {
    "grouser": [],  # include/grouser: the public face
    "core": ["grouser"],
    "math": ["core"],
    "geometry": ["math"],
    "terrain": ["geometry"],
    "collision": ["terrain"],
    "assets": ["terrain"],
    "render": ["terrain"],
    "contact": ["terrain"],
    "contact/laws": ["math"],
    "contact/bbcc": ["contact", "contact/laws", "collision"],
    "contact/pcm": ["contact", "contact/laws"],
    "contact/scm": ["contact", "contact/laws"],
    "contact/wheel": ["contact", "contact/laws"],
    "contact/plane": ["contact", "contact/laws"],
    "contact/host": ["contact"],
    "multibody": ["math"],
    "nonsmooth": ["multibody", "contact"],
    "integrate": ["math"],
    "power": ["math"],
    "sim": ["assets", "power", "nonsmooth", "integrate", "contact/host"],
    "record": ["sim"],
    "scene": ["sim", "assets", "contact/bbcc", "contact/pcm", "contact/scm", "contact/wheel",
              "contact/plane"],
    "face": ["scene", "record"],
    "rigs": ["scene", "record", "render"],
    "view": ["record"],
    "lab": ["rigs"],
    "lab/bench": ["lab"],
    "apps": ["rigs", "render", "view", "lab", "lab/bench"],
    "bindings": ["rigs"],
    "bindings/c": ["face"],
    "bindings/python": ["grouser"],
}

# Which layers may include the headers of a third party: (name, pattern of the header, layers).
THIRD_PARTY = [
    ("SUNDIALS",
     r"(sundials|cvodes?|arkode|idas?|kinsol|nvector|sunmatrix|sunlinsol|sunnonlinsol)/",
     ["integrate"]),
    ("TBB", r"(tbb|oneapi/tbb)/", ["core"]),
    ("HDF5", r"(hdf5|H5\w*)(_hl)?\.h$", ["record"]),
    ("yaml-cpp", r"yaml-cpp/", ["scene"]),
    ("urdfdom", r"urdf_\w+/", ["scene"]),
    ("CLI11", r"CLI/", ["apps"]),
    ("Assimp", r"assimp/", ["geometry"]),
    ("Qhull", r"libqhull", ["geometry"]),
    ("GDAL", r"(gdal|ogr|cpl)\w*\.h$", ["terrain"]),
    ("libpng", r"png\.h$", ["render"]),
    ("Ceres", r"ceres/", ["rigs"]),
    ("Boost", r"boost/", ["view"]),
]

# Contact models. Below src, their folders contact/NAME and scene/NAME are known to themselves, to the list that
# registers them, and to rigs, which test soils and wheels by certain models.
MODELS = ["bbcc", "pcm", "plane", "scm", "wheel"]
MODEL_USERS = ["src/scene/contact_models.cpp", "src/rigs/"]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
# Folders to read; those not under src are layers of their own name.
ROOTS = ["include", "src", "apps", "lab", "bindings"]


def reachable(layer):
    """The layer and all that it may include."""
    found = set()
    todo = [layer]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += ARROWS[name]
    return found


def layer_of(path):
    """The layer that holds a path given as in an #include ("contact/scm/grid.h"), or None."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in ARROWS:
            return name
    return None


def check_include(layer, folder, quoted, angled):
    """What is wrong with one include of a file in `folder` that belongs to `layer`, or None."""
    if quoted is not None:
        if "/" not in quoted:
            return None if (folder / quoted).is_file() else f'"{quoted}" is not in this folder'
        target = layer_of(quoted)
        if target is None:
            return f'"{quoted}" is in no known layer'
        if target not in reachable(layer):
            return f'{layer} must not include {target} ("{quoted}")'
        return None
    if layer == "grouser" and not re.match(r"grouser/|[a-z_]+$|std(bool|def|int)\.h$", angled):
        return f"a public header must include the standard library and others of ours only (<{angled}>)"
    for name, pattern, layers in THIRD_PARTY:
        if re.match(pattern, angled) and layer not in layers:
            return f"{layer} must not include {name} (<{angled}>), only {', '.join(layers)} may"
    return None


def check_model(shown, quoted):
    """What is wrong with the file `shown` including a header of a contact model, or None."""
    match = quoted and re.match(r"(?:contact|scene)/(\w+)/", quoted)
    if not match or match[1] not in MODELS or not shown.startswith("src/"):
        return None
    homes = [f"src/contact/{match[1]}/", f"src/scene/{match[1]}/"]
    if shown.startswith(tuple(homes + MODEL_USERS)):
        return None
    return f'only its own folders may know the contact model {match[1]} ("{quoted}")'


def check_file(root, path):
    """All violations of one source file, as printable lines."""
    shown = path.relative_to(root).as_posix()
    layer = layer_of(shown.removeprefix("src/").removeprefix("include/"))
    if layer is None:
        return [f"{shown}: is in no known layer"]
    violations = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        problem = match and (check_include(layer, path.parent, match[1], match[2])
                             or check_model(shown, match[1]))
        if problem:
            violations.append(f"{shown}:{number}: {problem}")
    return violations


def check_tree(root):
    """All violations below `root`, in the order of the files' names."""
    files = [path for folder in ROOTS for path in (root / folder).rglob("*")
             if path.suffix in (".h", ".cpp", ".c", ".in") and path.is_file()]
    return [line for path in sorted(files) for line in check_file(root, path)]


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    violations = check_tree(root)
    print("\n".join(violations) if violations else "layers: every include follows the arrows")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
