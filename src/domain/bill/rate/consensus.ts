import type { SourceName } from "./source.ts";

/** What a source says 1 USDC costs, in 10⁻¹⁰ of the currency. */
type SourceRate = { name: SourceName; rate: bigint };

/** Two rates within a fiftieth of each other are of one market at one time. */
const nearShare = 50n;

const isNear = (rate: bigint, to: bigint) => (rate > to ? rate - to : to - rate) * nearShare <= to;

type Consensus = { rate: bigint; believed: SourceRate[]; dropped: SourceRate[] };

/**
 * The median of what sources say. Of three, one that is far from the middle is dropped. Two have to be near each other.
 * What nobody confirms is believed only near the last rate that was (`lastRate`, null without one), or when there is no
 * other source to ask (`sourceCount`). Null when nothing is left to believe.
 */
export function consensus(
  said: readonly SourceRate[],
  sourceCount: number,
  lastRate: bigint | null,
): Consensus | null {
  const middle = median(said);
  const close = said.filter(({ rate }) => middle !== null && isNear(rate, middle));
  const isEnough = close.length > 1 || (close.length === 1 && sourceCount === 1);
  const believed = isEnough ? close : said.filter(({ rate }) => lastRate !== null && isNear(rate, lastRate));
  const rate = median(believed);
  if (rate === null) return null;
  return { rate, believed, dropped: said.filter((each) => !believed.includes(each)) };
}

/** Of an even number the middle of the two in the middle. */
function median(said: readonly SourceRate[]): bigint | null {
  const rates = said.map(({ rate }) => rate).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [low, high] = [rates[Math.floor((rates.length - 1) / 2)], rates[Math.floor(rates.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2n;
}
