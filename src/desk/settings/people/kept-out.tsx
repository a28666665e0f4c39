import type { Person } from "../../../domain/party/person.ts";
import type { Locale } from "../../../language/locale.ts";
import type { Db } from "../../../store/database.ts";
import * as AccountStore from "../../../store/tables/desk/account.ts";
import type { Gate } from "../../gate.ts";
import { doneAt, pagesOfOne } from "../../one.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Named } from "../../parts/items.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";

const list = "/desk/settings/people";

export const peopleBack = (locale: Locale) => ({ href: list, label: locale.say("settingsPeople") });

/** Removed people, whose account elsewhere lets them in no more: an owner may forget that it was theirs. */
export function keptOutRoutes(db: Db, gate: Gate): void {
  const { confirmed } = pagesOfOne(
    gate,
    ({ params }) => AccountStore.listRemoved(db).find(({ id }) => String(id) === params["id"]) ?? null,
  );
  confirmed(`${list}/kept-out/:id`, "manage", "person.let-back", {
    purpose: ({ id }) => `let back ${id}`,
    ask({ frame: { locale } }, { name }) {
      return {
        back: peopleBack(locale),
        question: locale.say("letBackSure", { name }),
        text: locale.say("letBackText"),
        keep: locale.say("cancel"),
        confirm: locale.say("letBack"),
        isDanger: false,
      };
    },
    does(_, { id, name }) {
      AccountStore.removeOf(db, id);
      return doneAt(list, "didLetBack", name);
    },
  });
}

export function KeptOut({ frame: { locale }, people }: { frame: DeskFrame; people: readonly Person[] }) {
  if (people.length === 0) return "";
  return (
    <section class="people-list">
      <h2>{locale.say("keptOut")}</h2>
      <p class="soft">{locale.say("keptOutText")}</p>
      <ul class="people">
        {people.map(({ id, name }) => (
          <li>
            <Named name={name} text="" />
            <ButtonLink
              href={`${list}/kept-out/${id}`}
              kind="plain small"
              text={locale.say("letBack")}
              label={locale.labelled(locale.say("letBack"), name)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
