import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { fetchText } from "../live/poll.ts";

/** Asks the browser for a form's passkey on submit, and sends its response along. */
export function askForPasskeys(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    // One to confirm with and a new one, in this order.
    const field = [...form.querySelectorAll<HTMLInputElement>("input[data-passkey]")].find(
      ({ value }) => value === "",
    );
    if (field === undefined) return;
    event.preventDefault();
    void fill(field).then((isFilled) => {
      if (isFilled) form.requestSubmit(event.submitter);
    });
  });
  // Coming back from the next page: the signature has been used.
  addEventListener("pageshow", () => {
    for (const field of document.querySelectorAll<HTMLInputElement>("input[data-passkey]")) field.value = "";
  });
}

let isAsking = false;

/** The server forgets its challenge after five minutes. */
const freshMs = 4 * 60_000;

/** The passkey options; for a page that has been open for long, fresh ones from the server. */
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
    // New people enter their name in the same form.
    const name = field.form?.querySelector<HTMLInputElement>("input[name=name]")?.value.trim();
    if (passkey === "create" && name) Object.assign(optionsJSON.user, { name, displayName: name });
    const credential = await (passkey === "create"
      ? startRegistration({ optionsJSON })
      : startAuthentication({ optionsJSON }));
    field.value = JSON.stringify(credential);
    return true;
  } catch (thrown) {
    // Thrown by the browser of a device that already has an excluded passkey.
    say(thrown instanceof Error && thrown.name === "InvalidStateError" ? there : failed);
    return false;
  } finally {
    isAsking = false;
  }
}
