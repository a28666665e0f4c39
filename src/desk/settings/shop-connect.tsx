import * as Email from "../../domain/party/email.ts";
import { granted, permissionFor, type Store } from "../../domain/party/store.ts";
import { createApiKey } from "../../http/access/api-key.ts";
import { seeOther } from "../../http/answer/html.ts";
import { hasRate } from "../../http/greenfield/greenfield.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { newId } from "../../lib/crypto.ts";
import { transact } from "../../store/database.ts";
import { noteChange } from "../../store/reports/owners.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import * as StoreStore from "../../store/tables/invoicing/store.ts";
import { formsTo } from "../answer.ts";
import type { Gate } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { provenPage } from "../parts/form/confirm-page.tsx";
import { line } from "../parts/form/controls.tsx";
import { pricesIn } from "../parts/form/currencies.ts";
import { type FormFault, Problem } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { oncePage } from "../parts/page/once-page.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { Payout, payoutRows } from "../shop/payout.tsx";
import { profileOf } from "../shop/profile-form.ts";
import { lookAt, mayTake, wasTold } from "../shop/sight.ts";
import { keyNameOf, lackingIn, permissionTexts, requestOf } from "./shop-request.ts";
import { backOf, connect } from "./shops.tsx";

const purpose = "shop.connect";

const connectForm = formOf({
  name: {
    label: "shopName",
    control: line({ maxlength: "200" }),
    fault: "shopNameWanted",
    of: ["business_name"],
  },
  merchant_email: {
    label: "linkEmail",
    control: line({ type: "email", dir: "ltr" }),
    fault: "profileFaultEmail",
  },
  ...payoutRows,
  currency: { ...pricesIn, fault: "shopNoRate" },
});
type ShopForm = typeof connectForm.empty;

