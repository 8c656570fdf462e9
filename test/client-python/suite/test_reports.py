"""Reading what was bought: views, sections and fixes."""

from urllib.parse import parse_qs, urlsplit

import pytest
from paid_service import REPORT_ID, PaidService, problem, summary

from sightline import ResultError, SightlineError
from sightline.sections import SectionFix

FIX = {"id": "aeo.meta.viewport", "title": "Add a viewport meta tag", "effort": "minutes", "future": 1}
PAGES = {None: ([1, 2], "c2"), "c2": ([3], "c3"), "c3": ([4], None)}


def serve(call, n):
    """A report with one section of three pages."""
    url = urlsplit(call.path)
    query = {name: values[0] for name, values in parse_qs(url.query).items()}
    if url.path == "/reports/{}.json".format(REPORT_ID):
        return call.answer(200, summary())
    if url.path == "/reports/{}/sections/requests".format(REPORT_ID):
        numbers, cursor = PAGES[query.get("cursor")]
        items = [{"role": "page", "url": "https://a.example/{}".format(at), "status": 200, "bytes": 1, "ms": 1} for at in numbers]
        more = {} if cursor is None else {"next_cursor": cursor}
        return call.answer(200, {"report_id": REPORT_ID, "section": "requests", "total": 4, "items": items, **more})
    if url.path == "/reports/{}/sections/odd".format(REPORT_ID):
        return call.answer(200, {"items": "none"})
    if url.path == "/reports/{}/sections/endless".format(REPORT_ID):
        return call.answer(200, {"items": [{"at": n}], "next_cursor": "again"})
    return call.answer(404, problem(404, "unknown_section", detail="It has requests."))


def test_pages_are_read_when_they_are_needed():
    from clients import Sync

    with PaidService(on_read=serve) as service:
        items = Sync(service.url).report(REPORT_ID).section("requests")
        assert len(service.reads) == 1
        assert [next(items).url, next(items).url] == ["https://a.example/1", "https://a.example/2"]
        assert len(service.reads) == 2
        assert [item.url for item in items] == ["https://a.example/3", "https://a.example/4"]
        assert len(service.reads) == 4


def test_filters_go_with_every_page(make):
    with PaidService(on_read=serve) as service:
        client = make(service.url)
        items = client.section(client.report(REPORT_ID), "requests", status="fail", score="aeo")
    assert [item.status for item in items] == [200] * 4
    queries = [parse_qs(urlsplit(call.path).query) for call in service.reads if "sections" in call.path]
    assert [query["status"] for query in queries] == [["fail"]] * 3
    assert [query["score"] for query in queries] == [["aeo"]] * 3
    assert [query.get("cursor") for query in queries] == [None, ["c2"], ["c3"]]


def test_a_list_without_end_is_ended(monkeypatch):
    from clients import Sync

    monkeypatch.setattr("sightline.report.MAX_PAGES", 5)
    with PaidService(on_read=serve) as service:
        assert len(list(Sync(service.url).report(REPORT_ID).section("endless"))) == 5


def test_problems_of_sections_are_errors(make):
    with PaidService(on_read=serve) as service:
        client = make(service.url)
        report = client.report(REPORT_ID)
        with pytest.raises(SightlineError) as refused:
            client.section(report, "nothing")
        assert (refused.value.code, refused.value.detail) == ("unknown_section", "It has requests.")
        with pytest.raises(ResultError):
            client.section(report, "odd")


def test_names_of_sections_stay_inside_their_report(make):
    with PaidService(on_read=serve) as service:
        client = make(service.url)
        with pytest.raises(SightlineError):
            client.section(client.report(REPORT_ID), "../../runs?x")
    assert service.reads[-1].path == "/reports/{}/sections/..%2F..%2Fruns%3Fx".format(REPORT_ID)


@pytest.mark.parametrize("report_id", ["", "../index", "A" * 32, "0" * 31, "0" * 33])
def test_what_is_no_report_id_is_not_asked_for(make, report_id):
    with PaidService(on_read=serve) as service:
        with pytest.raises(ValueError):
            make(service.url).report(report_id)
    assert service.reads == []


def test_a_fix_by_its_id(make):
    def answer(call, n):
        if "/sections/fixes" not in call.path:
            return serve(call, n)
        found = [FIX] if "id=" + FIX["id"] in call.path else []
        return call.answer(200, {"report_id": REPORT_ID, "section": "fixes", "total": len(found), "items": found})

    with PaidService(on_read=answer) as service:
        client = make(service.url)
        report = client.report(REPORT_ID)
        fix = client.fix(report, FIX["id"])
        assert isinstance(fix, SectionFix)
        assert fix.id == FIX["id"]
        with pytest.raises(SightlineError) as refused:
            client.fix(report, "aeo.unknown")
    assert refused.value.code == "fix_not_found"


def test_a_read_is_repeated_and_never_paid(make):
    scene = lambda call, n: call.drop() if n == 1 else serve(call, n)
    with PaidService(on_read=scene) as service:
        client = make(service.url)
        assert client.report(REPORT_ID).report_id == REPORT_ID
    assert (client.waits, service.unpaid, service.paid) == ([1], [], [])


def test_the_catalogue_is_read_without_a_wallet(make):
    index = {"capabilities": {"full_audit": {"amount": "350000"}}}
    with PaidService(catalogue=index) as service:
        assert make(service.url, wallet=None).catalogue() == index
    assert len(service.catalogues) == 1


@pytest.mark.parametrize("capability, path", [("full_audit", "/api/agent/full_audit"), ("visibility_panel_2", "/api/panels/visibility_panel_2")])
def test_a_dry_run_asks_for_the_price_and_signs_nothing(make, capability, path):
    said = {"dry_run": True, "price": {"amount": "350000"}}
    with PaidService(on_unpaid=lambda call, n: call.answer(200, said)) as service:
        assert make(service.url).dry_run(capability, url="example.com") == said
    assert [(call.path, call.body, call.payment) for call in service.unpaid] == [(path + "?dry=1", '{"url": "example.com"}', None)]
    assert service.paid == []


def test_what_a_dry_run_refuses_is_an_error(make):
    with PaidService(on_unpaid=lambda call, n: call.answer(422, problem(422, "target_refused"))) as service:
        with pytest.raises(SightlineError) as refused:
            make(service.url).dry_run("full_audit", url="http://10.0.0.1/")
    assert refused.value.code == "target_refused"
