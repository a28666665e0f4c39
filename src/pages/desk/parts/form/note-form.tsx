import { Html } from "@elysiajs/html";
import { attr } from "../../../text.ts";
import type { DeskFrame } from "../../frame.tsx";
import { DeskForm, type FormFault } from "./form.tsx";

/** Where somebody writes a note for their team, below what happened. `note` and `fault`: of one that was refused. */
export function NoteForm({
  frame,
  action,
  note,
  fault,
}: {
  frame: DeskFrame;
  action: string;
  note: string;
  fault: FormFault | undefined;
}) {
  const { locale } = frame;
  return (
    <DeskForm frame={frame} action={action} className="say">
      <label class="visually-hidden" for="note" safe>
        {locale.say("noteLabel")}
      </label>
      <textarea
        id="note"
        name="note"
        rows="2"
        dir="auto"
        placeholder={attr(locale.say("notePlaceholder"))}
        aria-invalid={fault === undefined ? false : "true"}
        aria-describedby={fault === undefined ? false : "note-fault"}
        safe
      >
        {note}
      </textarea>
      {fault !== undefined && (
        <p class="fault" id="note-fault" safe>
          {fault.message}
        </p>
      )}
      <button type="submit" class="button button-quiet button-small">
        {Html.escapeHtml(locale.say("addNote"))}
      </button>
    </DeskForm>
  );
}
