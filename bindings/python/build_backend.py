"""Builds the wheel of the package grouser with CMake (PEP 517); asks for nothing from the network.

Environment: GROUSER_BUILD_DIR, a build folder to use again; GROUSER_CMAKE_ARGS, more options of cmake.
"""

import base64
import hashlib
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def version():
    for line in (TOP / "CMakeLists.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("project(grouser VERSION "):
            return line.split()[2]
    raise RuntimeError("CMakeLists.txt states no version")


def name():
    return f"grouser-{version()}"


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def metadata():
    text = (TOP / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: grouser\nVersion: {version()}\n"
        "Summary: Contact dynamics and terramechanics for planetary rovers\n"
        f"License: BSD-3-Clause\nRequires-Python: >={sys.version_info.major}.{sys.version_info.minor}\n"
        f"Requires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n{text}"
    )


def install(build, prefix):
    """Builds the module and puts the package with its library below prefix."""
    options = ["-D", "GROUSER_PYTHON=ON", "-D", f"GROUSER_PYTHON_EXECUTABLE={os.path.realpath(sys.executable)}"]
    generator = [] if (Path(build) / "CMakeCache.txt").exists() else ["-G", "Ninja"]
    extra = shlex.split(os.environ.get("GROUSER_CMAKE_ARGS", ""))
    for command in (
        ["cmake", "-S", str(TOP), "-B", build, *generator, *options, *extra],
        ["cmake", "--build", build, "--target", "grouser_python"],
        ["cmake", "--install", build, "--prefix", prefix, "--component", "wheel", "--strip"],
    ):
        subprocess.run(command, check=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel; returns its name."""
    wheel = f"{name()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        build = os.environ.get("GROUSER_BUILD_DIR") or os.path.join(scratch, "build")
        prefix = Path(scratch) / "prefix"
        install(build, str(prefix))
        paths = [path for path in sorted(prefix.rglob("*")) if path.is_file()]
        linked = {path.resolve() for path in paths if path.is_symlink()}  # archives know no links: one name will do
        files = {path.relative_to(prefix).as_posix(): path.read_bytes() for path in paths
                 if path.is_symlink() or path.resolve() not in linked}
    info = f"{name()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: grouser\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    files[f"{info}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        record = []
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
            archive.writestr(path, content)
        archive.writestr(f"{info}/RECORD", "\n".join(record + [f"{info}/RECORD,,"]) + "\n")
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("build from the repository: pip install .")


def get_requires_for_build_wheel(config_settings=None):
    return []
