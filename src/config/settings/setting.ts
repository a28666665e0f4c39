/** An environment variable, without the `TILL_` prefix of its name. */
export type Setting = Readonly<{
  /** The default value, as somebody would write it; null if there is none, or other settings decide. */
  default: string | number | boolean | null;
  /** The default in words, if the value alone does not explain it. */
  otherwise?: string;
  /** Helps a person decide whether to set it. */
  meaning: string;
  /** Parses its text; returns undefined if it is invalid. Without it, any text is valid. */
  parse?: (text: string) => unknown;
  /** Describes what `parse` accepts, as the end of a sentence. */
  wants?: string;
  /** Whether the value may contain a secret and must not be repeated. */
  isSecret?: boolean;
  /** The page of the desk where people set it, unless the environment does. */
  page?: SettingPage;
}>;

export const settingPages = ["look", "documents", "rates", "mail"] as const;
export type SettingPage = (typeof settingPages)[number];
