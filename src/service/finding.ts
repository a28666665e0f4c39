/** What one check found, as people read it. `advice` says what to do about it. */
export type Finding = {
  check: string;
  level: "ok" | "warning" | "wrong";
  message: string;
  advice: string | null;
};

export type OnFinding = (finding: Finding) => void;

/** The findings of one check, with its name on them. */
export function reporter(check: string, found: OnFinding) {
  return {
    ok: (message: string) => found({ check, level: "ok", message, advice: null }),
    warning: (message: string, advice: string) => found({ check, level: "warning", message, advice }),
    wrong: (message: string, advice: string) => found({ check, level: "wrong", message, advice }),
  };
}

export type Reporter = ReturnType<typeof reporter>;

/** How far a long check is. */
export type OnProgress = (text: string) => void;
