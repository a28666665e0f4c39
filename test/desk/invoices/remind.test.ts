import { beforeAll, expect, test } from "bun:test";
import { addPerson, type Visitor, visitor } from "../../support/desk/desk.ts";
import { till, useDeskOnChain } from "../../support/desk/setup.ts";
import { dayClock, until } from "../../support/till/till.ts";

useDeskOnChain({}, { now: dayClock() });
let staff: Visitor;
let accountant: Visitor;
beforeAll(async () => {
  staff = visitor(till, await addPerson(till, "Jonas", "staff"));
  accountant = visitor(till, await addPerson(till, "Ida", "accountant"));
});

const past = { issue_date: "2026-01-01", due_date: "2026-01-31", send_now: true };
const page = async (path = "/desk/invoices/remind") => await (await staff.get(path)).text();
const ticked = (html: string) =>
  [...html.matchAll(/<input[^>]*name="number"[^>]*>/g)]
    .filter(([input]) => / checked/.test(input))
    .map(([input]) => /value="([^"]*)"/.exec(input)?.[1]);
const reminders = () => till.mail.list().filter(({ subject }) => /^(Reminder|Erinnerung):/.test(subject));

test("all who are late are offered, the longest first, and those who cannot be reminded with the reason", async () => {
  await till.createInvoice({ ...past, vendor_name: "Globex", vendor_email: "ap@globex.example" });
  await till.createInvoice({ ...past, due_date: "2026-01-15", vendor_name: "Sommer", language: "de" });
  await till.createInvoice({ ...past, send_now: false, vendor_name: "Draft Ltd" });
  await till.createInvoice({ vendor_name: "Not late", send_now: true });
  await until(till.mail.list, (mails) => mails.length === 3);
  const html = await page();
  expect(ticked(html)).toEqual(["INV-0002", "INV-0001"]);
  expect(html).toContain("Not reminded yet");
  expect(html).toContain("never sent");
  expect(html).not.toContain("Not late");
  expect((await accountant.get("/desk/invoices/remind")).status).toBe(403);
});

test("they are reminded in their languages, once for one form, and are not ticked again for a day", async () => {
  const html = await page();
  const at = /name="at" value="(\d+)"/.exec(html)?.[1] ?? "";
  const body = new URLSearchParams({ form: staff.formToken, at });
  for (const number of ["INV-0001", "INV-0002"]) body.append("number", number);
  const send = () =>
    fetch(new URL("/desk/invoices/remind", till.localUrl), {
      ...{ method: "POST", body, redirect: "manual" },
      headers: { cookie: `till=${staff.cookie}`, origin: till.baseUrl, "sec-fetch-site": "same-origin" },
    });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([303, 303]);
  await until(reminders, (mails) => mails.length === 2);
  expect(reminders().some(({ html }) => html.includes('lang="de"'))).toBe(true);
  const now = await page();
  expect(ticked(now)).toEqual([]);
  expect(now).toContain("Last reminded today");
});

test("one more within a day is sent only when somebody means it, and they see it before", async () => {
  const asked = await staff.post("/desk/invoices/INV-0002/remind");
  expect(asked.status).toBe(422);
  const html = await asked.text();
  expect(html).toContain("You reminded them today");
  expect(html).toContain('lang="de"');
  expect(await page("/desk/invoices/INV-0002/remind")).toContain("The reminder as it goes out");
  expect(reminders()).toHaveLength(2);
  const sent = await staff.post("/desk/invoices/INV-0002/remind", { again: "true" });
  expect(sent.status).toBe(303);
  await until(reminders, (mails) => mails.length === 3);
});

test("nothing is sent of an invoice that was settled since the list was shown", async () => {
  const html = await page();
  const at = /name="at" value="(\d+)"/.exec(html)?.[1] ?? "";
  await till.createInvoice({ ...past, vendor_name: "Paid elsewhere" });
  await till.api("POST", "/api/invoices/INV-0005/mark", { as: "paid" });
  const answer = await staff.post("/desk/invoices/remind", { at, number: "INV-0005" });
  expect([answer.status, (await answer.text()).includes("Nothing was done")]).toEqual([422, true]);
  expect((await staff.post("/desk/invoices/remind", { at })).status).toBe(422);
  expect(reminders()).toHaveLength(3);
});
