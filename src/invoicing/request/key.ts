import { Type } from "@sinclair/typebox";
import * as Calendar from "../../domain/calendar.ts";
import * as ApiKey from "../../domain/party/api-key.ts";
import * as Email from "../../domain/party/email.ts";
import { why } from "../../language/faults.ts";
import { instant } from "../../lib/time.ts";
import * as Field from "./fields.ts";
import { expiry } from "./link/link.ts";
import { bodyOf, oneOf, type Parsed, readBody, reading } from "./validation.ts";

export const nameWants = `up to ${ApiKey.nameLengthMax} letters, digits, spaces, dots, hyphens and underscores`;

/** The body of POST /api/keys. */
export const KeyRequest = bodyOf("ApiKeyRequest", {
  name: Type.String({ wants: nameWants, means: "what the key is for, to tell it from others" }),
  scope: Field.meaning(
    "read changes nothing, shop issues and closes, full makes keys too, metrics reads /metrics alone",
    oneOf(ApiKey.scopes, '"read", "shop", "full" or "metrics"'),
  ),
  merchant_email: Type.Optional(
    Field.meaning("the only merchant whose invoices and links it sees; with read or shop", Field.email),
  ),
  expires_at: Type.Optional(
    Type.String({
      wants: "a day, YYYY-MM-DD, or a time with its time zone",
      means:
        "from then on, or from the end of the day, it is refused; as the key that makes it when left out",
    }),
  ),
});

type NewKey = ApiKey.Grant & { name: string };

/**
 * Parses a request for a key and reports every fault at once. `until`: when the key that creates it expires; null if
 * never.
 */
export function parseKeyRequest(
  body: unknown,
  { now, timeZone, until = null }: { now: number; timeZone: string; until?: number | null },
): Parsed<NewKey> {
  const { reader, fields } = readBody(KeyRequest, body);
  const name = reader.read("name", fields.name, (text) =>
    reading(ApiKey.isName(text) ? text : null, why("key_name", { wants: nameWants })),
  );
  const { scope } = fields;
  const merchant = reader.read("merchant_email", fields.merchant_email, (text) =>
    scope === undefined || ApiKey.mayBeConfined(scope)
      ? Field.emailAddress(text)
      : { ok: false, why: why("key_of_all", { scope }) },
  );
  const expiresAt = reader.read("expires_at", fields.expires_at, (text) => {
    const end = Calendar.isDay(text) ? instant(Calendar.endOf(text, timeZone)) : text;
    const time = expiry(end, { now: () => now }, "a day such as 2026-12-31, or ");
    if (!time.ok || until === null || time.value <= until) return time;
    return { ok: false, why: why("key_end", { end: instant(until) }) };
  });
  if (reader.faults.length > 0 || name === undefined || scope === undefined) return reader.refused();
  return {
    ok: true,
    value: {
      name,
      scope,
      merchant: merchant === undefined ? null : Email.normalize(merchant),
      expiresAt: expiresAt ?? until,
    },
  };
}
