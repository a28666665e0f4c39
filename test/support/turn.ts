/** Whether a test looks at every pair of what it goes through, as it does at night. */
const isEvery = process.env["TEST_EVERY"] === "yes";

/**
 * Whether one of a row has its turn. At night all have, otherwise one in `of`: who adds up the places of a state and of a
 * language sees each state in some languages, and some states in each language, the same in every run.
 */
export const hasTurn = (at: number, of: number): boolean => isEvery || at % of === 0;
