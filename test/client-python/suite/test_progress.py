"""Progress as server-sent events."""

import json

import pytest
from paid_service import REPORT_ID, PaidService, problem, summary

from sightline import Progress, Retries, SightlineError
from sightline._events import EventReader

RESULT = "event: result\ndata: {}\n\n".format(json.dumps(summary())).encode()
COUNTS = b'event: progress\ndata: {"done":6,"total":30}\n\n: still working\n\nevent: progress\ndata: {"done":30,"total":30,"failed":1}\n\n'
EXPECTED = [Progress(6, 30), Progress(30, 30, 1)]


def test_progress_is_said_and_the_result_is_typed(make):
    seen = []
    with PaidService(on_paid=lambda call, n: call.stream(COUNTS, RESULT)) as service:
        report = make(service.url).buy(on_progress=seen.append)
    assert (seen, report.report_id) == (EXPECTED, REPORT_ID)
    assert service.paid[0].headers["accept"] == "text/event-stream"
    assert service.unpaid[0].headers["accept"] == "application/json"


def test_no_stream_is_asked_for_without_a_listener(make):
    with PaidService() as service:
        make(service.url).buy()
    assert service.paid[0].headers["accept"] == "application/json"


def test_a_service_that_answers_json_all_the_same_is_understood(make):
    with PaidService() as service:
        assert make(service.url).buy(on_progress=print).report_id == REPORT_ID


@pytest.mark.parametrize("broken", [b"", COUNTS, RESULT[:40], COUNTS + b"event: result\n"])
def test_a_stream_that_breaks_off_is_asked_for_again_with_the_same_payment(make, broken):
    scene = lambda call, n: call.stream(broken) if n == 1 else call.stream(RESULT)
    with PaidService(on_paid=scene) as service:
        assert make(service.url).buy(on_progress=lambda counts: None).report_id == REPORT_ID
    assert (len(service.paid), len(service.payments)) == (2, 1)


def test_a_problem_at_the_end_of_a_stream_is_that_problem(make):
    body = problem(503, "settlement_unknown", retry_after_s=3)
    scene = lambda call, n: call.stream("event: problem\ndata: {}\n\n".format(json.dumps(body)).encode())
    with PaidService(on_paid=scene) as service:
        client = make(service.url, retries=Retries(requests=2))
        with pytest.raises(SightlineError) as refused:
            client.buy(on_progress=print)
    error = refused.value
    assert (error.code, error.status, error.retry_after, error.payment_open) == ("settlement_unknown", 503, 3, True)
    assert (client.waits, len(service.payments)) == ([3], 1)


def test_a_402_at_the_end_of_a_stream_is_paid_by_fresh_terms(make):
    body = problem(402, "settlement_refused")
    ending = "event: problem\ndata: {}\n\n".format(json.dumps(body)).encode()
    scene = lambda call, n: call.stream(ending) if n == 1 else call.stream(RESULT)
    with PaidService(on_paid=scene) as service:
        make(service.url).buy(on_progress=print)
    assert (len(service.payments), len(service.unpaid)) == (2, 2)


def test_a_listener_that_fails_ends_the_call_and_the_payment_stays_open(make):
    from sightline import MemoryOrderStore

    orders = MemoryOrderStore()

    def fail(_counts):
        raise RuntimeError("the listener is broken")

    with PaidService(on_paid=lambda call, n: call.stream(COUNTS, RESULT)) as service:
        with pytest.raises(RuntimeError):
            make(service.url, orders=orders).buy(on_progress=fail)
        make(service.url, orders=orders).buy()
    assert len(service.payments) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_read_however_they_are_cut(size, end):
    text = ': hello\nevent: progress\ndata: {"done":1}\n\ndata: a\ndata: é\n\nid: 7\n\nevent:result\ndata:{}\n\n\n'
    data = text.replace("\n", end).encode()
    reader = EventReader()
    events = [event for at in range(0, len(data), size) for event in reader.read(data[at : at + size])]
    if end == "\r":  # The last one may be half of a line break.
        events += reader.read(b"\n")
    assert events == [("progress", '{"done":1}'), ("message", "a\né"), ("result", "{}")]


@pytest.mark.parametrize("data", ["", "[]", "null", '{"done":"1"}', '{"total":3}', "{"])
def test_progress_that_is_none_is_left_out(make, data):
    seen = []
    pieces = ("event: progress\ndata: {}\n\n".format(data).encode(), RESULT)
    with PaidService(on_paid=lambda call, n: call.stream(*pieces)) as service:
        make(service.url).buy(on_progress=seen.append)
    assert seen == []
