import { enableCopying } from "../copy.ts";
import { runCounter } from "./counter.ts";
import { enableDialogs } from "./dialog.ts";
import { enableInvoiceForm } from "./invoice-form.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";
import { followPreview } from "./preview.ts";
import { tellOnce } from "./told.ts";

enableCopying();
enableDialogs();
enableInvoiceForm();
followPage();
followPreview();
askForPasskeys();
runCounter();
tellOnce();
document.getElementById("faults")?.focus();

for (const button of document.querySelectorAll<HTMLElement>("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
