import { enableCopying } from "../copy.ts";
import { runCounter } from "./counter.ts";
import { followPage } from "./live.ts";
import { askForPasskeys } from "./passkey.ts";

enableCopying();
followPage();
askForPasskeys();
runCounter();
document.getElementById("faults")?.focus();
