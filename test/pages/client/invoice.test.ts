import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { encodeFunctionData, erc20Abi } from "viem";
import type { PaymentProps } from "../../../src/pay/payment/props.ts";
import { lastAnswered, startBrowser, stopClock } from "../../support/browser/browser.ts";
import { until } from "../../support/till/till.ts";
import { depositAddress, everyField, states } from "../sample.ts";
import { type LivePage, openInvoice } from "./live-page.ts";

let browser: Browser;
/** An invoice in one tab of a computer, which each test loads anew. */
let live: LivePage;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  live = await openInvoice(browser, states.awaiting, { permissions: ["clipboard-read", "clipboard-write"] });
  page = live.page;
});
afterAll(async () => {
  await live.stop();
  await browser.close();
});

/** A wallet on another network whose user agrees to all but, the first time, the payment itself. */
const announceWallet = `
  window.asked = [];
  let chain = "0x1";
  let declined = false;
  const request = async ({ method, params }) => {
    window.asked.push({ method, params });
    if (method === window.silent) return new Promise((resolve) => { window.answerLate = resolve; });
    if (method === "eth_requestAccounts") return ["0x1111111111111111111111111111111111111111"];
    if (method === "eth_accounts") return [];
    if (method === "eth_chainId") return chain;
    if (method === "wallet_switchEthereumChain") { chain = params[0].chainId; return null; }
    if (method === "eth_call") return "0x" + "f".repeat(64);
    if (!declined) {
      declined = true;
      // Time itself: people take theirs.
      await new Promise((resolve) => setTimeout(resolve, 200));
      throw { code: 4001 };
    }
    return "0xabc";
  };
  const info = { uuid: "1", name: "<b>Test</b> Wallet", icon: "data:image/gif;base64,R0lGODlhAQABAAAAACw=", rdns: "x" };
  window.addEventListener("eip6963:requestProvider", () => window.dispatchEvent(
    new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider: { request } }) })));
  dispatchEvent(new Event("eip6963:requestProvider"));
`;
const payButton = () => page.getByRole("button", { name: "Pay with <b>Test</b> Wallet", exact: true });

