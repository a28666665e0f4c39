import * as Usdc from "../../domain/usdc.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

export type Bar = { day: string; amount: Usdc.Usdc };

/** The two lines are at fixed heights, so the tallest bar is at most this many times the step between them. */
const stepsMax = 2.5;
const steps = [1n, 2n, 5n] as const;
const whole = 1_000_000n;

/** Returns the smallest step of 1, 2, 5, 10, 20, … USDC with the largest amount at most two and a half steps. */
function stepFor(largest: bigint): bigint {
  for (let scale = whole; ; scale *= 10n) {
    const step = steps.find((each) => each * scale * 10n * BigInt(stepsMax * 10) >= largest * 100n);
    if (step !== undefined) return step * scale;
  }
}

/** Formats a share of the width or the height, to a hundredth of a percent. */
const percent = (share: number) => `${Math.round(share * 10_000) / 100}%`;

/** The amount received on each day, oldest first, up to today: a drawing, a sentence and a table. */
export function Chart({ frame, bars }: { frame: DeskFrame; bars: readonly Bar[] }) {
  const { locale, when } = frame;
  const isMirrored = locale.dir === "rtl";
  const most = bars.reduce((a, b) => (b.amount > a.amount ? b : a));
  const step = stepFor(most.amount);
  const top = Number(step) * stepsMax;
  // The bars and the gaps between them, each six tenths of a bar, fill the width.
  const barWidth = 1 / (bars.length + (bars.length - 1) * gapShare);
  // SVG does not mirror itself.
  const left = (i: number) => {
    const x = i * barWidth * (1 + gapShare);
    return percent(isMirrored ? 1 - x - barWidth : x);
  };
  const say = (amount: Usdc.Usdc) => locale.figure(Usdc.format(amount));
  const [first] = bars;
  const ends = { from: when.day(first?.day ?? ""), to: when.day(when.today) };
  const summary =
    most.amount === 0n
      ? locale.say("chartEmpty", ends)
      : locale.say("chartSays", { ...ends, day: when.day(most.day), amount: say(most.amount) });
  const written = (text: string) => (isMirrored ? isolated(text) : text);
  const monthStart = bars.findIndex(({ day }) => day.endsWith("-01"));
  return (
    <figure class="chart" aria-labelledby="chart-name">
      <figcaption class="visually-hidden" id="chart-name">
        {summary}
      </figcaption>
      <div class="chart-plot" aria-hidden="true">
        <span class="chart-scale chart-two">
          <span class="num">{locale.figure(String((2n * step) / whole))}</span>
        </span>
        <span class="chart-scale chart-one">
          <span class="num">{locale.figure(String(step / whole))}</span>
        </span>
        <span class="chart-scale chart-zero"></span>
        <svg width="100%" height="144" focusable="false" aria-hidden="true">
          {bars.map(({ day, amount }, i) => {
            const height = amount === 0n ? emptyShare : Math.max(Number(amount) / top, leastShare);
            const emptyClass = amount === 0n ? "none" : undefined;
            return (
              <g>
                <title>{locale.say("dayAndAmount", { day: when.day(day), amount: say(amount) })}</title>
                <rect
                  class={day === when.today ? "now" : emptyClass}
                  x={left(i)}
                  width={percent(barWidth)}
                  y={percent(1 - height)}
                  height={percent(height)}
                  rx="2"
                />
              </g>
            );
          })}
        </svg>
        <svg class="chart-days" width="100%" height="20" focusable="false" aria-hidden="true">
          <DayMark
            x={isMirrored ? "100%" : "0"}
            anchor={isMirrored ? "end" : "start"}
            text={written(ends.from)}
          />
          {monthStart > marginDays && monthStart < bars.length - marginDays && (
            <DayMark
              x={left(monthStart)}
              anchor={isMirrored ? "middle" : "start"}
              text={written(when.day(bars[monthStart]?.day ?? ""))}
            />
          )}
          <DayMark
            x={isMirrored ? "0" : "100%"}
            anchor={isMirrored ? "start" : "end"}
            text={written(locale.say("today"))}
          />
        </svg>
      </div>
      <details class="chart-table">
        <summary>{locale.say("chartAsTable")}</summary>
        <table class="mini">
          <thead>
            <tr>
              <th scope="col">{locale.say("chartDay")}</th>
              <th scope="col" class="end">
                {locale.say("amountInUsdc")}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ amount }) => amount > 0n)
              .map(({ day, amount }) => (
                <tr>
                  <th scope="row">{when.day(day)}</th>
                  <td class="num">{say(amount)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const gapShare = 0.6;
/** Height of a day without a payment, and minimum height of one with a payment, so that both are visible. */
const emptyShare = 0.014;
const leastShare = 0.02;
/** This close to an end there is no room to mark the first of a month. */
const marginDays = 5;

/** Otherwise a drawing, which runs from the left, would reorder the words of a day. */
const isolated = (text: string) => `\u2067${text}\u2069`;

/** A day below the chart. `anchor` is the side of the text at `x`. */
function DayMark({ x, anchor, text }: { x: string; anchor: "start" | "middle" | "end"; text: string }) {
  return (
    <text x={x} y="14" text-anchor={anchor}>
      {text}
    </text>
  );
}
