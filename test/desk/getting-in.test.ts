import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { passkeyHost } from "../../src/people/passkeys.ts";
import * as AuditStore from "../../src/store/tables/desk/audit.ts";
import { axeViolations, clippedTexts } from "../support/browser/axe.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { addAuthenticator } from "../support/desk/authenticator.ts";
import { addPerson, entryUrl, password, startDesk, visitor } from "../support/desk/desk.ts";
import type { TestTill } from "../support/till/till.ts";

let till: TestTill;
let browser: Browser;
beforeAll(async () => {
  [till, browser] = await Promise.all([startDesk(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await till.stop();
});

describe("the pages of people, keys and the log", () => {
  const sizes = [
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
    { width: 320, colorScheme: "light" },
  ] as const;
  test.each([...sizes])("are accessible and whole at %o", async ({ width, colorScheme }) => {
    const name = `Maximiliane-Theodora von Hohenstaufen-Württemberg zu ${width}`;
    const id = await addPerson(till, name, "owner");
    await addPerson(till, `Donaudampfschifffahrtsgesellschaftskapitaenswitwe${width}`, "accountant");
    const invitation = entryUrl(till, { role: "accountant", name: `Invited ${width}` });
    const { cookie } = visitor(till, id);
    const outside = [
      "/desk/sign-in",
      "/desk/sign-in?password",
      "/desk/enter/x",
      invitation,
      `${invitation}?password`,
    ];
    const inside = [
      ...[
        "",
        "/me",
        "/me/passkeys/add",
        "/me/password",
        "/people",
        "/people/invite",
        `/people/${id}`,
        `/people/${id}/link`,
      ],
      ...[`/people/${id}/remove`, "/keys", "/keys/new", "/audit"],
    ].map((path) => `/desk/settings${path}`);
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    const found: object[] = [];
    const look = async (path: string) => {
      await page.goto(new URL(path, till.baseUrl).href);
      const faults = [...(await axeViolations(page)), ...(await clippedTexts(page))].filter(
        // It shows when it has the focus.
        (fault) => fault !== "Skip to the content",
      );
      if (faults.length > 0) found.push({ path, faults });
    };
    for (const path of outside) await look(path);
    await context.addCookies([{ name: "till", value: cookie ?? "", url: till.baseUrl }]);
    for (const path of [...inside, "/desk/more"]) await look(path);
    await context.close();
    expect(found).toEqual([]);
  });
});

test("passkeys are offered where browsers make them", () => {
  const hosts = [
    "https://pay.acme.example",
    "http://localhost:3000",
    "http://till.localhost",
    "https://127.0.0.1",
  ];
  const none = [
    "http://pay.acme.example",
    "http://127.0.0.1:3000",
    "https://[2001:db8::1]",
    "http://[::1]:3000",
  ];
  expect(hosts.map(passkeyHost)).toEqual(["pay.acme.example", "localhost", "till.localhost", null]);
  expect(none.map(passkeyHost)).toEqual([null, null, null, null]);
});

describe("an owner", () => {
  test("opens the first link, makes a passkey, signs out and in again", async () => {
    const page = await browser.newPage();
    const device = await addAuthenticator(page);
    await page.goto(entryUrl(till, { role: "owner" }));
    await page.getByLabel("Your name").fill("Mara Lindqvist");
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.waitForURL("**/desk?did=Enter");
    expect(await page.getByText("Mara Lindqvist").first().isVisible()).toBe(true);
    expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/desk/sign-in?did=SignOut");
    await page.goto(`${till.baseUrl}/desk?x=1`);
    await page.waitForURL("**/desk/sign-in**");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL("**/desk");
    expect(AuditStore.list(till.db, { before: null, limit: 9 }).map(({ action }) => action)).toEqual([
      "session.begin",
      "session.end",
      "session.enter",
    ]);
    await page.context().close();
  });

  test("is told where passkeys work when the desk was opened at another name of this machine", async () => {
    const page = await browser.newPage();
    await page.goto(`${till.localUrl}/desk/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("work at localhost only").waitFor();
    await page.close();
  });

  test("does all that without a passkey and without JavaScript", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(entryUrl(till, { role: "owner", name: "Jonas" }));
    await page.getByRole("link", { name: "Use a password instead" }).click();
    await page.getByLabel("New password").fill("too short");
    await page.getByRole("button", { name: "Set the password" }).click();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Jonas");
    expect(await page.getByLabel("New password").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.waitForURL("**/desk?did=Enter");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Use a password instead" }).click();
    await page.getByLabel("Your name").fill("jonas");
    await page.getByLabel("Password").fill("wrong and long enough");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toBe("The name or the password is wrong.");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/desk");
    await context.close();
  });
});
