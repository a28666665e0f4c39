/** HTML for shops to copy into their own pages. `baseUrl` has no trailing slash. */

import { Html } from "@elysiajs/html";
import { checkoutUrl } from "../domain/link/link.ts";

/**
 * Returns a frame for the checkout page: in the recommended size (SPEC sections 4.9 and 8), no wider than a phone, and
 * with the clipboard access that its copy buttons need.
 */
export function iframeSnippet(baseUrl: string, slug: string): string {
  const src = Html.escapeHtml(checkoutUrl(baseUrl, encodeURIComponent(slug)));
  const size = `width="400" height="600" frameborder="0" style="max-width:100%;border:0"`;
  return `<iframe src="${src}" ${size} allow="clipboard-write" title="Pay with USDC"></iframe>`;
}

/** Returns the script tag that is replaced by a checkout as tall as its content (SPEC section 4.9). */
export function widgetSnippet(baseUrl: string, slug: string): string {
  return `<script src="${Html.escapeHtml(`${baseUrl}/w.js`)}" data-slug="${Html.escapeHtml(slug)}"></script>`;
}

/** The same for readers who may block scripts: with a link to the payment page, which the script removes. */
export function checkoutSnippet(baseUrl: string, slug: string, word: string): string {
  return `${buttonSnippet(baseUrl, slug, word)}\n${widgetSnippet(baseUrl, slug)}`;
}

/** Returns a link to the payment page. */
export function buttonSnippet(baseUrl: string, slug: string, word: string): string {
  const href = Html.escapeHtml(checkoutUrl(baseUrl, encodeURIComponent(slug)));
  return `<a href="${href}">${Html.escapeHtml(word)}</a>`;
}
