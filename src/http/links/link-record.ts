import type { Static } from "@sinclair/typebox";
import type { Link } from "../../domain/link.ts";
import { checkoutUrl } from "../../domain/link.ts";
import * as Usdc from "../../domain/usdc.ts";
import { iframeSnippet, widgetSnippet } from "../../pages/tools/snippets.ts";
import type { PaymentStatus } from "../../store/tables/invoicing/link.ts";
import type * as Answer from "../fields/answer-schemas.ts";

/** The answer to a creation, SPEC section 4.8, without the secret of its webhook. */
export function createdLink(baseUrl: string, link: Link): Static<typeof Answer.CreatedLink> {
  return {
    slug: link.slug,
    payment_link: checkoutUrl(baseUrl, link.slug),
    iframe_snippet: iframeSnippet(baseUrl, link.slug),
    js_widget_snippet: widgetSnippet(baseUrl, link.slug),
    deposit_address: link.deposit.address,
    expected_amount: Usdc.format(link.deposit.expected),
    status: link.status,
  };
}

/** SPEC section 2.4. */
export function paymentStatusRecord({
  status,
  received,
  expected,
}: PaymentStatus): Static<typeof Answer.PaymentStatus> {
  return { status, received_amount: Usdc.format(received), expected_amount: Usdc.format(expected) };
}
