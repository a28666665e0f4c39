import type { DeskFrame } from "../../pages/desk/frame.tsx";
import type { HttpDeps } from "../deps.ts";

/** How far the chain is followed, as far as is known. While nothing awaits payment, a node that answers is enough. */
export function chainState({
  isDelayed,
  problems,
}: Pick<HttpDeps, "isDelayed" | "problems">): DeskFrame["watch"] {
  const about = problems().map((problem) => problem.about);
  if (isDelayed() || about.includes("chain")) return "late";
  return about.includes("check") || about.includes("start") ? "starting" : "current";
}
