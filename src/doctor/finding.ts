import { sentence } from "../lib/text/english.ts";

/** What one check found, as people read it. `advice` says what to do about it. */
export type Finding = {
  check: string;
  level: "ok" | "warning" | "wrong";
  message: string;
  advice: string | null;
};

/** Of a finding whose texts begin in small letters and end without a full stop, as /health/ready joins them. */
export function inSentences({ message, advice, ...rest }: Finding): Finding {
  return { ...rest, message: sentence(message), advice: advice && sentence(advice) };
}

export type OnFinding = (finding: Finding) => void;

/** The findings of one check, with its name on them. */
export function reporter(check: string, onFinding: OnFinding) {
  return {
    ok: (message: string) => onFinding({ check, level: "ok", message, advice: null }),
    warning: (message: string, advice: string) => onFinding({ check, level: "warning", message, advice }),
    wrong: (message: string, advice: string) => onFinding({ check, level: "wrong", message, advice }),
  };
}

export type Reporter = ReturnType<typeof reporter>;

/** How far a long check is. */
export type OnProgress = (text: string) => void;
