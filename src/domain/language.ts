/** Supported languages, in the order in which they are offered. */
export const languageCodes = ["en", "de", "es", "fr", "pt", "ja", "zh", "ar"] as const;

export type LanguageCode = (typeof languageCodes)[number];
