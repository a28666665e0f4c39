#!/usr/bin/env python3
"""Lists the invoices that are overdue, the oldest first; with --remind, mails each customer a reminder.

    TILL_URL=... TILL_API_KEY=... python3 overdue.py [--remind]

It needs Python alone. Run it once a week: Till's own reminders (TILL_REMINDERS) do not know whom you called.
"""

import datetime
import json
import os
import sys
import urllib.error
import urllib.request

TILL = os.environ.get("TILL_URL", "http://127.0.0.1:3000")


def call(method, path):
    """What Till answers, as Python has it. Ends the program with Till's own words when it refuses."""
    headers = {"Accept": "application/json"}
    if "TILL_API_KEY" in os.environ:
        headers["Authorization"] = "Bearer " + os.environ["TILL_API_KEY"]
    request = urllib.request.Request(TILL + path, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        sys.exit(f"{method} {path}: {json.load(refused)['detail']}")


def overdue():
    """Every overdue invoice, page by page. Drafts are overdue too, but nobody was asked to pay them."""
    after = ""
    while True:
        page = call("GET", f"/api/invoices?overdue=true&limit=100{after}")
        yield from (invoice for invoice in page["data"] if invoice["sent_at"])
        if not page["has_more"]:
            return
        after = "&starting_after=" + page["data"][-1]["id"]


def main():
    today = datetime.date.today()
    for invoice in sorted(overdue(), key=lambda each: each["due_date"]):
        days = (today - datetime.date.fromisoformat(invoice["due_date"])).days
        # What was paid or credited is off it already; an invoice without either has no due_amount.
        left = invoice.get("due_amount") or invoice.get("expected_usdc") or invoice["total_amount"]
        print(f"{invoice['invoice_number']}  {days} days  {left} USDC  {invoice['vendor_name']}")
        if "--remind" in sys.argv:
            sent = call("POST", f"/api/invoices/{invoice['id']}/remind")
            print("  reminded" if sent["ok"] else "  not reminded: " + sent["detail"])


main()
