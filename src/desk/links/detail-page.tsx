import { Payments } from "../invoices/detail-parts.tsx";
import { Hooks } from "../invoices/hooks.tsx";
import { Standing } from "../invoices/standing.tsx";
import { Timeline } from "../invoices/timeline.tsx";
import { AddressFact } from "../parts/copy.tsx";
import { deskPage } from "../parts/frame.tsx";
import { Pager } from "../parts/list.tsx";
import { Embed, InPage, LinkFacts, LinkHead, SendIt } from "./detail-parts.tsx";
import { type LinkDetailProps, linkHref, type ReusableDetailProps } from "./detail-props.ts";
import { LinkRows } from "./list-page.tsx";

/** All about one link that is paid once. What money and the merchant make of it shows by itself. */
export function linkDetailPage(props: LinkDetailProps): string {
  const { frame, problem, isOpen } = props;
  return deskPage({
    frame,
    place: "links",
    title: props.title,
    undo: props.can.unmark ? { of: "didMarkLink", action: `${linkHref(props.slug)}/unmark` } : null,
    body: (
      <>
        {problem !== null && (
          <p class="notice notice-late" role="alert">
            {problem}
          </p>
        )}
        <LinkHead props={props} receiptHref={props.receiptHref} />
        <div class="columns columns-preview">
          <div>
            <Standing frame={frame} invoice={props.standing} />
            {isOpen && <SendIt props={props} />}
            <Payments props={props} />
            {isOpen && <Embed props={props} />}
            <LinkTimeline props={props} />
            {props.hooks.length > 0 && <Hooks props={{ ...props, href: linkHref(props.slug) }} />}
          </div>
          <aside aria-label={frame.locale.say("linkAbout")}>
            <InPage props={props} />
            <LinkFacts props={props}>
              <Parent props={props} />
              <AddressFact
                frame={props.frame}
                name={props.frame.locale.say("depositAddress")}
                address={props.address}
              />
            </LinkFacts>
          </aside>
        </div>
      </>
    ),
  });
}

type Props = { props: LinkDetailProps };

function Parent({ props: { frame, parent } }: Props) {
  return parent === null ? (
    ""
  ) : (
    <div>
      <dt>{frame.locale.say("linkFactPartOf")}</dt>
      <dd>
        <a class="reach" href={parent.href} dir="auto">
          {parent.title}
        </a>
      </dd>
    </div>
  );
}

function LinkTimeline({ props }: Props) {
  const { frame, slug, merchantEmail, payerEmail } = props;
  const people = { name: frame.locale.say("linkSomebody"), email: payerEmail ?? "", merchantEmail };
  return <Timeline {...props} people={people} noteAction={`${linkHref(slug)}/note`} />;
}

/** All about a link that is paid again and again: its payments, each with a page of its own. */
export function reusableDetailPage(props: ReusableDetailProps): string {
  const { frame, isOpen, voidReason } = props;
  const { locale } = frame;
  return deskPage({
    frame,
    place: "links",
    title: props.title,
    body: (
      <>
        <LinkHead props={props} receiptHref={null} />
        {voidReason !== null && (
          <p class="notice notice-plain" dir="auto">
            {locale.say("linkVoided", { reason: voidReason })}
          </p>
        )}
        <div class="columns columns-preview">
          <div>
            {isOpen && <SendIt props={props} />}
            <PaymentsOf props={props} />
            {isOpen && <Embed props={props} />}
          </div>
          <aside aria-label={locale.say("linkAbout")}>
            <InPage props={props} />
            <LinkFacts props={props} />
          </aside>
        </div>
      </>
    ),
  });
}

function PaymentsOf({ props }: { props: ReusableDetailProps }) {
  const { frame, rows, totals, newest, older } = props;
  const { locale } = frame;
  return (
    <section class="part">
      <div class="part-head">
        <h2>{locale.say("paymentsTitle")}</h2>
        <span class="soft small" id="totals" data-live>
          {locale.say("linkPaymentsSum", { paid: totals.paid, received: totals.received })}
        </span>
      </div>
      {rows.length === 0 ? (
        <p class="soft" id="links" data-live>
          {locale.say("linkNoPayments")}
        </p>
      ) : (
        <LinkRows frame={frame} rows={rows} />
      )}
      <Pager locale={locale} newest={newest} older={older} />
      <p class="soft small begun">{locale.say("linkBegun", { count: totals.begun })}</p>
    </section>
  );
}
