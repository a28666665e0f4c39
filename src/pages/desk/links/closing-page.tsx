import { Html } from "@elysiajs/html";
import type { TextKey } from "../../../language/locale.ts";
import { attr } from "../../text.ts";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { DeskForm, type Fault, TextField } from "../parts/form.tsx";
import { PageHead } from "../parts/head.tsx";
import { linkHref } from "./detail-props.ts";

const asked = {
  void: ["linkVoidTitle", "linkVoidText", "linkVoidIt"],
  end: ["linkEndTitle", "linkEndText", "linkEndIt"],
  mark: ["linkMarkTitle", "linkMarkText", "doMark"],
} as const satisfies Record<string, readonly TextKey[]>;

/** Asks once more before a link is void, has ended or counts as paid. With a script it is a dialog over the link. */
export function linkClosingPage({
  frame,
  slug,
  name,
  deed,
  value = "",
  faults = [],
}: {
  frame: DeskFrame;
  slug: string;
  /** What it is for. */
  name: string;
  deed: keyof typeof asked;
  value?: string;
  faults?: readonly Fault[];
}): string {
  const { locale } = frame;
  const href = linkHref(slug);
  const [title, text, go] = asked[deed];
  const isMark = deed === "mark";
  return deskPage({
    frame,
    place: "links",
    title: locale.texts[title],
    body: (
      <>
        <PageHead back={{ href, label: name }} title={locale.texts[title]} />
        <div class="form-alone" id="confirm" data-title={attr(locale.texts[title])}>
          <p class="soft" safe>
            {locale.texts[text]}
          </p>
          <DeskForm frame={frame} action={`${href}/${isMark ? "mark" : "void"}`} className="form confirm">
            <TextField
              locale={locale}
              name={isMark ? "note" : "reason"}
              label={locale.say(isMark ? "markNote" : "linkVoidReason")}
              hint={locale.say(isMark ? "markNoteHint" : "linkVoidReasonHint")}
              optional={isMark}
              value={value}
              faults={faults}
              extra={{ dir: "auto", autocomplete: "off" }}
            />
            <div class="actions">
              <a class="button button-quiet" href={attr(href)} data-close safe>
                {locale.say("linkKeep")}
              </a>
              <button type="submit" class={isMark ? "button" : "button button-danger"}>
                {Html.escapeHtml(locale.texts[go])}
              </button>
            </div>
          </DeskForm>
        </div>
      </>
    ),
  });
}
