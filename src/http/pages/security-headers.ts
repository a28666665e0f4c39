/** What a page of ours never needs. Copying stays allowed. */
const permissions =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), " +
  "midi=(), payment=(), usb=()";

/** One year. Only of this host: what else is below it is not ours to decide. */
const transportSecurity = "max-age=31536000";

/** Every answer has these; one that says something else itself keeps it. */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": permissions,
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    // Not same-origin: wallets that open a window of their own could not answer.
    "cross-origin-opener-policy": "same-origin-allow-popups",
    ...(baseUrl.startsWith("https:") ? { "strict-transport-security": transportSecurity } : {}),
  };
}

/** Marks an answer that was made with all headers. A WeakSet of them would cost more than the rest of the answer. */
const isComplete = Symbol("complete");
type Marked = Response & { [isComplete]?: true };

/** Headers for `complete`: those that every answer has, and more. */
export function completeHeaders(baseUrl: string, more: Record<string, string>): Headers {
  return new Headers({ ...securityHeaders(baseUrl), ...more });
}

/** An answer with headers that were made once: adding them one by one costs more than all the rest of it. */
export function complete(body: string | Blob, headers: Headers): Response {
  const response: Marked = new Response(body, { headers });
  response[isComplete] = true;
  return response;
}

/** Makes the JSON answers of calls that are polled. */
export function polledJson(baseUrl: string, more: Record<string, string> = {}): (body: object) => Response {
  const headers = completeHeaders(baseUrl, { "content-type": "application/json", ...more });
  return (body) => complete(JSON.stringify(body), headers);
}

/** For what other websites may read: nothing private is in it, and no cookie or key is sent along. */
export const readableFromAnywhere = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** Adds what an answer does not have yet. One that was made with all of them is let through as it is. */
export function harden(response: Marked, missing: readonly (readonly [string, string])[]): Response {
  if (response[isComplete]) return response;
  const { headers } = response;
  for (const [name, value] of missing) if (!headers.has(name)) headers.set(name, value);
  return response;
}
