import { announce, textOf, urlOf } from "../texts.ts";
import { signWith } from "./sign-payment.ts";
import {
  isWithoutEther,
  PaymentRefused,
  type Provider,
  payWith,
  type WalletPayment,
  wasReverted,
} from "./wallet-payment.ts";

/** A wallet that announced itself to the page (EIP-6963). Its texts are its own, so never markup. */
type Wallet = {
  uuid: string;
  name: string;
  icon: string;
  provider: Provider;
  /** True if it is known to have nothing to pay fees with. */
  isWithoutEther?: boolean;
  /** True if it was asked to sign and could not. */
  cannotSign?: boolean;
};

/** What another script has a wallet do. `sent` is said afterwards. */
export type Action = {
  id: string;
  text(wallet: string): string;
  run(provider: Provider, requireDue: () => void): Promise<void>;
  sent: string;
};

/** A way to pay: a transfer whose fee the wallet pays, a signature, or another one. */
type Way = "payWith" | "signWith" | Action;

/** What pages bring that can be paid from other networks. */
export type Networks = (page: {
  show(): void;
  onSent(): void;
  /** One for each wallet. */
  buttons(action: Action, request: Request): HTMLButtonElement[];
}) => {
  /** The ways to pay from the chosen network; null for those of Till's own. */
  ways(): Action[] | null;
  show(hasWallets: boolean): void;
};
/** Set when the script is built: others are no longer for what they do not do. */
declare const HAS_NETWORKS: boolean;

let networks: Networks | undefined;
export const addNetworks = (added: Networks): void => {
  networks = added;
};

/** More than anybody has installed; a broken extension could announce wallets without end. */
const walletsMax = 8;
const nameLengthMax = 40;

/**
 * Shows buttons for every wallet in the browser. Returns a function to call when the payment section was replaced.
 * `onSent` is called with a payment on its way, `onShown` whenever the buttons may have changed.
 */
export function offerWallets(onSent: () => void, onShown: (hasWallets: boolean) => void): () => void {
  const wallets = new Map<string, Wallet>();
  const message = document.createElement("p");
  /** What a wallet is paying, or has paid, until it fails or the section no longer asks for the same. */
  let paying: (Request & { failure: Element | null }) | null = null;
  const network = HAS_NETWORKS
    ? networks?.({
        show,
        onSent,
        buttons: (way, request) => [...wallets.values()].map((wallet) => payButton(wallet, way, request)),
      })
    : null;
  window.addEventListener("eip6963:announceProvider", (event) => {
    const wallet = walletOf(event);
    if (!wallet || wallets.has(wallet.uuid) || wallets.size >= walletsMax) return;
    wallets.set(wallet.uuid, wallet);
    show();
  });

  function show(): void {
    onShown(wallets.size > 0);
    const place = keepBusy(document.querySelector<HTMLElement>("[data-wallets]"));
    const request = place && requestOf(place);
    if (HAS_NETWORKS) network?.show(wallets.size > 0);
    if (!place || !request || wallets.size === 0 || paying !== null) return;
    // The reason for a failure stays; a message about a payment on its way is outdated.
    if (message.className === "") message.textContent = "";
    fillWith(place, ...[...wallets.values()].flatMap((wallet) => buttonsFor(wallet, request)), message);
    place.hidden = false;
  }

  /** Returns the place for buttons: the busy one, even if its surroundings are new, as long as the same is due. */
  function keepBusy(place: HTMLElement | null): HTMLElement | null {
    if (paying === null) return place;
    const busy = paying.place;
    const isSame = place && requestOf(place)?.micro === paying.micro;
    if (isSame && (paying.failure || !failureSaid())) {
      if (place !== busy) place.replaceWith(busy);
      return busy;
    }
    paying = null;
    busy.ariaBusy = "false";
    return place;
  }

  function payButton(wallet: Wallet, way: Way, request: Request, isQuiet = false): HTMLButtonElement {
    const button = buttonFor(wallet, way, isQuiet);
    button.addEventListener("click", () => void pay(wallet, way, request));
    return button;
  }

  function buttonsFor(wallet: Wallet, request: Request): HTMLButtonElement[] {
    const others = HAS_NETWORKS ? network?.ways() : null;
    if (HAS_NETWORKS && others) return others.map((way) => payButton(wallet, way, request));
    if (request.canSign && wallet.isWithoutEther === undefined) {
      wallet.isWithoutEther = false;
      isWithoutEther(wallet.provider, request.chainId).then(
        (isSo) => {
          wallet.isWithoutEther = isSo;
          if (isSo) show();
        },
        () => {},
      );
    }
    const ways: Way[] = request.canSign && !wallet.cannotSign ? ["payWith", "signWith"] : ["payWith"];
    // Without ether for the fee, signing comes first.
    if (wallet.isWithoutEther) ways.reverse();
    return ways.map((way, at) => payButton(wallet, way, request, at > 0));
  }

  /** After a payment was sent, the buttons stay disabled until the section says what remains: nobody pays twice. */
  async function pay(wallet: Wallet, way: Way, request: Request): Promise<void> {
    const { place } = request;
    const mine = { ...request, failure: failureSaid() };
    // The other place is for what is to be delivered, which is due no more.
    if (!HAS_NETWORKS || place.matches("[data-wallets]")) paying = mine;
    const requireDue = () => {
      if (paying === mine) return;
      const section = document.querySelector<HTMLElement>("[data-payment]");
      throw new PaymentRefused("declined", {}, section?.dataset["sentence"]);
    };
    const pressed = document.activeElement;
    const disable = (disabled: boolean) => {
      for (const button of place.querySelectorAll("button")) button.disabled = disabled;
      place.ariaBusy = String(disabled);
      // A disabled button loses the focus; returns it to a keyboard user.
      if (!disabled && document.activeElement === document.body && pressed instanceof HTMLElement)
        pressed.focus();
    };
    const say = (sentence: string, isFault = false) => {
      message.textContent = sentence;
      message.className = isFault ? "fault" : "";
      announce(sentence);
    };
    const fail = (sentence: string) => {
      if (paying === mine) paying = null;
      if (paying?.place !== place) disable(false);
      show();
      say(sentence, true);
    };
    disable(true);
    if (HAS_NETWORKS) place.append(message);
    say(textOf("confirmInWallet", { wallet: wallet.name }));
    try {
      if (HAS_NETWORKS && typeof way === "object") {
        await way.run(wallet.provider, requireDue);
        say(way.sent);
        onSent();
        return;
      }
      if (way === "signWith") {
        await signWith(wallet.provider, request, request.url);
        say(textOf("sent"));
        onSent();
        return;
      }
      const hash = await payWith(wallet.provider, request, requireDue);
      say(textOf("sent"));
      onSent();
      const reverted = await wasReverted(wallet.provider, hash);
      onSent();
      if (reverted && paying === mine) fail(textOf("reverted"));
    } catch (thrown) {
      if (!(thrown instanceof PaymentRefused)) throw thrown;
      if (thrown.reason === "noFee") wallet.isWithoutEther = true;
      if (thrown.reason === "cannotSign") wallet.cannotSign = true;
      fail(thrown.sentence ?? textOf(thrown.reason, thrown.values));
      // Another amount may be due, or nothing.
      if (thrown.sentence !== undefined) onSent();
    }
  }

  window.dispatchEvent(new Event("eip6963:requestProvider"));
  show();
  return show;
}

