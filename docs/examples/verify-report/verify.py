"""Verifies a report of Sightline with Python and OpenSSL alone: verify.py REPORT KEY_SET ISSUER [SNAPSHOT]."""

import base64
import decimal
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

UNHASHED = {"statement", "receipt", "payment", "publish_token", "report_url"}
# What X.509 puts before an Ed25519 public key (RFC 8410).
SPKI_HEAD = bytes.fromhex("302a300506032b6570032100")


def number(value):
    """A number as ECMAScript writes it, which RFC 8785 asks for."""
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(float(value))).as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    text = text.rstrip("0")
    if len(text) <= point <= 21:
        body = text.ljust(point, "0")
    elif 0 < point <= 21:
        body = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        body = "0." + "0" * -point + text
    else:
        tail = "." + text[1:] if len(text) > 1 else ""
        body = f"{text[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return "-" * sign + body


def canonical(value):
    """Canonical JSON (RFC 8785); half of a surrogate pair is written as its escape."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def verify_signature(public_key, message, signature):
    """Asks OpenSSL whether an Ed25519 signature fits."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder, name) for name in ("key.der", "message", "signature")}
        files["key.der"].write_bytes(SPKI_HEAD + public_key)
        files["message"].write_bytes(message)
        files["signature"].write_bytes(signature)
        command = "openssl pkeyutl -verify -rawin -pubin -keyform DER".split()
        command += ["-inkey", files["key.der"], "-in", files["message"], "-sigfile", files["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def thumbprint(key):
    members = {name: key[name] for name in ("crv", "kty", "x")}
    return encode(hashlib.sha256(canonical(members).encode()).digest())


def main(report_file, key_file, issuer, snapshot_file=None):
    report = json.loads(pathlib.Path(report_file).read_bytes())
    keys = json.loads(pathlib.Path(key_file).read_bytes())["keys"]
    claims, jws = report["statement"]["claims"], report["statement"]["jws"]
    header, payload, signature = jws.split(".")
    head = json.loads(decode(header))
    key = next(key for key in keys if thumbprint(key) == head["kid"] and "result-statement" in key["signs"])
    signed = f"{header}.{encode(canonical(claims).encode())}"
    result = {name: member for name, member in report.items() if name not in UNHASHED}
    checks = {
        "form": payload == "" and head["alg"] == "EdDSA" and head["typ"] == "result-statement",
        "issuer": claims["issuer"] == issuer,
        "signature": verify_signature(decode(key["x"]), signed.encode(), decode(signature)),
        "report": (claims["report_id"], claims["capability"]) == (report["report_id"], report["capability"]),
        "result": hashlib.sha256(canonical(result).encode()).hexdigest() == claims["result_sha256"],
    }
    if snapshot_file:
        snapshot = pathlib.Path(snapshot_file).read_bytes()
        checks["snapshot"] = hashlib.sha256(snapshot).hexdigest() == claims.get("snapshot_sha256")
    print(f"issuer {claims['issuer']}\nkey {head['kid']}")
    for name, passed in checks.items():
        print(f"{'pass' if passed else 'FAIL'} {name}")
    if "payment" in report:
        print("---- payment: not checked here")
    return all(checks.values())


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
