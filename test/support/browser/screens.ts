import { type Brand, parse as parseBrand, plainBrand } from "../../../src/domain/brand.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { docsPageAt } from "../../../src/http/docs/docs.ts";
import type { LanguageCode } from "../../../src/language/languages.ts";
import { speak } from "../../../src/language/locale.ts";
import { messagePage } from "../../../src/pages/message-page.tsx";
import { type BeginPageProps, beginPage } from "../../../src/pay/begin-page.tsx";
import { checkoutPage } from "../../../src/pay/checkout-page.tsx";
import { devMailPage } from "../../../src/pay/dev/dev-mail-page.tsx";
import { homePage } from "../../../src/pay/dev/home-page.tsx";
import type { NewestInvoiceProps } from "../../../src/pay/dev/newest-invoice.tsx";
import { invoicePage } from "../../../src/pay/invoice-page.tsx";
import type { PaymentProps } from "../../../src/pay/payment/props.ts";
import { type ReceiptPageProps, receiptPage } from "../../../src/pay/receipt.tsx";
import {
  type InvoiceMessageProps,
  invoiceMessage,
  type PaymentMessageProps,
  paymentMessage,
  type VoidMessageProps,
  voidMessage,
} from "../../mail/sample.ts";
import { beginStates, checkout, linkStates, sold } from "../../pages/link-sample.ts";
import { everyField, invoice, states } from "../../pages/sample.ts";

/** A page or a mail as somebody sees it. */
export type Screen = {
  name: string;
  html: string;
  /** What happens in the page before one looks. */
  before?: string;
  isOnPaper?: boolean;
  /** Only what the window shows. */
  isInView?: boolean;
  /** One in light and one in dark are enough. */
  isBrief?: boolean;
};

const logo =
  "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='32'><rect width='120' height='32' rx='6' fill='#0f766e'/>" +
  "<text x='60' y='22' font-size='17' font-family='sans-serif' fill='#fff' text-anchor='middle'>Acme Pay</text></svg>";

export const brand: Brand = {
  ...parseBrand({ name: "Acme Pay", color: "#0f766e" }).brand,
  logo: `data:image/svg+xml;base64,${btoa(logo)}`,
};

const showConnectionLost = "document.getElementById('connection').hidden = false";
const showExchange = "document.getElementById('way-exchange').click()";
const showWallet = "document.getElementById('way-wallet').click()";
const networked = {
  ...states.awaiting,
  crossing: { networks: states.crossing.crossing.networks, newest: null },
};
/** A wallet, and another network to pay from, with what Till says of it. */
const chooseNetwork = `
  const icon = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  const info = { uuid: "1", name: "Test Wallet", icon, rdns: "example.wallet" };
  const detail = { info, provider: { request: async () => null } };
  const terms = { chain_id: 1, network: "Ethereum", sentence:
    "You send 1,500.400053 USDC on Ethereum. 0.400053 USDC of it is Circle’s fee for bringing the rest to Base. Your wallet may ask twice: to allow the transfer, then for the payment." };
  window.fetch = async () => Response.json(terms);
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  document.getElementById("network").value = "1";
  document.getElementById("network").onchange();
  new Promise((resolve) => setTimeout(resolve, 100));
`;

/** As two wallets in the browser would. */
export const announceWallets = `for (const name of ["MetaMask", "Rabby Wallet"]) {
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ccircle r='150' fill='orange'/%3E%3C/svg%3E";
  const info = { uuid: name, name, icon, rdns: "x" };
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider: { request() {} } } }));
}`;
const foreign = ["de", "ja", "ar"] as const satisfies LanguageCode[];

/** Every page and mail in every state. */
export function screens(): Screen[] {
  return [...invoices(), ...checkouts(), ...others(), ...mails()];
}

