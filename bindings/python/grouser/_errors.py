"""What goes wrong."""

from __future__ import annotations

from typing import List, NamedTuple, Sequence, Tuple

__all__ = ["Error", "Issue"]


class Issue(NamedTuple):
    """One finding about one place of an input. Texts but the message may be empty; line 0 is unknown."""

    message: str
    file: str = ""
    line: int = 0
    field: str = ""
    """Path of the field, as in ``models[0].joints.hip.damping``."""
    value: str = ""
    """What was found."""
    legal: str = ""
    """What would have been legal, as in ``>= 0 [N m s/rad]``."""


class Error(Exception):
    """Bad input, a call that is wrong, divergence, or trouble with files. Its text holds all findings."""

    kind: str
    """``"usage"``: a call is wrong; ``"input"``: a scene, model or state is; ``"diverged"``; ``"io"``: a file could not be
    read or written."""
    issues: Tuple[Issue, ...]
    """All findings, so that a file can be mended in one go."""

    def __init__(self, text: str, kind: str = "usage", issues: Sequence[Issue] = ()) -> None:
        super().__init__(text)
        self.kind = kind
        self.issues = tuple(issues) or (Issue(text),)

    def __reduce__(self) -> Tuple[object, ...]:
        return Error, (str(self), self.kind, self.issues)

    @staticmethod
    def _made(text: str, kind: str, issues: List[Tuple[str, str, int, str, str, str]]) -> Error:
        return Error(text, kind, [Issue(*issue) for issue in issues])
