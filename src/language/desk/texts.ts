/** The texts of one part of the desk, in another language. */
export type TextsOf<English> = Readonly<Record<keyof English, string>>;
