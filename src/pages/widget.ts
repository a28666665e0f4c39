import { bundle } from "./bundle.ts" with { type: "macro" };

/** The script at `/w.js`, which puts a checkout where its tag stands. A classic script without imports. */
export const widgetScript: string = bundle("widget", "iife");
