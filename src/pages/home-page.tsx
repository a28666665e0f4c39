import { Html } from "@elysiajs/html";
import toolStyles from "../../assets/styles/tool.css" with { type: "text" };
import { type Brand, hostName } from "../domain/brand.ts";
import { Logo } from "./brand-mark.tsx";
import { bundle } from "./bundle.ts" with { type: "macro" };
import { CopyButton, type CopyWords } from "./copy-button.tsx";
import type { Reader } from "./language/reader.ts";
import { layout, type Page } from "./layout.tsx";

const copyCommand: CopyWords = {
  label: "Copy",
  copied: "Copied",
  notCopied: "Not copied",
  name: "Copy the command",
  sayCopied: "Copied the command",
  sayNotCopied: "The command could not be copied. Please select it and copy it by hand.",
};

const script = bundle("copy-page");

export type HomePageProps = {
  /** Whether this is `till dev`: then the page shows how to begin. */
  isDev: boolean;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Who runs it, and who looks. */
  brand: Brand;
  reader: Reader;
};

/** What is at `/`: first steps for a developer; in production who runs this, and nothing more. */
export function homePage(props: HomePageProps): Page {
  const { isDev, baseUrl, brand, reader } = props;
  const body = isDev ? <FirstSteps baseUrl={baseUrl} /> : <Host brand={brand} reader={reader} />;
  return layout({
    title: isDev ? "Till" : hostName(brand),
    brand,
    ...(isDev ? {} : { language: reader.language }),
    styles: [toolStyles],
    body: String(body),
    ...(isDev ? { script } : {}),
  });
}

function Host({ brand, reader }: { brand: Brand; reader: Reader }) {
  return (
    <main class="page page-narrow">
      <div class="card message">
        <Logo brand={{ ...brand, name: null }} />
        {brand.name === null ? (
          <h1 lang="en" dir="auto">
            Till is running
          </h1>
        ) : (
          <h1 dir="auto" safe>
            {brand.name}
          </h1>
        )}
        <p safe>{reader.say("openYourLink")}</p>
      </div>
    </main>
  );
}

/** In single quotes for the shell, which the JSON of the examples never contains. */
function postCommand(url: string, body: object): string {
  const json = JSON.stringify(body, null, 2);
  return `curl '${url.replaceAll("'", "%27")}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}

function invoiceCommand(baseUrl: string): string {
  return postCommand(`${baseUrl}/api/invoices`, {
    merchant_email: "billing@acme.example",
    merchant_name: "Acme Studio",
    merchant_address: "1 Main Street, Springfield",
    vendor_email: "accounts@globex.example",
    vendor_name: "Globex Corporation",
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

function FirstSteps({ baseUrl }: { baseUrl: string }) {
  const command = invoiceCommand(baseUrl);
  const forLink = linkCommand(baseUrl);
  return (
    <main class="page page-tool">
      <header class="tool-head">
        <p class="soft">Development</p>
        <h1>Till is running</h1>
        <p class="lead">
          It makes invoices that are paid in USDC on Base, and watches the chain until the money is there.
          Here the chain is a local one, and the money is for testing.
        </p>
      </header>
      <ol class="first-steps">
        <li class="card">
          <div class="step-head">
            <h2>Create an invoice</h2>
            <CopyButton id="copy-command" text={command} words={copyCommand} />
          </div>
          <pre>
            <code safe>{command}</code>
          </pre>
          <p class="soft">
            The answer has an <code>invoice_url</code>: that page is what your customer sees.
          </p>
        </li>
        <li class="card">
          <h2>Read the mail</h2>
          <p>
            Mail does not leave this machine. <a href="/dev/mail">The mail catcher</a> shows what your
            customer would have received.
          </p>
        </li>
        <li class="card">
          <h2>Pay it</h2>
          <p>
            <code>till pay</code> pays an invoice with test USDC, in full or in part. Watch its page while you
            do.
          </p>
        </li>
        <li class="card">
          <div class="step-head">
            <h2>Or create a payment link</h2>
            <CopyButton id="copy-link-command" text={forLink} words={copyCommand} />
          </div>
          <pre>
            <code safe>{forLink}</code>
          </pre>
          <p class="soft">
            The answer has a <code>payment_link</code> to share, and two snippets that put the checkout into a
            page of your own.
          </p>
        </li>
      </ol>
      <p class="visually-hidden" id="announcement" role="status" aria-live="polite" />
    </main>
  );
}
