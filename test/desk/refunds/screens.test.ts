import { expect, test } from "bun:test";
import usdcArtifact from "../../../assets/contracts/artifacts/DevUsdc.json";
import type * as Address from "../../../src/domain/wallet/address.ts";
import { unasked } from "../../../src/lib/net/unasked.ts";
import { endSession } from "../../../src/people/sessions.ts";
import { violations } from "../../support/browser/axe.ts";
import { later } from "../../support/browser/browser.ts";
import { browser, chain, till, useTillOnChain } from "../../support/browser/setup.ts";
import { encode, send } from "../../support/chain/evm.ts";
import { newWallet } from "../../support/chain/settlement.ts";
import { addPerson, password, startDesk, visitor } from "../../support/desk/desk.ts";
import { until } from "../../support/till/till.ts";

useTillOnChain((chain) => startDesk({ TILL_RPC_URL: chain.rpcUrl, TILL_RPC_WS_URL: chain.wsUrl }));

test("who refunds from a wallet of their own copies amount and address, and sees by themselves that it came", async () => {
  const shop = newWallet();
  const made = await till.createInvoice({
    ...{ wallet_type: "byo", wallet_address: shop },
    line_items: [{ description: "Coffee", quantity: 1, unit_price: "20.00" }],
  });
  await chain.pay(made["deposit_address"] as Address.Address, "23.00");
  const status = async () => (await till.api("GET", `/api/invoices/${made["invoice_id"]}`)).body.status;
  await until(status, (now) => now === "excess");
  const to = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: made["invoice_number"], address: to });
  const maraId = await addPerson(till, "Mara", "owner");
  const mara = visitor(till, maraId);
  const path = `/desk/refunds/${body.id}`;
  expect((await mara.post(`${path}/approve`, { address: to, proof: password })).status).toBe(303);
  // An address that the customer did not name waits for a day.
  till.db.run("UPDATE refund SET ready_at = approved_at");

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await context.addCookies([{ name: "till", value: mara.cookie ?? "", url: till.baseUrl }]);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(till.baseUrl + path);
  expect(await violations(page)).toEqual({ light: [], dark: [] });
  const copyAddress = page.getByRole("button", { name: "Copy the address" });
  // A page that is put beside the one from the server, again and again, keeps what only its script shows.
  let asked = 0;
  page.on("response", (response) => {
    const isUnasked = Object.keys(unasked).every((name) => name in response.request().headers());
    if (response.url().endsWith(path) && isUnasked) asked += 1;
  });
  await later(page, async () => asked > 2);
  expect(await copyAddress.isVisible()).toBe(true);

  // What does not change by itself any more, as it has a form now, is loaded anew.
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch({ headers: { ...route.request().headers(), "if-none-match": "" } });
    const body = (await answer.text()).replaceAll(" data-live", "").replace("Approved", "To be approved");
    await route.fulfill({ response: answer, body });
  });
  await later(page, () => page.getByText("To be approved").isVisible());
  expect(await page.getByText("Connection lost").isVisible()).toBe(false);
  await page.unroute(`**${path}`);
  await page.reload();

  await chain.giveEth(shop);
  await chain.rpc("anvil_impersonateAccount", [shop]);
  await chain.pay(shop, "3.00");
  const refund = encode(usdcArtifact.abi, "transfer", [to, 3_000_000n]);
  expect((await send(chain, { from: shop, to: chain.usdc, data: refund })).status).toBe("success");
  await later(page, () => page.getByRole("link", { name: "Refund receipt" }).isVisible());
  expect(await page.getByText("Connection lost").isVisible()).toBe(false);

  // Who left it open and was signed out meanwhile shows nothing any more to whoever passes, of the counter neither.
  const sold = await mara.post("/desk/counter", { digits: "500" });
  const [counter, form] = [await context.newPage(), await context.newPage()];
  await counter.goto(till.baseUrl + sold.headers.get("location"));
  await form.goto(`${till.baseUrl}/desk/invoices/new`);
  endSession(till.db, mara.cookie ?? "");
  await later(page, async () => page.url().includes("/desk/sign-in"));
  await counter.waitForURL("**/desk/sign-in**");

  // A form says so and keeps what was typed, and is sent once they are back.
  await form.fill("#vendor_name", "Café Morgenrot");
  await form.fill("#vendor_email", "ap@morgenrot.example");
  await form.fill("#description-0", "Coffee");
  await form.fill("#unit_price-0", "12.00");
  await form.getByText("You are signed out.").waitFor();
  expect(await violations(form)).toEqual({ light: [], dark: [] });
  const { cookie } = visitor(till, maraId);
  await context.addCookies([{ name: "till", value: cookie ?? "", url: till.baseUrl }]);
  await form.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await form.waitForSelector("#signed-out", { state: "hidden" });
  expect(await form.locator("#total").textContent()).toContain("12.00");
  await form.locator(".bottom > .button").click();
  await form.waitForSelector(".did");
});
