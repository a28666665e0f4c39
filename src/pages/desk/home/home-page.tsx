import { Html } from "@elysiajs/html";
import { type DeskFrame, deskPage } from "../frame.tsx";
import { PageHead } from "../parts/head.tsx";

export type HomeProps = { frame: DeskFrame };

/** Home: what came in, what is owed, and what needs somebody. */
export function homePage({ frame }: HomeProps): string {
  const { locale, when } = frame;
  return deskPage({
    frame,
    place: "home",
    title: locale.say("navHome"),
    body: (
      <PageHead title={locale.say("navHome")} line={when.todayInFull()}>
        <a class="button button-quiet" href="/desk/links/new" safe>
          {locale.say("newLink")}
        </a>
        <a class="button" href="/desk/invoices/new" safe>
          {locale.say("newInvoice")}
        </a>
      </PageHead>
    ),
  });
}
