import { enableCopying } from "../copy.ts";
import { runCounter } from "./counter.ts";
import { enableDialogs } from "./dialog.ts";
import { enableInvoiceForm } from "./invoice-form.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";

enableCopying();
enableDialogs();
enableInvoiceForm();
followPage();
askForPasskeys();
runCounter();
document.getElementById("faults")?.focus();
