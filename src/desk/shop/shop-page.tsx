import { deskPath } from "../../domain/receivable/receivable.ts";
import type { TextKey } from "../../language/locale.ts";
import type { Paying } from "../../store/reports/desk/old-wallet.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, Problem } from "../parts/form/form.tsx";
import { PartyFields } from "../parts/form/party-fields.tsx";
import { headedPage } from "../parts/page/head.tsx";
import { Setting } from "../parts/setting.tsx";
import { ConfirmPayout, type ConfirmPayoutProps, Payout } from "./payout.tsx";
import { type ShopForm, shopForm } from "./profile-form.ts";

type ShopProps = ConfirmPayoutProps & {
  typed: ShopForm;
  /** The details missing to create an invoice; null before anything was saved, and if nothing is. */
  missing: string | null;
  /** What was made before and still pays another wallet. */
  paying: readonly Paying[];
  /** What the form was filled in from; the question of a new wallet has a field "seen" of its own. */
  shown: string;
  problem: string | null;
};

/** The defaults of new invoices and links. */
export function shopPage(props: ShopProps): string {
  const { frame } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsShop"),
    back: "settings",
    body: (
      <>
        {props.missing !== null && props.faults.length === 0 && <p class="notice">{props.missing}</p>}
        <ProfileForm {...props} />
      </>
    ),
  });
}

function ProfileForm(props: ShopProps) {
  const { frame, faults, proof } = props;
  const { locale } = frame;
  const field = shopForm.fields(props);
  return (
    <DeskForm frame={frame} action="/desk/settings/profile" className="settings-form">
      <FaultSummary locale={locale} faults={proof.kind === "none" ? faults : []} />
      <Problem text={props.problem} />
      <input type="hidden" name="shown" value={props.shown} />
      <Setting title={locale.say("profileWho")} text={locale.say("profileWhoText")}>
        <div class="form">
          <div class="two">
            {field("name")}
            {field("email")}
          </div>
          {field("address")}
        </div>
      </Setting>
      <MerchantDetails {...props} />
      <Setting title={locale.say("profileInvoices")} text={locale.say("profileInvoicesText")}>
        <div class="form">
          {field("due_days")}
          {field("notes")}
          <Payout {...props} />
          <StillPaying {...props} />
          {proof.kind !== "none" && <ConfirmPayout {...props} />}
          <p>
            <SubmitButton text={locale.say("save")} />
          </p>
        </div>
      </Setting>
    </DeskForm>
  );
}

const placesOf = {
  series: { word: "repeating", href: (id) => `/desk/recurring/${id}` },
  link: { word: "linkAgain", href: (slug) => deskPath("link", slug) },
  store: { word: "settingsShops", href: () => "/desk/settings/shops" },
  draft: { word: "kindDrafts", href: (id) => `/desk/invoices/new?draft=${id}` },
} as const satisfies Record<Paying["kind"], { word: TextKey; href: (id: string) => string }>;

function StillPaying({ frame: { locale }, paying }: ShopProps) {
  if (paying.length === 0) return "";
  return (
    <div class="notice notice-late">
      <div>
        <p>{locale.say("stillOtherWallet")}</p>
        <ul>
          {paying.map(({ kind, id, name }) => (
            <li>
              {locale.labelled(locale.say(placesOf[kind].word))}{" "}
              <a href={placesOf[kind].href(id)} dir="auto">
                {name || locale.say("unnamedDraft")}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Details that the law requires of the seller, and the terms. */
function MerchantDetails(props: ShopProps) {
  const { typed, faults } = props;
  const { locale } = props.frame;
  return (
    <Setting
      title={locale.say("partyDetails")}
      text={locale.say("partyDetailsText")}
      more={locale.say("partyInstead")}
    >
      <div class="form">
        <PartyFields locale={locale} prefix="details" typed={typed.details} faults={faults} />
        {shopForm.fields(props)("payment_terms")}
        <label class="check">
          <input type="checkbox" name="usd_parity" value="on" checked={typed.usd_parity !== ""} />
          <span>
            <span>{locale.say("partyParity")}</span> <span class="soft">{locale.say("partyParityText")}</span>
          </span>
        </label>
      </div>
    </Setting>
  );
}
