import * as Address from "../domain/address.ts";
import { UsageError } from "./command.ts";

/** An address that a person wrote. Throws a UsageError that says the right form. */
export function parseAddress(text: string, what: string): Address.Address {
  const parsed = Address.parse(text);
  if (parsed.ok) return parsed.address;
  throw new UsageError(`${what} ${Address.refusal(parsed)}.`);
}
