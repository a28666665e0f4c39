import { CopyButton } from "../../../pages/icons.tsx";
import { ButtonLink } from "../button.tsx";
import { copyButtonWords } from "../copy.tsx";
import type { DeskFrame, Tab } from "./desk-frame.ts";
import { headedPage } from "./head.tsx";

type OncePageProps = {
  frame: DeskFrame;
  place?: Tab;
  back: { href: string; label: string };
  title: string;
  text: string;
  secret: string;
};

/** Shows a key or a link once, because it is not stored. */
export function oncePage({ frame, place = "settings", back, title, text, secret }: OncePageProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place,
    title,
    back,
    body: (
      <div class="form form-alone">
        <p>{text}</p>
        <div class="code">
          <pre id="secret">{secret}</pre>
          <CopyButton
            id="copy-secret"
            className="button button-quiet button-small"
            text={secret}
            words={copyButtonWords(locale, locale.say("copy"))}
          />
        </div>
        <div class="actions">
          <ButtonLink href={back.href} kind="quiet" text={locale.say("isKept")} />
        </div>
      </div>
    ),
  });
}
