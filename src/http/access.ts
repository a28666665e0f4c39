import { useApiKey } from "../service/api-key.ts";
import * as ApiKeyStore from "../store/api-key.ts";
import type { HttpDeps } from "./deps.ts";
import { problem } from "./problem.ts";

/** What payers, their browsers and shops' pages ask for. Its ids and slugs cannot be guessed. */
const openReads = [
  /^\/api\/invoices\/[^/]+\/(status|pdf)$/,
  /^\/api\/links\/[^/]+$/,
  /^\/api\/payments\/status\/[^/]+$/,
];

/**
 * Asks for an API key where one is needed; null lets the request pass. Everything below /api, and
 * /metrics, needs one, but for the open reads, when Till is public or when keys exist.
 */
export function checkAccess(
  request: Request,
  { config, db, now }: Pick<HttpDeps, "config" | "db" | "now">,
): Response | null {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/api/") && pathname !== "/metrics") return null;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && openReads.some((path) => path.test(pathname))) return null;
  if (config.openApi || !(config.isPublic || ApiKeyStore.anyActive(db))) return null;

  const [, key] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (key !== undefined && useApiKey(db, key, now())) return null;
  const detail =
    key === undefined
      ? "Send an API key: Authorization: Bearer till_…. Make one with: till key create"
      : "This API key is not known here, or was revoked.";
  return problem("key_required", detail, { headers: { "www-authenticate": 'Bearer realm="Till"' } });
}
