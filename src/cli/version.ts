import manifest from "../../package.json";

export const version = manifest.version;
