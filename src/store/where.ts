type Given = Readonly<Record<string, string | number | undefined>>;

/**
 * What a list is narrowed to, as one condition of SQL with its parameters: of the conditions, by the name of their
 * parameter, those that have a value.
 */
export function where(conditions: Readonly<Record<string, string>>, given: Given) {
  const names = Object.keys(conditions).filter((name) => given[name] !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, given[name] ?? ""]));
  return { sql: ["1", ...names.map((name) => conditions[name])].join(" AND "), values };
}
