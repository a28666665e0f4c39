import { customerRoutes } from "./customers.ts";
import { endpointRoutes } from "./events/endpoints.ts";
import { eventRoutes } from "./events/events.ts";
import { greenfieldRoutes } from "./greenfield/greenfield.ts";
import { creditNoteRoutes } from "./invoices/credit-notes.ts";
import { invoiceRoutes } from "./invoices/invoices.ts";
import { recurringRoutes } from "./invoices/recurring.ts";
import { keyRoutes } from "./keys.ts";
import { linkRoutes } from "./links/links.ts";
import { moneyRoutes } from "./money.ts";
import { originalRoutes } from "./originals.ts";
import { refundRoutes } from "./refunds.ts";
import { x402Routes } from "./relay/x402/routes.ts";
import type { Route } from "./route.ts";
import { healthRoutes } from "./system/health.ts";
import { metricsRoute } from "./system/metrics.ts";

/** Every call for programs. Pages and the desk have their own routes. */
export const routes: readonly Route[] = [
  ...invoiceRoutes,
  ...recurringRoutes,
  ...creditNoteRoutes,
  ...customerRoutes,
  ...endpointRoutes,
  ...eventRoutes,
  ...linkRoutes,
  ...refundRoutes,
  ...originalRoutes,
  ...moneyRoutes,
  ...x402Routes,
  ...healthRoutes,
  metricsRoute,
  ...keyRoutes,
  ...greenfieldRoutes,
];
