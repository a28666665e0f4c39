import * as Address from "../../domain/wallet/address.ts";
import { UsageError } from "../command.ts";

/** Values typed on the command line. */

/** A typed address. Throws a UsageError that shows the right form. */
export function parseAddress(text: string, what: string): Address.Address {
  const parsed = Address.parse(text);
  if (parsed.ok) return parsed.address;
  throw new UsageError(`${what} ${Address.refusal(parsed)}.`);
}

/** A typed block number for `option`. Throws a UsageError for anything else. */
export function parseBlock(option: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(
    `${option} is ${JSON.stringify(text)}; it must be the number of a block, such as 23000000.`,
  );
}
