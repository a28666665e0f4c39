/** A request as a program makes it, for a call of the API that the desk makes itself. */
export function apiRequest(path: string, key: string | null = null): Request {
  return new Request(`http://till.invalid${path}`, {
    method: "POST",
    headers: key === null ? {} : { "idempotency-key": key },
  });
}
