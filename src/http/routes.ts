import { keyRoutes } from "./access/keys.ts";
import { customerRoutes } from "./customers.ts";
import { endpointRoutes } from "./events/endpoints.ts";
import { eventRoutes } from "./events/events.ts";
import { greenfieldRoutes } from "./greenfield/greenfield.ts";
import { creditNoteRoutes } from "./invoices/credit-notes.ts";
import { invoiceRoutes } from "./invoices/invoices.ts";
import { originalRoutes } from "./invoices/originals.ts";
import { recurringRoutes } from "./invoices/recurring.ts";
import { linkRoutes } from "./links/links.ts";
import { moneyRoutes } from "./money/money.ts";
import { refundRoutes } from "./money/refunds.ts";
import { x402Routes } from "./relay/x402/routes.ts";
import type { Route } from "./route/route.ts";
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
