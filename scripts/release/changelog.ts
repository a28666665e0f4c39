export type Entry = {
  /** The day of the release, `YYYY-MM-DD`; null while it is not released. */
  readonly date: string | null;
  /** What changed, as Markdown. */
  readonly notes: string;
};

/** What CHANGELOG.md says of a version, in the form of Keep a Changelog; null when it says nothing of it. */
export function entryOf(changelog: string, version: string): Entry | null {
  const [, rest] = changelog.split(`\n## [${version}]`);
  if (rest === undefined) return null;
  const [heading = "", ...lines] = (rest.split(/^## /m)[0] ?? "").split("\n");
  const notes = lines.join("\n").trim();
  return notes === "" ? null : { date: /^ - (\d{4}-\d\d-\d\d)$/.exec(heading)?.[1] ?? null, notes };
}

/** The lowest version without a known security hole, as CHANGELOG.md names it once; null when it does not. */
export function lowestSecure(changelog: string): string | null {
  const named = [
    ...changelog.matchAll(/^Lowest version without a known security hole: (\d+\.\d+\.\d+)\.?$/gm),
  ];
  return named.length === 1 ? (named[0]?.[1] ?? null) : null;
}
