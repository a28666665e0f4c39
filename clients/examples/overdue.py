#!/usr/bin/env python3
"""Lists the invoices that are overdue, the oldest first; with --remind, mails each customer a reminder.

    TILL_URL=... TILL_API_KEY=... python3 overdue.py [--remind]

It needs Python alone. Run it once a week: Till's own reminders (TILL_REMINDERS) do not know whom you called.
"""

import datetime
import decimal
import json
import os
import sys
import urllib.error
import urllib.request

TILL = os.environ.get("TILL_URL", "http://127.0.0.1:3000")


class Refused(Exception):
    """What Till refused, in its own words, and the code of that."""

    def __init__(self, where, problem):
        super().__init__(f"{where}: {problem['detail']}")
        self.code = problem["code"]


def call(method, path):
    """What Till answers, as Python has it. Raises a Refused."""
    headers = {"Accept": "application/json"}
    if "TILL_API_KEY" in os.environ:
        headers["Authorization"] = "Bearer " + os.environ["TILL_API_KEY"]
    request = urllib.request.Request(TILL + path, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        raise Refused(f"{method} {path}", json.load(refused)) from None


def overdue():
    """Every overdue invoice, page by page. Drafts are overdue too, but nobody was asked to pay them."""
    after = ""
    while True:
        page = call("GET", f"/api/invoices?overdue=true&limit=100{after}")
        yield from (invoice for invoice in page["data"] if invoice["sent_at"])
        if not page["has_more"]:
            return
        after = "&starting_after=" + page["data"][-1]["id"]


def owed(invoice):
    """What is left to pay, in USDC. With a credit note, Till says it; otherwise it is the price less what came."""
    if "due_amount" in invoice:
        return decimal.Decimal(invoice["due_amount"])
    price = invoice.get("expected_usdc") or invoice["total_amount"]
    return decimal.Decimal(price) - decimal.Decimal(invoice["received_amount"])


def remind(invoice):
    """Mails a reminder, unless a payment is on its way or Till knows another reason not to. Returns what became of it."""
    try:
        sent = call("POST", f"/api/invoices/{invoice['id']}/remind")
    except Refused as refused:
        if refused.code != "not_remindable":
            raise
        return f"not reminded: {refused}"
    return "reminded" if sent["ok"] else "not reminded: " + sent["detail"]


def main():
    today = datetime.date.today()
    for invoice in sorted(overdue(), key=lambda each: each["due_date"]):
        days = (today - datetime.date.fromisoformat(invoice["due_date"])).days
        left = owed(invoice)
        # Who paid too much owes nothing.
        if left <= 0:
            continue
        print(f"{invoice['invoice_number']}  {days} days  {left} USDC  {invoice['vendor_name']}")
        if "--remind" in sys.argv:
            print("  " + remind(invoice))


try:
    main()
except Refused as refused:
    sys.exit(str(refused))
