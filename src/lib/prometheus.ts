/** Prometheus' text format, version 0.0.4. */

export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** `suffix` is what a histogram adds to the name: `_bucket`, `_sum`, `_count`. */
  samples: readonly { suffix?: string; labels?: Readonly<Record<string, string>>; value: number }[];
};

export const mediaType = "text/plain; version=0.0.4; charset=utf-8";

export function format(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ suffix = "", labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
