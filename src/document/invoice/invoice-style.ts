import type { Style } from "../type/typeset.ts";

export type Paper = "a4" | "letter";

const margins = { left: 54, right: 54, top: 54, bottom: 64 };

/** Papers in points, with their margins. */
export const pages = {
  a4: { width: 595.28, height: 841.89, ...margins },
  letter: { width: 612, height: 792, ...margins },
} as const satisfies Record<Paper, object>;

/** Every text color has a contrast of at least 4.5:1 on white and on the panel (WCAG 2.2, 1.4.3). */
export const colors = {
  ink: "#111827",
  muted: "#566072",
  accent: "#1d4ed8",
  /** For good news. */
  good: "#0b6b43",
  paper: "#ffffff",
  hairline: "#e2e6ec",
  line: "#9aa3b2",
  panel: "#f4f6f9",
  /** For what is void. */
  warm: "#b42318",
};

export const title: Style = { weight: "bold", size: 23, leading: 27, color: colors.ink };
export const name: Style = { weight: "bold", size: 13.5, leading: 18, color: colors.ink };
export const stamp: Style = { weight: "bold", size: 11, leading: 15, color: colors.ink };
export const body: Style = { weight: "regular", size: 9, leading: 13, color: colors.ink };
export const strong: Style = { ...body, weight: "bold" };
export const muted: Style = { ...body, color: colors.muted };
export const label: Style = { weight: "regular", size: 7.5, leading: 12, color: colors.muted };
export const total: Style = { weight: "bold", size: 14, leading: 20, color: colors.ink };
export const footer: Style = { weight: "regular", size: 7.5, leading: 10, color: colors.muted };
