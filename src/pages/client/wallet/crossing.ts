import { announce, textOf, urlOf } from "../texts.ts";
import { handOver, post } from "./sign-payment.ts";
import {
  type Call,
  connect,
  isAllowed,
  PaymentRefused,
  type Provider,
  sendCall,
  type WalletPayment,
  wasReverted,
} from "./wallet-payment.ts";
import { type Action, addNetworks, fillWith, type Networks, requestOf } from "./wallets.ts";

/** What to send from another network, as Till says it. Amounts in micro-USDC. */
type Terms = {
  chain_id: number;
  network: string;
  coin: string;
  usdc: string;
  due: string;
  amount: string;
  approve: Call;
  burn: Call;
  sentence: string;
};

type Told = { chain_id: number; tx_hash: string };

/** Prices and connections come back. */
const termsAgainMs = 30_000;

/** Where the browser keeps what was sent from this page until Till has heard of it. */
const keptAt = () => `till-crossed ${location.pathname}`;

/** A browser may refuse to keep anything, for instance in a frame. */
function keep(told: Told | null): void {
  try {
    if (told === null) localStorage.removeItem(keptAt());
    else localStorage.setItem(keptAt(), JSON.stringify(told));
  } catch {
    // Then only this page knows of it, which tells Till at once.
  }
}

function kept(): Told | null {
  try {
    return JSON.parse(localStorage.getItem(keptAt()) ?? "null");
  } catch {
    return null;
  }
}

/** Tells Till what was sent from another network. It arrives anyway: this only lets the page say so until then. */
async function tell(told: Told): Promise<void> {
  keep(told);
  await handOver(urlOf("crossed"), told);
  keep(null);
}

/** Tells Till what it could not be told before, as the page was closed or the connection lost. */
async function tellAgain(onTold: () => void): Promise<void> {
  const told = kept();
  if (told === null) return;
  await tell(told).catch(() => {});
  onTold();
}

/** Pays from another network: lets Circle's contract have the money, if it may not yet, and burns it there. */
async function cross(provider: Provider, terms: Terms, requireDue: () => void): Promise<void> {
  const { chain_id: chainId, network, coin, usdc, amount, approve, burn } = terms;
  const ether = coin === "ETH" ? network : "";
  const payment = { chainId, network, usdc, to: burn.to, micro: BigInt(amount) };
  const from = await connect(provider, payment);
  requireDue();
  if (!(await isAllowed(provider, payment, from, burn.to))) {
    const allowing = await sendCall(provider, approve, from, ether);
    if (await wasReverted(provider, allowing)) throw new PaymentRefused("reverted");
  }
  requireDue();
  const hash = await sendCall(provider, burn, from, ether);
  // Once it is sent, nothing may look as if it were not.
  await tell({ chain_id: chainId, tx_hash: hash }).catch(() => {});
}

/** Lets the reader choose the network to pay from, and has delivered what waits for that. */
const networks: Networks = ({ show, onSent, buttons }) => {
  let chosen = "";
  let terms: Terms | null = null;
  let said = "";
  let asked = "";

  async function ask(chain: string, due: string): Promise<void> {
    asked = `${chain} ${due}`;
    const mine = asked;
    let found: Terms | null = null;
    let sentence = "";
    try {
      if (chain !== "") found = (await post(urlOf("crossing"), { chain_id: Number(chain) })) as Terms;
      sentence = found?.sentence ?? "";
    } catch (thrown) {
      if (!(thrown instanceof PaymentRefused)) throw thrown;
      sentence = thrown.sentence ?? document.getElementById("connection")?.textContent ?? "";
      setTimeout(() => {
        if (mine !== asked) return;
        if (document.querySelector("[data-networks]")) void ask(chain, due);
        else asked = "";
      }, termsAgainMs);
    }
    if (mine !== asked) return;
    terms = found;
    said = sentence;
    show();
    announce(said);
  }

  function askAnew(due: string): void {
    terms = null;
    said = "";
    void ask(chosen, due);
  }

  function showChoice(hasWallets: boolean): void {
    const place = document.querySelector<HTMLElement>("[data-networks]");
    const select = place?.querySelector("select");
    const text = place?.querySelector<HTMLElement>("[data-terms]");
    const due = place && requestOf(place)?.micro.toString();
    if (!place || !select || !text || !due) return;
    place.hidden = !hasWallets;
    select.value = chosen;
    // Nobody may send what was due before.
    if (chosen !== "" && asked !== `${chosen} ${due}`) askAnew(due);
    text.textContent = said;
    select.onchange = () => {
      chosen = select.value;
      askAnew(due);
      show();
    };
  }

  function showDelivery(hasWallets: boolean): void {
    const place = document.querySelector<HTMLElement>("[data-deliver]");
    const request = place && requestOf(place);
    if (!place || !request || place.ariaBusy === "true") return;
    place.hidden = !hasWallets;
    const action: Action = {
      id: "deliverWith",
      text: (wallet) => textOf("deliverWith", { wallet }),
      run: (provider) => deliver(provider, request),
      sent: textOf("sent"),
    };
    // What was said there about a failure stays.
    fillWith(place, ...buttons(action, request), ...place.querySelectorAll("p"));
  }

  function crossing(by: Terms): Action {
    const { network } = by;
    return {
      id: "crossWith",
      text: (wallet) => textOf("crossWith", { wallet, network }),
      run: (provider, requireDue) => cross(provider, by, requireDue),
      sent: textOf("crossSent", { network }),
    };
  }

  /** Null for Till's own network; none while it is not known what to send from another. */
  function ways(): Action[] | null {
    if (chosen === "") return null;
    return terms === null ? [] : [crossing(terms)];
  }

  void tellAgain(onSent);
  return {
    ways,
    show(hasWallets) {
      showChoice(hasWallets);
      showDelivery(hasWallets);
    },
  };
};

/** Has the wallet mint on Till's own network what Circle has signed and not minted itself. */
async function deliver(provider: Provider, payment: WalletPayment): Promise<void> {
  const call = (await post(urlOf("delivery"), {})) as Call;
  const from = await connect(provider, { ...payment, micro: 0n });
  await sendCall(provider, call, from, payment.network);
}

addNetworks(networks);
