/** What a shop copies into its own page. `baseUrl` is without a trailing slash. */

import { Html } from "@elysiajs/html";
import { checkoutUrl } from "../domain/link/link.ts";

/**
 * The checkout page in a frame of the recommended size (SPEC sections 4.9 and 8), no wider than a phone, and with the
 * clipboard that its copy buttons need.
 */
export function iframeSnippet(baseUrl: string, slug: string): string {
  const src = Html.escapeHtml(checkoutUrl(baseUrl, encodeURIComponent(slug)));
  const size = `width="400" height="600" frameborder="0" style="max-width:100%;border:0"`;
  return `<iframe src="${src}" ${size} allow="clipboard-write" title="Pay with USDC"></iframe>`;
}

/** The script that puts a checkout, as tall as its content, where its tag stands (SPEC section 4.9). */
export function widgetSnippet(baseUrl: string, slug: string): string {
  return `<script src="${Html.escapeHtml(`${baseUrl}/w.js`)}" data-slug="${Html.escapeHtml(slug)}"></script>`;
}

/** The same for a page whose reader may block scripts: a link to pay by, which the script takes away. */
export function checkoutSnippet(baseUrl: string, slug: string, word: string): string {
  return `${buttonSnippet(baseUrl, slug, word)}\n${widgetSnippet(baseUrl, slug)}`;
}

/** A link that opens the page to pay on. */
export function buttonSnippet(baseUrl: string, slug: string, word: string): string {
  const href = Html.escapeHtml(checkoutUrl(baseUrl, encodeURIComponent(slug)));
  return `<a href="${href}">${Html.escapeHtml(word)}</a>`;
}
