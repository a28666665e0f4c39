import manifest from "../../package.json";

/** `scripts/build.ts` puts the commit here; run from source there is none. */
declare const TILL_COMMIT: string | undefined;

export const version = manifest.version;

/** The commit that an executable was built from; null from source, and when the build did not know it. */
export const commit: string | null = typeof TILL_COMMIT === "string" ? TILL_COMMIT : null;
