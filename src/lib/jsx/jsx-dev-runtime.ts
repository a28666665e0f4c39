/** Bun's development build calls `jsxDEV`, with additional arguments. */
export { Fragment, jsx as jsxDEV } from "./jsx-runtime.ts";
