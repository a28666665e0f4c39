/** A variable of the environment, without `TILL_` in front of its name. */
export type Setting = Readonly<{
  /** Its value when it is not set, as somebody would write it; null where there is none, or where other settings decide. */
  default: string | number | boolean | null;
  /** The default in words, where the value alone does not say it. */
  otherwise?: string;
  /** Tells a person who has to decide whether to set it. */
  meaning: string;
  /** Reads its text; undefined for a text that it does not take. Without it, any text will do. */
  parse?: (text: string) => unknown;
  /** Says what `parse` takes, as the end of a sentence. */
  wants?: string;
  /** The value may hold a secret and is not repeated. */
  isSecret?: boolean;
  /** The page of the desk's settings where people set it, if the environment does not. */
  page?: SettingPage;
}>;

export const settingPages = ["look", "documents", "rates", "mail"] as const;
export type SettingPage = (typeof settingPages)[number];
