/** A PDF to show in the browser. The name to save it under must be safe in a header. */
export function pdfAnswer(pdf: Uint8Array, fileName: string): Response {
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="${fileName}"`,
  };
  return new Response(pdf, { headers });
}
