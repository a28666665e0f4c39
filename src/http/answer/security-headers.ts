/** Permissions our pages never need. Copying stays allowed. */
const permissions =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
  "midi=(), payment=(), usb=()";

/** One year, for this host alone: subdomains are not ours to decide about. */
const transportSecurity = "max-age=31536000";

/** Headers of every answer, unless it sets one itself. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": permissions,
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    // Not same-origin: wallets that open their own window could not reply.
    "cross-origin-opener-policy": "same-origin-allow-popups",
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": transportSecurity } : {}),
  };
}

/** Marks an answer that already has every header. A WeakSet would cost more than the rest of the answer. */
const isComplete = Symbol("complete");
type Marked = Response & { [isComplete]?: true };

/** Headers for `complete`: those of every answer, and more. */
export function completeHeaders(baseUrl: string, more: Record<string, string>): Headers {
  return new Headers({ ...securityHeaders(baseUrl), ...more });
}

/** An answer with prepared headers: adding them one by one costs more than everything else. */
export function complete(body: string | Blob, headers: Headers): Response {
  const response: Marked = new Response(body, { headers });
  response[isComplete] = true;
  return response;
}

/** Builds the JSON answers of polled calls. */
export function polledJson(baseUrl: string, more: Record<string, string> = {}): (body: object) => Response {
  const headers = completeHeaders(baseUrl, { "content-type": "application/json", ...more });
  return (body) => complete(JSON.stringify(body), headers);
}

/** For what other websites may read: nothing private, without cookies or keys. */
export const readableFromAnywhere = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** Adds missing headers. Answers built by `complete` pass unchanged. */
export function harden(response: Marked, missing: readonly (readonly [string, string])[]): Response {
  if (response[isComplete]) return response;
  const { headers } = response;
  for (const [name, value] of missing) if (!headers.has(name)) headers.set(name, value);
  return response;
}
