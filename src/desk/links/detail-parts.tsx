import type { WithChildren } from "../../pages/layout.tsx";
import { webHref } from "../../pages/text.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Copy, Copyable } from "../parts/copy.tsx";
import { PageHead } from "../parts/head.tsx";
import { Facts, Menu } from "../parts/menu.tsx";
import { Pill } from "../parts/state.tsx";
import { type LinkCommon, linkHref } from "./detail-props.ts";

type Props = { props: LinkCommon };

/** What it is for, how it stands, and what can be done now. */
export function LinkHead({ props, receiptHref }: Props & { receiptHref: string | null }) {
  const { frame, slug, title, line, state, can } = props;
  const { locale } = frame;
  return (
    <div id="head" data-live>
      <PageHead
        back={{ href: "/desk/links", label: locale.say("navLinks") }}
        title={title}
        pill={<Pill {...state} />}
        line={line}
      >
        {can.issue && (
          <ButtonLink href={`/desk/links/new?like=${slug}`} kind="quiet" text={locale.say("linkDuplicate")} />
        )}
        <More props={props} receiptHref={receiptHref} />
      </PageHead>
    </div>
  );
}

function More({ props, receiptHref }: Props & { receiptHref: string | null }) {
  const { frame, slug, url, can, isOpen } = props;
  const { say } = frame.locale;
  const href = linkHref(slug);
  return (
    <Menu
      frame={frame}
      entries={[
        { text: say("openPayment"), href: url, as: "window" },
        isOpen && { text: say("linkPrint"), href: `${href}/print` },
        receiptHref !== null && { text: say("receipt"), href: receiptHref, as: "window" },
        can.mark && { text: say("linkMark"), href: `${href}/mark`, as: "dialog", group: "closing" },
        can.unmark && { text: say("linkUnmark"), href: `${href}/unmark`, as: "post", group: "closing" },
        can.void && {
          text: say(isReusable(props) ? "linkDoEnd" : "linkDoVoid"),
          href: `${href}/void`,
          as: "dialog",
          group: "closing",
          isDanger: true,
        },
      ]}
    />
  );
}

const isReusable = (props: LinkCommon) => "totals" in props;

/** The address, to be sent. */
export function SendIt({ props: { frame, url } }: Props) {
  const { locale } = frame;
  return (
    <section class="part">
      <div class="part-head">
        <h2>{locale.say("linkSend")}</h2>
      </div>
      <Copyable frame={frame} id="url" text={url} label={locale.say("linkAddress")} isFilled />
    </section>
  );
}

const ways = [
  ["button", "linkCheckout", "linkCheckoutText", "checkout"],
  ["frame", "linkFrame", "linkFrameText", "frame"],
  ["link", "linkButton", "linkButtonText", "button"],
] as const;

/** What a shop pastes into its page. The ways are radio buttons, so that choosing works without a script. */
export function Embed({ props: { frame, snippets } }: Props) {
  const { locale } = frame;
  return (
    <section class="part">
      <div class="part-head">
        <h2>{locale.say("linkEmbed")}</h2>
      </div>
      <div class="snippets">
        {ways.map(([way, name], i) => (
          <>
            <input type="radio" name="as" id={`as-${way}`} checked={i === 0} autocomplete="off" />
            <label for={`as-${way}`}>{locale.say(name)}</label>
          </>
        ))}
        {ways.map(([way, , text, snippet]) => (
          <div class={`snippet as-${way}`}>
            <p class="soft">{locale.say(text)}</p>
            <div class="code">
              <pre>{snippets[snippet]}</pre>
              <Copy frame={frame} id={`copy-${way}`} text={snippets[snippet]} />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}

/** The page as it stands in a shop's page. */
export function InPage({ props: { frame, slug, url, isLive } }: Props) {
  const { locale } = frame;
  const title = locale.say("linkInPage");
  return (
    <figure class="in-page">
      <div class="part-head">
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
        <a href={webHref(url) ?? "#"} target="_blank" rel="noopener">
          {locale.say("linkOpenIt")}
        </a>
      </div>
      <div class="preview">
        <iframe
          class="preview-frame"
          id="preview"
          src={`${linkHref(slug)}/preview`}
          title={title}
          loading="lazy"
          {...(isLive ? {} : { sandbox: "allow-same-origin" })}
        ></iframe>
      </div>
    </figure>
  );
}

export const LinkFacts = ({ props: { facts }, children }: WithChildren<Props>) => (
  <Facts facts={facts} className="facts link-facts">
    {children}
  </Facts>
);
