import manifest from "../../package.json";

/** `scripts/build.ts` defines the commit; undefined when run from source. */
declare const TILL_COMMIT: string | undefined;
/** Only the builds of tests have a version of their own. */
declare const TILL_VERSION: string | undefined;

export const version = typeof TILL_VERSION === "string" ? TILL_VERSION : manifest.version;

/** The commit that an executable was built from; null when run from source, or if the build did not know it. */
export const commit: string | null = typeof TILL_COMMIT === "string" ? TILL_COMMIT : null;
