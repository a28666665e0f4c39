import { Html } from "@elysiajs/html";
import { attr } from "../../text.ts";
import { type DeskFrame, deskPage, type Place } from "../frame.tsx";
import { DeskForm } from "../parts/form.tsx";
import { PageHead } from "../parts/head.tsx";

/** Asks before what cannot be undone: the question names the thing, the buttons repeat the verb. */
export function confirmPage({
  frame,
  place = "settings",
  back,
  question,
  text,
  warning,
  action,
  keep,
  confirm,
}: {
  frame: DeskFrame;
  place?: Place;
  back: { href: string; label: string };
  question: string;
  /** What happens, and to whom. */
  text: string;
  warning?: string | undefined;
  action: string;
  keep: string;
  confirm: string;
}): string {
  return deskPage({
    frame,
    place,
    title: question,
    body: (
      <>
        <PageHead back={back} title={question} />
        <DeskForm frame={frame} action={action} className="form form-alone">
          <p safe>{text}</p>
          {warning === undefined ? (
            ""
          ) : (
            <p class="notice" safe>
              {warning}
            </p>
          )}
          <div class="actions">
            <a class="button button-quiet" href={attr(back.href)} safe>
              {keep}
            </a>
            <button class="button button-danger" type="submit">
              {Html.escapeHtml(confirm)}
            </button>
          </div>
        </DeskForm>
      </>
    ),
  });
}
