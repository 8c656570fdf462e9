"""Orders as files: a program that was killed and is run again sends the same payment."""

import json
import os
import stat
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Union

from .errors import OrderStoreError, SightlineError
from .orders import (
    MAX_ORDER_AGE_SECONDS,
    Payments,
    SavedPayment,
    add_to_day,
    drop_first,
    is_newest,
    put_first,
)

#: Largest file that is read, in bytes: nine payments of 8,192 characters, and room.
MAX_ORDER_BYTES = 256 * 1024
#: Files of the folder that are checked for their age when an order is stored.
MAX_SWEPT_FILES = 1000
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600
_LOCK = ".lock"
_DAY = "spending.json"


class FileOrderStore:
    """
    Open payments in a folder that only you can read (0700, files 0600). Programs that share the folder share the
    budget of the day. A file that cannot be trusted or read is an error: an unknown order must not be paid again.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = Path(folder).expanduser()

    def find(self, key: str, now: int) -> Optional[SavedPayment]:
        with self._open() as path:
            seen = _read_payments(path / (key + ".json"))
            if not seen:
                return None
            if now - seen[0].saved_at < MAX_ORDER_AGE_SECONDS:
                return seen[0]
            _write_payments(path / (key + ".json"), [])
            return None

    def save(self, key: str, payment: SavedPayment, replaced: Optional[SavedPayment] = None) -> bool:
        with self._open() as path:
            _sweep(path, payment.saved_at)
            after = put_first(_read_payments(path / (key + ".json")), payment, replaced)
            if after is not None:
                _write_payments(path / (key + ".json"), after)
            return after is not None

    def withdraw(self, key: str, payment: SavedPayment) -> None:
        with self._open() as path:
            file = path / (key + ".json")
            seen = _read_payments(file)
            if is_newest(seen, payment):
                _write_payments(file, drop_first(seen, payment))

    def forget(self, key: str, payment: SavedPayment) -> None:
        with self._open() as path:
            file = path / (key + ".json")
            if is_newest(_read_payments(file), payment):
                _write_payments(file, [])

    def reserve(self, micro: int, limit: int, now: int) -> None:
        with self._open() as path:
            seen = _read_json(path / _DAY) or {}
            if not all(isinstance(sum_micro, int) for sum_micro in seen.values()):
                raise ValueError(str(path / _DAY) + " has no sums")
            _write_whole(path / _DAY, json.dumps(add_to_day(seen, micro, limit, now)))

    @contextmanager
    def _open(self) -> Iterator[Path]:
        """The folder, while no other process changes it."""
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            _check_owner(self.folder)
            with _hold_lock(self.folder / _LOCK):
                yield self.folder
        except SightlineError:
            raise
        except (OSError, ValueError) as error:
            raise OrderStoreError(
                "orders_unavailable",
                "The folder of open orders cannot be used",
                detail="{}: {}".format(self.folder, error),
                next="Correct the owner, the mode or the content of the folder; nothing was signed.",
            ) from error


if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def _hold_lock(path: Path) -> Iterator[None]:
        with open(path, "a+b") as file:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextmanager
    def _hold_lock(path: Path) -> Iterator[None]:
        """A process that dies lets go of it."""
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, _FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _check_owner(path: Path) -> None:
    """Raises ValueError where another user could have written it."""
    if sys.platform == "win32":
        return
    seen = os.lstat(path)
    if stat.S_ISLNK(seen.st_mode) or seen.st_uid != os.geteuid() or seen.st_mode & 0o022:
        raise ValueError("{} is a link, is not yours, or others may write it".format(path))


def _read_json(path: Path) -> Optional[Dict[str, Any]]:
    try:
        _check_owner(path)
    except FileNotFoundError:
        return None
    with open(path, "rb") as file:
        text = file.read(MAX_ORDER_BYTES + 1)
    read = json.loads(text) if len(text) <= MAX_ORDER_BYTES else None
    if not isinstance(read, dict):
        raise ValueError(str(path) + " is no file of this store")
    return read


def _read_payments(path: Path) -> Payments:
    read = _read_json(path)
    if read is None:
        return []
    listed = read.get("payments")
    if read.get("version") != 1 or not isinstance(listed, list):
        raise ValueError(str(path) + " is no order")
    return [_read_payment(path, one) for one in listed]


def _read_payment(path: Path, one: Any) -> SavedPayment:
    fields = one if isinstance(one, dict) else {}
    credential, saved_at = fields.get("credential"), fields.get("saved_at")
    if not isinstance(credential, str) or not isinstance(saved_at, int):
        raise ValueError(str(path) + " is no order")
    return SavedPayment(credential, saved_at)


def _write_payments(path: Path, payments: Payments) -> None:
    if not payments:
        path.unlink()
        return
    listed = [{"credential": one.credential, "saved_at": one.saved_at} for one in payments]
    _write_whole(path, json.dumps({"version": 1, "payments": listed}))


def _write_whole(path: Path, text: str) -> None:
    """Whole or not at all, and on the disk before it returns: the payment leaves after that."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")  # Mode 0600.
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
    if sys.platform != "win32":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _sweep(folder: Path, now: int) -> None:
    """Removes orders that no repeat can get an answer for, and drafts that killed processes left."""
    with os.scandir(folder) as entries:
        for _, entry in zip(range(MAX_SWEPT_FILES), entries):
            if entry.name in (_LOCK, _DAY) or not entry.is_file(follow_symlinks=False):
                continue
            if now - entry.stat(follow_symlinks=False).st_mtime > MAX_ORDER_AGE_SECONDS:
                os.unlink(entry.path)
