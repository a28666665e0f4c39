import { enableCopying } from "../copy.ts";
import { announce } from "../texts.ts";
import { runCounter } from "./counter.ts";
import { enableDialogs, enableMenus } from "./dialog.ts";
import { enableInvoiceForm } from "./invoice-form.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";
import { followPreview } from "./preview.ts";

/** Screen readers hear of a region that changes, and not of one that was there from the beginning. */
const afterMs = 200;

// Before anything else changes what the server sent.
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

/** A colour that is not among those offered shows in the preview as it is chosen. */
const ownColour = document.querySelector<HTMLInputElement>(".swatches [type=color]");
ownColour?.addEventListener("input", () =>
  ownColour.closest<HTMLElement>(".set-look")?.style.setProperty("--brand", ownColour.value),
);

for (const button of document.querySelectorAll<HTMLElement>("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

/** Says what was just done, once: the page that is loaded again, or kept as a bookmark, does not say it again. */
function tellOnce(): void {
  const url = new URL(location.href);
  if (url.searchParams.has("did")) {
    url.searchParams.delete("did");
    history.replaceState(history.state, "", url);
  }
  const notice = document.querySelector("[data-told]")?.textContent;
  if (notice) setTimeout(() => announce(notice), afterMs);
}
