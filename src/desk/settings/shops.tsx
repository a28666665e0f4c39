import type { Store } from "../../domain/party/store.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { endKey } from "../../invoicing/endpoints.ts";
import { transact } from "../../store/database.ts";
import * as ApiKeyStore from "../../store/tables/installation/api-key.ts";
import * as StoreStore from "../../store/tables/invoicing/store.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Face, itemsPage, Named } from "../parts/items.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import type { Visit } from "../parts/page/visit.ts";
import { keyTimes } from "./keys.tsx";
import { idIn } from "./people/people.ts";

export const list = "/desk/settings/shops";
export const connect = `${list}/connect`;

/** The page to go back to from one shop's pages. */
export const backOf = ({ frame: { locale } }: Visit) => ({ href: list, label: locale.say("settingsShops") });

/** Shops whose plugins use the Greenfield API: their list, and disconnecting one. */
export function shopRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, now, baseUrl } = deps;
  const keys = () =>
    ApiKeyStore.list(db).flatMap((key) => {
      const store = key.storeId === null ? null : StoreStore.find(db, key.storeId);
      return store === null || key.revokedAt !== null ? [] : [{ key, store }];
    });
  const one = pagesOfOne(gate, (visit) => keys().find(({ key }) => key.id === idIn(visit)) ?? null);

  gate.page(list, "manage", ({ frame }) => shopsPage({ frame, baseUrl, rows: keys().reverse() }));

  one.confirmed(`${list}/:id/disconnect`, "manage", "shop.disconnect", {
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
      // This ends the webhooks still waiting for it.
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
  const { say } = frame.locale;
  return itemsPage({
    frame,
    title: say("settingsShops"),
    line: say("shopsLine", { url: baseUrl }),
    add: <ButtonLink href={connect} kind="quiet" text={say("shopByHand")} />,
    empty: { icon: "outside", title: say("noShops"), text: say("noShopsText") },
    items: rows.map(({ key, store }) => (
      <li>
        <Face icon="outside" />
        <Named
          name={store.name}
          beside={
            <span class="tag">
              <bdi>{key.name}</bdi>
            </span>
          }
          text={keyTimes(frame, key)}
        >
          <span class="small">{say("shopStore", { id: store.id })}</span>
          <span class="small">
            {store.currency ?? "USDC"} ·{" "}
            {store.wallet === null ? say("tillsWallet") : <bdi>{store.wallet}</bdi>}
          </span>
        </Named>
        <ButtonLink
          href={`${list}/${key.id}/disconnect`}
          kind="plain small"
          text={say("shopDisconnectNow")}
        />
      </li>
    )),
  });
}
