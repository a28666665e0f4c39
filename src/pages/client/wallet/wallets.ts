import { announce, textOf, urlOf } from "../texts.ts";
import { crossWith, deliverWith, followNetwork, type Terms, tellAgain } from "./crossing.ts";
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

/** A way to pay: a transfer whose fee the wallet pays, a signature, from another network; or to deliver what came so. */
type Way = "payWith" | "signWith" | "crossWith" | "deliverWith";

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
  const network = followNetwork(() => show());
  window.addEventListener("eip6963:announceProvider", (event) => {
    const wallet = walletOf(event);
    if (!wallet || wallets.has(wallet.uuid) || wallets.size >= walletsMax) return;
    wallets.set(wallet.uuid, wallet);
    show();
  });

  function show(): void {
    onShown(wallets.size > 0);
    const place = document.querySelector<HTMLElement>("[data-wallets]");
    showDelivery();
    const request = place && requestOf(place);
    if (request) network.show(wallets.size > 0, `${request.micro}`);
    if (!place || !request || wallets.size === 0 || place.ariaBusy === "true") return;
    // The reason for a failure stays; a message about a payment on its way is outdated.
    if (!place.contains(message) && message.className === "") message.textContent = "";
    const focused = document.activeElement?.id ?? "";
    place.replaceChildren(...[...wallets.values()].flatMap((wallet) => buttonsFor(wallet, request)), message);
    if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
    place.hidden = false;
  }

  /** Buttons that mint what came from another network, where it waits for that. */
  function showDelivery(): void {
    const place = document.querySelector<HTMLElement>("[data-deliver]");
    const request = place && requestOf(place);
    if (!place || !request || place.ariaBusy === "true") return;
    place.hidden = wallets.size === 0;
    place.replaceChildren(
      ...[...wallets.values()].map((wallet) => payButton(wallet, "deliverWith", request)),
    );
  }

  function payButton(wallet: Wallet, way: Way, request: Request, isQuiet = false): HTMLButtonElement {
    const button = buttonFor(wallet, way, request.terms?.network ?? request.network, isQuiet);
    button.addEventListener("click", () => void pay(wallet, way, request));
    return button;
  }

  function buttonsFor(wallet: Wallet, of: Request): HTMLButtonElement[] {
    const terms = network.terms();
    if (terms === null) return [];
    if (terms !== "own") return [payButton(wallet, "crossWith", { ...of, terms })];
    const request = of;
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
      disable(false);
      show();
      say(sentence, true);
    };
    disable(true);
    place.append(message);
    say(textOf("confirmInWallet", { wallet: wallet.name }));
    try {
      if (way === "signWith") {
        await signWith(wallet.provider, request, request.url);
        say(textOf("sent"));
        onSent();
        return;
      }
      if (way === "deliverWith" || way === "crossWith") {
        if (request.terms) await crossWith(wallet.provider, request.terms);
        else await deliverWith(wallet.provider, request);
        say(request.terms ? textOf("crossSent", { network: request.terms.network }) : textOf("sent"));
        onSent();
        return;
      }
      const hash = await payWith(wallet.provider, request);
      say(textOf("sent"));
      onSent();
      const reverted = await wasReverted(wallet.provider, hash);
      onSent();
      if (reverted && place.isConnected) fail(textOf("reverted"));
    } catch (thrown) {
      if (!(thrown instanceof PaymentRefused)) throw thrown;
      if (thrown.reason === "noFee") wallet.isWithoutEther = true;
      if (thrown.reason === "cannotSign") wallet.cannotSign = true;
      fail(thrown.sentence ?? textOf(thrown.reason, thrown.values));
      // Another amount may be due, or nothing.
      if (thrown.sentence !== undefined) onSent();
    }
  }

  void tellAgain().then((isTold) => isTold && onSent());
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  show();
  return show;
}

function buttonFor(wallet: Wallet, way: Way, network: string, isQuiet: boolean): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = isQuiet ? "button button-quiet" : "button";
  button.id = `${way}-${wallet.uuid}`;
  if (wallet.icon.startsWith("data:image/")) {
    const icon = document.createElement("img");
    icon.src = wallet.icon;
    icon.alt = "";
    button.append(icon);
  }
  button.append(textOf(way, { wallet: wallet.name, network }));
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
type Request = WalletPayment & {
  place: HTMLElement;
  canSign: boolean;
  /** To pay from another network. */
  terms: Terms | null;
  url: (what: string) => string;
};

/** Reads the data attributes of the section and its surroundings. */
function requestOf(place: HTMLElement): Request | null {
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
    terms: null,
    url: urlOf,
  };
}
