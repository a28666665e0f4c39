import type { Locale, TextKey } from "../../language/locale.ts";
import type { WithChildren } from "../../pages/layout.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { frequentDays } from "../parts/days-menu.tsx";
import {
  DeskForm,
  FaultSummary,
  type FormFault,
  fieldsOf,
  SelectField,
  TextField,
} from "../parts/form/form.tsx";
import { type DeskFrame, mayHere } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Setting } from "../parts/setting.tsx";
import { datevFile, type File, files, xeroFile } from "./books-files.ts";

export const codeLengthMax = 100;

/** What the merchant's books call something; `name` is that of the field. */
export type BookCode = { name: string; label: string; value: string };

export type BooksProps = {
  frame: DeskFrame;
  /** Days, or nothing. */
  from: string;
  to: string;
  /** The last day of the books that are closed, or what was typed as it. */
  through: string;
  /** How the spreadsheet writes them. */
  decimals: string;
  /** What payments are valued in; null when nobody wants it. */
  currency: string | null;
  xero: readonly BookCode[];
  datev: readonly BookCode[];
  faults: readonly FormFault[];
};

const day = { type: "date" };

/** What a bookkeeper takes away, and what the books call things. */
export function booksPage({ frame, decimals, currency, xero, datev, faults, ...typed }: BooksProps): string {
  const { locale } = frame;
  const { text } = fieldsOf({ frame, typed, faults });
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
              {text("from", locale.say("fromDay"), day)}
              {text("to", locale.say("toDay"), day)}
            </div>
            <p class="actions">
              {frequentDays(frame).map(([text, { from, to }]) => (
                <ButtonLink
                  href={`/desk/settings/books?from=${from}&to=${to ?? frame.when.today}`}
                  kind="quiet small"
                  text={text}
                />
              ))}
            </p>
            <ul class="people files">
              {files.map((file) => (
                <li>
                  <span class="who">
                    <strong>{locale.texts[file.text]}</strong>
                  </span>
                  <Take locale={locale} file={file} />
                </li>
              ))}
            </ul>
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
              <SubmitButton text={locale.say("save")} kind="quiet" />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("booksClosed")} text={locale.say("booksClosedText")}>
          <DeskForm frame={frame} action="/desk/settings/books/closed">
            {text("through", locale.say("booksClosedThrough"), {
              ...{ optional: true, hint: locale.say("booksClosedHint") },
              ...day,
            })}
            <p class="actions">
              <SubmitButton text={locale.say("save")} kind="quiet" />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("booksXero")} text={locale.say("booksXeroText")}>
          <ProgramForm frame={frame} action="/desk/settings/books" file={xeroFile} text="booksFile">
            <Codes locale={locale} codes={xero} faults={faults} />
          </ProgramForm>
        </Setting>
        <Setting title={locale.say("booksDatev")} text={locale.say("booksDatevText")}>
          <ProgramForm
            frame={frame}
            action="/desk/settings/books/datev-codes"
            file={datevFile}
            text="booksDatevFile"
          >
            <Codes locale={locale} codes={datev} faults={faults} />
          </ProgramForm>
        </Setting>
      </>
    ),
  });
}

type ProgramFormProps = WithChildren<{ frame: DeskFrame; action: string; file: File; text: TextKey }>;

/** The codes of a program, for who may change them, and its file. */
function ProgramForm({ frame, action, file, text, children }: ProgramFormProps) {
  const take = <Take locale={frame.locale} file={file} text={text} />;
  if (!mayHere(frame, "manage")) return <p class="actions">{take}</p>;
  return (
    <DeskForm frame={frame} action={action}>
      {children}
      <p class="actions">
        <SubmitButton text={frame.locale.say("save")} kind="quiet" />
        {take}
      </p>
    </DeskForm>
  );
}

const monthsOf = (locale: Locale) =>
  Array.from({ length: 12 }, (_, i) => ({
    value: String(i + 1),
    label: locale.month(`2026-${String(i + 1).padStart(2, "0")}-01`),
  }));

type CodesProps = Pick<BooksProps, "faults"> & { locale: Locale; codes: readonly BookCode[] };

function Codes({ locale, codes, faults }: CodesProps) {
  const extra = { maxlength: String(codeLengthMax) };
  return (
    <>
      {codes.map((code) =>
        code.name === "month" ? (
          <SelectField {...code} locale={locale} faults={faults} options={monthsOf(locale)} />
        ) : (
          <TextField
            {...code}
            {...(code.name === "transit" && { optional: true, hint: locale.say("booksTransitHint") })}
            locale={locale}
            faults={faults}
            extra={extra}
          />
        ),
      )}
    </>
  );
}

type TakeProps = { locale: Locale; file: File; text?: TextKey };

/** A file of the days in the form above, and a look at it first. */
function Take({ locale, file: { name, text }, text: button }: TakeProps) {
  const label = (text: TextKey, what: TextKey) => locale.labelled(locale.texts[text], locale.texts[what]);
  return (
    <>
      <button
        class="button button-plain button-small"
        type="submit"
        form="books"
        formaction={`/desk/settings/books/${name}`}
        aria-label={label(text, "booksPreview")}
      >
        {locale.say("booksPreview")}
      </button>
      <button
        class="button button-quiet button-small"
        type="submit"
        form="books"
        formaction={`/desk/settings/books/${name}.csv`}
        aria-label={button === undefined ? label(text, "downloadCsv") : undefined}
      >
        <DeskIcon name="download" />
        <span>{locale.texts[button ?? "downloadCsv"]}</span>
      </button>
    </>
  );
}
