import type { Locale } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../../pages/layout.tsx";
import { DeskIcon } from "../icon.tsx";
import type { Tab } from "./desk-frame.ts";
import { type DeskPageProps, deskPage, places } from "./frame.tsx";

type PageHeadProps = WithChildren<{
  /** The list that the page was opened from. */
  back?: { href: string; label: string } | undefined;
  title: string;
  pill?: Child;
  line?: string | undefined;
}>;

/** The head of a page: a link back, the title with a pill, a line below, and the actions. */
export function PageHead({ back, title, pill, line, children }: PageHeadProps) {
  return (
    <div class="head">
      <div class="head-words">
        {back !== undefined && (
          <a class="back" href={back.href}>
            <DeskIcon name="back" turns />
            {back.label}
          </a>
        )}
        <div class="title">
          <h1 dir="auto">{title}</h1>
          {pill}
        </div>
        {line !== undefined && <p dir="auto">{line}</p>}
      </div>
      {children !== undefined && <div class="actions actions-wide">{children}</div>}
    </div>
  );
}

const placeBack = (place: Tab, { texts }: Locale) => ({
  href: places[place].href,
  label: texts[places[place].text],
});

type HeadedPageProps = Omit<DeskPageProps, "body"> & {
  back?: Tab | { href: string; label: string };
  line?: string | undefined;
  actions?: Child;
  body: Child;
};

/** A page of the desk with a head. `back`: a place, or another page to go back to. `actions`: markup. */
export function headedPage({ back, line, actions, body, ...page }: HeadedPageProps): string {
  const { title, frame } = page;
  const from = typeof back === "string" ? placeBack(back, frame.locale) : back;
  return deskPage({
    ...page,
    body: (
      <>
        <PageHead
          title={title}
          back={from}
          line={line}
          {...(actions !== undefined && actions !== false && { children: actions })}
        />
        {body}
      </>
    ),
  });
}

type PartProps = WithChildren<{ id?: string; title: string; beside?: Child; isLive?: boolean }>;

/** A section of a page. `beside` goes beside its title. */
export function Part({ id, title, beside, isLive = false, children }: PartProps) {
  return (
    <section class="part" id={id} data-live={isLive}>
      <div class="part-head">
        <h2>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
