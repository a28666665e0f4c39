/** Files that Bun embeds: with `{ type: "file" }` the import is a path that `Bun.file` can read, also inside the executable. */
declare module "*.ttf" {
  const path: string;
  export default path;
}

/** The colours of sRGB (IEC 61966-2-1) as a profile of version 2.1 for a display; in the public domain. */
declare module "*.icc" {
  const path: string;
  export default path;
}

/** With `{ type: "text" }` the import is the file's content. */
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "*.sql" {
  const text: string;
  export default text;
}
