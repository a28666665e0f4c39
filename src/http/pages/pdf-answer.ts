/** A PDF that a browser shows, and saves under this name, which is safe in a header. */
export function pdfAnswer(pdf: Uint8Array, fileName: string): Response {
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="${fileName}"`,
  };
  return new Response(pdf, { headers });
}
