import { Elysia } from "elysia";
import { homePage } from "../../pages/desk/home/home-page.tsx";
import type { HttpDeps } from "../deps.ts";
import type { Gate } from "./gate.ts";

/** What a merchant sees first: what came in, what is owed, and what needs them. */
export function homeRoutes(_deps: HttpDeps, gate: Gate) {
  return new Elysia().get(
    "/desk",
    gate.page("read", ({ frame }) => homePage({ frame })),
  );
}
