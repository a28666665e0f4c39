/** The languages that Till writes in, in the order in which a choice of them is shown. */
export const languageCodes = ["en", "de", "es", "fr", "pt", "ja", "zh", "ar"] as const;

export type LanguageCode = (typeof languageCodes)[number];
