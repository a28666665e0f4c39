import { Html } from "@elysiajs/html";
import { Connection } from "../../page-foot.tsx";
import { attr } from "../../text.ts";
import { deskDocument } from "../document.tsx";
import { type DeskFrame, Shop } from "../frame.tsx";
import { DeskIcon } from "../parts/icon.tsx";

/** A page of the counter: no rail, nothing but the payment. */
export function counterPage({
  frame,
  title,
  isPaid = false,
  reloadSeconds = null,
  actions: safeActions,
  main: safeMain,
}: {
  frame: DeskFrame;
  title: string;
  isPaid?: boolean;
  /** Without a script the page loads itself again after so long. */
  reloadSeconds?: number | null;
  /** Markup. */
  actions: JSX.Element;
  /** Markup. */
  main: JSX.Element;
}): string {
  const { locale } = frame;
  return deskDocument({
    ...frame,
    title,
    bodyClass: isPaid ? "counter paid-screen" : "counter",
    head:
      reloadSeconds === null ? (
        ""
      ) : (
        <noscript>
          <meta http-equiv="refresh" content={String(reloadSeconds)} />
        </noscript>
      ),
    body: (
      <>
        <header>
          <div class="counter-top">
            <Shop frame={frame} />
            <span class="actions">{safeActions}</span>
          </div>
          <Connection locale={locale} />
          <p class="counter-offline notice notice-late" id="counter-offline" role="alert" hidden>
            {Html.escapeHtml(locale.say("counterOffline"))}
          </p>
        </header>
        {safeMain}
      </>
    ),
  });
}

/** Only the script makes a sound, so only the script shows it. */
export function SoundSwitch({ frame: { locale } }: { frame: DeskFrame }) {
  return (
    <button
      type="button"
      class="button button-plain button-icon sound"
      id="sound"
      aria-pressed="true"
      aria-label={attr(locale.say("counterSound"))}
      hidden
    >
      <DeskIcon name="sound" />
      <DeskIcon name="silent" />
    </button>
  );
}
