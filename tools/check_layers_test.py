#!/usr/bin/env python3
"""Tests of check_layers.py on small trees made for the purpose."""

import tempfile
import unittest
from pathlib import Path

import check_layers


class CheckLayers(unittest.TestCase):
    def check(self, files):
        """Violations of a tree given as {path: text}."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return check_layers.check_tree(root)

    def test_table_names_only_layers_and_has_no_cycle(self):
        for layer, below in check_layers.ARROWS.items():
            for name in below:
                self.assertNotIn(layer, check_layers.reachable(name))

    def test_downward_includes_pass(self):
        self.assertEqual([], self.check({
            "src/core/error.h": "#include <string>\n",
            "src/contact/scm/grid.cpp": '#include "contact/scm/grid.h"\n#include "core/error.h"\n'
                                        '#include "contact/laws/bekker.h"\n',
            "src/sim/world.h": '#include "contact/contact_system.h"\n#include "assets/rock.h"\n',
            "src/rigs/bevameter.cpp": '#include "geometry/mesh.h"\n#include "record/run.h"\n',
            "lab/bench/all.cpp": '#include "lab/cubes.h"\n#include "rigs/bevameter.h"\n',
            "apps/grouser/main.cpp": '#include "lab/bench/all.h"\n#include <CLI/CLI.hpp>\n',
        }))

    def test_upward_include_fails_with_file_and_line(self):
        self.assertEqual(
            ['src/math/spatial.h:2: math must not include multibody ("multibody/model.h")'],
            self.check({"src/math/spatial.h": '#pragma once\n#include "multibody/model.h"\n'}))

    def test_sideways_includes_fail(self):
        for layer, header in [("multibody", "geometry/mesh.h"), ("record", "scene/read.h"),
                              ("scene", "record/run.h"), ("contact/pcm", "assets/rock.h"),
                              ("contact/scm", "contact/bbcc/mpr.h"), ("integrate", "sim/world.h"),
                              ("sim", "contact/scm/scm_system.h")]:
            found = self.check({f"src/{layer}/a.cpp": f'#  include "{header}"\n'})
            self.assertEqual(1, len(found), layer)

    def test_library_does_not_include_the_lab(self):
        for layer, header in [("src/rigs", "lab/cubes.h"), ("src/nonsmooth", "lab/cone_samples.h"),
                              ("lab", "lab/bench/all.h"), ("bindings", "lab/reproduce.h")]:
            self.assertEqual(1, len(self.check({f"{layer}/a.cpp": f'#include "{header}"\n'})), layer)

    def test_contact_models_are_known_to_their_own_folders_only(self):
        header = '#include "contact/scm/scm_system.h"\n'
        for file in ["contact/scm/a.cpp", "scene/scm/a.cpp", "scene/contact_models.cpp", "rigs/a.cpp"]:
            self.assertEqual([], self.check({f"src/{file}": header}))
        for file in ["scene/scene_data.h", "scene/bbcc/a.cpp"]:
            self.assertEqual(1, len(self.check({f"src/{file}": header})), file)

    def test_third_party_headers_stay_in_their_layer(self):
        owners = {"cvode/cvode.h": "integrate", "nvector/nvector_serial.h": "integrate",
                  "tbb/parallel_for.h": "core", "oneapi/tbb/task_arena.h": "core",
                  "hdf5.h": "record", "H5Fpublic.h": "record", "yaml-cpp/yaml.h": "scene",
                  "urdf_parser/urdf_parser.h": "scene", "urdf_model/model.h": "scene"}
        for header, owner in owners.items():
            for layer in ["core", "integrate", "record", "scene", "rigs"]:
                found = self.check({f"src/{layer}/a.cpp": f"#include <{header}>\n"})
                self.assertEqual(0 if layer == owner else 1, len(found), (header, layer))
        self.assertEqual(1, len(self.check({"src/scene/a.cpp": "#include <CLI/CLI.hpp>\n"})))

    def test_public_headers_stand_alone(self):
        for line in ['#include "core/error.h"', "#include <Eigen/Core>", "#include <hdf5.h>"]:
            self.assertEqual(1, len(self.check({"include/grouser/a.h": line + "\n"})), line)
        self.assertEqual([], self.check({
            "include/grouser/a.h": "#include <vector>\n#include <grouser/b.h>\n",
            "src/face/a.cpp": '#include "grouser/a.h"\n#include "scene/load_scene.h"\n'}))

    def test_unknown_places_fail(self):
        self.assertEqual(1, len(self.check({"src/utils/a.h": ""})))
        self.assertEqual(1, len(self.check({"src/core/a.h": '#include "utils/b.h"\n'})))
        self.assertEqual(1, len(self.check({"src/core/a.h": '#include "missing.h"\n'})))

    def test_neighbour_by_bare_name_passes(self):
        self.assertEqual([], self.check({"apps/grouser/a.cpp": '#include "b.h"\n',
                                         "apps/grouser/b.h": ""}))


if __name__ == "__main__":
    unittest.main()
