/** Maximum and default number of entries per response. */
export const listLimitMax = 100;
export const listLimitDefault = 20;