const failures = HAS_NETWORKS ? "[data-part=signed-failed],[data-failed]" : "[data-part=signed-failed]";

/** Where the section says that a payment came to nothing, and so can be made again. */
const failureSaid = () => document.querySelector(failures);

/** The focus stays on what has the same id. */
export function fillWith(place: HTMLElement, ...children: Element[]): void {
  const focused = document.activeElement?.id ?? "";
  place.replaceChildren(...children);
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
}

function buttonFor(wallet: Wallet, way: Way, isQuiet: boolean): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = isQuiet ? "button button-quiet" : "button";
  button.id = `${HAS_NETWORKS && typeof way === "object" ? way.id : way}-${wallet.uuid}`;
  if (wallet.icon.startsWith("data:image/")) {
    const icon = document.createElement("img");
    icon.src = wallet.icon;
    icon.alt = "";
    button.append(icon);
  }
  button.append(
    HAS_NETWORKS && typeof way === "object"
      ? way.text(wallet.name)
      : textOf(way as "payWith", { wallet: wallet.name }),
  );
  return button;
}

/** Any script in the page can send this event, so every field is checked. */
function walletOf(event: Event): Wallet | null {
  if (!(event instanceof CustomEvent)) return null;
  const { info, provider } = (event.detail ?? {}) as { info?: Partial<Wallet>; provider?: Partial<Provider> };
  if (!info || typeof provider?.request !== "function") return null;
  const { uuid, name, icon } = info;
  if (typeof uuid !== "string" || typeof name !== "string" || typeof icon !== "string") return null;
  return { uuid, name: name.slice(0, nameLengthMax), icon, provider: provider as Provider };
}

/** The payment due, its place on the page, and the URLs to hand a signature to Till. */
export type Request = WalletPayment & {
  place: HTMLElement;
  canSign: boolean;
  url: (what: string) => string;
};

/** Reads the data attributes of the section and its surroundings. */
export function requestOf(place: HTMLElement): Request | null {
  const section = place.closest<HTMLElement>("[data-micro]");
  if (!section) return null;
  const { chainId = "", network = "", usdc = "", to = "", micro = "", sign } = section.dataset;
  if (!/^\d+$/.test(micro) || !/^\d+$/.test(chainId)) return null;
  return {
    chainId: Number(chainId),
    network,
    usdc,
    to,
    micro: BigInt(micro),
    place,
    canSign: sign !== undefined,
    url: urlOf,
  };
}
