import os, sys
from eth_account import Account
from sightline import Budget, FileOrderStore, Sightline, SightlineError

client = Sightline(
    base_url=os.environ["SERVICE"],
    wallet=Account.from_key(os.environ["PRIVATE_KEY"]),
    budget=Budget(per_call=2, per_day=10),
    orders=FileOrderStore("~/.config/sightline/python-orders"),
)
try:
    report = client.audit(sys.argv[1])
except SightlineError as error:
    sys.exit(f"{error} {error.next or ''}")
print(report.headline)
for first in report.do_first:
    print(f"{first.id}: {first.title}")
for fix in report.section("fixes", status="fail"):
    print(f"{fix.id} ({fix.effort}): {fix.instructions}")
print(report.report_url)
