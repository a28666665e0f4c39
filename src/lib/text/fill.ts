export type Values = Readonly<Record<string, string | number>>;

/** A text with `{name}` replaced by its value. A name that has no value stays. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
