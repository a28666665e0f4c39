import * as Address from "../domain/address.ts";
import { UsageError } from "./command.ts";

/** An address that a person wrote. Throws a UsageError that says the right form. */
export function parseAddress(text: string, what: string): Address.Address {
  const parsed = Address.parse(text);
  if (parsed.ok) return parsed.address;
  throw new UsageError(
    parsed.reason === "checksum"
      ? `${what} has no valid checksum, so it may be mistyped; if it is right, write it as ${parsed.expected}.`
      : `${what} is not an address: 0x and 40 hex digits.`,
  );
}
