import { describe, expect, test } from "bun:test";
import { speak } from "../../src/language/locale.ts";
import type { PaymentProps } from "../../src/pay/payment/props.ts";
import { paymentSection } from "../../src/pay/payment/section.tsx";
import { parse, words } from "./dom.ts";
import { linkStates } from "./link-sample.ts";
import { depositAddress, payment, states, transfer } from "./sample.ts";

function shown(props: PaymentProps) {
  const page = parse(paymentSection(props));
  const instructions = page.querySelector("[data-part=how]");
  return { page, instructions, text: words(page) };
}

describe("paymentSection", () => {
  test("tells what is due, until when, where and on which network", () => {
    const { page, text } = shown(states.awaiting);
    expect(text).toContain("Awaiting payment");
    expect(text).toContain("Amount due 1,500.00 USDC on Base");
    expect(text).toContain("Due 30 November 2026");
    expect(text).toContain("Send only USDC on the Base network.");
    expect(page.querySelector("code.address")?.textContent).toBe(depositAddress);
    expect(page.querySelector("#open-wallet")?.getAttribute("href")).toBe(states.awaiting.paymentUri);
    expect(page.querySelectorAll("img.qr:not([loading])")).toHaveLength(2);
  });

  test.each(["en", "fr", "de", "ja"] as const)(
    "says why the amount to copy differs from the heading's: %s",
    (code) => {
      const locale = speak(code);
      const { page } = shown({ ...states.awaiting, locale });
      const heading = page.querySelector(".particular dt")?.textContent?.trim();
      const amount = locale.say("amount");
      const reason = locale.bracketed(locale.say("amountPoint"));
      expect(heading).toBe(locale.decimalMark === "." ? amount : amount + reason);
      expect(page.querySelector(".particular .value")?.textContent).toContain("1500.00");
    },
  );

  test("whoever lets a wallet fill in the payment is told to compare it with what the page says", () => {
    const { page } = shown(states.awaiting);
    for (const hint of [".way-scan .hint", ".way-wallet .hint.on-phone"])
      expect(page.querySelector(hint)?.textContent).toMatch(/Check that .* match(es)? the details below\./);
  });

  test("a draft can be paid like a sent invoice", () => {
    expect(paymentSection(payment({ status: "draft" }))).toBe(paymentSection(payment()));
  });

  test("after the due date it says so, and how to pay is still there", () => {
    const { instructions, text } = shown(states.overdue);
    expect(text).toContain("Overdue");
    expect(text).toContain("Was due 30 November 2026");
    expect(text).not.toContain("Awaiting payment");
    expect(instructions).not.toBeNull();
  });

  test("says what is known of a payment from another network, and asks for money until it is proved", () => {
    type State = NonNullable<PaymentProps["crossing"]["newest"]>["state"];
    const of = (state: State, status: PaymentProps["status"] = "sent") => {
      const newest = {
        ...states.crossing.crossing.newest,
        state,
        network: "Ethereum",
        at: "2026-11-21T14:05Z",
      };
      const amount = state === "told" || state === "unknown" ? null : "1500.00";
      return shown({ ...states.crossing, status, crossing: { networks: [], newest: { ...newest, amount } } });
    };
    expect(of("told").text).toContain("A payment from Ethereum was reported on 21 Nov 2026, 14:05 UTC");
    expect(of("attested").text).toContain("On its way from Ethereum: 1,500.00 USDC.");
    expect(of("late").page.querySelector("[data-deliver]")).not.toBeNull();
    expect(of("unknown").text).toContain("Nothing was found of the payment reported from Ethereum.");
    expect(of("over").text).toContain("Never delivered, from Ethereum: 1,500.00 USDC.");
    // Only what is proved is not asked for again, as long as it is expected.
    for (const state of ["told", "unknown", "over"] as const) expect(of(state).instructions).not.toBeNull();
    for (const state of ["attested", "late"] as const) expect(of(state).instructions).toBeNull();
    // Whatever came meanwhile: it would never be delivered.
    for (const status of ["paid", "excess", "error", "void"] as const) {
      expect(of("late", status).page.querySelector("[data-deliver]")).not.toBeNull();
      for (const state of ["told", "unknown", "over"] as const)
        expect(of(state, status).text).not.toContain("Ethereum");
    }
  });

  test("what was minted is said to come from another network, not from an address of zeros", () => {
    const minted = transfer("1500.00", { from: `0x${"0".repeat(40)}` });
    const { text } = shown({ ...states.paid, transfers: [minted] });
    expect(text).toContain("From another network (newly issued USDC)");
    expect(text).not.toContain("0x0000");
  });

  test("says that payments appear late while they do", () => {
    expect(shown(states.overdue).text).toContain("Payments are taking longer than usual to appear.");
    expect(shown(states.awaiting).text).not.toContain("longer than usual");
  });

  test("a seen payment shows its confirmations and does not invite to pay again", () => {
    const { instructions, page, text } = shown(states.seen);
    expect(text).toContain("Payment detected");
    expect(text).toContain("1,500.00 USDC");
    expect(text).toContain("Confirmed in 10 s");
    expect(text).toContain("do anything else");
    expect(instructions).toBeNull();
    expect(page.querySelector(".qr")).toBeNull();
  });

  test("a signed payment is on its way before there is a transfer, and nothing invites to pay again", () => {
    const { instructions, page, text } = shown(states.signed);
    expect(text).toContain("Payment signed");
    expect(text).toContain("Payment on its way 1,500.00 USDC");
    expect(text).toContain("do anything else");
    expect(instructions).toBeNull();
    expect(page.querySelector(".qr, progress, .transfers")).toBeNull();
    expect(page.querySelector("a")?.getAttribute("href")).toStartWith("https://basescan.org/tx/0x");
    expect(page.querySelector("[data-payment]")?.getAttribute("data-sentence")).toContain("1,500.00 USDC");
    const accepted = payment({ signed: { amount: "1500.00", txHash: null } });
    expect(shown(accepted).page.querySelector("a")).toBeNull();
    expect(paymentSection({ ...states.seen, signed: { amount: "1500.00", txHash: null } })).toBe(
      paymentSection(states.seen),
    );
  });

  test("a signed payment that failed is said once, beside how to pay", () => {
    const { instructions, page } = shown(states.signedFailed);
    expect(instructions).not.toBeNull();
    expect(page.querySelectorAll("[role=alert]")).toHaveLength(1);
    expect(page.querySelector("[role=alert]")?.textContent).toContain("You can pay again.");
  });

  test("a phone's wallets open filled in, or open the page in their own browsers, where that is public", () => {
    const links = (props: PaymentProps) =>
      [...shown(props).page.querySelectorAll(".apps a[target]")].map((link) => link.getAttribute("href"));
    const { walletLinks, walletCode } = states.awaiting;
    const filledIn = walletLinks.map(({ href }) => href);
    expect(filledIn).toHaveLength(3);
    expect(links(states.awaiting)).toEqual([
      ...filledIn,
      "https://link.metamask.io/dapp/pay.acme.example/i/k7w2m9qd3xv5tb8h",
      "https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fpay.acme.example%2Fi%2Fk7w2m9qd3xv5tb8h",
    ]);
    expect(links(payment({ pageUrl: null }))).toEqual(filledIn);
    const codes = (props: PaymentProps) =>
      [...shown(props).page.querySelectorAll(".way-scan img")].map((code) => code.getAttribute("src"));
    expect(codes(states.awaiting)).toEqual([states.awaiting.paymentQr, walletCode]);
    expect(codes(payment({ walletCode: null }))).toEqual([states.awaiting.paymentQr]);
  });

  test("of several unconfirmed transfers, the youngest is counted", () => {
    const transfers = [4_000, 8_000, 6_000].map((inMs) =>
      transfer("100.00", { counts: { inMs, ofMs: 10_000 }, confirmed: false }),
    );
    const { page } = shown(payment({ pending: "300.00", transfers }));
    expect(page.querySelector("progress")?.getAttribute("value")).toBe("2000");
  });

  test("a seen part payment promises what is left instead of saying that all is done", () => {
    const transfers = [transfer("500.00", { counts: { inMs: 3_000, ofMs: 10_000 }, confirmed: false })];
    const { instructions, text } = shown(payment({ pending: "500.00", transfers }));
    expect(text).toContain("Confirmed in 3 s");
    expect(text).toContain("how much of the 1,500.00 USDC is still due");
    expect(text).not.toContain("do anything else");
    expect(instructions).toBeNull();
  });

  test("after its time is over it asks for nothing, and says what has come and what is on its way", () => {
    const link = { expired: true, dueDate: null };
    const over = shown(payment(link));
    expect(over.text).toContain("Expired");
    expect(over.text).toContain("Please do not send money to it.");
    expect(over.text).not.toContain("1,500.00 USDC");
    expect(paymentSection(payment(link))).not.toContain(depositAddress);
    const part = { status: "partial", received: "500.00", remaining: "1000.00" } as const;
    const paidInPart = shown(payment({ ...link, ...part, transfers: [transfer("500.00")] }));
    expect(paidInPart.text).toContain("500.00 of 1,500.00 USDC received");
    expect(paidInPart.instructions).toBeNull();
    const late = transfer("500.00", { counts: { inMs: 3_000, ofMs: 10_000 }, confirmed: false });
    const onItsWay = shown(payment({ ...link, pending: "500.00", transfers: [late] }));
    expect(onItsWay.text).toContain("Confirmed in 3 s");
    expect(onItsWay.text).toContain("A payment of 500.00 USDC has been detected");
    expect(onItsWay.text).not.toContain("still due");
    for (const state of ["paid", "excess"] as const)
      expect(paymentSection({ ...states[state], ...link })).toBe(
        paymentSection({ ...states[state], dueDate: null }),
      );
  });

  test("where the chain decides what is final it waits for the network to be final", () => {
    const transfers = [transfer("1500.00", { confirmed: false, counts: { inMs: null, ofMs: null } })];
    expect(shown(payment({ pending: "1500.00", transfers })).text).toContain(
      "for the network to finalise it",
    );
  });

  test("after a part payment every amount is what remains", () => {
    const { instructions, page, text } = shown(states.partial);
    expect(text).toContain("Remaining balance 1,000.00 USDC");
    expect(text).toContain("500.00 of 1,500.00 USDC received");
    expect(page.querySelector("progress")?.getAttribute("value")).toBe("33");
    expect(page.querySelector("#copy-amount")?.getAttribute("data-copy")).toBe("1000.00");
    expect(instructions?.getAttribute("data-micro")).toBe("1000000000");
    expect(page.querySelector("#open-wallet")?.getAttribute("href")).toEndWith("uint256=1000000000");
    expect(instructions?.textContent).not.toMatch(/1,?500/);
  });

  test("one millionth short is not shown as all of it", () => {
    const { page, text } = shown(
      payment({ status: "partial", received: "1499.99", remaining: "0.000001", remainingMicro: "1" }),
    );
    expect(text).toContain("Remaining balance 0.000001 USDC");
    expect(page.querySelector("progress")?.getAttribute("value")).toBe("99");
  });

  test.each(["paid", "excess"] as const)("when %s nothing invites to pay again", (state) => {
    const { instructions, page, text } = shown(states[state]);
    expect(instructions).toBeNull();
    expect(page.querySelector(".qr")).toBeNull();
    expect(page.querySelector("[data-copy]")).toBeNull();
    expect(page.querySelector("[href^='ethereum:']")).toBeNull();
    expect(text).not.toContain(depositAddress);
    expect(text).not.toContain("Overdue");
  });

  test("when paid it says so and links the transactions", () => {
    const { page, text } = shown(states.paid);
    expect(text).toContain("Paid 1,500.00 USDC Received in full.");
    const [{ txHash } = transfer("0")] = states.paid.transfers;
    expect(page.querySelector(".transfers a")?.getAttribute("href")).toBe(
      `https://basescan.org/tx/${txHash}`,
    );
    expect(text).toContain("21 Nov 2026, 14:05 UTC");
  });

  test("when too much has arrived it says how much, and whom to talk to", () => {
    const { page, text } = shown(states.excess);
    expect(text).toContain("Overpaid 1,520.00 USDC");
    expect(text).toContain("you overpaid by 20.00 USDC");
    expect(page.querySelector("a[href='#contact']")).not.toBeNull();
  });

  test("without an explorer the transaction's hash is text", () => {
    const { page } = shown({ ...states.paid, explorer: null });
    expect(page.querySelector(".transfers a")).toBeNull();
    expect(page.querySelector(".transfers code")?.getAttribute("title")).toStartWith("0x9f86");
  });

  test("warns on a test network, and only there", () => {
    expect(shown(payment({ chainId: 84532, networkLabel: "Base Sepolia" })).text).toContain("Test network.");
    expect(shown(states.awaiting).text).not.toContain("Test network.");
  });

  test("an amount is grouped where it is read, and bare where it is typed or pasted into an exchange", () => {
    for (const [code, grouped] of [
      ["en", "1,234,567.80"],
      ["de", "1.234.567,80"],
      ["fr", "1\u202f234\u202f567,80"],
      ["ar", "1,234,567.80"],
    ] as const) {
      const { page } = shown(payment({ remaining: "1234567.80", locale: speak(code) }));
      expect(page.querySelector(".figure bdi.amount")?.textContent).toBe(grouped);
      expect(page.querySelector("#copy-amount")?.getAttribute("data-copy")).toBe("1234567.80");
      for (const place of [".steps li:last-child bdi", ".particular bdi"])
        expect(page.querySelector(place)?.textContent).toBe("1234567.80");
      expect(page.querySelector("#open-wallet")?.getAttribute("href")).toEndWith("uint256=1234567800000");
    }
  });

  test("a receipt on a test network says so in the customer's language", () => {
    const onTest = { ...states.paid, chainId: 84532, networkLabel: "Base Sepolia" };
    expect(shown(onTest).text).toContain("Transaction (Base Sepolia, test network)");
    expect(shown({ ...onTest, locale: speak("ja") }).text).toContain(
      "トランザクション（Base Sepolia、テストネットワーク）",
    );
    expect(shown(states.paid).text).toContain("Transaction (Base)");
  });

  test("the same props make the same markup, so that nothing is replaced for nothing", () => {
    expect(paymentSection(payment())).toBe(paymentSection(payment()));
  });
});

