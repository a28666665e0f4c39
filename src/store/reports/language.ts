import type { LanguageCode } from "../../domain/language.ts";
import { createVersion, type Db, textOf } from "../database.ts";

/** Of so many pages: those that are looked at now. Anybody may ask for pages that do not exist, with names of any length. */
const knownMax = 1_000;
const nameLengthMax = 64;

/** The languages of pages, until anything in the database changes. */
type Known = { version: () => string; of: string; languages: Map<string, LanguageCode | null> };
const knownOf = new WeakMap<Db, Known>();

/**
 * Of the page with this slug, of an invoice or a link; null for that of the installation, and for no page. Each look at a
 * page asks, and most of them find the page itself in memory: so is this.
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
