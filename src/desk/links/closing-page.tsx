import type { TextKey } from "../../language/locale.ts";
import { closingPage } from "../parts/form/confirm-page.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { linkHref } from "./detail-props.ts";

const textKeys = {
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
  deed: keyof typeof textKeys;
  value?: string;
  faults?: readonly FormFault[];
}): string {
  const { locale } = frame;
  const href = linkHref(slug);
  const [title, text, go] = textKeys[deed];
  const isMark = deed === "mark";
  return closingPage({
    frame,
    place: "links",
    back: { href, label: name },
    question: locale.texts[title],
    text: locale.texts[text],
    action: `${href}/${isMark ? "mark" : "void"}`,
    field: isMark
      ? { name: "note", label: locale.say("markNote"), hint: locale.say("markNoteHint"), optional: true }
      : { name: "reason", label: locale.say("reason"), hint: locale.say("linkVoidReasonHint") },
    value,
    faults,
    keep: locale.say("linkKeep"),
    confirm: locale.texts[go],
    isDanger: !isMark,
  });
}
