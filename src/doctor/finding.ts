import type { Finding } from "../domain/finding.ts";

export type OnFinding = (finding: Finding<string>) => void;

/** Reports the findings of the check with this name, in sentences. */
export function reporter(about: string, onFinding: OnFinding) {
  return {
    ok: (message: string) => onFinding({ about, level: "ok", message, advice: null }),
    warning: (message: string, advice: string) => onFinding({ about, level: "warning", message, advice }),
    wrong: (message: string, advice: string) => onFinding({ about, level: "wrong", message, advice }),
  };
}

export type Reporter = ReturnType<typeof reporter>;

/** Maximum number of similar things named in one finding. */
export const namedMax = 5;

/** Reports the progress of a long check. */
export type OnProgress = (text: string) => void;
