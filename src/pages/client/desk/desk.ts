import { enableCopying } from "../copy.ts";
import { announce } from "../texts.ts";
import { runCounter } from "./counter.ts";
import { enableDialogs, enableMenus } from "./dialog.ts";
import { enableInvoiceForm } from "./invoice-form.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";
import { followPreview } from "./preview.ts";

/** Screen readers announce a region that changes, but not its initial content. */
const afterMs = 200;

// Before anything else changes the server's markup.
followPage();
enableCopying();
enableDialogs();
enableMenus();
enableInvoiceForm();
followPreview();
askForPasskeys();
runCounter();
tellOnce();
const faults = document.getElementById("faults");
if (faults !== null) (document.querySelector<HTMLElement>('form [aria-invalid="true"]') ?? faults).focus();

/** Previews a custom colour while it is being chosen. */
const ownColour = document.querySelector<HTMLInputElement>(".swatches [type=color]");
ownColour?.addEventListener("input", () =>
  ownColour.closest<HTMLElement>(".set-look")?.style.setProperty("--brand", ownColour.value),
);

for (const button of document.querySelectorAll<HTMLElement>("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

/** Announces what was just done, once: reloading the page, or opening a bookmark of it, does not repeat it. */
function tellOnce(): void {
  const url = new URL(location.href);
  if (url.searchParams.has("did")) {
    url.searchParams.delete("did");
    history.replaceState(history.state, "", url);
  }
  const notice = document.querySelector("[data-told]")?.textContent;
  if (notice) setTimeout(() => announce(notice), afterMs);
}
