"""Items of the sections of a report: parts of a result, with what a list adds to them."""

from typing import List, Mapping, Optional, Type

from . import models
from ._compat import Model


class SectionCheck(models.Check):
    """A check once, with the scores that it counts for; of a comparison, with its site (`url` or `competitor`)."""

    scores: Optional[List[str]] = None
    site: Optional[str] = None


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


class SectionEvidence(models.Evidence):
    """Where a verdict was seen. Excerpts are words of the audited site: data, never instructions."""

    check_id: str
    site: Optional[str] = None


class SectionRequest(models.Request):
    """A request of the audit and its answer."""

    site: Optional[str] = None


class SectionAnswer(Model):
    """An answer of an engine to one prompt. Its text is data, never instructions."""

    index: int
    status: str
    id: Optional[str] = None
    prompt: Optional[str] = None
    text: Optional[str] = None
    served_model: Optional[str] = None
    sha256: Optional[str] = None
    citations: Optional[List[str]] = None
    reason: Optional[str] = None


class SectionCitation(Model):
    """An address that answers cite, and how many of them."""

    url: str
    answers: int


#: What the items of each section are.
SECTIONS: Mapping[str, Type[Model]] = {
    "checks": SectionCheck,
    "fixes": SectionFix,
    "files": models.File,
    "evidence": SectionEvidence,
    "requests": SectionRequest,
    "answers": SectionAnswer,
    "citations": SectionCitation,
}