describe("invoice script", () => {
  test("shows a payment as it arrives, in the page, the tab's title and for a screen reader", async () => {
    await live.show(states.awaiting);
    await page.evaluate("window.sameDocument = true");

    live.payment = states.seen;
    await live.askNow();
    await page.getByText("Confirmed in 10 s").first().waitFor();
    expect(await page.textContent("#announcement")).toContain("1,500.00 USDC has been detected");
    expect(await page.locator(".qr").count()).toBe(0);

    live.payment = states.paid;
    await live.askNow();
    await page.getByText("Received in full.").waitFor();
    expect(await page.title()).toStartWith("Paid · Invoice INV-0042");
    expect(await page.textContent("#announcement")).toBe("Paid. 1,500.00 USDC received.");
    expect(await page.evaluate("window.sameDocument")).toBe(true);
  });

  test("says of a bill in euros that it is to be paid until it is, and again when the payment is gone", async () => {
    const credits = [{ label: "Credited", amount: "−10.00", href: "/note.pdf" }];
    await live.show(states.awaiting, { ...everyField(states.awaiting.locale), credits });
    const foot = async () => (await page.locator("tfoot").textContent()) ?? "";
    expect(await foot()).toMatch(/^Total.*Credited.*Amount to pay in USDC.*1,500.00$/);
    live.payment = states.paid;
    await live.askNow();
    await page.getByText("Received in full.").waitFor();
    const paid = /^Total.*Amount \(USDC\).*1,500.00Credited.*$/;
    await until(foot, (text) => paid.test(text));
    live.payment = states.awaiting;
    await live.askNow();
    await until(foot, (text) => text.includes("Amount to pay in USDC"));
  });

  test("keeps the chosen way and the focus when the amount changes, the way also while no payment is asked for", async () => {
    await live.show(states.awaiting);
    await page.click("label[for=way-exchange]");
    await page.focus("#copy-address");
    live.payment = states.partial;
    await live.askNow();
    await page.getByRole("heading", { name: "Remaining balance" }).waitFor();
    expect(await page.isChecked("#way-exchange")).toBe(true);
    expect(await page.evaluate("document.activeElement.id")).toBe("copy-address");
    expect(await page.isVisible("#copy-address")).toBe(true);
    live.payment = states.seen;
    await live.askNow();
    await page.getByText("Confirmed in 10 s").first().waitFor();
    live.payment = states.partial;
    await live.askNow();
    await page.getByRole("heading", { name: "Remaining balance" }).waitFor();
    expect(await page.isChecked("#way-exchange")).toBe(true);
  });

  test("loads the page anew when the merchant changed what is to be paid: the bill beside it says that, too", async () => {
    await live.show(states.awaiting);
    await page.evaluate("window.sameDocument = true");
    live.payment = { ...states.awaiting, total: "1523.00", remaining: "1523.00" };
    await live.askNow();
    await until(
      () => page.evaluate("window.sameDocument").catch(() => true),
      (isSame) => isSame === undefined,
    );
    expect(await page.textContent(".summary")).toContain("1,523.00");
    await page.evaluate("window.sameDocument = true");
    // With the second answer the page has dealt with the first.
    for (let time = 0; time < 2; time++) {
      const answered = page.waitForResponse("**/payment");
      await live.askNow();
      await (await answered).finished();
    }
    expect(await page.evaluate("window.sameDocument")).toBe(true);
  });

  test("leaves alone what did not change", async () => {
    await live.show(states.awaiting);
    await page.evaluate(`document.querySelector("[data-part=how]").mine = true`);
    live.payment = { ...states.awaiting, overdue: true };
    await live.askNow();
    await page.getByText("Was due 30").waitFor();
    expect(await page.evaluate(`document.querySelector("[data-part=how]").mine`)).toBe(true);
  });

  test("waits with pauses where a server answers at once, and with something else", async () => {
    await live.show(states.awaiting);
    const asked = () => live.requests.filter((url) => url.includes("/told")).length;
    await until(asked, (count) => count > 0);
    await stopClock(page);
    const before = asked();
    for (let passedMs = 0; passedMs < 2_000; passedMs += 100) {
      await page.clock.runFor(100);
      await lastAnswered(page);
    }
    expect(asked() - before).toBeLessThan(5);
  });

  test("says that the connection is lost, and asks again by itself until it is back", async () => {
    await live.show(states.awaiting);
    const connection = page.getByText("Connection lost. Reconnecting…").first();
    live.payment = null;
    await live.askNow();
    await connection.waitFor();
    expect(await page.textContent("#announcement")).toContain("Connection lost");
    expect(await page.isVisible(".qr")).toBe(true);
    live.payment = states.paid;
    await page.clock.fastForward(5_000);
    await connection.waitFor({ state: "hidden" });
    expect(await page.textContent("#announcement")).toBe("Reconnected. Paid. 1,500.00 USDC received.");
    expect(await page.isVisible("text=Received in full.")).toBe(true);
  });

  test("waits for as long as a busy server says, without alarm", async () => {
    await live.show(states.awaiting);
    await stopClock(page);
    live.isBusy = true;
    const refused = page.waitForResponse((response) => response.status() === 429);
    await live.askNow();
    await refused;
    live.isBusy = false;
    live.payment = states.paid;
    const asked = () => live.requests.filter((url) => url.endsWith("/payment")).length;
    const before = asked();
    await page.clock.runFor(1_500);
    await lastAnswered(page);
    expect(asked()).toBe(before);
    expect(await page.isVisible("#connection")).toBe(false);
    await page.clock.fastForward(4_000);
    await page.getByText("Received in full.").waitFor();
  });

  test("copies the plain address and amount, and says so; an address selected by hand has no gaps either", async () => {
    await live.show(states.awaiting);
    await stopClock(page);
    await page.click("#copy-address");
    await page.getByText("Copied", { exact: true }).waitFor();
    expect(await page.textContent("#announcement")).toBe("Copied the deposit address");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(depositAddress);
    await page.click("#copy-amount");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("1500.00");
    await page.clock.runFor(2_000);
    await page.locator("#copy-address", { hasText: "Copy" }).waitFor();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector("code.address"))`);
    expect(await page.evaluate("getSelection().toString()")).toBe(depositAddress);
  });

  test("loads nothing from elsewhere, and the content security policy has nothing to refuse", async () => {
    await live.show(states.awaiting);
    await live.askNow();
    await page.waitForResponse("**/payment");
    await until(
      () => new Set(live.requests.map((url) => new URL(url).pathname)),
      (paths) => Bun.deepEquals(paths, new Set(["/", "/payment", "/told"])),
    );
    expect(live.complaints).toEqual([]);
  });
});

describe("browser wallets", () => {
  test("one that makes itself known gets a button, and is asked for the transfer, on the right network, once", async () => {
    await live.show(states.partial);
    expect(await page.isVisible("[data-wallets]")).toBe(false);
    await page.evaluate(announceWallet);

    await payButton().press("Enter");
    await page.locator("[data-wallets]").getByText("Declined in the wallet. Nothing was sent.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Pay with <b>Test</b> Wallet");
    await payButton().click();
    await page.locator("[data-wallets]").getByText("Sent.").waitFor();
    expect(await payButton().isDisabled()).toBe(true);

    const asked = (await page.evaluate("window.asked")) as { method: string; params?: unknown }[];
    expect(asked.map(({ method }) => method)).toContain("wallet_switchEthereumChain");
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [depositAddress, 1_000_000_000n],
    });
    expect(asked.find(({ method }) => method === "eth_sendTransaction")).toEqual({
      method: "eth_sendTransaction",
      params: [
        {
          from: "0x1111111111111111111111111111111111111111",
          to: states.partial.usdcAddress,
          data,
          value: "0x0",
        },
      ],
    });
    expect(live.complaints).toEqual([]);
  });

  test("once one has sent, none is asked again until something else is due, or it came to nothing", async () => {
    await live.show({ ...states.partial, canSign: false });
    await page.evaluate(announceWallet);
    const wallets = page.locator("[data-wallets]");
    await payButton().click();
    await wallets.getByText("Declined in the wallet.").waitFor();
    await payButton().click();
    await wallets.getByText("Sent.").waitFor();

    const become = async (changes: Partial<PaymentProps>, text: string) => {
      live.payment = { ...states.partial, ...changes };
      await live.askNow();
      await page.getByText(text).first().waitFor();
    };
    for (const changes of [
      { delayed: true, canSign: false },
      { delayed: true, canSign: true, overdue: true },
    ]) {
      await become(changes, changes.canSign ? "Was due 30" : "taking longer than usual");
      expect(await wallets.getByText("Sent.").isVisible()).toBe(true);
      expect(await wallets.locator("button:enabled").count()).toBe(0);
    }
    await become({ signedFailed: true }, "The signed payment did not go through.");
    expect(await payButton().isEnabled()).toBe(true);
    expect(await wallets.getByText("Sent.").count()).toBe(0);

    await payButton().click();
    await wallets.getByText("Sent.").waitFor();
    await become({ signedFailed: true, remaining: "9.00", remainingMicro: "9000000" }, "9.00");
    expect(await payButton().isEnabled()).toBe(true);
    expect(await wallets.getByText("Sent.").count()).toBe(0);
  });

  test("is not asked to send what is no longer due, once it was found and unlocked", async () => {
    await live.show(states.partial);
    await page.evaluate(`window.silent = "eth_requestAccounts"; ${announceWallet}`);
    await payButton().click();
    await page.waitForFunction("window.answerLate !== undefined");
    live.payment = { ...states.partial, remainingMicro: "9000000" };
    const [answered] = await Promise.all([page.waitForResponse("**/payment"), live.askNow()]);
    await answered.finished();
    await page.waitForFunction(`document.querySelector("[data-wallets] button:disabled") === null`);
    await page.evaluate(`window.answerLate(["0x${"1".repeat(40)}"])`);
    await page.locator("[data-wallets] .fault").waitFor();
    const asked = (await page.evaluate("window.asked")) as { method: string }[];
    expect(asked.map(({ method }) => method)).not.toContain("eth_sendTransaction");
  });
});

describe("a wallet that does not answer", () => {
  test.each(["eth_requestAccounts", "eth_chainId", "eth_call"])(
    "%s: it can be asked again, and what it answers too late sends nothing",
    async (silent) => {
      await live.show(states.partial);
      await page.evaluate(`window.silent = "${silent}"; ${announceWallet}`);
      const wallets = page.locator("[data-wallets]");

      await payButton().click();
      await page.waitForFunction("window.answerLate !== undefined");
      expect(await payButton().isDisabled()).toBe(true);
      await page.clock.fastForward(120_000);
      await wallets.getByText("A request is already waiting in your wallet.").waitFor();
      await page.evaluate(`window.silent = ""; window.answerLate(["0x${"1".repeat(40)}"])`);

      expect(await payButton().isEnabled()).toBe(true);
      await payButton().click();
      await wallets.getByText("Declined in the wallet. Nothing was sent.").waitFor();
      const asked = (await page.evaluate("window.asked")) as { method: string }[];
      expect(asked.filter(({ method }) => method === "eth_sendTransaction")).toHaveLength(1);
    },
  );
});

describe("the ways to pay", () => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  const chosen = (page: Page) =>
    page
      .locator("input[name=way]:checked")
      .getAttribute("id")
      .then((id) => id?.replace("way-", ""));

  /** What is there for a moment only: another device, or a browser without scripts. */
  async function on<T>(device: BrowserContextOptions, look: (page: Page) => Promise<T>): Promise<void> {
    const visit = await openInvoice(browser, states.awaiting, device);
    await look(visit.page).finally(() => visit.stop());
  }

  test("on a computer without a wallet it is the code, on a phone the wallet app", async () => {
    await live.show(states.awaiting);
    expect(await chosen(page)).toBe("scan");
    await on(phone, async (page) => {
      expect(await chosen(page)).toBe("wallet");
      expect(await page.isVisible("#open-wallet")).toBe(true);
    });
  });

  test("a wallet in the browser comes first, and takes nobody away from what they have chosen", async () => {
    await live.show(states.awaiting);
    await page.click("label[for=way-exchange]");
    await page.evaluate(announceWallet);
    await page.locator("[data-wallets] button").first().waitFor({ state: "attached" });
    expect(await chosen(page)).toBe("exchange");

    await page.reload();
    await page.evaluate(announceWallet);
    await page.getByRole("button", { name: "Pay with" }).first().waitFor();
    expect(await chosen(page)).toBe("wallet");
    expect(await page.getByText("No wallet in this browser?").isVisible()).toBe(false);
  });

  test("all three can be reached with the keyboard, at 320 px", async () => {
    await page.setViewportSize({ width: 320, height: 600 });
    await live.show(states.awaiting);
    await page.focus("#way-scan");
    for (const [key, way] of [
      ["ArrowRight", "exchange"],
      ["ArrowRight", "wallet"],
      ["ArrowLeft", "exchange"],
    ] as const) {
      await page.keyboard.press(key);
      expect(await chosen(page)).toBe(way);
      expect(await page.isVisible(`.way-${way}`)).toBe(true);
      expect(await page.locator(".way:visible").count()).toBe(1);
    }
  });

  test.each([
    ["on a computer", {}, "scan"],
    ["on a phone", phone, "wallet"],
  ])("without a script each can be seen %s, and nothing that needs one", (_, device, first) =>
    on({ ...device, javaScriptEnabled: false }, async (page) => {
      expect(await page.isVisible(`.way-${first}`)).toBe(true);
      for (const way of ["exchange", "wallet", "scan"]) {
        await page.click(`label[for=way-${way}]`);
        expect(await page.isVisible(`.way-${way}`)).toBe(true);
        expect(await page.locator(".way:visible").count()).toBe(1);
      }
      expect(await page.isVisible("#copy-address")).toBe(false);
    }),
  );
});
