"""Placeholder until the generator runs."""
from typing import Any, Dict, List, Optional, Type
from ._compat import Model
class Counts(Model):
    pass
class Measurement(Model):
    pass
class SummaryFile(Model):
    path: str
class SectionEvidence(Model):
    check_id: str
class SectionRequest(Model):
    pass
class SectionAnswer(Model):
    pass
class SectionCitation(Model):
    url: str
class SummaryScore(Model):
    score: float
    grade: str
    coverage: float
class DoFirst(Model):
    id: str
    title: str
    gains: Optional[Dict[str, float]] = None
    effort: Optional[str] = None
    status: Optional[str] = None
    state: Optional[str] = None
class SectionLink(Model):
    name: str
    count: Optional[int] = None
    url: Optional[str] = None
class SummaryFile0(Model):
    pass
class ResultSummary(Model):
    view: str
    capability: str
    url: Optional[str] = None
    report_id: str
    report_url: str
    headline: str
    scores: Optional[Dict[str, SummaryScore]] = None
    counts: Optional[Counts] = None
    do_first: Optional[List[DoFirst]] = None
    files: Optional[List[Any]] = None
    warnings: Optional[List[str]] = None
    sections: Optional[List[SectionLink]] = None
    measurement: Optional[Measurement] = None
class Check(Model):
    id: str
    status: str
class Fix(Model):
    id: str
class File(Model):
    path: str
class Evidence(Model):
    check_id: str
class SectionPage(Model):
    report_id: str
    section: str
    total: int
    items: List[Any]
    next_cursor: Optional[str] = None
RESULTS: Dict[str, Type[Model]] = {}
