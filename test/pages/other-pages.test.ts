import { describe, expect, test } from "bun:test";
import { plainBrand } from "../../src/domain/brand.ts";
import { speak } from "../../src/language/locale.ts";
import { messagePage } from "../../src/pages/message-page.tsx";
import { devMailPage } from "../../src/pay/dev/dev-mail-page.tsx";
import { homePage } from "../../src/pay/dev/home-page.tsx";
import { parse, words } from "./dom.ts";

const shown = { brand: plainBrand, locale: speak("en") };
const dev = { newest: null, mails: 0 };
const attack = `</code></title><script>alert(1)</script>"' onload="alert(1)`;

type Changes = { id: string; receivedAt: number; subject: string; text?: string; html?: string };

function mail({ receivedAt, ...changes }: Changes) {
  return {
    received_at: new Date(receivedAt).toISOString(),
    from: "till@localhost",
    to: "accounts@globex.example",
    text: "Hello",
    html: "",
    attachments: [],
    ...changes,
  };
}

describe("messagePage", () => {
  test("says one thing, and what to do about it", () => {
    const page = parse(messagePage({ ...shown, message: "tooManyRequests", seconds: 7 }).html);
    expect(page.title).toBe("Too many requests");
    expect(page.querySelector("h1")?.textContent).toBe("Too many requests");
    expect(page.querySelector(".message p")?.textContent).toBe("Please try again in 7 s.");
    expect(page.querySelectorAll("script")).toHaveLength(0);
  });

  test("says that something went wrong and nothing was saved", () => {
    const page = parse(messagePage({ ...shown, message: "notSaved" }).html);
    expect(page.title).toBe("Something went wrong");
    expect(page.querySelector(".message p")?.textContent).toStartWith("Nothing was saved: ");
  });

  test("in the place of a checkout tells the page around it about itself", () => {
    const frame = { slug: attack, parentOrigin: attack, embedded: true };
    const page = parse(messagePage({ ...shown, message: "linkNotFound", frame }).html);
    expect(page.querySelector("h1")?.textContent).toBe("Payment link not found");
    expect(page.querySelector("#message")?.getAttribute("data-slug")).toBe(attack);
    expect(page.querySelector("#message")?.getAttribute("data-parent-origin")).toBe(attack);
    expect(page.querySelectorAll("script")).toHaveLength(1);
    expect(page.querySelectorAll("[onload]")).toHaveLength(0);
  });
});

describe("homePage", () => {
  test("gives a developer a command whose body is a complete invoice", () => {
    const page = parse(homePage({ ...shown, dev, baseUrl: "http://127.0.0.1:3000" }).html);
    const command = page.querySelector("pre")?.textContent ?? "";
    expect(command).toStartWith("curl 'http://127.0.0.1:3000/api/invoices'");
    expect(page.querySelector("#copy-command")?.getAttribute("data-copy")).toBe(command);
    const body = JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? "");
    expect(Object.keys(body)).toContainAllValues([
      "merchant_email",
      "merchant_name",
      "merchant_address",
      "customer_email",
      "customer_name",
      "line_items",
      "due_date",
      "wallet_type",
    ]);
    expect(page.querySelector("a[href='/dev/mail']")).not.toBeNull();
  });

  test("gives a developer a command whose body is a complete payment link", () => {
    const page = parse(homePage({ ...shown, dev, baseUrl: "http://127.0.0.1:3000" }).html);
    const command = page.querySelectorAll("pre")[1]?.textContent ?? "";
    expect(command).toStartWith("curl 'http://127.0.0.1:3000/api/links'");
    expect(page.querySelector("#copy-link-command")?.getAttribute("data-copy")).toBe(command);
    expect(JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? "")).toEqual({
      business_name: "Acme Coffee",
      product_description: "Ethiopia Guji, 500 g",
      expected_amount: "25.00",
      merchant_email: "billing@acme.example",
      wallet_type: "managed",
    });
  });

  test("in production it gives away nothing but that it runs, and where its people sign in", () => {
    const html = homePage({ ...shown, dev: null, baseUrl: "https://till.example" }).html;
    expect(words(parse(html))).toContain("Till is running");
    expect(parse(html).querySelector("main a")?.getAttribute("href")).toBe("/desk");
    expect(html).not.toContain("till.example");
    expect(html).not.toContain("/dev/mail");
  });

  test("a hostile base URL stays text, and inside of the shell's quotes", () => {
    const page = parse(homePage({ ...shown, dev, baseUrl: attack }).html);
    expect(page.querySelectorAll("script")).toHaveLength(1);
    expect(page.querySelector("pre")?.textContent).not.toContain(`"' onload`);
  });
});

describe("devMailPage", () => {
  test("explains what will appear while there is nothing", () => {
    const text = words(parse(devMailPage({ mails: [] }).html));
    expect(text).toContain("No mail has been sent");
    expect(text).toContain("appears here");
  });

  test("lists the mails in their order", () => {
    const mails = [
      mail({ id: "2", receivedAt: 2_000, subject: "New" }),
      mail({ id: "1", receivedAt: 1_000, subject: "Old" }),
    ];
    const titles = [...parse(devMailPage({ mails }).html).querySelectorAll("h2")].map(
      (title) => title.textContent,
    );
    expect(titles).toEqual(["New", "Old"]);
  });

  test("keeps a mail's HTML in a frame without scripts and without this origin", () => {
    const html = `<p title="a &quot;b&quot; &amp; c">&lt;b&gt; ${attack}</p>`;
    const page = parse(
      devMailPage({ mails: [mail({ id: "1", receivedAt: 1, subject: attack, html })] }).html,
    );
    const frame = page.querySelector("iframe");
    expect(frame?.getAttribute("sandbox")).not.toMatch(/allow-(scripts|same-origin|forms|top)/);
    expect(frame?.getAttribute("srcdoc")).toBe(`<base target="_blank">${html}`);
    expect(page.querySelectorAll("script, [onload]")).toHaveLength(0);
    expect(page.querySelector("h2")?.textContent.trim()).toBe(attack);
  });

  test("shows a mail's text as text", () => {
    const mails = [mail({ id: "1", receivedAt: 1, subject: "Hi", text: attack })];
    expect(parse(devMailPage({ mails }).html).querySelector("pre")?.textContent).toBe(attack);
  });
});
