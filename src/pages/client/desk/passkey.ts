import { startAuthentication, startRegistration } from "@simplewebauthn/browser";

/** Has the browser ask for the passkey of a form when it is sent, and sends what it says along. */
export function askForPasskeys(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const field = form.querySelector<HTMLInputElement>("input[data-passkey]");
    if (field === null || field.value !== "") return;
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

async function fill(field: HTMLInputElement): Promise<boolean> {
  if (isAsking) return false;
  const { passkey, options = "", unsupported = "", failed = "" } = field.dataset;
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
    const optionsJSON = JSON.parse(options);
    const given = await (passkey === "create"
      ? startRegistration({ optionsJSON })
      : startAuthentication({ optionsJSON }));
    field.value = JSON.stringify(given);
    return true;
  } catch {
    say(failed);
    return false;
  } finally {
    isAsking = false;
  }
}