/** As much as an invoice can hold. */
export const longInvoice = invoice({
  number: "INV-123456",
  lineItems: Array.from({ length: 30 }, (_, at) => ({
    description: `Work on part ${at + 1} of the plant, as agreed`,
    quantity: "1.5",
    unitPrice: "120.00",
    lineTotal: "180.00",
  })),
  total: "5400.00",
  payment: { ...states.awaiting, total: "5400.00", remaining: "5400.00" },
});

/** Arabic and Hebrew names on a page that is read from the left. */
const otherDirection = invoice({
  merchantName: "شركة النور للتجارة",
  merchantAddress: "شارع الملك فهد 12\nالرياض",
  vendorName: "אלפא בע״מ",
  vendorAddress: "רחוב הרצל 5\nתל אביב",
  notes: "شكرا لكم.",
  lineItems: [
    { description: "تصميم (Logo) 2026", quantity: "1", unitPrice: "1500.00", lineTotal: "1500.00" },
  ],
});

function invoices(): Screen[] {
  const show = (payment: PaymentProps) => invoicePage(invoice({ payment })).html;
  return [
    ...Object.entries(states).map(([name, payment]) => ({ name: `invoice-${name}`, html: show(payment) })),
    ...(["en", "ja", "ar"] as const).map((code) => {
      const locale = speak(code);
      const payment = { ...states.awaiting, locale };
      return {
        name: `invoice-full-${code}`,
        html: invoicePage(invoice({ ...everyField(locale), payment })).html,
      };
    }),
    { name: "invoice-long", html: invoicePage(longInvoice).html },
    {
      name: "invoice-long-scrolled",
      html: invoicePage(longInvoice).html,
      before: "scrollTo(0, 1e6)",
      isInView: true,
    },
    { name: "invoice-other-direction", html: invoicePage(otherDirection).html, isBrief: true },
    { name: "invoice-cut-off", html: show(states.awaiting), before: showConnectionLost },
    { name: "invoice-exchange", html: show(states.awaiting), before: showExchange, isBrief: true },
    { name: "invoice-wallet", html: show(states.awaiting), before: showWallet },
    { name: "invoice-wallets", html: show(states.awaiting), before: announceWallets },
    { name: "invoice-networks", html: show(networked), before: chooseNetwork },
    ...foreign.map((code) => ({
      name: `invoice-wallets-${code}`,
      html: show({ ...states.awaiting, locale: speak(code) }),
      before: announceWallets,
      isBrief: true,
    })),
    { name: "invoice-paid-on-paper", html: show(states.paid), isOnPaper: true, isBrief: true },
    { name: "invoice-void-on-paper", html: show(states.void), isOnPaper: true, isBrief: true },
    { name: "invoice-marked-on-paper", html: show(states.marked), isOnPaper: true, isBrief: true },
    { name: "invoice-excess-on-paper", html: show(states.excess), isOnPaper: true, isBrief: true },
    ...foreign.flatMap((code) =>
      (["awaiting", "signed", "crossing", "seen", "partial", "excess", "voidButPaid", "marked"] as const).map(
        (name) => ({
          name: `invoice-${name}-${code}`,
          html: show({ ...states[name], locale: speak(code) }),
          isBrief: true,
        }),
      ),
    ),
  ];
}

