/** Files that Bun embeds: with `{ type: "file" }` the import is a path that `Bun.file` can read, also inside the executable. */
declare module "*.ttf" {
  const path: string;
  export default path;
}

/** With `{ type: "text" }` the import is the file's content. */
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}
