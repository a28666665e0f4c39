import type { LanguageCode } from "../../domain/language.ts";
import { type Db, textOf } from "../database.ts";

/** Of the page with this slug, of an invoice or a link; null for that of the installation, and for no page. */
export const languageOf = (db: Db, slug: string): LanguageCode | null =>
  textOf<LanguageCode>(
    db,
    `SELECT coalesce((SELECT language FROM link JOIN receivable USING (deposit_index) WHERE slug = ?1),
                     (SELECT language FROM reusable_link WHERE slug = ?1),
                     (SELECT language FROM invoice JOIN receivable USING (deposit_index) WHERE slug = ?1))`,
    slug,
  );
