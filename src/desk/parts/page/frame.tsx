import { isOf } from "../../../domain/brand.ts";
import type { Duty, Role } from "../../../domain/party/person.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import { Logo, MerchantMark } from "../../../pages/brand-mark.tsx";
import { Connection, type WithChildren } from "../../../pages/layout.tsx";
import { SubmitButton } from "../button.tsx";
import { DeskForm } from "../form/form.tsx";
import { DeskIcon, type IconName } from "../icon.tsx";
import { type DeskFrame, type DoneText, mayHere, type Tab } from "./desk-frame.ts";
import { deskDocument } from "./document.tsx";

export type DeskPageProps = {
  frame: DeskFrame;
  place: Tab;
  title: string;
  body: Child;
  /** Undoes what was just done, as long as that is possible. */
  undo?: { of: DoneText; action: string } | null;
  /** A form whose own buttons replace the tabs at the bottom of the phone's screen. */
  isForm?: boolean;
};

export const places: Readonly<Record<Tab, { href: string; icon: IconName; text: TextKey; duty?: Duty }>> = {
  home: { href: "/desk", icon: "home", text: "home" },
  invoices: { href: "/desk/invoices", icon: "invoice", text: "invoices" },
  links: { href: "/desk/links", icon: "link", text: "navLinks" },
  counter: { href: "/desk/counter", icon: "counter", text: "counter", duty: "issue" },
  money: { href: "/desk/money", icon: "money", text: "navMoney" },
  customers: { href: "/desk/customers", icon: "people", text: "navCustomers" },
  settings: { href: "/desk/settings", icon: "settings", text: "navSettings" },
  more: { href: "/desk/more", icon: "more", text: "more" },
};

const railPlaces: readonly Tab[] = ["home", "invoices", "links", "counter", "money", "customers", "settings"];
const tabPlaces: readonly Tab[] = ["home", "invoices", "counter", "money", "more"];

/** Places that do not fit into the phone's tabs. */
export const morePlaces = (["links", "customers", "settings"] as const).map((place) => places[place]);

const isFor = (frame: DeskFrame) => (place: Tab) => mayHere(frame, places[place].duty ?? "read");

/** Renders a whole page of the desk as HTML. */
export function deskPage({ frame, place, title, body, undo = null, isForm = false }: DeskPageProps): string {
  const { locale, did } = frame;
  return deskDocument({
    ...frame,
    title,
    body: (
      <>
        <a class="skip" href="#content">
          {locale.say("skipToContent")}
        </a>
        {!isForm && <TopBar frame={frame} />}
        <div class="desk">
          <Rail frame={frame} place={place} />
          <main class={isForm ? "sheet sheet-form" : "sheet"} id="content" tabindex="-1">
            <Connection locale={locale} />
            {did !== null && (
              <DoneMessage frame={frame} did={did} undo={undo?.of === did ? undo.action : null} />
            )}
            {body}
          </main>
        </div>
        {!isForm && <Tabs frame={frame} place={place} />}
      </>
    ),
  });
}

/** The message about what was just done. The script announces it: screen readers skip a page's initial live regions. */
function DoneMessage({ frame, did, undo }: { frame: DeskFrame; did: DoneText; undo: string | null }) {
  const { locale } = frame;
  return (
    <div class="notice notice-plain did">
      <p role="status" data-told>
        {locale.texts[did]}
      </p>
      {undo !== null && (
        <DeskForm frame={frame} action={undo} className="inline">
          <SubmitButton kind="plain small" text={locale.say("undo")} />
        </DeskForm>
      )}
    </div>
  );
}

/** The shop's own mark and name. */
export function Shop({ frame: { brand, shopName } }: { frame: DeskFrame }) {
  return (
    <span class="shop">
      {brand.logo !== null && isOf(brand, shopName) ? (
        <Logo brand={brand} name={shopName} />
      ) : (
        <>
          <MerchantMark name={shopName} brand={brand} />
          <bdi>{shopName}</bdi>
        </>
      )}
    </span>
  );
}

function TopBar({ frame }: { frame: DeskFrame }) {
  return (
    <header class="top phone-only">
      <Shop frame={frame} />
      <a class="top-link" href="/desk/invoices?search" aria-label={frame.locale.say("search")}>
        <DeskIcon name="search" />
      </a>
    </header>
  );
}

const watchTexts = {
  current: "watchCurrent",
  late: "paymentsLate",
  starting: "watchStarting",
} as const satisfies Record<DeskFrame["watch"], TextKey>;

export const roleTexts = {
  owner: "roleOwner",
  staff: "roleStaff",
  accountant: "roleAccountant",
} as const satisfies Record<Role, TextKey>;

function Rail({ frame, place }: { frame: DeskFrame; place: Tab }) {
  const { locale, openCount, person, watch, networkName } = frame;
  const said =
    watch === "current"
      ? locale.say("watchCurrent", { network: networkName })
      : locale.say(watchTexts[watch]);
  return (
    <header class="rail">
      <Shop frame={frame} />
      <nav aria-label={locale.say("desk")}>
        <ul class="nav" id="places" data-live>
          {railPlaces.filter(isFor(frame)).map((each) => (
            <li>
              <PlaceLink locale={locale} place={each} isHere={each === place}>
                {each === "invoices" && openCount !== null && (
                  <span class="count" title={locale.say("openCount", { count: openCount })}>
                    {openCount}
                  </span>
                )}
              </PlaceLink>
            </li>
          ))}
        </ul>
      </nav>
      <div class="rail-foot">
        <p class={`watch watch-${watch}`} id="watch" data-live>
          {said}
        </p>
        <Me frame={frame} person={person} />
      </div>
    </header>
  );
}

/** The signed-in person, and the button to sign out. */
export function Me({ frame, person }: { frame: DeskFrame; person: DeskFrame["person"] }) {
  const { locale } = frame;
  if (person === null) return <p class="me soft">{locale.say("development")}</p>;
  return (
    <form class="me" method="post" action="/desk/sign-out">
      <input type="hidden" name="form" value={frame.formToken} />
      <p>
        <strong dir="auto">{person.name}</strong>
        <span class="soft">{locale.say(roleTexts[person.role])}</span>
      </p>
      <button type="submit" class="me-out">
        {locale.say("signOut")}
      </button>
    </form>
  );
}

type PlaceLinkProps = WithChildren<{ locale: Locale; place: Tab; isHere: boolean }>;

function PlaceLink({ locale, place, isHere, children }: PlaceLinkProps) {
  const { href, icon, text } = places[place];
  return (
    <a href={href} aria-current={isHere ? "page" : false}>
      <DeskIcon name={icon} />
      {locale.texts[text]}
      {children}
    </a>
  );
}

function Tabs({ frame, place }: { frame: DeskFrame; place: Tab }) {
  const { locale } = frame;
  const here = tabPlaces.includes(place) ? place : "more";
  return (
    <nav class="tabs phone-only" aria-label={locale.say("desk")}>
      <ul>
        {tabPlaces.filter(isFor(frame)).map((each) => (
          <li>
            <PlaceLink locale={locale} place={each} isHere={each === here} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
