"""Results of the synchronous client."""

from typing import Any, Dict, Iterator, Literal, Optional, overload

from ._compat import Model
from ._reading import MAX_PAGES, Bought, Summarized, read_page, refuse_fix
from .models import File, SectionAnswer, SectionCheck, SectionCitation, SectionEvidence, SectionRequest
from .sections import SectionFix


class Result(Bought):
    """A result in its full size, as `raw` and by `parse_as(...)`; and the sections of its report."""

    @overload
    def section(
        self, name: Literal["checks"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionCheck]: ...

    @overload
    def section(
        self, name: Literal["fixes"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionFix]: ...

    @overload
    def section(
        self, name: Literal["files"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[File]: ...

    @overload
    def section(
        self, name: Literal["evidence"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionEvidence]: ...

    @overload
    def section(
        self, name: Literal["requests"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionRequest]: ...

    @overload
    def section(
        self, name: Literal["answers"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionAnswer]: ...

    @overload
    def section(
        self, name: Literal["citations"], *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[SectionCitation]: ...

    @overload
    def section(
        self, name: str, *, status: Optional[str] = ..., score: Optional[str] = ..., id: Optional[str] = ...
    ) -> Iterator[Model]: ...

    def section(
        self, name: str, *, status: Optional[str] = None, score: Optional[str] = None, id: Optional[str] = None
    ) -> Iterator[Any]:
        """
        The items of a section: `checks`, `fixes`, `files`, `evidence`, `requests`, `answers` or `citations`. Each page
        is read, free, when the items before it are used up.
        """
        query: Dict[str, Optional[str]] = {"status": status, "score": score, "id": id}
        for _ in range(MAX_PAGES):
            items, cursor = self._driver.run(read_page(self.report_id, name, query, self._shop))
            yield from items
            if cursor is None:
                return
            query = {**query, "cursor": cursor}

    def fix(self, id: str) -> SectionFix:
        """One fix with its contents. Raises SightlineError (`fix_not_found`)."""
        for found in self.section("fixes", id=id):
            return found
        raise refuse_fix(id)


class Report(Summarized, Result):
    """A result in the view `summary` or `standard`."""
