import type { SettingPage } from "../../config/settings/setting.ts";
import { type DeskSettingName, pageOf, settings } from "../../config/settings.ts";
import * as InvoiceNumber from "../../domain/bill/invoice-number.ts";
import * as Brand from "../../domain/brand.ts";
import type { HttpDeps, SettingChanges } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { isNumbered } from "../../store/reports/numbering.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as InvoiceStore from "../../store/tables/invoicing/invoice.ts";
import type { Gate } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, Problem } from "../parts/form/form.tsx";
import { ProofField } from "../parts/form/proof.tsx";
import { headedPage } from "../parts/page/head.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { numberIn } from "../parts/place.ts";
import { Rule } from "../parts/setting.tsx";
import { BrandPreview } from "./brand-preview.tsx";
import { isKeptWhole, keptText, settingForm, settingRows, valueText } from "./fields.ts";
import { MailTest, sendTest } from "./mail-test.tsx";

/** The settings pages, with their titles and introductions. */
export const shopPages = {
  look: { title: "settingsLook", line: "settingsLookLine" },
  documents: { title: "settingsDocuments", line: "settingsDocumentsLine" },
  rates: { title: "settingsRates", line: "settingsRatesLine" },
  mail: { title: "mailServerIs", line: "settingsMailLine" },
} as const satisfies Record<SettingPage, { title: TextKey; line: TextKey }>;

type Texts = Readonly<Partial<Record<DeskSettingName, string>>>;

/** Changing what people pay, or who is told about withdrawals, needs a proof: an unattended desk must not be enough. */
const purposes: Partial<Record<SettingPage, string>> = { mail: "settings.mail", rates: "settings.rates" };

/** In the order in which the desk asks for them. */
const namesOn = (page: SettingPage) => settingForm.names.filter((name) => pageOf(name) === page);

const plainText = (name: DeskSettingName) => String(settings[name].default ?? "");

