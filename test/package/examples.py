#!/usr/bin/env python3
"""Writes the examples of pages of docs to a folder, each NAME.cpp, NAME.c or NAME.py with what it prints, NAME.txt.

    examples.py FOLDER PAGE...

An example is a block of cpp, c or python whose first line names its file; the block of text behind it is what it prints.
"""

import re
import sys
from pathlib import Path

EXAMPLE = re.compile(r"^```(?:cpp|c|python)\n(?://|#) (\w+\.(?:cpp|c|py))\n(.*?)^```\n^```text\n(.*?)^```$",
                     re.MULTILINE | re.DOTALL)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in sys.argv[2:]:
        examples = EXAMPLE.findall(Path(page).read_text(encoding="utf-8"))
        if not examples:
            sys.exit(f"{page} holds no example")
        for name, code, output in examples:
            (folder / name).write_text(code, encoding="utf-8")
            (folder / name).with_suffix(".txt").write_text(output, encoding="utf-8")


if __name__ == "__main__":
    main()
