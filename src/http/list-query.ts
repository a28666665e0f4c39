import { Type } from "@sinclair/typebox";

const listLimitMax = 100;
export const listLimitDefault = 20;

/** How many entries a list answers, as query text. */
export const listLimit = Type.String({
  pattern: "^([1-9][0-9]?|100)$",
  wants: `a number from 1 to ${listLimitMax}`,
});
