import * as Usdc from "../../src/domain/usdc.ts";

/** An amount such as "1500.00". Throws a RangeError for anything else. */
export function usdc(text: string): Usdc.AnyAmount {
  const parsed = Usdc.parse(text);
  if (parsed === null) throw new RangeError(`Not an amount of USDC: ${JSON.stringify(text)}`);
  return parsed;
}