/** Settings that shops change, unless the environment sets them. */
export function shopSettingRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config, dev } = deps;
  const pathOf = (page: SettingPage) => `/desk/settings/${page}`;

  /** Returns why a setting cannot be changed here; null if it can. */
  function lockOf(name: DeskSettingName): { variable?: string; why?: TextKey } | null {
    if (config.fixed[name] !== undefined)
      return dev !== null && (name === "SMTP_URL" || name === "MAIL_FROM")
        ? {}
        : { variable: `TILL_${name}` };
    return isNumbered(db, name) ? { why: "settingNumberUsed" } : null;
  }

  const textNow = (name: DeskSettingName) =>
    config.fixed[name] ?? deps.settings.storedText(name) ?? implied(name) ?? plainText(name);

  /** Mails about payments are sent by default once there is a mail server. */
  const implied = (name: DeskSettingName) => (name === "MAIL_RECEIPTS" ? "true" : null);

  const seenNow = (page: SettingPage) => deps.settings.lastChange(namesOn(page));

  function show(
    visit: Visit,
    page: SettingPage,
    typed: Texts = {},
    {
      faults = [],
      problem = null,
      testTo,
    }: { faults?: readonly FormFault[]; problem?: string | null; testTo?: string } = {},
  ): string {
    const { frame } = visit;
    const { locale, when } = frame;
    const seen = seenNow(page);
    const purpose = purposes[page];
    const texts = { ...settingForm.empty };
    for (const name of namesOn(page)) texts[name] = typed[name] ?? textNow(name);
    const field = settingForm.fields({ frame, typed: texts, faults });
    const form = (
      <DeskForm frame={frame} action={pathOf(page)} className="form form-alone" hasFile={page === "look"}>
        <FaultSummary locale={locale} faults={faults} />
        <Problem text={problem} />
        {visit.query.has("back") && faults.length === 0 && <p class="notice">{locale.say("settingBack")}</p>}
        <input type="hidden" name="seen" value={String(seen?.at ?? "")} />
        {namesOn(page).map((name) => {
          const lock = lockOf(name);
          if (lock === null) return field(name);
          return (
            <dl class="rules">
              <Rule
                frame={frame}
                label={locale.texts[settingRows[name].label]}
                value={
                  name === "SMTP_URL" && dev !== null
                    ? locale.say("mailCatcher")
                    : valueText(name, texts[name], locale)
                }
                variable={lock.variable}
                why={lock.why && locale.texts[lock.why]}
              />
            </dl>
          );
        })}
        {purpose !== undefined && (
          <ProofField locale={locale} proof={gate.proving.ask(visit, purpose)} faults={faults} />
        )}
        <div class="actions">
          <SubmitButton text={locale.say("save")} />
          {seen !== null && (
            <p class="soft small">
              {locale.say("settingSaved", { time: when.momentInText(seen.at), name: seen.by || "–" })}
            </p>
          )}
        </div>
      </DeskForm>
    );
    return headedPage({
      frame,
      place: "settings",
      title: locale.texts[shopPages[page].title],
      back: "settings",
      line: locale.texts[shopPages[page].line],
      body: (
        <>
          {page === "look" ? (
            <div class="set-look">
              {form}
              <BrandPreview
                frame={frame}
                merchant={PreferenceStore.profile(db).name ?? frame.shopName}
                number={InvoiceNumber.of(config.invoiceNumber, InvoiceStore.nextSequence(db))}
              />
            </div>
          ) : (
            form
          )}
          {page === "mail" && <MailTest deps={deps} visit={visit} to={testTo} faults={faults} />}
        </>
      ),
    });
  }

  /** Returns a page's earlier settings from the log, to be saved again. */
  function before({ query }: Visit, page: SettingPage): Texts {
    const changes = AuditStore.byId(db, numberIn(query.get("back")) ?? 0)?.changes ?? [];
    const back = namesOn(page).flatMap((name) =>
      changes.filter((change) => change.name === name && isKeptWhole(name)),
    );
    return Object.fromEntries(back.map(({ name, before }) => [name, before]));
  }

  /** Returns the changes, and their faults. */
  function read(visit: Visit, page: SettingPage, form: URLSearchParams) {
    const { locale } = visit.frame;
    const open = namesOn(page).filter((name) => lockOf(name) === null);
    const typed: Record<string, string> = {};
    const changes: Partial<Record<DeskSettingName, string | null>> = {};
    const faults: FormFault[] = [];
    for (const name of open) {
      const { control, fault } = settingRows[name];
      const text = control.read(form, name, textNow(name), locale);
      typed[name] = text ?? textNow(name);
      if (text === textNow(name)) continue;
      const { parse } = settings[name] as { parse?: (text: string) => unknown };
      if (text === null) faults.push({ field: name, message: locale.texts[fault] });
      else if (text !== "" && parse !== undefined && parse(text) === undefined)
        faults.push({ field: name, message: locale.texts[fault] });
      else changes[name] = text === "" || text === plainText(name) ? null : text;
    }
    if (changes.MAIL_RECEIPTS !== undefined)
      changes.MAIL_RECEIPTS = typed["MAIL_RECEIPTS"] === "true" ? null : "false";
    if (faults.length === 0) faults.push(...together(visit, changes));
    if (faults.length > 0 && (form.get("password") ?? "") !== "")
      faults.push({ field: "password", message: locale.say("settingPasswordAgain") });
    return { typed, changes, faults };
  }

  /** Returns the faults of settings that are valid individually. */
  function together({ frame: { locale } }: Visit, changes: SettingChanges): FormFault[] {
    const { BRAND_COLOR: chosen } = changes;
    const tooLight = chosen ? Brand.tooLight(chosen) : null;
    if (tooLight !== null)
      return [{ field: "BRAND_COLOR", message: locale.say("settingFaultLight", { colour: tooLight }) }];
    const known = deps.settings.faultsOf({}).map(({ sentence }) => sentence);
    const found = deps.settings.faultsOf(changes).filter(({ sentence }) => !known.includes(sentence));
    return found.slice(0, 1).map(({ name, code, beside, sentence }) => {
      const at = [name, beside].find((each) => each && each in changes) as DeskSettingName | undefined;
      if (code === "books") return { field: name ?? "", message: locale.say("settingFaultBooks") };
      if (code === "numbers") return { field: at ?? name ?? "", message: locale.say("settingFaultMeet") };
      const row = settingRows[name as DeskSettingName];
      return { field: name ?? "", message: row === undefined ? sentence : locale.texts[row.fault] };
    });
  }

  for (const page of Object.keys(shopPages) as SettingPage[]) {
    gate.page(pathOf(page), "manage", (visit) => show(visit, page, before(visit, page)));
    gate.action(pathOf(page), "manage", "settings.save", async (visit, form): Promise<FormOutcome> => {
      const { locale } = visit.frame;
      const { typed, changes, faults } = read(visit, page, form);
      if (faults.length > 0) return show(visit, page, typed, { faults });
      /** Returns why it cannot be saved: since it was shown, the first number was used, or somebody else saved it. */
      const hindrance = (): string | null => {
        if (namesOn(page).some((name) => form.has(name) && lockOf(name) !== null))
          return locale.say("settingNumberUsed");
        const seen = seenNow(page);
        if (String(seen?.at ?? "") === form.get("seen")) return null;
        return locale.say("settingChanged", { name: seen?.by || "–" });
      };
      const names = Object.keys(changes) as DeskSettingName[];
      const were = names.map((name) => ({ name, before: keptText(name, textNow(name)) }));
      const old = hindrance();
      if (old !== null) return show(visit, page, typed, { problem: old });
      if (names.length === 0) return { kind: "done", to: pathOf(page), did: "didSaveBooks" };
      const purpose = purposes[page];
      const fault = purpose === undefined ? null : await gate.proving.check(visit, purpose, form);
      if (fault !== null) return show(visit, page, typed, { faults: [fault] });
      const vault = await deps.vault();
      // Others may have acted in the meantime.
      const late = hindrance();
      if (late !== null) return show(visit, page, typed, { problem: late });
      deps.settings.save(changes, { name: visit.who.name, vault, now: visit.now });
      const made = were.map((change) => ({ ...change, after: keptText(change.name, textNow(change.name)) }));
      return { kind: "done", to: pathOf(page), did: "didSaveBooks", changes: made };
    });
  }
  gate.action("/desk/settings/mail/test", "manage", "mail.test", (visit, form) =>
    sendTest(deps, visit, form, {
      to: pathOf("mail"),
      again: (testTo, faults) => show(visit, "mail", {}, { testTo, faults }),
    }),
  );
}