function checkouts(): Screen[] {
  const show = (payment: PaymentProps) => checkoutPage(checkout({ payment })).html;
  return [
    ...Object.entries(linkStates).map(([name, payment]) => ({ name: `link-${name}`, html: show(payment) })),
    ...(["en", "de", "ar"] as const).map((code) => ({
      name: `link-sold-${code}`,
      html: checkoutPage(
        checkout({ payment: { ...linkStates.inEuros, locale: speak(code) }, sold: sold(code) }),
      ).html,
      before: `document.getElementById("sold").open = true`,
      isBrief: code !== "en",
    })),
    {
      name: "link-wallet-code",
      html: show(linkStates.awaiting),
      before: `document.getElementById("way-scan").checked = document.getElementById("wallet-code").open = true`,
      isBrief: true,
    },
    { name: "link-cut-off", html: show(linkStates.awaiting), before: showConnectionLost, isBrief: true },
    { name: "link-exchange", html: show(linkStates.awaiting), before: showExchange, isBrief: true },
    { name: "link-wallet", html: show(linkStates.awaiting), before: showWallet, isBrief: true },
    ...foreign.flatMap((code) =>
      (["awaiting", "inEuros", "unpriced", "partial", "expired", "error", "void", "marked"] as const).map(
        (name) => ({
          name: `link-${name}-${code}`,
          html: show({ ...linkStates[name], locale: speak(code) }),
          isBrief: true,
        }),
      ),
    ),
    ...Object.entries(beginStates()).map(([name, props]) => ({
      name: `begin-${name}`,
      html: beginPage(props).html,
    })),
    ...foreign.flatMap((code) =>
      Object.entries(beginStates(code)).map(([name, props]) => ({
        name: `begin-${name}-${code}`,
        html: beginPage(props).html,
        isBrief: true,
      })),
    ),
    {
      name: "begin-embedded",
      html: beginPage({ ...beginStates()["quantity"], embedded: true } as BeginPageProps).html,
      isBrief: true,
    },
    ...(["awaiting", "paid"] as const).map((name) => ({
      name: `link-of-reusable-${name}`,
      html: checkoutPage(checkout({ payment: linkStates[name], reusable })).html,
    })),
  ];
}

const reusable = { slug: "abc", quantity: 3, href: "/pay/abc#new" };

const devUrl = "http://127.0.0.1:3000";

const devHome = (newest: NewestInvoiceProps | null) => ({ dev: { newest, mails: 2 }, baseUrl: devUrl });

export function newestSample(state: "draft" | keyof typeof states): NewestInvoiceProps {
  const invoiceUrl = `${devUrl}/i/k7w2m9qd3xv5tb8h`;
  return {
    number: "INV-0042",
    customerName: "Globex Corporation",
    isDraft: state === "draft",
    invoiceUrl,
    pdfUrl: `${devUrl}/api/invoices/3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41/pdf`,
    payCommand: `npx -y bun@1.4.5 till pay ${invoiceUrl}`,
    payment: states[state === "draft" ? "awaiting" : state],
  };
}

function others(): Screen[] {
  const notFound = (code: LanguageCode) =>
    ({ message: "invoiceNotFound", brand: plainBrand, locale: speak(code) }) as const;
  const frame = { slug: "abc", parentOrigin: null, embedded: false };
  const home = {
    dev: null,
    baseUrl: "https://pay.acme.example",
    brand: plainBrand,
    locale: speak("en"),
  };
  return [
    { name: "home", html: homePage(home).html },
    { name: "home-dev", html: homePage({ ...home, ...devHome(null) }).html },
    ...(["draft", "awaiting", "seen", "partial", "paid"] as const).map((name) => ({
      name: `home-dev-${name}`,
      html: homePage({ ...home, ...devHome(newestSample(name)) }).html,
      isBrief: name !== "awaiting",
    })),
    { name: "not-found", html: messagePage(notFound("en")).html },
    { name: "not-found-ar", html: messagePage(notFound("ar")).html, isBrief: true },
    {
      name: "link-closed",
      html: messagePage({ ...notFound("en"), message: "linkClosed", frame }).html,
      isBrief: true,
    },
    {
      name: "link-not-found",
      html: messagePage({ ...notFound("de"), frame }).html,
      isBrief: true,
    },
    {
      name: "home-brand",
      html: homePage({ ...home, brand }).html,
    },
    { name: "not-found-brand", html: messagePage({ ...notFound("en"), brand }).html, isBrief: true },
    { name: "invoice-own-logo", html: invoicePage(invoice({ brand: { ...brand, name: null } })).html },
    { name: "invoice-brand", html: invoicePage(invoice({ brand })).html },
    {
      name: "invoice-brand-excess",
      html: invoicePage(invoice({ brand, payment: states.excess })).html,
      isBrief: true,
    },
    {
      name: "link-own-logo",
      html: checkoutPage(checkout({ brand: { ...brand, name: null } })).html,
      isBrief: true,
    },
    {
      name: "link-brand",
      html: checkoutPage(checkout({ brand, payment: linkStates.partial })).html,
      isBrief: true,
    },
    { name: "receipt-form", html: receiptForm({ refused: "anna" }) },
    {
      name: "receipt-form-ar",
      html: receiptForm({ locale: speak("ar"), maskedEmail: "j•••@initech.example" }),
    },
    {
      name: "receipt-sent",
      html: receiptForm({ maskedEmail: "j•••@initech.example", isSent: true }),
      isBrief: true,
    },
    { name: "docs", html: docsPageAt("http://127.0.0.1:3000").html },
    {
      name: "dev-mail",
      html: devMailPage({ mails: [caught(mail()), caught(mail({ overdue: true }))] }).html,
    },
  ];
}

