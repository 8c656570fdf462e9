"""Runs every case of the Python client (python3-googleapi)."""

import logging

import admob_cases  # noqa: F401
import convention_cases  # noqa: F401
import device_cases  # noqa: F401
import logging_cases  # noqa: F401
import organisation_cases  # noqa: F401
import people_cases  # noqa: F401
import quota_cases  # noqa: F401
import reseller_cases  # noqa: F401
import tag_cases  # noqa: F401
import trace_cases  # noqa: F401
from judge import run

logging.disable(logging.CRITICAL)  # The client warns of each answer that it tries again.
run()
