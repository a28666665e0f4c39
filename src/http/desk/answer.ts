/** Of a page of the desk. Nothing in it comes from elsewhere, and nobody shows it in a frame. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  // Its forms say by their Origin where they come from; other sites learn nothing.
  "referrer-policy": "same-origin",
  // Who sits there after signing out finds nothing.
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    // The page that a payer sees, beside the form that makes it.
    "frame-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

/** A page of the desk that was just made. */
export function answer(html: string, status = 200): Response {
  return new Response(html, { status, headers: pageHeaders });
}

/** Has the browser ask for a page after a form: loading that again sends nothing twice. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status: 303, headers: { location, ...headers } });
}
