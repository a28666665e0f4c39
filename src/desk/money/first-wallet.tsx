import { seeOther } from "../../http/answer/html.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Db } from "../../store/database.ts";
import { transact } from "../../store/database.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import type { Gate } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary } from "../parts/form/form.tsx";
import type { Found } from "../parts/form/rows.ts";
import { mayHere } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { ConfirmPayout, Payout, payoutForm, type TypedPayout } from "../shop/payout.tsx";
import { askBefore, noQuestion, type Question, saveProfile } from "../shop/profile.ts";
import { payoutOf, walletOf } from "../shop/profile-form.ts";
import { wordsHref } from "./words-page.tsx";

export const walletPath = "/desk/first/wallet";

/** True if somebody has chosen where the money goes: here, in the settings, or with a program's invoice or link. */
export const isWalletChosen = (db: Db): boolean => payoutOf(db) !== "";

/** Wraps a page whose form creates something to be paid: first somebody chooses where that money goes. */
export const afterWallet =
  <T,>({ db, dev }: Pick<HttpDeps, "db" | "dev">, page: (visit: Visit) => T) =>
  (visit: Visit): T | Response =>
    dev !== null || isWalletChosen(db)
      ? page(visit)
      : seeOther(`${walletPath}?to=${encodeURIComponent(new URL(visit.request.url).pathname)}`);

/** The forms wrapped by `afterWallet`, and so where the choice may lead back to. */
const forms = ["/desk/invoices/new", "/desk/links/new", "/desk/counter"];

export const nextOf = ({ query }: Pick<Visit, "query">) =>
  forms.find((form) => form === query.get("to")) ?? "/desk";

/** The first question to a new owner. */
export function firstWalletRoutes(deps: HttpDeps, gate: Gate): void {
  const { db } = deps;

  function show(visit: Visit, typed: TypedPayout, openQuestion: Question = noQuestion()): string {
    const { faults, proof } = openQuestion;
    const { frame } = visit;
    const { locale } = frame;
    const mayChoose = mayHere(frame, "manage");
    const action = `${walletPath}?to=${encodeURIComponent(nextOf(visit))}`;
    return headedPage({
      frame,
      place: "home",
      title: locale.say("startWallet"),
      line: locale.say(mayChoose ? "startWalletLine" : "startWalletStaff"),
      body: mayChoose && (
        <DeskForm frame={frame} action={action} className="form form-alone">
          <FaultSummary locale={locale} faults={faults} />
          <Payout frame={frame} typed={typed} faults={faults} isLabelHidden />
          {proof.kind !== "none" && <ConfirmPayout {...openQuestion} frame={frame} typed={typed} />}
          <div class="actions">
            <SubmitButton text={locale.say("save")} />
          </div>
        </DeskForm>
      ),
    });
  }

  gate.page(walletPath, "issue", (visit) => {
    const { payoutWallet } = PreferenceStore.profile(db);
    return show(visit, { payout: payoutOf(db), wallet: payoutWallet ?? "" });
  });
  gate.action(walletPath, "manage", "profile.save", async (visit, form): Promise<FormOutcome> => {
    const { locale } = visit.frame;
    const typed = payoutForm.read(form, locale);
    const found: Found[] = [];
    if (typed.payout === "") found.push({ field: "payout" });
    const payoutWallet = typed.payout === "own" ? walletOf(typed.wallet, deps.rules(), found) : null;
    if (found.length > 0) return show(visit, typed, noQuestion(payoutForm.faults(found, locale)));
    const before = PreferenceStore.profile(db);
    const openQuestion = await askBefore(deps, gate, visit, form, { ...before, payoutWallet });
    if (openQuestion !== null) return show(visit, typed, openQuestion);
    transact(db, () => {
      saveProfile(db, { ...PreferenceStore.profile(db), payoutWallet }, visit);
      PreferenceStore.setWalletChosen(db, visit.now);
    });
    deps.onMailDue();
    const next = nextOf(visit);
    const to = payoutWallet === null && WalletStore.wordsAt(db) === null ? wordsHref(next) : next;
    return { kind: "done", to, did: "didSaveShop", subject: payoutWallet ?? "managed" };
  });
}
