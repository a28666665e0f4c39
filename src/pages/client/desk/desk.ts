import { enableCopying } from "../copy.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";

enableCopying();
followPage();
askForPasskeys();
document.getElementById("faults")?.focus();
