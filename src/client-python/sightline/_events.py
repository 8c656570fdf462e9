"""Server-sent events of a purchase: `progress` with counts, then one `result` or one `problem`."""

from typing import Any, Dict, List, Optional, Tuple
import codecs
import json

from .progress import Progress

Event = Tuple[str, str]


class EventReader:
    """Takes a stream in pieces, and gives its events as soon as they are whole."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._name = ""
        self._data: List[str] = []

    def read(self, piece: bytes) -> List[Event]:
        self._text += self._decoder.decode(piece)
        # A carriage return at the end may be half of a line break.
        whole = self._text[:-1] if self._text.endswith("\r") else self._text
        lines = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._text = lines.pop() + self._text[len(whole) :]
        return [event for event in map(self._take, lines) if event is not None]

    def _take(self, line: str) -> Optional[Event]:
        if line == "":
            event = (self._name or "message", "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None  # A comment, which keeps the connection open, has no field.


def read_progress(data: str) -> Optional[Progress]:
    """The counts of an event; None for what is none: progress is never worth a failure."""
    try:
        counts: Dict[str, Any] = json.loads(data)
        done, total, failed = counts.get("done"), counts.get("total"), counts.get("failed")
    except (ValueError, AttributeError):
        return None
    if not isinstance(done, int):
        return None
    return Progress(
        done, total if isinstance(total, int) else None, failed if isinstance(failed, int) else None
    )
