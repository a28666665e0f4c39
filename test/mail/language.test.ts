import { describe, expect, test } from "bun:test";
import { plainBrand } from "../../src/domain/brand.ts";
import { type Network, networks } from "../../src/domain/wallet/network.ts";
import { type LanguageCode, languageCodes } from "../../src/language/languages.ts";
import { speak } from "../../src/language/locale.ts";
import { invoiceMessage, paymentMessage, voidMessage } from "./sample.ts";

/** Every mail there is, in every state. */
function mailsIn(language: LanguageCode, network: Network = networks.base) {
  const shared = {
    merchantName: "Acme Ltd",
    merchantEmail: "billing@acme.example",
    reference: "PO-4711",
    total: "1500.00",
    bill: null,
    network,
    brand: plainBrand,
    language,
  };
  const url = "https://pay.acme.example/i/k7w2m9qd3xv5tb8h";
  const invoice = {
    ...shared,
    purpose: "invoice" as const,
    vendorName: "Globex Corporation",
    invoiceNumber: "INV-0001",
    invoiceUrl: url,
    dueDate: "2026-12-01",
    overdue: false,
    pdfUrl: `${url}/pdf`,
    notes: "Thanks",
    hasPdf: false,
    payment: null,
  };
  const part = { received: "500.00", remaining: "1000.00" };
  const paid = {
    ...shared,
    kind: "notice" as const,
    occasion: "paid" as const,
    about: {
      kind: "invoice" as const,
      number: "INV-0001",
      vendorName: "Globex Corporation",
      vendorEmail: "ap@globex.example",
    },
    url,
    received: "1520.00",
    remaining: "0.00",
    excess: "20.00",
    payments: [{ amount: "1520.00", madeAt: Date.UTC(2026, 10, 21, 14, 5), txHash: "0xabc", url: null }],
    otherPayments: 0,
  };
  const link = {
    kind: "link" as const,
    slug: "k7w2m9qd3xv5tb8h",
    productDescription: null,
    payerEmail: null,
  };
  const half = { received: "500.00", remaining: "1000.00", excess: null };
  return [
    invoiceMessage(invoice),
    invoiceMessage({ ...invoice, overdue: true, hasPdf: true, payment: part }),
    invoiceMessage({ ...invoice, payment: { received: "1500.00", remaining: null } }),
    paymentMessage({ ...paid, kind: "receipt" }),
    paymentMessage(paid),
    invoiceMessage({ ...invoice, purpose: "reminder", hasPdf: true }),
    invoiceMessage({ ...invoice, purpose: "reminder", overdue: true, payment: part }),
    invoiceMessage({ ...invoice, purpose: "part", payment: part }),
    paymentMessage({ ...paid, ...half, occasion: "partial" }),
    paymentMessage({ ...paid, occasion: "excess" }),
    paymentMessage({ ...paid, ...half, occasion: "unexpected" }),
    paymentMessage({ ...paid, ...half, occasion: "reversed" }),
    paymentMessage({ ...paid, about: link, kind: "receipt" }),
    paymentMessage({ ...paid, about: link, received: "1500.00", excess: null }),
    paymentMessage({
      ...paid,
      ...half,
      about: { ...link, payerEmail: "jo@initech.example" },
      occasion: "partial",
    }),
    voidMessage({ ...invoice, reason: "9" }),
  ];
}

describe.each(languageCodes)("mails in %s", (code) => {
  const { texts, say, labelled } = speak(code);

  test("name the customer's reference, in both versions", () => {
    const html = new RegExp(`${say("reference")}.*<bdi>PO-4711</bdi>`, "s");
    for (const mail of mailsIn(code)) {
      expect(mail.text).toContain(labelled(say("reference"), "PO-4711"));
      expect(mail.html).toMatch(html);
    }
  });

  test("have no English left, and no name that was not filled in", () => {
    const sentences = Object.values(speak("en").texts).filter((text) => /^[\w ,.]{12,}$/.test(text));
    expect(sentences.length).toBeGreaterThan(5);
    for (const { subject, text, html } of mailsIn(code)) {
      for (const version of [
        subject,
        text,
        html.replace(/<style>.*?<\/style>/s, "").replace(/style="[^"]*"/g, ""),
      ]) {
        expect(version).not.toMatch(/\{\w+\}|undefined/);
        if (code !== "en") for (const sentence of sentences) expect(version).not.toContain(sentence);
      }
    }
  });

  test("have no space between sentences whose full stop is as wide as a letter", () => {
    for (const { text, html } of mailsIn(code))
      for (const version of [text, html]) expect(version).not.toMatch(/。(<[^>]*>)* +\S/);
  });

  test("put texts together with the marks of the language", () => {
    const foreign = {
      ja: /[\p{L}）] ?[:(,]|USDC ?[(,]/u,
      zh: /[\p{L}）] ?[:(,]|USDC ?[(,]/u,
      fr: /[^\u00a0\d]:(\s|$)/m,
      ar: /[\p{sc=Arab}C\d],(?=\s)/u,
    };
    const other = /[：（，、،]/;
    for (const { subject, text } of mailsIn(code)) {
      const own = text.replaceAll(/https?:\S+/g, "");
      for (const version of [subject, own])
        expect(version).not.toMatch(code in foreign ? foreign[code as keyof typeof foreign] : other);
    }
  });

  test("name the network, and say on a test network that its USDC is no money", () => {
    const [open, overdue, , receipt, notice] = mailsIn(code, networks["base-sepolia"]);
    for (const mail of [open, overdue])
      for (const version of [mail?.text, mail?.html]) {
        expect(version).toContain(say("onlyOn", { network: "Base Sepolia" }));
        expect(version).toContain(say("testNetwork"));
      }
    for (const mail of [receipt, notice])
      for (const version of [mail?.text, mail?.html])
        expect(version).toContain(say("testNetworkName", { network: "Base Sepolia" }));
    for (const { text, html } of mailsIn(code))
      for (const version of [text, html]) {
        expect(version).not.toContain(say("testNetwork"));
        expect(version).not.toContain(say("testNetworkName", { network: "Base" }));
      }
  });

  test("write amounts as the language does", () => {
    const whole = {
      en: "1,500.00",
      de: "1.500,00",
      es: "1.500,00",
      fr: "1\u202f500,00",
      pt: "1.500,00",
    } as const;
    const written = code in whole ? whole[code as keyof typeof whole] : "1,500.00";
    const [{ subject, text, html } = { subject: "", text: "", html: "" }] = mailsIn(code);
    for (const version of [subject, text, html]) {
      expect(version).toContain(`${written} USDC`);
      expect(version).not.toContain("1500.00");
    }
  });

  test("say who bills whom beside the payments, and whose customer an answer reaches", () => {
    const [, , , , notice] = mailsIn(code);
    const parties = [labelled(texts.billedBy, "Acme Ltd"), labelled(texts.billedTo, "Globex Corporation")];
    expect(notice?.text).toContain(parties.join("\n"));
    const [sentBy = ""] = texts.noticeSentBy.replace("{brand}", "Till").split("{replyTo}");
    expect(notice?.text).toContain(`${sentBy}ap@globex.example`);
  });

  test("say the day written out, in the direction of the language", () => {
    const [{ subject, html } = { subject: "", html: "" }] = mailsIn(code);
    expect(subject).not.toContain("2026-12-01");
    expect(subject).toMatch(/2026.*1|1.*2026/);
    expect(html).toContain(`dir="${code === "ar" ? "rtl" : "ltr"}"`);
    // Of the document, and of the table that programs in a browser put into their own.
    expect(html.split(`lang="${code}`)).toHaveLength(3);
  });
});
