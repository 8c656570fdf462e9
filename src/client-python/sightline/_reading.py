"""Reading what was bought: results in their three sizes, and the sections of a report page by page."""

from typing import Any, Dict, List, Mapping, Optional, Tuple, Type
from urllib.parse import quote, urlencode
import re

from . import models
from ._compat import M, Model, parse_model
from ._purchase import Shop, read
from ._wire import Request, Steps
from .errors import ResultError, SightlineError
from .sections import SECTIONS

#: Pages of one section that are read: a section has fewer. It ends a service that never ends its list.
MAX_PAGES = 500


class Bought:
    """What every result has. `raw`: the JSON object as the service sent it, in whatever view."""

    def __init__(self, raw: Dict[str, Any], shop: Shop, driver: Any) -> None:
        self.raw = raw
        self._shop = shop
        self._driver = driver
        for name in ("capability", "report_id"):
            if not isinstance(raw.get(name), str):
                raise ValueError("the result has no " + name)

    @property
    def capability(self) -> str:
        return str(self.raw["capability"])

    @property
    def report_id(self) -> str:
        """Where the result is for 30 days. Those who know it can read the report."""
        return str(self.raw["report_id"])

    @property
    def report_url(self) -> str:
        """The page of the report, for people."""
        return str(self.raw.get("report_url", "{}/reports/{}".format(self._shop.origin, self.report_id)))

    @property
    def payment(self) -> Optional[Dict[str, Any]]:
        """The settlement, in the answer to a purchase."""
        payment = self.raw.get("payment")
        return payment if isinstance(payment, dict) else None

    @property
    def publish_token(self) -> Optional[str]:
        """What publishes the report, in the answer to a purchase of one that can be public."""
        token = self.raw.get("publish_token")
        return token if isinstance(token, str) else None

    def parse_as(self, model: Type[M]) -> M:
        """The whole result as a model, such as `models.FullAuditResult`."""
        return parse_result(model, self.raw)

    def __repr__(self) -> str:
        return "<{} {} {}>".format(type(self).__name__, self.capability, self.report_url)


class Summarized(Bought):
    """A result whose view is `summary` or `standard`. What a capability has nothing for is empty."""

    def __init__(self, raw: Dict[str, Any], shop: Shop, driver: Any) -> None:
        super().__init__(raw, shop, driver)
        self.summary: models.ResultSummary = parse_model(models.ResultSummary, raw)

    @property
    def url(self) -> Optional[str]:
        return self.summary.url

    @property
    def headline(self) -> str:
        return self.summary.headline

    @property
    def scores(self) -> Dict[str, models.ScoreLine]:
        """By `aeo`, `geo`, `agent` and `mcp`; only scores that apply."""
        return self.summary.scores or {}

    @property
    def do_first(self) -> List[models.FirstFix]:
        """At most five fixes, the best first."""
        return self.summary.do_first or []

    @property
    def counts(self) -> Optional[models.Counts]:
        return self.summary.counts

    @property
    def measurement(self) -> Optional[models.SummaryMeasurement]:
        return self.summary.measurement

    @property
    def files(self) -> List[models.ListedFile]:
        """Files that were generated; `section("files")` has their contents."""
        return self.summary.files or []

    @property
    def warnings(self) -> List[str]:
        return self.summary.warnings or []

    @property
    def sections(self) -> List[models.SectionLink]:
        return self.summary.sections or []


def parse_result(model: Type[M], raw: Dict[str, Any]) -> M:
    try:
        return parse_model(model, raw)
    except ValueError as error:
        raise ResultError(raw, str(error)) from error


def read_report(report_id: str, view: str, shop: Shop) -> Steps[Dict[str, Any]]:
    """A stored result, free."""
    _check_id(report_id)
    return (yield from read(_build_read(shop, "/reports/{}.json?{}".format(report_id, urlencode({"view": view}))), shop))


def read_page(report_id: str, section: str, query: Mapping[str, Optional[str]], shop: Shop) -> Steps[Tuple[List[Model], Optional[str]]]:
    """The items of one page, and the cursor of the next."""
    _check_id(report_id)
    given = {name: text for name, text in query.items() if text is not None}
    path = "/reports/{}/sections/{}".format(report_id, quote(section, safe=""))
    raw = yield from read(_build_read(shop, path + ("?" + urlencode(given) if given else "")), shop)
    items, cursor = raw.get("items"), raw.get("next_cursor")
    if not isinstance(items, list) or not all(isinstance(one, dict) for one in items):
        raise ResultError(raw, "the page has no items")
    model = SECTIONS.get(section, Model)
    return [parse_result(model, one) for one in items], cursor if isinstance(cursor, str) else None


def refuse_fix(fix_id: str) -> SightlineError:
    return SightlineError(
        "fix_not_found",
        "The report has no fix of this id",
        detail=fix_id,
        next='Take the id from do_first, or from section("fixes").',
    )


def _build_read(shop: Shop, path: str) -> Request:
    return Request("GET", shop.origin + path, {"accept": "application/json"})


def _check_id(report_id: str) -> None:
    if re.match(r"[0-9a-f]{32}\Z", report_id) is None:
        raise ValueError("a report id is 32 hexadecimal digits")
