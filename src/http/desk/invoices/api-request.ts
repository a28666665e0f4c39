/** A request as a program would send it, for the desk's own calls of the API. */
export function apiRequest(path: string, key: string | null = null): Request {
  return new Request(`http://till.invalid${path}`, {
    method: "POST",
    headers: key === null ? {} : { "idempotency-key": key },
  });
}
