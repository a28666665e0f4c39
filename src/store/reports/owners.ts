import type { Db } from "../database.ts";
import * as PersonStore from "../tables/desk/person.ts";
import * as PreferenceStore from "../tables/desk/preference.ts";

/** Whom Till tells: the owners who gave an address, and the shop. */
export const ownersOf = (db: Db): string[] => [
  ...new Set(
    [PreferenceStore.profile(db).email, ...PersonStore.listOwnerMails(db)].filter((to) => to !== null),
  ),
];
