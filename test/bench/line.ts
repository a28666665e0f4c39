/** One row of the table: what Till does, and what another program or a limit of the machine does beside it. */
export type Line = {
  /** Its part and its own name: `status/elysia`. */
  id: string;
  what: string;
  unit: Unit;
  till: number;
  /** Null when there is nothing to compare with; a null value could not be measured here. */
  beside: { name: string; value: number | null } | null;
  targets: readonly Target[];
};

export type Unit = "/s" | "ms" | "kB" | "MB" | "gas" | "calls" | "s";

/** What has to be so: of Till's own figure, or of its ratio to what is beside it. */
export type Target = { of: "till" | "ratio"; is: "at least" | "at most"; value: number };

export const ratioAtLeast = (value: number): Target => ({ of: "ratio", is: "at least", value });
export const ratioAtMost = (value: number): Target => ({ of: "ratio", is: "at most", value });
export const tillAtMost = (value: number): Target => ({ of: "till", is: "at most", value });

/** Till's figure divided by the one beside it; null without one. */
export function ratioOf({ till, beside }: Line): number | null {
  return beside?.value == null ? null : till / beside.value;
}

/** Whether a target is met; null when it was not measured. */
export function isMet(line: Line, target: Target): boolean | null {
  const value = target.of === "till" ? line.till : ratioOf(line);
  if (value === null) return null;
  return target.is === "at least" ? value >= target.value : value <= target.value;
}

/** Whether one of its targets is missed. */
export const isMissed = (line: Line): boolean => line.targets.some((target) => isMet(line, target) === false);

/** A part tells its lines one by one, as JSON, so that those before a failure are not lost. */
export function report(line: Line): void {
  console.log(JSON.stringify(line));
}

const big = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

function figure(value: number, unit: Unit): string {
  const number = (value >= 10 ? big : small).format(value);
  return unit === "/s" ? `${number}/s` : `${number} ${unit}`;
}

function targetOf(line: Line, target: Target): string {
  const sign = target.is === "at least" ? "≥" : "≤";
  const value = target.of === "till" ? figure(target.value, line.unit) : `${target.value}×`;
  return `${sign} ${value}${isMet(line, target) === false ? " **missed**" : ""}`;
}

export const heading = ["what", "Till", "beside it", "ratio", "target"];

/** The line as the columns of the table. */
export function columnsOf(line: Line): string[] {
  const { what, unit, till, beside } = line;
  const ratio = ratioOf(line);
  return [
    what,
    figure(till, unit),
    beside === null
      ? ""
      : `${beside.name}: ${beside.value === null ? "not measured" : figure(beside.value, unit)}`,
    ratio === null ? "" : ratio.toFixed(2),
    line.targets.map((target) => targetOf(line, target)).join(", "),
  ];
}
