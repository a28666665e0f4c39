import type { Locale, TextKey } from "../../language/locale.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { frequentDays } from "../parts/days-menu.tsx";
import { choice, day } from "../parts/form/controls.tsx";
import { DeskForm, FaultSummary, type FormFault, SelectField, TextField } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import { DeskIcon } from "../parts/icon.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { Fold, Setting } from "../parts/setting.tsx";
import { datevFile, type File, mainFiles, otherFiles, xeroFile } from "./books-files.ts";

export const codeLengthMax = 100;

/** A code or name in the merchant's books; `name` is the field's. */
export type BookCode = { name: string; label: string; value: string };

export type BooksProps = {
  frame: DeskFrame;
  /** Days, or empty. */
  from: string;
  to: string;
  /** The last closed day of the books, or the typed one. */
  through: string;
  /** The spreadsheet's decimal mark. */
  decimals: string;
  /** The currency that payments are valued in; null if they are not. */
  currency: string | null;
  xero: readonly BookCode[];
  datev: readonly BookCode[];
  faults: readonly FormFault[];
};

const markTexts = { point: "booksPoint", comma: "booksComma", swiss: "booksSwiss" } as const;

const booksForm = formOf({
  from: { label: "fromDay", control: day },
  to: { label: "toDay", control: day },
  through: { label: "booksClosedThrough", hint: "booksClosedHint", optional: true, control: day },
  decimals: {
    label: "booksDecimals",
    control: choice(({ texts }) =>
      PreferenceStore.decimalMarks.map((mark) => ({ value: mark, label: texts[markTexts[mark]] })),
    ),
  },
});

/** Downloads for a bookkeeper, and the codes in their books. */
export function booksPage({ frame, decimals, currency, xero, datev, faults, ...typed }: BooksProps): string {
  const { locale } = frame;
  const field = booksForm.fields({ frame, typed: { ...typed, decimals }, faults });
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
              {field("from")}
              {field("to")}
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
            <FileList locale={locale} files={mainFiles} />
            <Fold title={locale.say("booksAllFiles")}>
              <FileList locale={locale} files={otherFiles} />
            </Fold>
            <p class="hint">
              {currency !== null ? (
                locale.say("booksValue", { currency })
              ) : (
                <>
                  {locale.say("booksNoValue")}{" "}
                  {mayHere(frame, "manage") && (
                    <a href="/desk/settings/rates">{locale.say("settingsRates")}</a>
                  )}
                </>
              )}
            </p>
          </form>
        </Setting>
        <Setting title={locale.say("booksClosed")} text={locale.say("booksClosedText")}>
          <DeskForm frame={frame} action="/desk/settings/books/closed">
            {field("through")}
            <p class="actions">
              <SubmitButton text={locale.say("save")} kind="quiet" />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("booksXero")} text={locale.say("booksXeroText")}>
          <Program
            frame={frame}
            faults={faults}
            action="/desk/settings/books"
            codes={xero}
            file={xeroFile}
            text="booksFile"
          />
        </Setting>
        <Setting title={locale.say("booksDatev")} text={locale.say("booksDatevText")}>
          <Program
            frame={frame}
            faults={faults}
            action="/desk/settings/books/datev-codes"
            codes={datev}
            file={datevFile}
            text="booksDatevFile"
          />
        </Setting>
        <Setting title={locale.say("booksSheet")} text={locale.say("booksSheetText")}>
          <DeskForm frame={frame} action="/desk/settings/books/spreadsheet">
            {field("decimals")}
            <p class="actions">
              <SubmitButton text={locale.say("save")} kind="quiet" />
            </p>
          </DeskForm>
        </Setting>
      </>
    ),
  });
}

function FileList({ locale, files }: { locale: Locale; files: readonly File[] }) {
  return (
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
  );
}

type ProgramProps = Pick<BooksProps, "frame" | "faults"> & {
  action: string;
  codes: readonly BookCode[];
  file: File;
  text: TextKey;
};

/** A program's file, and its codes for people who may change them: open if one is missing. */
function Program({ frame, action, codes, faults, file, text }: ProgramProps) {
  const { locale } = frame;
  const isFaulty = codes.some(({ name }) => faults.some(({ field }) => field === name));
  return (
    <div class="form">
      <p class="actions">
        <Take locale={locale} file={file} text={text} />
      </p>
      {mayHere(frame, "manage") && (
        <Fold title={locale.say("booksCodes")} isOpen={isFaulty}>
          <DeskForm frame={frame} action={action}>
            <Codes locale={locale} codes={codes} faults={faults} />
            <p class="actions">
              <SubmitButton text={locale.say("save")} kind="quiet" />
            </p>
          </DeskForm>
        </Fold>
      )}
    </div>
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

/** Downloads a file for the days in the form above, or previews it. */
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
