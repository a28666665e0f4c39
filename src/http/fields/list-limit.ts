/** How many entries one answer has at most, and when nothing is said. */
export const listLimitMax = 100;
export const listLimitDefault = 20;
