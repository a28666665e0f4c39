import type { Locale, TextKey } from "../../../language/locale.ts";
import { type DeskFrame, mayHere } from "../frame.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, SelectField, TextField } from "../parts/form/form.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Setting } from "../parts/setting.tsx";

/** What the merchant's books call something; `name` is that of the field. */
export type BookCode = { name: string; label: string; value: string };

type BooksProps = {
  frame: DeskFrame;
  /** Days, or nothing. */
  from: string;
  to: string;
  /** How the spreadsheet writes them. */
  decimals: string;
  /** What payments are valued in; null when nobody wants it. */
  currency: string | null;
  codes: readonly BookCode[];
  faults: readonly FormFault[];
};

/** The files, by the names of their tables. */
const files = [
  ["invoices", "invoices"],
  ["items", "booksItems"],
  ["credit-notes", "creditNotes"],
  ["payments", "paymentsTitle"],
  ["taxes", "booksTaxes"],
  ["tax-sums", "booksTaxSums"],
  ["settlements", "booksSettlements"],
  ["fees", "booksFees"],
] as const satisfies readonly [string, TextKey][];

/** What a bookkeeper takes away, and what the books call things. */
export function booksPage({ frame, from, to, decimals, currency, codes, faults }: BooksProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsBooks"),
    back: "settings",
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <Setting title={locale.say("booksTake")} text={locale.say("booksTakeText")}>
          <form class="form" id="books">
            <div class="two">
              <Day locale={locale} name="from" label="fromDay" value={from} />
              <Day locale={locale} name="to" label="toDay" value={to} />
            </div>
            <p class="actions">
              {files.map(([name, text]) => (
                <Take locale={locale} name={name} text={text} />
              ))}
            </p>
            <p class="hint">
              {currency === null ? locale.say("booksNoValue") : locale.say("booksValue", { currency })}
            </p>
          </form>
        </Setting>
        <Setting title={locale.say("booksSheet")} text={locale.say("booksSheetText")}>
          <DeskForm frame={frame} action="/desk/settings/books/spreadsheet">
            <SelectField
              locale={locale}
              name="decimals"
              label={locale.say("booksDecimals")}
              value={decimals}
              options={[
                { value: "point", label: locale.say("booksPoint") },
                { value: "comma", label: locale.say("booksComma") },
                { value: "swiss", label: locale.say("booksSwiss") },
              ]}
              faults={[]}
            />
            <p class="actions">
              <SubmitButton text={locale.say("save")} />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("booksXero")} text={locale.say("booksXeroText")}>
          {mayHere(frame, "manage") ? (
            <DeskForm frame={frame} action="/desk/settings/books">
              <Codes locale={locale} codes={codes} faults={faults} />
              <p class="actions">
                <SubmitButton text={locale.say("save")} />
                <Take locale={locale} name="xero" text="booksFile" />
              </p>
            </DeskForm>
          ) : (
            <p class="actions">
              <Take locale={locale} name="xero" text="booksFile" />
            </p>
          )}
        </Setting>
      </>
    ),
  });
}

function Codes({ locale, codes, faults }: Pick<BooksProps, "codes" | "faults"> & { locale: Locale }) {
  const fields = codes.map(({ name, label, value }) => (
    <TextField
      locale={locale}
      name={name}
      label={label}
      value={value}
      faults={faults}
      extra={{ maxlength: "100" }}
    />
  ));
  return <>{fields}</>;
}

function Day({
  locale,
  name,
  label,
  value,
}: {
  locale: Locale;
  name: string;
  label: TextKey;
  value: string;
}) {
  return (
    <div class="field">
      <label for={name}>{locale.texts[label]}</label>
      <input id={name} name={name} type="date" value={value} />
    </div>
  );
}

/** A file of the days in the form above. */
function Take({ locale, name, text }: { locale: Locale; name: string; text: TextKey }) {
  return (
    <button
      class="button button-quiet"
      type="submit"
      form="books"
      formaction={`/desk/settings/books/${name}.csv`}
    >
      <DeskIcon name="download" />
      <span>{locale.texts[text]}</span>
    </button>
  );
}
