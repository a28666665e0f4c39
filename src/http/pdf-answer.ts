/** A PDF that a browser shows, and saves under this name. */
export function pdfAnswer(pdf: Uint8Array, name: string): Response {
  // What a header can hold.
  const file = name.replace(/[^\w.-]/g, "-");
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": `inline; filename="${file}.pdf"`,
  };
  return new Response(pdf, { headers });
}
