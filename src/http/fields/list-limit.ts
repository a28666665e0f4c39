/** The most entries per answer, and the default. */
export const listLimitMax = 100;
export const listLimitDefault = 20;