function receiptForm(changes: Partial<ReceiptPageProps> = {}): string {
  return receiptPage({
    slug: "abc",
    parentOrigin: null,
    embedded: false,
    action: "/pay/abc/receipt",
    checkout: "/pay/abc",
    businessName: "Acme Coffee",
    maskedEmail: null,
    isSent: false,
    refused: null,
    brand: plainBrand,
    locale: speak("en"),
    ...changes,
  }).html;
}

function mail(changes: Partial<InvoiceMessageProps> = {}) {
  return invoiceMessage({
    purpose: "invoice",
    merchantName: "Acme Studio",
    merchantEmail: "billing@acme.example",
    vendorName: "Globex Corporation",
    invoiceNumber: "INV-0042",
    reference: "PO-4711",
    total: "1500.00",
    bill: null,
    dueDate: "2026-11-30",
    overdue: false,
    invoiceUrl: "https://pay.acme.example/i/k7w2m9qd3xv5tb8h",
    pdfUrl: "https://pay.acme.example/api/invoices/3f2b8a4e/pdf",
    notes: "Thank you.\nOrder 4711.",
    payment: null,
    network: networks.base,
    hasPdf: false,
    brand: plainBrand,
    language: "en",
    ...changes,
  });
}

function caught({ subject, text, html }: ReturnType<typeof mail>) {
  return {
    id: "1",
    received_at: new Date(1_795_000_000_000).toISOString(),
    from: "till@localhost",
    to: "ap@globex.example",
    subject,
    text,
    html,
    attachments: [
      {
        name: "INV-0042.pdf",
        media_type: "application/pdf",
        size_bytes: 23_400,
        url: "/dev/mail/1/attachments/0",
      },
    ],
  };
}

const aPayment = {
  amount: "1500.00",
  madeAt: 1_795_000_000_000,
  txHash: `0x${"9f86d081884c7d65".repeat(4)}`,
  url: `https://basescan.org/tx/0x${"9f86d081884c7d65".repeat(4)}`,
};

function paidMail(changes: Partial<PaymentMessageProps> = {}) {
  return paymentMessage({
    otherPayments: 0,
    kind: "receipt",
    occasion: "paid",
    about: {
      kind: "invoice",
      number: "INV-0042",
      vendorName: "Globex Corporation",
      vendorEmail: "ap@globex.example",
    },
    hasPdf: true,
    merchantName: "Acme Studio",
    merchantEmail: "billing@acme.example",
    reference: "PO-4711",
    total: "1500.00",
    received: "1500.00",
    remaining: "0.00",
    excess: null,
    payments: [aPayment],
    network: networks.base,
    url: "https://pay.acme.example/i/k7w2m9qd3xv5tb8h",
    brand: plainBrand,
    language: "en",
    ...changes,
  });
}

function voidMail(language: LanguageCode, changes: Partial<VoidMessageProps> = {}) {
  return voidMessage({
    merchantName: "Acme Studio",
    merchantEmail: "billing@acme.example",
    vendorName: "Globex Corporation",
    invoiceNumber: "INV-0042",
    total: "1500.00",
    reference: "PO-4711",
    reason: "Billed twice.\nPlease see INV-0041.",
    invoiceUrl: "https://pay.acme.example/i/k7w2m9qd3xv5tb8h",
    hasPdf: false,
    brand: plainBrand,
    language,
    ...changes,
  });
}

