import { announce, textOf } from "../texts.ts";
import {
  PaymentRefused,
  type PaymentRequest,
  type Provider,
  payWith,
  wasReverted,
} from "./wallet-payment.ts";

/** A wallet that made itself known to the page (EIP-6963). Its texts are its own: never markup. */
type Wallet = { uuid: string; name: string; icon: string; provider: Provider };

/** More than anybody has installed; a broken extension could announce without end. */
const walletsMax = 8;
const nameLengthMax = 40;

/**
 * Shows a button for every wallet in the browser. Returns what has to be called when the payment section was replaced.
 * `onSent` is called with a payment on its way, `onShown` whenever the buttons may have changed.
 */
export function offerWallets(onSent: () => void, onShown: (hasWallets: boolean) => void): () => void {
  const wallets = new Map<string, Wallet>();
  window.addEventListener("eip6963:announceProvider", (event) => {
    const wallet = walletOf(event);
    if (!wallet || wallets.has(wallet.uuid) || wallets.size >= walletsMax) return;
    wallets.set(wallet.uuid, wallet);
    show();
  });

  function show(): void {
    onShown(wallets.size > 0);
    const place = document.querySelector<HTMLElement>("[data-wallets]");
    const request = place && requestOf(place);
    if (!place || !request || wallets.size === 0 || place.ariaBusy === "true") return;
    const message = place.querySelector("p") ?? document.createElement("p");
    const buttons = [...wallets.values()].map((wallet) => {
      const button = buttonFor(wallet);
      button.addEventListener("click", () => void pay(wallet, request, place, message, onSent));
      return button;
    });
    place.replaceChildren(...buttons, message);
    place.hidden = false;
  }

  window.dispatchEvent(new Event("eip6963:requestProvider"));
  show();
  return show;
}

/** After a payment was sent the buttons stay disabled until the section says what remains: nobody pays twice. */
async function pay(
  wallet: Wallet,
  request: PaymentRequest,
  place: HTMLElement,
  message: HTMLElement,
  onSent: () => void,
): Promise<void> {
  const say = (sentence: string, isFault = false) => {
    message.textContent = sentence;
    message.className = isFault ? "fault" : "";
    announce(sentence);
  };
  const pressed = document.activeElement;
  const disable = (disabled: boolean) => {
    for (const button of place.querySelectorAll("button")) button.disabled = disabled;
    place.ariaBusy = String(disabled);
    // A disabled button loses the focus: who pressed it by keyboard goes on from there.
    if (!disabled && document.activeElement === document.body && pressed instanceof HTMLElement)
      pressed.focus();
  };
  disable(true);
  say(textOf("confirmInWallet", { wallet: wallet.name }));
  try {
    const hash = await payWith(wallet.provider, request);
    say(textOf("sent"));
    onSent();
    const reverted = await wasReverted(wallet.provider, hash);
    onSent();
    if (!reverted || !place.isConnected) return;
    disable(false);
    say(textOf("reverted"), true);
  } catch (thrown) {
    if (!(thrown instanceof PaymentRefused)) throw thrown;
    disable(false);
    say(textOf(thrown.reason, thrown.values), true);
  }
}

function buttonFor(wallet: Wallet): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.id = `wallet-${wallet.uuid}`;
  if (wallet.icon.startsWith("data:image/")) {
    const icon = document.createElement("img");
    icon.src = wallet.icon;
    icon.alt = "";
    button.append(icon);
  }
  button.append(textOf("payWith", { wallet: wallet.name }));
  return button;
}

/** Anything in the page can send this event, so every field is checked. */
function walletOf(event: Event): Wallet | null {
  if (!(event instanceof CustomEvent)) return null;
  const { info, provider } = (event.detail ?? {}) as { info?: Partial<Wallet>; provider?: Partial<Provider> };
  if (!info || typeof provider?.request !== "function") return null;
  const { uuid, name, icon } = info;
  if (typeof uuid !== "string" || typeof name !== "string" || typeof icon !== "string") return null;
  return { uuid, name: name.slice(0, nameLengthMax), icon, provider: provider as Provider };
}

/** What is to be paid, from the section's data attributes. */
function requestOf(place: HTMLElement): PaymentRequest | null {
  const section = place.closest<HTMLElement>("[data-micro]");
  if (!section) return null;
  const { chainId = "", network = "", usdc = "", to = "", micro = "" } = section.dataset;
  if (!/^\d+$/.test(micro) || !/^\d+$/.test(chainId)) return null;
  return { chainId: Number(chainId), network, usdc, to, micro: BigInt(micro) };
}