describe("what nobody owes any more", () => {
  const closed = [states.void, states.voidButPaid, states.marked, states.markedButPaid];

  test("asks for nothing: no address, no code, no wallet, no due date, no alarm", () => {
    for (const state of closed) {
      const { page, instructions, text } = shown({ ...state, delayed: true });
      expect(instructions).toBeNull();
      expect(page.querySelector(".qr, .address, [data-copy], #open-wallet")).toBeNull();
      expect(paymentSection(state)).not.toContain(depositAddress);
      expect(text).not.toMatch(/Due|Overdue|longer than usual/);
    }
  });

  test("says that it is void, and why, in the lines of the merchant", () => {
    const { page, text } = shown(states.void);
    expect(text).toContain("This invoice is void Nothing is owed any more. Please do not pay.");
    expect(page.querySelector(".why .prose")?.textContent).toBe("Billed twice.\nPlease see INV-0041.");
    const harm = shown({ ...states.void, voidReason: "<img src=x onerror=alert(1)>" });
    expect(harm.page.querySelector(".why img")).toBeNull();
  });

  test("says that it was recorded as paid, without a transaction and without an amount", () => {
    const { page, text } = shown(states.marked);
    expect(text).toContain("Paid The merchant has recorded this invoice as paid.");
    expect(page.querySelector("[data-part=transfers]")).toBeNull();
    expect(text).not.toContain("USDC");
  });

  test("names money that came all the same, and whom to ask", () => {
    for (const state of [states.voidButPaid, states.markedButPaid]) {
      const { page, text } = shown(state);
      expect(text).toContain("Money was sent here all the same.");
      expect(page.querySelector(".notice a")?.getAttribute("href")).toBe("#contact");
      expect(page.querySelector("[data-part=transfers]")).not.toBeNull();
    }
    for (const state of [states.void, states.marked]) expect(shown(state).text).not.toContain("all the same");
  });

  test("tells a screen reader, and the tab", () => {
    const says = (state: PaymentProps) => {
      const section = shown(state).page.querySelector("[data-payment]");
      return [section?.getAttribute("data-label"), section?.getAttribute("data-sentence")];
    };
    expect(says(states.void)).toEqual(["Void", "Nothing is owed any more. Please do not pay."]);
    expect(says(states.voidButPaid)[1]).toStartWith("Money was sent here all the same.");
    expect(says(states.marked)[0]).toBe("Paid");
    const [ofInvoice, ofLink] = [states.void, linkStates.void].map((state) =>
      says({ ...state, locale: speak("fr") }),
    );
    expect([ofInvoice?.[0], ofLink?.[0]]).toEqual(["Annulée", "Annulé"]);
  });
});
