import { describe, expect, test } from "bun:test";
import { passkeyHost } from "../../../src/people/passkeys.ts";
import * as AuditStore from "../../../src/store/tables/desk/audit.ts";
import { browser, till, useTill } from "../../support/browser/setup.ts";
import { addAuthenticator } from "../../support/desk/authenticator.ts";
import { entryUrl, password, startDesk } from "../../support/desk/desk.ts";

useTill(startDesk);

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
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await page.waitForURL(/\/desk(\?did=Enter)?$/);
    expect(await page.getByText("Mara Lindqvist").first().isVisible()).toBe(true);
    expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/desk\/sign-in(\?did=SignOut)?$/);
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
    await page.getByText("work only at localhost").waitFor();
    await page.close();
  });

  test("does all that without a passkey and without JavaScript", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(entryUrl(till, { role: "owner", name: "Jonas" }));
    await page.getByRole("link", { name: "Use a password instead" }).click();
    expect(await page.textContent("main")).not.toMatch(/passkey .* is the key/);
    await page.getByLabel("New password").fill("too short");
    await page.getByRole("button", { name: "Set the password" }).click();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Jonas");
    expect(await page.getByLabel("New password").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.waitForURL(/\/desk(\?did=Enter)?$/);
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
