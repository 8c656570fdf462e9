"""What the items of the sections of a report are."""

from typing import List, Mapping, Optional, Type

from . import models
from ._compat import Model


class SectionFix(Model):
    """
    What to do about one check or topic. `content`, `diff` and the like are there where a fix pack was bought; other
    results say what to do in `instructions`.
    """

    id: str
    title: str
    status: Optional[str] = None
    state: Optional[str] = None
    scores: Optional[List[str]] = None
    effort: Optional[str] = None
    instructions: Optional[str] = None
    action: Optional[str] = None
    file: Optional[str] = None
    content: Optional[str] = None
    media_type: Optional[str] = None
    diff: Optional[str] = None
    facts_needed: Optional[List[str]] = None


#: What the items of each section are.
SECTIONS: Mapping[str, Type[Model]] = {
    "checks": models.SectionCheck,
    "fixes": SectionFix,
    "files": models.File,
    "evidence": models.SectionEvidence,
    "requests": models.SectionRequest,
    "answers": models.SectionAnswer,
    "citations": models.SectionCitation,
}
