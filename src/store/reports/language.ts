import type { LanguageCode } from "../../domain/language.ts";
import { type Db, textOf } from "../database.ts";
import { createVersion } from "../version.ts";

/** Maximum number of pages kept. Anybody may ask for pages that do not exist, with names of any length. */
const knownMax = 1_000;
const nameLengthMax = 64;

/** The languages of pages, kept until anything in the database changes. */
type Known = { version: () => string; of: string; languages: Map<string, LanguageCode | null> };
const knownOf = new WeakMap<Db, Known>();

/**
 * The language of the invoice or link with this slug; null for the installation's, and if there is no such page. Cached
 * like the pages themselves, as every view asks for it.
 */
export function languageOf(db: Db, slug: string): LanguageCode | null {
  const known = knownOf.get(db) ?? { version: createVersion(db), of: "", languages: new Map() };
  knownOf.set(db, known);
  const now = known.version();
  if (now !== known.of || known.languages.size >= knownMax) known.languages.clear();
  known.of = now;
  const kept = known.languages.get(slug);
  if (kept !== undefined) return kept;
  const language = stored(db, slug);
  if (slug.length <= nameLengthMax) known.languages.set(slug, language);
  return language;
}

const stored = (db: Db, slug: string): LanguageCode | null =>
  textOf<LanguageCode>(
    db,
    `SELECT coalesce((SELECT language FROM link JOIN receivable USING (deposit_index) WHERE slug = ?1),
                     (SELECT language FROM reusable_link WHERE slug = ?1),
                     (SELECT language FROM invoice JOIN receivable USING (deposit_index) WHERE slug = ?1))`,
    slug,
  );
