/** Prometheus' text format, version 0.0.4. */

export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge";
  samples: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
};

export const mediaType = "text/plain; version=0.0.4; charset=utf-8";

export function format(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
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
