"""Ten lines of set-up: one emulator for all tests, back at its seed before each."""

import json
import os
import subprocess
import urllib.request

import pytest

COMMAND = os.environ.get("SIGHTLINE_EMULATOR_COMMAND", "node_modules/.bin/sightline-emulator")
SEED = os.path.join(os.path.dirname(__file__), "seed.json")


@pytest.fixture(scope="session")
def emulator():
    command = f"exec {COMMAND} --no-auth --port 0 --seed {SEED} --json"
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE) as process:
        yield json.loads(process.stdout.readline())["control"]
        process.terminate()


@pytest.fixture(autouse=True)
def fresh(emulator):
    urllib.request.urlopen(f"{emulator}/v1/reset", data=b"")
