import { enableCopying } from "./copy.ts";

enableCopying();
