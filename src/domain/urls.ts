/** Where people find what Till has. `baseUrl` and `explorer` are without a trailing slash. */

export const invoiceUrl = (baseUrl: string, slug: string) => `${baseUrl}/i/${slug}`;

export const pdfUrl = (baseUrl: string, invoiceId: string) => `${baseUrl}/api/invoices/${invoiceId}/pdf`;

export const checkoutUrl = (baseUrl: string, slug: string) => `${baseUrl}/pay/${slug}`;

/** Null when there is no explorer. */
export const transactionUrl = (explorer: string | null, txHash: string) =>
  explorer === null ? null : `${explorer}/tx/${txHash}`;
