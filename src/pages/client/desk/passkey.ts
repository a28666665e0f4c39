import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { fetchText } from "../poll.ts";

/** Has the browser ask for the passkey of a form when it is sent, and sends what it says along. */
export function askForPasskeys(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    // One that is proven with and a new one, in their order.
    const field = [...form.querySelectorAll<HTMLInputElement>("input[data-passkey]")].find(
      ({ value }) => value === "",
    );
    if (field === undefined) return;
    event.preventDefault();
    void fill(field).then((isFilled) => {
      if (isFilled) form.requestSubmit(event.submitter);
    });
  });
  // Back from the next page: what was signed has been used.
  addEventListener("pageshow", () => {
    for (const field of document.querySelectorAll<HTMLInputElement>("input[data-passkey]")) field.value = "";
  });
}

let isAsking = false;

/** The server forgets what it asked after five minutes. */
const freshMs = 4 * 60_000;

/** What to ask with: of a page that has been open for long, as the server asks it now. */
async function fresh({ name }: HTMLInputElement, options: string): Promise<string> {
  if (performance.now() < freshMs) return options;
  const text = await fetchText(location.href).catch(() => "");
  const page = new DOMParser().parseFromString(text, "text/html");
  return (
    page.querySelector<HTMLInputElement>(`input[data-passkey][name="${name}"]`)?.dataset["options"] ?? options
  );
}

async function fill(field: HTMLInputElement): Promise<boolean> {
  if (isAsking) return false;
  const { passkey, options = "", unsupported = "", elsewhere = "", there = "", failed = "" } = field.dataset;
  const fault = field.parentElement?.querySelector<HTMLElement>(".fault");
  const say = (text: string) => {
    if (!fault) return;
    fault.hidden = text === "";
    fault.textContent = text;
  };
  say("");
  if (!("PublicKeyCredential" in window)) {
    say(unsupported);
    return false;
  }
  isAsking = true;
  try {
    const optionsJSON = JSON.parse(await fresh(field, options));
    if (location.hostname !== (optionsJSON.rpId ?? optionsJSON.rp.id)) {
      say(elsewhere);
      return false;
    }
    // Whoever is new writes the name in the same form.
    const name = field.form?.querySelector<HTMLInputElement>("input[name=name]")?.value.trim();
    if (passkey === "create" && name) Object.assign(optionsJSON.user, { name, displayName: name });
    const credential = await (passkey === "create"
      ? startRegistration({ optionsJSON })
      : startAuthentication({ optionsJSON }));
    field.value = JSON.stringify(credential);
    return true;
  } catch (thrown) {
    // So says the browser of a device that has one of those to leave out.
    say(thrown instanceof Error && thrown.name === "InvalidStateError" ? there : failed);
    return false;
  } finally {
    isAsking = false;
  }
}
