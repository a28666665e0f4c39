import type { Store } from "../../domain/party/store.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { transact } from "../../store/database.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import * as StoreStore from "../../store/tables/invoicing/store.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import { ButtonLink } from "../parts/button.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { keyTimes } from "./keys.tsx";
import { idIn } from "./people/people.ts";

export const list = "/desk/settings/shops";
export const connect = `${list}/connect`;

/** Where the pages of one shop lead back to. */
export const backOf = ({ frame: { locale } }: Visit) => ({ href: list, label: locale.say("settingsShops") });

/** Shops whose plugins speak the Greenfield API: which there are, and disconnecting one. */
export function shopRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, now, baseUrl } = deps;
  const keys = () =>
    ApiKeyStore.list(db).flatMap((key) => {
      const store = key.storeId === null ? null : StoreStore.find(db, key.storeId);
      return store === null || key.revokedAt !== null ? [] : [{ key, store }];
    });
  const one = pagesOfOne(gate, (visit) => keys().find(({ key }) => key.id === idIn(visit)) ?? null);

  gate.page(list, "manage", ({ frame }) => shopsPage({ frame, baseUrl, rows: keys().reverse() }));

  one.asked(`${list}/:id/disconnect`, "manage", "shop.disconnect", {
    purpose: ({ key }) => `shop.disconnect ${key.id}`,
    ask(visit, { store }) {
      const { say } = visit.frame.locale;
      return {
        back: backOf(visit),
        question: say("shopDisconnect", { name: store.name }),
        text: say("shopDisconnectText"),
        keep: say("revokeKeep"),
        confirm: say("shopDisconnectNow"),
      };
    },
    does(_, { key, store }) {
      if (!transact(db, () => endKey(db, key.id, now()))) return null;
      // It ends the rest of what waits for them.
      deps.onEventDue();
      return doneAt(list, "didDisconnectShop", store.name);
    },
  });
}

type ShopsProps = {
  frame: DeskFrame;
  baseUrl: string;
  rows: readonly { key: ApiKeyStore.ApiKey; store: Store }[];
};

function shopsPage({ frame, baseUrl, rows }: ShopsProps): string {
  const { locale } = frame;
  const makeByHand = <ButtonLink href={connect} kind="quiet" text={locale.say("shopByHand")} />;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsShops"),
    back: "settings",
    line: locale.say("shopsLine", { url: baseUrl }),
    actions: rows.length > 0 && makeByHand,
    body:
      rows.length === 0 ? (
        <Empty icon="outside" title={locale.say("noShops")} text={locale.say("noShopsText")}>
          {makeByHand}
        </Empty>
      ) : (
        <section class="people-list">
          <ul class="people">
            {rows.map(({ key, store }) => (
              <li>
                <span class="face">
                  <DeskIcon name="outside" />
                </span>
                <span class="who">
                  <span>
                    <strong dir="auto">{store.name}</strong>{" "}
                    <span class="tag">
                      <bdi>{key.name}</bdi>
                    </span>
                  </span>
                  <span class="small">{locale.say("shopStore", { id: store.id })}</span>
                  <span class="small">
                    {store.currency ?? "USDC"} ·{" "}
                    {store.wallet === null ? locale.say("tillsWallet") : <bdi>{store.wallet}</bdi>}
                  </span>
                  <span class="soft small">{keyTimes(frame, key)}</span>
                </span>
                <a class="button button-plain button-small" href={`${list}/${key.id}/disconnect`}>
                  {locale.say("shopDisconnectNow")}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ),
  });
}
