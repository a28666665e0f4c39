import { withoutEnd } from "../lib/text/english.ts";

const weiPerEthDigits = 18;
const significantDigitsMax = 4;

/** Wei as ETH, exactly: `formatExact(1n)` → `"0.000000000000000001"`. */
export function formatExact(wei: bigint): string {
  if (wei < 0n) throw new RangeError(`An amount of ETH cannot be negative: ${wei} wei`);
  const digits = wei.toString().padStart(weiPerEthDigits + 1, "0");
  const whole = digits.slice(0, -weiPerEthDigits);
  const fraction = withoutEnd(digits.slice(-weiPerEthDigits), "0");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Wei as ETH for people, rounded up to four significant digits, so that sending the amount shown is always enough.
 *
 * `format(123_456_789_000_000n)` → `"0.0001235"`
 */
export function format(wei: bigint): string {
  const surplus = Math.max(0, wei.toString().length - significantDigitsMax);
  const unit = 10n ** BigInt(surplus);
  return formatExact(((wei + unit - 1n) / unit) * unit);
}
