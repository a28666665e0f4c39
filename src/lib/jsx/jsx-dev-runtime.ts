/** Bun's development build calls `jsxDEV`, with more arguments than are needed. */
export { Fragment, jsx as jsxDEV } from "./jsx-runtime.ts";
