import messageStyles from "../../../assets/styles/message.css" with { type: "text" };
import paymentStyles from "../../../assets/styles/payment.css" with { type: "text" };
import toolStyles from "../../../assets/styles/tool.css" with { type: "text" };
import { type Brand, hostName } from "../../domain/brand.ts";
import type { Locale } from "../../language/locale.ts";
import { rawHtml } from "../../lib/jsx/jsx-runtime.ts";
import { Logo } from "../../pages/brand-mark.tsx";
import { CodeBlock } from "../../pages/code-block.tsx";
import { layout, type Page } from "../../pages/layout.tsx";
import { scripts } from "../../pages/scripts.ts";
import { type NewestInvoiceProps, newestInvoice } from "./newest-invoice.tsx";

const script = scripts.home;

/** The content specific to `till dev`. */
type DevHome = {
  newest: NewestInvoiceProps | null;
  /** Number of caught mails. */
  mails: number;
};

type HomePageProps = {
  /** Set in `till dev`, where the page shows how to begin. Null in production. */
  dev: DevHome | null;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The operator. */
  brand: Brand;
  locale: Locale;
};

/** The page at `/`: first steps for a developer; in production only the operator. */
export function homePage(props: HomePageProps): Page {
  const { dev, baseUrl, brand, locale } = props;
  const body = dev ? <FirstSteps dev={dev} baseUrl={baseUrl} /> : <Host brand={brand} locale={locale} />;
  return layout({
    title: dev ? "Till" : hostName(brand),
    brand,
    ...(dev ? {} : { locale }),
    styles: dev ? [messageStyles, paymentStyles, toolStyles] : [messageStyles, toolStyles],
    body,
    ...(dev ? { script } : {}),
  });
}

function Host({ brand, locale }: { brand: Brand; locale: Locale }) {
  return (
    <main class="page page-narrow">
      <div class="card message">
        <Logo brand={brand} />
        {brand.name === null ? (
          <h1 lang="en" dir="auto">
            Till is running
          </h1>
        ) : (
          <h1 dir="auto">{brand.name}</h1>
        )}
        <p>{locale.say("openYourLink")}</p>
        <p>
          <a href="/desk" rel="nofollow">
            {locale.say("signIn")}
          </a>
        </p>
      </div>
    </main>
  );
}

/** Uses single quotes for the shell, which the JSON of the examples never contains. */
function postCommand(url: string, body: object): string {
  const json = JSON.stringify(body, null, 2);
  return `curl '${url.replaceAll("'", "%27")}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}

function invoiceCommand(baseUrl: string): string {
  return postCommand(`${baseUrl}/api/invoices`, {
    merchant_email: "billing@acme.example",
    merchant_name: "Acme Studio",
    merchant_address: "1 Main Street, Springfield",
    customer_email: "accounts@globex.example",
    customer_name: "Globex Corporation",
    line_items: [{ description: "Design work", quantity: 1, unit_price: "1500.00" }],
    due_date: "2030-12-31",
    wallet_type: "managed",
  });
}

function linkCommand(baseUrl: string): string {
  return postCommand(`${baseUrl}/api/links`, {
    business_name: "Acme Coffee",
    product_description: "Ethiopia Guji, 500 g",
    expected_amount: "25.00",
    merchant_email: "billing@acme.example",
    wallet_type: "managed",
  });
}

function FirstSteps({ dev, baseUrl }: { dev: DevHome; baseUrl: string }) {
  const newest = rawHtml(newestInvoice(dev.newest));
  return (
    <main class="page page-tool">
      <header class="tool-head">
        <p class="soft">Development</p>
        <h1>Till is running</h1>
        <p class="lead">
          It makes invoices that are paid in USDC on Base, and watches the chain until the money is there.
          Here the chain is a local one, and the money is for testing.
        </p>
        <nav class="tool-links" aria-label="Tools">
          <a href="/desk">
            <strong>Open the desk</strong>
          </a>
          <a href="/docs">API documentation</a>
          <a href="/dev/mail">{`Caught mail (${dev.mails})`}</a>
          <a href="/openapi.json">openapi.json</a>
        </nav>
      </header>
      <p class="connection" id="connection" hidden>
        Till does not answer. This page goes on by itself when it is back.
      </p>
      <div class="card" id="newest" data-url="/dev/newest-invoice">
        {newest}
      </div>
      <section class="card step" aria-labelledby="step-invoice">
        <h2 id="step-invoice">{dev.newest === null ? "Create your first invoice" : "Create an invoice"}</h2>
        <CodeBlock id="copy-command" title="In a terminal" code={invoiceCommand(baseUrl)} />
        <p class="soft">
          The answer has an <code>invoice_url</code>: the page that your customer sees. The mail with it does
          not leave this machine; it is in <a href="/dev/mail">the mail catcher</a>.
        </p>
      </section>
      <section class="card step" aria-labelledby="step-link">
        <h2 id="step-link">Or a payment link</h2>
        <CodeBlock id="copy-link-command" title="In a terminal" code={linkCommand(baseUrl)} />
        <p class="soft">
          The answer has a <code>payment_link</code> to share, and two snippets that put the checkout into a
          page of your own.
        </p>
      </section>
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </main>
  );
}
