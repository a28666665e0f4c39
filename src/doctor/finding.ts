import { sentence } from "../lib/text/english.ts";

/** What a check found, for people. `advice` says what to do. */
export type Finding = {
  check: string;
  level: "ok" | "warning" | "wrong";
  message: string;
  advice: string | null;
};

/** Turns texts that start in lower case without a full stop, as /health/ready joins them, into sentences. */
export function inSentences({ message, advice, ...rest }: Finding): Finding {
  return { ...rest, message: sentence(message), advice: advice && sentence(advice) };
}

export type OnFinding = (finding: Finding) => void;

/** Reports the findings of the check of this name. */
export function reporter(check: string, onFinding: OnFinding) {
  return {
    ok: (message: string) => onFinding({ check, level: "ok", message, advice: null }),
    warning: (message: string, advice: string) => onFinding({ check, level: "warning", message, advice }),
    wrong: (message: string, advice: string) => onFinding({ check, level: "wrong", message, advice }),
  };
}

export type Reporter = ReturnType<typeof reporter>;

/** Reports the progress of a long check. */
export type OnProgress = (text: string) => void;
