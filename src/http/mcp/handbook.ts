import agents from "../../../docs/agents.md" with { type: "text" };
import api from "../../../docs/api.md" with { type: "text" };
import bookkeeping from "../../../docs/bookkeeping.md" with { type: "text" };
import checkout from "../../../docs/checkout.md" with { type: "text" };
import eInvoice from "../../../docs/e-invoice.md" with { type: "text" };
import integrate from "../../../docs/integrate.md" with { type: "text" };
import latePayments from "../../../docs/late-payments.md" with { type: "text" };
import money from "../../../docs/money.md" with { type: "text" };
import signature from "../../../docs/pay-by-signature.md" with { type: "text" };
import index from "../../../docs/README.md" with { type: "text" };
import receipts from "../../../docs/receipts.md" with { type: "text" };
import recurring from "../../../docs/recurring.md" with { type: "text" };
import tax from "../../../docs/tax.md" with { type: "text" };
import webhooks from "../../../docs/webhooks.md" with { type: "text" };
import x402 from "../../../docs/x402.md" with { type: "text" };

/** The handbook's pages for people who write programs or help merchants, by file name. */
const pages = new Map(
  Object.entries({
    "README.md": index,
    "agents.md": agents,
    "api.md": api,
    "bookkeeping.md": bookkeeping,
    "checkout.md": checkout,
    "e-invoice.md": eInvoice,
    "integrate.md": integrate,
    "late-payments.md": latePayments,
    "money.md": money,
    "pay-by-signature.md": signature,
    "receipts.md": receipts,
    "recurring.md": recurring,
    "tax.md": tax,
    "webhooks.md": webhooks,
    "x402.md": x402,
  }),
);

const mimeType = "text/markdown";
const place = "till://docs/";

/** The pages as resources; the relative links between them work. */
export const handbook = [...pages].map(([name, text]) => ({
  name,
  title: /^# (.+)$/m.exec(text)?.[1] ?? name,
  uri: `${place}${name}`,
  mimeType,
  size: Buffer.byteLength(text),
}));

/** Returns a page by its address; null for any other. */
export const pageAt = (uri: string) => {
  const text = uri.startsWith(place) ? pages.get(uri.slice(place.length)) : undefined;
  return text === undefined ? null : { contents: [{ uri, mimeType, text }] };
};