const creditMail = (language: LanguageCode) =>
  voidMail(language, {
    total: "191.71",
    currency: "EUR",
    credit: { number: "CN-0007", due: null, toReturn: "222.74" },
    hasPdf: true,
  });

function mails(): Screen[] {
  const excess = { received: "1520.00", excess: "20.00" };
  const partly = { received: "500.00", remaining: "1000.00" };
  const part = { purpose: "part", payment: partly, notes: null } as const;
  const reminder = {
    purpose: "reminder",
    overdue: true,
    payment: partly,
    hasPdf: true,
    notes: null,
  } as const;
  const half = {
    ...partly,
    kind: "notice",
    hasPdf: false,
    payments: [{ ...aPayment, amount: "500.00" }],
  } as const;
  const link = {
    url: "https://pay.acme.example/pay/k7w2m9qd3xv5tb8h",
    about: {
      kind: "link",
      slug: "k7w2m9qd3xv5tb8h",
      productDescription: "Blue T-shirt, size M",
      payerEmail: "jo@initech.example",
    },
  } as const;
  return [
    { name: "mail-reminder", html: mail({ purpose: "reminder", hasPdf: true, notes: null }).html },
    { name: "mail-part", html: mail(part).html },
    { name: "mail-notice-partial", html: paidMail({ ...half, occasion: "partial" }).html },
    { name: "mail-notice-reversed", html: paidMail({ ...half, occasion: "reversed" }).html },
    { name: "mail-notice-unexpected", html: paidMail({ ...half, occasion: "unexpected" }).html },
    {
      name: "mail-notice-late-excess",
      html: paidMail({ ...excess, kind: "notice", occasion: "excess", hasPdf: false }).html,
    },
    { name: "mail-link-receipt", html: paidMail(link).html },
    { name: "mail-link-notice", html: paidMail({ ...link, kind: "notice", hasPdf: false }).html },
    ...foreign.flatMap((language) => [
      { name: `mail-reminder-${language}`, html: mail({ ...reminder, language }).html, isBrief: true },
      { name: `mail-part-${language}`, html: mail({ ...part, language }).html, isBrief: true },
      {
        name: `mail-notice-unexpected-${language}`,
        html: paidMail({ ...half, occasion: "unexpected", language }).html,
        isBrief: true,
      },
      {
        name: `mail-notice-reversed-${language}`,
        html: paidMail({ ...half, occasion: "reversed", language }).html,
        isBrief: true,
      },
      { name: `mail-link-receipt-${language}`, html: paidMail({ ...link, language }).html, isBrief: true },
    ]),
    { name: "mail-invoice", html: mail().html },
    { name: "mail-overdue-partly-paid", html: mail({ overdue: true, payment: partly }).html, isBrief: true },
    { name: "mail-brand", html: mail({ hasPdf: true, brand }).html, isBrief: true },
    ...foreign.flatMap((language) => [
      { name: `mail-invoice-${language}`, html: mail({ hasPdf: true, language }).html, isBrief: true },
      {
        name: `mail-receipt-${language}`,
        html: paidMail({ ...excess, language }).html,
        isBrief: true,
      },
      {
        name: `mail-void-${language}`,
        html: voidMail(language, { creditNote: "CN-0007", hasPdf: true }).html,
        isBrief: true,
      },
      { name: `mail-credit-${language}`, html: creditMail(language).html, isBrief: true },
    ]),
    { name: "mail-void", html: voidMail("en").html },
    { name: "mail-credit", html: creditMail("en").html },
    { name: "mail-receipt", html: paidMail().html },
    {
      name: "mail-notice-excess",
      html: paidMail({ ...excess, kind: "notice", hasPdf: false, brand }).html,
      isBrief: true,
    },
  ];
}
