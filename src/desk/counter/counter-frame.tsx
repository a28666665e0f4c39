import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import { Connection } from "../../pages/layout.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { deskDocument } from "../parts/page/document.tsx";
import { Shop } from "../parts/page/frame.tsx";

type CounterPageProps = {
  frame: DeskFrame;
  title: string;
  isPaid?: boolean;
  /** Without a script the page reloads after this many seconds. */
  reloadSeconds?: number | null;
  actions: Child;
  main: Child;
};

/** A page of the counter: without navigation, only the payment. */
export function counterPage({ frame, title, actions, main, ...more }: CounterPageProps): string {
  const { isPaid = false, reloadSeconds = null } = more;
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
            <span class="actions">{actions}</span>
          </div>
          <Connection locale={locale} />
          <p class="counter-offline notice notice-late" id="counter-offline" role="alert" hidden>
            {locale.say("counterOffline")}
          </p>
        </header>
        {main}
      </>
    ),
  });
}

/** Only the script makes a sound, so the script shows the switch. */
export function SoundSwitch({ frame: { locale } }: { frame: DeskFrame }) {
  return (
    <button
      type="button"
      class="button button-plain button-icon sound"
      id="sound"
      aria-pressed="true"
      aria-label={locale.say("counterSound")}
      hidden
    >
      <DeskIcon name="sound" />
      <DeskIcon name="silent" />
    </button>
  );
}
