import receiptStyles from "../../../assets/styles/receipt.css" with { type: "text" };
import refundStyles from "../../../assets/styles/refund.css" with { type: "text" };
import type { Brand } from "../../domain/brand.ts";
import { htmlPage } from "../../http/answer/html.ts";
import type { Locale } from "../../language/locale.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { cardPage } from "../../pages/message-page.tsx";

type FormCard = { title: string; locale: Locale; brand: Brand; children: Child; status?: number };

/** Answers with one card that may have a form, which needs no script. Nothing keeps it: it says what holds right now. */
export function formCard({ title, locale, brand, children, status = 200 }: FormCard): Response {
  const page = cardPage({
    title,
    locale,
    brand,
    frame: undefined,
    className: " receipt refund",
    styles: [receiptStyles, refundStyles],
    children,
  });
  return htmlPage(page, { status, formAction: "'self'", headers: { "cache-control": "no-store" } });
}
