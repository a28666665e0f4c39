import { enableCopying } from "../copy.ts";
import { followPage } from "./live.ts";

enableCopying();
followPage();
document.getElementById("faults")?.focus();