/** Connecting a shop whose plugin uses the Greenfield API, from the plugin's own settings or by hand. */
export function shopConnectRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config, now } = deps;
  const readRequest = ({ query }: Visit) => requestOf(query, !config.isPublic);

  /** Returns the merchant's store, or the only one. */
  function storeOf(email: string | null): Store | undefined {
    const all = StoreStore.list(db);
    const isTheirs = (store: Store) =>
      email !== null && Email.normalize(store.merchantEmail) === Email.normalize(email);
    return all.find(isTheirs) ?? (all.length === 1 ? all[0] : undefined);
  }

  function startOf(): ShopForm {
    const profile = profileOf(db);
    const store = storeOf(profile.email);
    const wallet = store === undefined ? profile.payoutWallet : store.wallet;
    return {
      name: store?.name ?? profile.name ?? "",
      merchant_email: store?.merchantEmail ?? profile.email ?? "",
      payout: wallet === null ? "managed" : "own",
      wallet: wallet ?? "",
      currency: store?.currency ?? "",
    };
  }

  function show(
    visit: Visit,
    typed: ShopForm,
    faults: readonly FormFault[] = [],
    remark: string | null = null,
  ): string {
    const { frame } = visit;
    const { locale } = frame;
    const plugin = readRequest(visit);
    const lacking = plugin === null ? [] : lackingIn(plugin);
    const name = plugin?.name || locale.say("shopPlugin");
    const field = connectForm.fields({ frame, typed, faults });
    const refusal =
      plugin === null
        ? locale.say("shopBadReturn")
        : lacking.length > 0 && locale.say("shopLacking", { names: lacking.join(", ") });
    const page = { frame, title: locale.say("shopConnect", { name }), back: backOf(visit) };
    const line = locale.say("shopConnectLine");
    if (refusal) return headedPage({ ...page, line, place: "settings", body: <Problem text={refusal} /> });
    return provenPage({
      ...page,
      line,
      faults,
      action: `${connect}?${visit.query}`,
      proof: gate.proving.ask(visit, purpose),
      children: (
        <>
          {plugin?.redirect && (
            <p class="notice">
              <span>
                {locale.say("shopGets")} <strong dir="ltr">{plugin.redirect.host}</strong>
              </span>
            </p>
          )}
          <ul class="sayings">
            {granted(plugin?.permissions ?? []).permissions.map((permission) => {
              const text = permissionTexts[permission];
              return text && <li>{locale.say(text)}</li>;
            })}
          </ul>
          {deps.dev === null && WalletStore.wordsAt(db) === null && (
            <p class="notice">
              <span>
                {`${locale.say("wordsMissingShort")}${locale.marks.gap}${locale.say("wordsMissingText")}`}
                {locale.marks.gap}
                <a href="/desk/money/words">{locale.say("wordsBack")}</a>
              </span>
            </p>
          )}
          {StoreStore.list(db).length > 0 && <p>{locale.say("shopKnown")}</p>}
          {field("name")}
          {field("merchant_email")}
          <Payout frame={frame} typed={typed} faults={faults} />
          {remark !== null && (
            <div class="notice" role="alert" tabindex="-1" id="faults">
              <p>{remark}</p>
              <input type="hidden" name="told" value={typed.wallet} />
              <input type="hidden" name="seen" value={remark} />
            </div>
          )}
          {field("currency")}
        </>
      ),
      submit: { text: locale.say("shopConnectNow") },
    });
  }

  /** Returns the store as typed, or its faults. */
  async function read({ frame: { locale } }: Visit, typed: ShopForm): Promise<Store | FormFault[]> {
    const isOwn = typed.payout === "own";
    const checked = deps.links.check({
      business_name: typed.name,
      merchant_email: typed.merchant_email,
      expected_amount: "1.00",
      wallet_type: isOwn ? "byo" : "managed",
      ...(isOwn ? { wallet_address: typed.wallet } : {}),
    });
    if (!checked.ok) {
      const faults = checked.refusal.kind === "invalid" ? checked.refusal.faults : [];
      return connectForm.faults(faults, locale);
    }
    const { request } = checked;
    const store: Store = {
      id: newId("store"),
      name: request.businessName,
      merchantEmail: request.merchantEmail,
      wallet: request.wallet,
      currency: typed.currency || null,
      createdAt: now(),
    };
    const isPriced = await hasRate(deps, store);
    return isPriced ? store : connectForm.faults([{ field: "currency" }], locale);
  }

  gate.door.get("/api-keys/authorize", ({ request }) => seeOther(`${connect}${new URL(request.url).search}`));
  gate.page(connect, "manage", (visit) => show(visit, startOf()));
  gate.action(connect, "manage", "shop.connect", async (visit, form): Promise<FormOutcome> => {
    const { frame } = visit;
    const { locale } = frame;
    const typed = connectForm.read(form, locale);
    const plugin = readRequest(visit);
    if (plugin === null || lackingIn(plugin).length > 0) return show(visit, typed);
    const wanted = await read(visit, typed);
    if (Array.isArray(wanted)) return show(visit, typed, wanted);
    const { wallet } = wanted;
    const isNew = wallet !== null && wallet !== profileOf(db).payoutWallet;
    const seen = isNew ? await lookAt(deps, frame, wallet) : null;
    if (seen?.fault) return show(visit, typed, [{ field: "wallet", message: seen.fault }]);
    if (wallet !== null && !(await mayTake(deps, wallet)))
      return show(visit, typed, [{ field: "wallet", message: locale.say("walletWaits") }]);
    if (seen?.remark && !(form.get("told") === wallet && wasTold(form, seen)))
      return show(visit, typed, [], seen.remark);
    const fault = await gate.proving.check(visit, purpose, form);
    if (fault) return show(visit, typed, [fault]);
    const { permissions } = granted(plugin.permissions);
    const name = keyNameOf(plugin);
    const isTheirs = (email: string) => Email.normalize(email) === Email.normalize(wanted.merchantEmail);
    const { store, key } = transact(db, () => {
      const before = StoreStore.list(db).find(({ merchantEmail }) => isTheirs(merchantEmail));
      const store = StoreStore.put(db, wanted);
      if (before !== undefined && before.wallet !== wallet) {
        const subject = `${store.name} ${wallet ?? "managed"}`;
        noteChange(db, { kind: "wallet", subject }, visit.who.name, now());
      }
      const grant = {
        scope: "shop",
        merchant: Email.normalize(store.merchantEmail),
        storeId: store.id,
        permissions,
      } as const;
      // The key's owner receives and voids orders, and replaces the shop's own key.
      noteChange(db, { kind: "key", subject: name }, visit.who.name, now());
      return { store, key: createApiKey(db, name, now(), grant).key };
    });
    deps.onMailDue();
    const title = locale.say("shopReady", { name: store.name });
    if (plugin.redirect === null) {
      const text = locale.say("shopHandText", { id: store.id });
      const html = oncePage({ frame, back: backOf(visit), title, text, secret: key });
      return { kind: "shown", html, subject: name };
    }
    const html = takePage({
      frame,
      title,
      apiKey: key,
      redirect: plugin.redirect,
      permissions: permissions.map((each) => permissionFor(each, store)),
    });
    return { kind: "shown", html, subject: name, headers: formsTo(plugin.redirect) };
  });
}

type TakeProps = {
  frame: DeskFrame;
  title: string;
  redirect: URL;
  apiKey: string;
  permissions: readonly string[];
};

/** Sends the key to the shop in a form's body, so that no URL, log or history contains it. */
function takePage({ frame, title, redirect, apiKey, permissions }: TakeProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title,
    line: locale.say("shopReadyText"),
    body: (
      <form method="post" action={redirect.href} class="form form-alone">
        <input type="hidden" name="apiKey" value={apiKey} />
        {permissions.map((permission) => (
          <input type="hidden" name="permissions[]" value={permission} />
        ))}
        <div class="actions">
          <SubmitButton text={locale.say("shopTake", { host: redirect.host })} />
        </div>
      </form>
    ),
  });
}
