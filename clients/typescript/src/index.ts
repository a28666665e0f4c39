export { TillError, type TillErrorCode } from "./error.ts";
export type * from "./schema.ts";
export type { Patience } from "./send.ts";
export { createTill, type Till, type TillOptions } from "./till.ts";
export { type TillEvent, verifyWebhook, WebhookError } from "./webhook.ts";
