// Made by bun run client.
export interface paths {
    "/api/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create an invoice
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description Needs an API key that allows `read`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct what is not the bill itself: the customer's email, due date, reminders, reference, language
         * @description Needs an API key that allows `shop`.
         */
        patch: operations["changeInvoice"];
        trace?: never;
    };
    "/api/invoices/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an invoice, for polling
         * @description Needs no API key.
         */
        get: operations["getInvoiceStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDF of an invoice
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the receipt of a paid invoice; its proof with Accept: application/json
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getInvoiceReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/receipt.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the proof of a paid invoice's receipt
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getInvoiceReceiptJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/e-invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an invoice as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)
         * @description Needs an API key that allows `read`.
         */
        get: operations["getInvoiceEInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email the invoice to the customer (each call sends it again)
         * @description Needs an API key that allows `shop`.
         */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email the customer a reminder of what is left to pay (each call sends one)
         * @description Needs an API key that allows `shop`.
         */
        post: operations["remindInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an invoice, for good; the customer reads why
         * @description Needs an API key that allows `shop`.
         */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/mark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an invoice as paid in another way, or take that back
         * @description Needs an API key that allows `shop`.
         */
        post: operations["markInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote an overdue invoice in a currency again: what is to be paid in USDC, at a rate of now
         * @description Needs an API key that allows `shop`.
         */
        post: operations["quoteInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transfers to an invoice
         * @description Needs an API key that allows `read`.
         */
        get: operations["listInvoicePayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook events of an invoice
         * @description Needs an API key that allows `read`.
         */
        get: operations["listInvoiceEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all that happened to an invoice, the oldest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listInvoiceTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invoices/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on an invoice, for the merchant alone
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createInvoiceComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recurring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invoices that repeat, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listRecurring"];
        put?: never;
        /**
         * Have an invoice made again and again
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createRecurring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recurring/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice that repeats
         * @description Needs an API key that allows `read`.
         */
        get: operations["getRecurring"];
        put?: never;
        post?: never;
        /**
         * End an invoice that repeats, for good; what was made stays
         * @description Needs an API key that allows `shop`.
         */
        delete: operations["deleteRecurring"];
        options?: never;
        head?: never;
        /**
         * Change what is still to be made of an invoice that repeats, pause or resume it
         * @description Needs an API key that allows `shop`.
         */
        patch: operations["changeRecurring"];
        trace?: never;
    };
    "/api/invoices/{id}/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credit notes of an invoice, the oldest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listInvoiceCreditNotes"];
        put?: never;
        /**
         * Credit an invoice, in whole or in part; a credit note is final
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createInvoiceCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credit notes, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listCreditNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a credit note
         * @description Needs an API key that allows `read`.
         */
        get: operations["getCreditNote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-notes/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDF of a credit note
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getCreditNotePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-notes/{id}/e-invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a credit note as EN 16931 has it: CII, UBL, or a PDF with CII in it (Factur-X, ZUGFeRD)
         * @description Needs an API key that allows `read`.
         */
        get: operations["getCreditNoteEInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-notes/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Email a credit note to the customer (each call sends it again)
         * @description Needs an API key that allows `shop`.
         */
        post: operations["sendCreditNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who was billed, with what is open and what was paid; those first billed last first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/customers/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is saved of a customer
         * @description Needs an API key that allows `read`.
         */
        get: operations["getCustomer"];
        /**
         * Save a customer's address and ids for the invoices that follow, in place of what was saved
         * @description Needs an API key that allows `shop`.
         */
        put: operations["saveCustomer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/merchants/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is saved of a merchant
         * @description Needs an API key that allows `read`.
         */
        get: operations["getMerchant"];
        /**
         * Save a merchant's address, ids and terms for the invoices that follow, in place of what was saved
         * @description Needs an API key that allows `shop`.
         */
        put: operations["saveMerchant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints, the oldest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Make a webhook endpoint, which hears of every event
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Needs an API key that allows `read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint, and end what waits for it
         * @description Needs an API key that allows `shop`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint, pause or resume it
         * @description Needs an API key that allows `shop`.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint another secret; the one before signs as well for 24 hours
         * @description Needs an API key that allows `shop`.
         */
        post: operations["rotateWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint now, and hear what it answers
         * @description Needs an API key that allows `shop`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to all invoices and links, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Needs an API key that allows `read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook again; by the id of an event, all of its webhooks
         * @description Needs an API key that allows `shop`.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public view of a payment link; with a key, the whole record
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the receipt of a confirmed link; its proof with Accept: application/json
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getLinkReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/receipt.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the proof of a confirmed link's receipt
         * @description Needs no API key; with one it shows more.
         */
        get: operations["getLinkReceiptJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a payment link, for good; the payer reads why
         * @description Needs an API key that allows `shop`.
         */
        post: operations["voidLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/mark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a payment link as paid in another way, or take that back
         * @description Needs an API key that allows `shop`.
         */
        post: operations["markLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transfers to a payment link
         * @description Needs an API key that allows `read`.
         */
        get: operations["listLinkPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook events of a payment link
         * @description Needs an API key that allows `read`.
         */
        get: operations["listLinkEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all that happened to a payment link, the oldest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listLinkTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{slug}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on a payment link, for the merchant alone
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createLinkComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reusable-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reusable links, the newest first, with what has become of their payments
         * @description Needs an API key that allows `read`.
         */
        get: operations["listReusableLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments/status/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a payment, for polling
         * @description Needs no API key.
         */
        get: operations["getPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Begin a refund; an owner approves it at the desk before anything is sent
         * @description Needs an API key that allows `shop`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/owed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is to be returned to customers and in no refund yet, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listOwed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a refund
         * @description Needs an API key that allows `read`.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refunds/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the receipt of a refund that has come
         * @description Needs an API key that allows `read`.
         */
        get: operations["getRefundPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/refunds/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a refund that was not sent; what it was for is to be returned as before
         * @description Needs an API key that allows `shop`.
         */
        post: operations["cancelRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/originals/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a document byte for byte as it was issued, by the SHA-256 that the timeline names
         * @description Needs no API key.
         */
        get: operations["getOriginal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is at deposit addresses, in Till's wallets, and in total
         * @description Needs an API key that allows `read`.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was moved to payout wallets, the newest first
         * @description Needs an API key that allows `read`.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a table for bookkeepers, of some days or of all
         * @description Needs an API key that allows `read`.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys, the oldest first, without the keys themselves
         * @description Needs an API key that allows `full`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make an API key, which is shown only in this answer
         * @description Needs an API key that allows `full`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key, at once and for good
         * @description Needs an API key that allows `full`.
         */
        delete: operations["deleteKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        ProblemCode: "validation_failed" | "malformed_request" | "malformed_json" | "invalid_idempotency_key" | "invalid_payment" | "not_paid" | "idempotency_conflict" | "not_remindable" | "e_invoice_incomplete" | "codes_missing" | "is_void" | "void_refused" | "mark_refused" | "quote_refused" | "credit_refused" | "correction_refused" | "refund_refused" | "too_many_endpoints" | "no_secret" | "gone" | "key_required" | "key_scope" | "foreign_host" | "foreign_origin" | "not_found" | "method_not_allowed" | "body_too_large" | "not_json" | "rate_limited" | "internal_error" | "wallet_unavailable" | "storage_failed" | "pdf_failed" | "rate_unavailable" | "node_unreachable" | "off" | "closed" | "unpriced" | "busy" | "amount" | "queue" | "used" | "identifier" | "receiver" | "early" | "late" | "long" | "form" | "undeployed" | "signature" | "balance" | "blocked" | "rejected" | "gas" | "minimum" | "failures" | "paused" | "fees" | "reserve" | "budget";
        Fault: {
            field: string;
            message: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @description what is wrong and what to do, for a person */
            detail: string;
            /** @description what is wrong, for a program */
            code: components["schemas"]["ProblemCode"];
            errors?: components["schemas"]["Fault"][];
            /** @description the same for a payer, in the language of ?lang= or of the browser */
            message?: string;
        };
        /** @enum {string} */
        TaxCategory: "standard" | "zero" | "exempt" | "reverse_charge" | "export" | "intra_community" | "outside_scope";
        LineItemRequest: {
            /** @description text of 1 to 500 characters */
            description: string;
            /** @description a number (not a string); with up to six decimals; below 0 for what is taken back */
            quantity: number;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; with up to six decimals; the line is rounded to whole cents */
            unit_price: string;
            /** @description text of 1 to 20 characters; what is counted, such as h or kg */
            unit?: string | null;
            /** @description a percentage as a string with up to four decimals, such as "19.00"; taken off before tax */
            discount_percent?: string | null;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; the same as an amount; one of the two */
            discount_amount?: string | null;
            /** @description a percentage as a string with up to four decimals, such as "19.00"; in percent; on all lines or on none */
            tax_rate?: string | null;
            /** @description one of "standard", "zero", "exempt", "reverse_charge", "export", "intra_community", "outside_scope"; standard with a tax_rate above 0, zero with 0, unless told */
            tax_category?: components["schemas"]["TaxCategory"] | null;
            /** @description text of 1 to 200 characters; why no tax is charged; required with exempt and outside_scope */
            tax_reason?: string | null;
        };
        PartyDetails: {
            /** @description text of 1 to 200 characters; with the number */
            street?: string | null;
            /** @description text of 1 to 200 characters; a second line */
            addition?: string | null;
            /** @description text of 1 to 20 characters; as the post wants it */
            postal_code?: string | null;
            /** @description text of 1 to 100 characters; the town */
            city?: string | null;
            /** @description text of 1 to 100 characters; a state or a province */
            region?: string | null;
            /** @description a country of ISO 3166-1 in two capital letters, such as DE; ISO 3166-1, two capital letters */
            country?: string | null;
            /** @description text of 1 to 20 characters; with the country before it, such as DE136695976 */
            vat_id?: string | null;
            /** @description text of 1 to 50 characters; of the tax office, where it is no VAT id: an EIN, a GSTIN, a Steuernummer */
            tax_id?: string | null;
            /** @description text of 1 to 100 characters; in the register of companies */
            registration?: string | null;
            /** @description text of 1 to 100 characters; whom to ask */
            contact_name?: string | null;
            /** @description text of 1 to 50 characters; whom to call */
            phone?: string | null;
            /** @description text of 1 to 100 characters; where it receives electronic invoices: scheme and id of Peppol, 9930:DE136695976 */
            electronic_address?: string | null;
        };
        InvoiceRequest: {
            /**
             * Format: email
             * @description an e-mail address; who bills; a managed wallet belongs to it
             */
            merchant_email: string;
            /** @description text of 1 to 200 characters */
            merchant_name: string;
            /** @description text of 1 to 500 characters */
            merchant_address: string;
            /**
             * Format: email
             * @description an e-mail address; who pays; the invoice is mailed there
             */
            vendor_email?: string | null;
            /**
             * Format: email
             * @description an e-mail address; another name for vendor_email
             */
            customer_email?: string | null;
            /** @description text of 1 to 200 characters */
            vendor_name?: string | null;
            /** @description text of 1 to 200 characters; another name for vendor_name */
            customer_name?: string | null;
            /** @description text of at most 500 characters */
            vendor_address?: string | null;
            /** @description text of at most 500 characters; another name for vendor_address */
            customer_address?: string | null;
            /** @description a list of 1 to 30 line items */
            line_items: components["schemas"]["LineItemRequest"][];
            /** @description a percentage as a string with up to four decimals, such as "19.00"; taken off before tax */
            discount_percent?: string | null;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; the same as an amount; one of the two */
            discount_amount?: string | null;
            /** @description true or false; whether unit prices have the tax in them already */
            prices_include_tax?: boolean | null;
            /** @description three capital letters of ISO 4217; of all amounts of the request: USD or EUR, any other with a rate; USDC when left out */
            currency?: string | null;
            /** @description a decimal as a string, such as "0.8607"; what 1 USDC costs in the currency; asked for when left out */
            rate?: string | null;
            /** @description a decimal as a string, such as "0.8607"; what 1 of the currency costs in that of the seller's country, to state the tax in it */
            tax_exchange_rate?: string | null;
            /** @description an object with an address, tax ids and the like; the seller, in parts; as saved for merchant_email when left out, {} for none */
            merchant_details?: components["schemas"]["PartyDetails"] | null;
            /** @description an object with an address, tax ids and the like; the buyer, in parts; as saved for vendor_email when left out, {} for none */
            vendor_details?: components["schemas"]["PartyDetails"] | null;
            /** @description an object with an address, tax ids and the like; another name for vendor_details */
            customer_details?: components["schemas"]["PartyDetails"] | null;
            /** @description text of at most 500 characters; in words, besides due_date; as saved for the merchant when left out */
            payment_terms?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; when it was delivered or done
             */
            delivery_date?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; the first day of a period, with delivery_to
             */
            delivery_from?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; the last day of the period
             */
            delivery_to?: string | null;
            /** @description text of 1 to 100 characters; whom or what the buyer wants named, such as a Leitweg-ID */
            buyer_reference?: string | null;
            /** @description text of 1 to 100 characters; the number of the buyer's order */
            purchase_order?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; default: today
             */
            issue_date?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; an invoice not paid by then is overdue
             */
            due_date: string;
            /**
             * @description "managed" or "byo"; a wallet that Till creates for the merchant, or wallet_address
             * @enum {string}
             */
            wallet_type: "managed" | "byo";
            /** @description an address as text, 0x and 40 hex digits; in checksum form; required with "byo", omitted with "managed" */
            wallet_address?: string | null;
            /** @description text of at most 2000 characters; at the bottom of the invoice */
            notes?: string | null;
            /** @description text of 1 to 100 characters; your order number or the like; the payer sees it */
            reference?: string | null;
            /**
             * @description one of en, de, es, fr, pt, ja, zh, ar; of its mails, PDF and page, unless the reader chooses another; as for the customer, or as Till is set up, when left out
             * @enum {string|null}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar" | null;
            /** @description an object of at most 50 texts of at most 500 characters, each with a name of 1 to 40; your own; webhooks and answers to you have it, payers never see it */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description an http or https URL; receives a signed POST when a payment arrives
             */
            webhook_url?: string | null;
            /**
             * @description "contract" or "standard"; contract when left out: one body for money; standard: one for each event, with its type and the whole record
             * @enum {string|null}
             */
            webhook_events?: "contract" | "standard" | null;
            /** @description a list of up to 10 days from the due date, such as [-3, 0, 7]; when the customer is mailed again while it is not paid; [] is never; TILL_REMINDERS when left out */
            reminders?: number[] | null;
            /** @description true or false; true when left out; false makes a draft without a mail */
            send_now?: boolean | null;
        } & ((unknown | unknown) & (unknown | unknown));
        ExchangeRate: {
            /** @description what 1 USDC costs in the currency; for a tax, 1 of the invoice's */
            rate: string;
            /** @description who said so */
            source: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            fetched_at: string;
        };
        Warning: {
            /**
             * @description for a program
             * @enum {string}
             */
            code: "no_tax_id" | "no_buyer_tax_id" | "no_delivery_date" | "delivery_far" | "earlier_period" | "issue_back" | "issue_ahead" | "due_past" | "due_far" | "no_tax_rate_known" | "tax_by_line" | "french_rules";
            /** @description of the request */
            field: string;
            /** @description what */
            message: string;
        };
        CreatedInvoice: {
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string;
            /** @description the end of the address of its page */
            slug: string;
            /**
             * Format: uri
             * @description a URL
             */
            invoice_url: string;
            /**
             * Format: uri
             * @description a URL
             */
            pdf_url: string;
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /** @description in its currency, "1500.00" */
            total_amount: string;
            /** @description of all other amounts but received_amount; only when it is not USDC, as the two that follow */
            currency?: string;
            /** @description what is to be paid, in USDC */
            expected_usdc?: string;
            /** @description how the amount came about */
            exchange_rate?: components["schemas"]["ExchangeRate"];
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            sent_at: string | null;
            /** @description the secret of the webhook, shown only here; only with webhook_url */
            webhook_secret?: string;
            /** @description what became of the mail; only when the mail server refused it for good */
            mail?: {
                /**
                 * @description refused: the same mail would be refused again, so Till does not try again
                 * @constant
                 */
                state: "refused";
                /** @description what the mail server said, for a person */
                reason: string;
            };
            /** @description what is allowed and usually wrong; only when something is */
            warnings?: components["schemas"]["Warning"][];
            /**
             * Format: uri
             * @description where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks
             */
            x402_url?: string;
        };
        /** @enum {string} */
        InvoiceState: "draft" | "sent" | "paid" | "partial" | "excess" | "void";
        TaxRow: {
            /** @description a percentage with two decimals */
            tax_rate: string;
            /** @description why tax is charged, or not */
            tax_category: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
            /** @description in its currency, "1500.00" */
            taxable_amount: string;
            /** @description in its currency, "1500.00" */
            tax_amount: string;
        };
        TaxInCurrency: {
            /** @description ISO 4217 */
            currency: string;
            /** @description in it */
            tax_amount: string;
            /** @description how the amount came about */
            exchange_rate: components["schemas"]["ExchangeRate"];
        };
        LineItem: {
            /** @description as it was given */
            description: string;
            /** @description as it was given */
            quantity: number;
            /** @description the same with up to six decimals */
            unit_price: string;
            /** @description in its currency, "1500.00" */
            line_total: string;
            /** @description what is counted; only when given */
            unit?: string;
            /** @description only when given, as all that follow */
            discount_percent?: string;
            /** @description what is taken off */
            discount_amount?: string;
            /** @description a percentage with two decimals */
            tax_rate?: string;
            /** @description why tax is charged, or not */
            tax_category?: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
        };
        DepositProof: {
            /** @description an EVM address in checksum form */
            address: string;
            /** @description the only wallet that the address can ever pay */
            payout_wallet: string;
            /** @description 32 bytes of hex, 0x… */
            salt: string;
            /** @description Keccak-256 of the creation code of the clone at the address */
            bytecode_hash: string;
            /** @description an EVM address in checksum form */
            implementation: string;
            /** @description an EVM address in checksum form */
            factory: string;
            /** @description an EVM address in checksum form */
            deployer: string;
            /** @description 32 bytes of hex, 0x… */
            factory_salt: string;
            /** @description 32 bytes of hex, 0x… */
            factory_bytecode_hash: string;
        };
        Invoice: {
            /**
             * Format: uuid
             * @description a UUID
             */
            id: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string;
            /** @description the end of the address of its page */
            slug: string;
            /**
             * Format: uri
             * @description a URL
             */
            invoice_url: string;
            /**
             * Format: uri
             * @description a URL
             */
            pdf_url: string;
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /**
             * Format: email
             * @description who bills
             */
            merchant_email: string;
            /** @description as it was at creation */
            merchant_name_snapshot: string;
            /** @description as it was at creation */
            merchant_address_snapshot: string;
            /** @description the customer's name */
            vendor_name: string;
            /**
             * Format: email
             * @description where the invoice is mailed
             */
            vendor_email: string;
            /** @description the customer's address */
            vendor_address: string | null;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            issue_date: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            due_date: string;
            /** @description in its currency, "1500.00" */
            total_amount: string;
            /** @description of all other amounts but received_amount; only when it is not USDC, as the two that follow */
            currency?: string;
            /** @description what is to be paid, in USDC */
            expected_usdc?: string;
            /** @description how the amount came about */
            exchange_rate?: components["schemas"]["ExchangeRate"];
            /** @description the sum of the lines; only with a discount or tax, as the five that follow */
            subtotal_amount?: string;
            /** @description as it was given, of the whole */
            discount_percent?: string;
            /** @description what is taken off the subtotal */
            discount_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description whether the prices have the tax in them */
            prices_include_tax?: boolean;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /** @description the tax in the currency of the seller's country, where its law asks for it */
            tax_in_currency?: components["schemas"]["TaxInCurrency"];
            /** @description what its credit notes come to; only with one, as the two that follow */
            credited_amount?: string;
            /** @description what is left to pay, in USDC */
            due_amount?: string;
            /** @description what was paid beyond that, and you owe the customer, in USDC */
            return_amount?: string;
            /** @description what refunds gave back, in USDC; only with one */
            refunded_amount?: string;
            /** @description USDC with two decimals, "1500.00" */
            received_amount: string;
            /** @description the invoice's status */
            status: components["schemas"]["InvoiceState"];
            /** @description whether its due date is over and it is not paid */
            overdue: boolean;
            /** @description at the bottom of the invoice */
            notes: string | null;
            /** @description the seller in parts; only when given, as all that follow */
            merchant_details?: {
                [key: string]: string;
            };
            /** @description the buyer in parts */
            vendor_details?: {
                [key: string]: string;
            };
            /** @description in words */
            payment_terms?: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            delivery_date?: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            delivery_from?: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            delivery_to?: string;
            /** @description whom or what the buyer wants named */
            buyer_reference?: string;
            /** @description the number of the buyer's order */
            purchase_order?: string;
            /** @description in the order of the request; line_total is less the discount */
            line_items: components["schemas"]["LineItem"][];
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description when what is not the bill itself was last corrected
             */
            corrected_at?: string;
            /**
             * @description whose wallet the money goes to
             * @enum {string}
             */
            wallet_type: "managed" | "byo";
            /** @description an EVM address in checksum form */
            wallet_address: string;
            deposit_proof: components["schemas"]["DepositProof"];
            /**
             * Format: uri
             * @description a URL
             */
            webhook_url: string | null;
            /** @description days from the due date on which the customer is reminded; only when given */
            reminders?: number[];
            /** @description the merchant's, such as an order number; only when given */
            reference?: string;
            /** @description the merchant's own, never shown to payers; only when given */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description of its mails, PDF and page; only when given
             * @enum {string}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar";
            /**
             * @description the form of its webhooks; only when it is not the contract's
             * @constant
             */
            webhook_events?: "standard";
            /**
             * Format: date-time
             * @description when it was voided, ISO 8601; only when it was
             */
            voided_at?: string;
            /** @description why it was voided */
            void_reason?: string | null;
            /**
             * Format: date-time
             * @description since when it counts as paid in another way, ISO 8601
             */
            marked_paid_at?: string;
            /**
             * Format: uri
             * @description where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks
             */
            x402_url?: string;
        };
        InvoiceList: {
            /** @description a list */
            data: components["schemas"]["Invoice"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        InvoiceStatus: {
            /** @description the invoice's status */
            status: components["schemas"]["InvoiceState"];
            /** @description whether its due date is over and it is not paid */
            overdue: boolean;
        };
        IssuedReceipt: {
            /** @description the receipt's own number */
            number: string;
            /** @description the day of its issue */
            issue_date: string;
            seller: {
                /** @description as saved when it was issued */
                name: string;
                address?: string;
                details?: {
                    [key: string]: string;
                };
            };
            /** @description of the amounts in here */
            currency: string;
            /** @description what 1 USDC cost in it; only when it is not USDC */
            rate?: string;
            /** @description USDC with two decimals, "1500.00" */
            total_amount: string;
            /** @description what is sold; only with lines or tax */
            line_items?: components["schemas"]["LineItem"][];
            /** @description the sum of the lines; only with tax, as the three that follow */
            subtotal_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description whether the prices have the tax in them */
            prices_include_tax?: boolean;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /** @description the tax in the currency of the seller's country, where its law asks for it */
            tax_in_currency?: components["schemas"]["TaxInCurrency"];
        };
        ReceiptProof: {
            /**
             * @description 1: what there is beside it
             * @constant
             */
            version: 1;
            /** @description the number of the invoice; not of a link */
            invoice_number?: string;
            /** @description the slug of the link; not of an invoice */
            link?: string;
            merchant: {
                /** @description who was paid */
                name: string;
                /** @description as on the invoice; not of a link */
                address?: string;
                /**
                 * Format: email
                 * @description as on the invoice; not of a link
                 */
                email?: string;
            };
            receipt?: components["schemas"]["IssuedReceipt"];
            /** @description USDC with two decimals, "1500.00" */
            total_amount: string;
            /** @description USDC, with six decimals if it has a fraction of a cent */
            received_amount: string;
            /** @description what of that the merchant owes the payer: overpaid, or credited since; only when it is any */
            return_amount?: string;
            /** @description USDC: a payment that is short by no more than this counts as all of it */
            tolerance: string;
            /**
             * Format: date-time
             * @description the time of the block in which it was complete, ISO 8601
             */
            paid_at: string;
            /**
             * Format: date-time
             * @description when the merchant recorded it as paid in another way, ISO 8601; only then
             */
            marked_paid_at?: string;
            /** @description 8453 is Base */
            chain_id: number;
            /** @description the contract of USDC */
            token: string;
            /** @description an EVM address in checksum form */
            deposit_address: string;
            deposit_proof?: components["schemas"]["DepositProof"];
            /** @description the confirmed transfers, the 200 largest if there are more, in the order of the chain */
            transfers: {
                block_number: number;
                /** @description 32 bytes of hex, 0x… */
                block_hash: string;
                /** @description 32 bytes of hex, 0x… */
                tx_hash: string;
                /** @description its number among all logs of the block */
                log_index: number;
                /** @description the address that paid */
                from: string;
                /** @description USDC, with six decimals if it has a fraction of a cent */
                amount: string;
            }[];
            /** @description how many smaller ones there are besides */
            other_transfers: number;
        };
        Receipt: {
            receipt_proof: components["schemas"]["ReceiptProof"];
        };
        Sent: {
            /** @description whether the mail server has accepted the mail */
            ok: boolean;
            /**
             * @description for a program: the same mail would be refused again
             * @constant
             */
            code?: "mail_refused";
            /** @description what went wrong and what to do, for a person */
            detail?: string;
        };
        VoidRequest: {
            /** @description text of 1 to 500 characters; shown to the one who pays */
            reason: string;
        };
        MarkRequest: {
            /**
             * @description "paid" or "unpaid"; paid: by bank or in cash, for example; unpaid: takes that back
             * @enum {string}
             */
            as: "paid" | "unpaid";
            /** @description text of at most 500 characters; for you alone, in the events */
            note?: string | null;
        };
        InvoiceCorrection: {
            /**
             * Format: email
             * @description an e-mail address; who pays; the invoice is mailed there
             */
            vendor_email?: string | null;
            /**
             * Format: email
             * @description an e-mail address; another name for vendor_email
             */
            customer_email?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; an invoice not paid by then is overdue
             */
            due_date?: string | null;
            /** @description a list of up to 10 days from the due date, such as [-3, 0, 7]; when the customer is mailed again while it is not paid; [] is never; TILL_REMINDERS when left out */
            reminders?: number[] | null;
            /** @description text of 1 to 100 characters; your order number or the like; the payer sees it */
            reference?: string | null;
            /**
             * @description one of en, de, es, fr, pt, ja, zh, ar; of its mails, PDF and page, unless the reader chooses another; as for the customer, or as Till is set up, when left out
             * @enum {string|null}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar" | null;
        };
        QuoteRequest: {
            /** @description a decimal as a string, such as "0.8607"; what 1 USDC costs in the currency; asked for when left out */
            rate?: string | null;
        };
        Transfer: {
            /** @description 32 bytes of hex, 0x… */
            tx_hash: string;
            /** @description the address that paid */
            from: string;
            /** @description the block of the transfer */
            block_number: number;
            /** @description USDC, with six decimals if it has a fraction of a cent */
            amount: string;
            /** @description how many blocks deep it is */
            confirmations: number;
            /** @description whether it counts */
            confirmed: boolean;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            seen_at: string;
        };
        EveryTransfer: {
            /** @description a list */
            data: components["schemas"]["Transfer"][];
        };
        DeliveryAttempt: {
            /** @description 1, 2, 3, … */
            attempt: number;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            started_at: string;
            /** @description to the status of the answer */
            duration_ms: number;
            /** @description what was answered */
            http_status: number | null;
            /** @description why it failed */
            reason: string | null;
        };
        WebhookEvent: {
            /** @description what it is sent again by; the webhook-id of its deliveries, unless there is event_id */
            id: string;
            /** @description the webhook endpoint that it goes to */
            endpoint_id?: string;
            /** @description the event, which is the webhook-id of deliveries to an endpoint */
            event_id?: string;
            /** @description the status that it reports */
            status: string;
            /**
             * Format: uri
             * @description a URL
             */
            url: string;
            /**
             * @description what became of it; ended: its endpoint was deleted before
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed" | "ended";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            next_attempt_at: string | null;
            /** @description the exact bytes that are signed and sent */
            body: string;
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        EveryWebhookEvent: {
            /** @description a list */
            data: components["schemas"]["WebhookEvent"][];
        };
        TimelineEntry: {
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            at: string;
            /** @description the type of an event without what it happened to, such as paid; or created, document, mail, transfer_seen, transfer_confirmed, transfer_lost, signature_taken, signature_failed, crossing_told, crossing_attested, crossing_unknown, settled, webhook or omitted */
            type: string;
            /** @description what happened, in an English sentence */
            summary: string;
            /** @description the same for a program, by its type */
            data: {
                [key: string]: unknown;
            };
        };
        EveryTimelineEntry: {
            /** @description a list */
            data: components["schemas"]["TimelineEntry"][];
        };
        CommentRequest: {
            /** @description text of 1 to 2000 characters; for the merchant alone */
            text: string;
        };
        /** @enum {string} */
        EventType: "invoice.partially_paid" | "invoice.paid" | "invoice.overpaid" | "invoice.payment_reversed" | "invoice.unexpected_payment" | "invoice.voided" | "invoice.marked_paid" | "invoice.marked_unpaid" | "invoice.corrected" | "invoice.credited" | "invoice.refund_requested" | "invoice.refund_approved" | "invoice.refund_sent" | "invoice.refunded" | "invoice.refund_failed" | "invoice.refund_cancelled" | "invoice.sent" | "invoice.opened" | "invoice.reminded" | "invoice.commented" | "invoice.quoted" | "link.partially_paid" | "link.paid" | "link.overpaid" | "link.payment_reversed" | "link.unexpected_payment" | "link.voided" | "link.marked_paid" | "link.marked_unpaid" | "link.expired" | "link.refund_requested" | "link.refund_approved" | "link.refund_sent" | "link.refunded" | "link.refund_failed" | "link.refund_cancelled" | "link.sent" | "link.opened" | "link.reminded" | "link.commented" | "link.quoted";
        Event: {
            /** @description the id of the event, and the webhook-id of a webhook in the standard form */
            id: string;
            /** @description what happened, to an invoice or to a link */
            type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /** @description the invoice that it happened to, or else there is slug */
            invoice_id?: string;
            /** @description the number of that invoice */
            invoice_number?: string;
            /** @description the payment link that it happened to */
            slug?: string;
            /** @description what there is to say of it, by its type */
            data: {
                [key: string]: unknown;
            };
        };
        RecurringInvoiceBody: Record<string, never>;
        RecurringEvery: {
            /** @description a whole number from 1 to 366 */
            days?: number | null;
            /** @description a whole number from 1 to 366 */
            weeks?: number | null;
            /** @description a whole number from 1 to 366 */
            months?: number | null;
            /** @description a whole number from 1 to 366 */
            years?: number | null;
        };
        RecurringRequest: {
            /** @description a JSON object; as POST /api/invoices takes it; {month}, {year} and {period} in notes, reference and descriptions become those of each date */
            invoice: components["schemas"]["RecurringInvoiceBody"];
            /** @description a whole number from 0 to 365; each invoice is due so many days after it was made */
            due_days: number;
            /** @description one of days, weeks, months and years with a number, such as {"months": 1} */
            every: components["schemas"]["RecurringEvery"];
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; the first date; the others are counted from it, and those before today are left out
             */
            starts_on: string;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; no date is later
             */
            ends_on?: string | null;
            /** @description a whole number from 1 to 1000; how many dates there are, from starts_on; not with ends_on */
            count?: number | null;
            /** @description a whole number from 29 to 31; the day in months that have it, when starts_on is the last of a month that has not; with months or years */
            day_of_month?: number | null;
            /** @description true or false; true when left out; false makes drafts without a mail */
            send_now?: boolean | null;
            /**
             * @description "all" or "newest"; what is made of dates that passed while Till was off: newest when left out, which is one invoice
             * @enum {string|null}
             */
            missed?: "all" | "newest" | null;
        };
        RecurringMade: {
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            date: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string;
        };
        RecurringInterval: {
            /** @description a whole number from 1 to 366 */
            days?: number;
            /** @description a whole number from 1 to 366 */
            weeks?: number;
            /** @description a whole number from 1 to 366 */
            months?: number;
            /** @description a whole number from 1 to 366 */
            years?: number;
        };
        Recurring: {
            /** @description the id of the series */
            id: string;
            /**
             * @description whether invoices are made
             * @enum {string}
             */
            status: "active" | "paused" | "ended";
            /**
             * @description what paused it: you, that its invoice was refused, or that a backup was restored
             * @enum {string|null}
             */
            pause_cause: "merchant" | "refused" | "restored" | null;
            /** @description why Till paused it, or waits */
            reason: string | null;
            /** @description the next three dates */
            next_dates: string[];
            /** @description how many invoices were made */
            made: number;
            last_made: components["schemas"]["RecurringMade"] | null;
            /** @description as it was given */
            invoice: {
                [key: string]: unknown;
            };
            /** @description each is due so many days after it was made */
            due_days: number;
            /** @description one of days, weeks, months and years with a number, such as {"months": 1} */
            every: components["schemas"]["RecurringInterval"];
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            starts_on: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            ends_on: string | null;
            /** @description how many dates there are */
            count: number | null;
            /** @description a whole number from 29 to 31; the day in months that have it, when starts_on is the last of a month that has not; with months or years */
            day_of_month?: number;
            /** @description whether each is mailed */
            send_now: boolean;
            /**
             * @description what is made of dates that passed while Till was off
             * @enum {string}
             */
            missed: "all" | "newest";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
        };
        RecurringList: {
            /** @description a list */
            data: components["schemas"]["Recurring"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        RecurringChange: {
            /** @description a JSON object; as POST /api/invoices takes it; {month}, {year} and {period} in notes, reference and descriptions become those of each date */
            invoice?: components["schemas"]["RecurringInvoiceBody"] | null;
            /** @description a whole number from 0 to 365; each invoice is due so many days after it was made */
            due_days?: number | null;
            /** @description one of days, weeks, months and years with a number, such as {"months": 1} */
            every?: components["schemas"]["RecurringEvery"] | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; the first date; the others are counted from it, and those before today are left out
             */
            starts_on?: string | null;
            /**
             * Format: date
             * @description a date, YYYY-MM-DD; no date is later
             */
            ends_on?: string | null;
            /** @description a whole number from 1 to 1000; how many dates there are, from starts_on; not with ends_on */
            count?: number | null;
            /** @description a whole number from 29 to 31; the day in months that have it, when starts_on is the last of a month that has not; with months or years */
            day_of_month?: number | null;
            /** @description true or false; true when left out; false makes drafts without a mail */
            send_now?: boolean | null;
            /**
             * @description "all" or "newest"; what is made of dates that passed while Till was off: newest when left out, which is one invoice
             * @enum {string|null}
             */
            missed?: "all" | "newest" | null;
            /**
             * @description "active" or "paused"; paused: dates that pass are not made
             * @enum {string|null}
             */
            status?: "active" | "paused" | null;
        };
        CreditRequest: {
            /** @description text of 1 to 500 characters; shown to the one who pays */
            reason: string;
            /** @description a list of 1 to 30 lines; the lines of the invoice that are credited; all that is left of it without lines and amounts */
            lines?: {
                /** @description the place of a line in the invoice, from 1 */
                line: number;
                /** @description a number; all that is left of the line when left out */
                quantity?: number | null;
            }[] | null;
            /** @description a list of 1 to 30 amounts; in the place of lines: amounts with their tax, in the currency of the invoice, one for each rate */
            amounts?: {
                /** @description an amount as a string with up to two decimals, such as "25.00" */
                amount: string;
                /** @description a percentage as a string with up to four decimals, such as "19.00"; as in tax_breakdown; may be left out when the invoice has one rate or none */
                tax_rate?: string | null;
                /** @description one of "standard", "zero", "exempt", "reverse_charge", "export", "intra_community", "outside_scope"; where two rows have one rate */
                tax_category?: components["schemas"]["TaxCategory"] | null;
            }[] | null;
            /** @description true or false; whether it is mailed to the customer; when left out, it is when the invoice was */
            send_now?: boolean | null;
        };
        CreditedLine: {
            /** @description its place in the invoice, from 1 */
            line: number;
            /** @description as it was given */
            description: string;
            /** @description as it was given */
            quantity: number;
            /** @description the same with up to six decimals */
            unit_price: string;
            /** @description in its currency, "1500.00" */
            line_total: string;
            /** @description what is counted; only when given */
            unit?: string;
            /** @description only when given, as all that follow */
            discount_percent?: string;
            /** @description what is taken off */
            discount_amount?: string;
            /** @description a percentage with two decimals */
            tax_rate?: string;
            /** @description why tax is charged, or not */
            tax_category?: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
        };
        CreditNote: {
            /**
             * Format: uuid
             * @description a UUID
             */
            id: string;
            /** @description CN-0001, CN-0002, …, as TILL_CREDIT_NOTE_NUMBER says */
            credit_note_number: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            invoice_issue_date: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            issue_date: string;
            /**
             * Format: uri
             * @description a URL
             */
            pdf_url: string;
            /** @description as the customer reads it */
            reason: string;
            /** @description of its amounts, as of the invoice: USDC, EUR, … */
            currency: string;
            /** @description what is credited, with its tax: a positive amount */
            total_amount: string;
            /** @description only when the invoice has it, as the three that follow */
            subtotal_amount?: string;
            /** @description what is taken off the subtotal */
            discount_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /** @description the tax in the currency of the seller's country, where its law asks for it */
            tax_in_currency?: components["schemas"]["TaxInCurrency"];
            /** @description the lines that are credited, with the quantity that is; empty when amounts are */
            line_items: components["schemas"]["CreditedLine"][];
            /** @description what it lowers the invoice by, at the rate of the invoice */
            credited_usdc: string;
            /** @description how much of that was paid before, which the merchant is to return */
            return_usdc: string;
            /**
             * Format: email
             * @description who bills
             */
            merchant_email: string;
            /** @description as it was at creation */
            merchant_name_snapshot: string;
            /** @description as it was at creation */
            merchant_address_snapshot: string;
            /** @description the customer's name */
            vendor_name: string;
            /**
             * Format: email
             * @description where the invoice is mailed
             */
            vendor_email: string;
            /** @description the customer's address */
            vendor_address: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            sent_at: string | null;
        };
        EveryCreditNote: {
            /** @description a list */
            data: components["schemas"]["CreditNote"][];
        };
        CreditNoteList: {
            /** @description a list */
            data: components["schemas"]["CreditNote"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        Customer: {
            /**
             * Format: email
             * @description the mail address, which tells customers apart
             */
            email: string;
            /** @description as on the newest invoice */
            name: string;
            /** @description how many were made */
            invoices: number;
            /** @description USDC with two decimals, "1500.00" */
            open_amount: string;
            /** @description USDC with two decimals, "1500.00" */
            paid_amount: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            last_invoice_number: string;
            /**
             * Format: date
             * @description a day, YYYY-MM-DD
             */
            last_issue_date: string;
        };
        CustomerList: {
            /** @description a list */
            data: components["schemas"]["Customer"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        SavedCustomer: {
            /**
             * Format: email
             * @description as in the path
             */
            email: string;
            /** @description as it was saved */
            name: string | null;
            /** @description as it was saved */
            address: string | null;
            /** @description in parts */
            details: {
                [key: string]: string;
            } | null;
            /**
             * @description of invoices that say nothing of it; only when saved
             * @enum {string}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar";
        };
        CustomerDetails: {
            /**
             * Format: email
             * @description an e-mail address; as in the path: an answer can be sent back
             */
            email?: string | null;
            /** @description text of 1 to 200 characters */
            name?: string | null;
            /** @description text of 1 to 500 characters; free text */
            address?: string | null;
            /** @description an object with an address, tax ids and the like; in parts; invoices that say nothing of them take these */
            details?: components["schemas"]["PartyDetails"] | null;
            /**
             * @description one of en, de, es, fr, pt, ja, zh, ar; of invoices that say nothing of it
             * @enum {string|null}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar" | null;
        };
        SavedMerchant: {
            /**
             * Format: email
             * @description as in the path
             */
            email: string;
            /** @description as it was saved */
            name: string | null;
            /** @description as it was saved */
            address: string | null;
            /** @description in parts */
            details: {
                [key: string]: string;
            } | null;
            /** @description in words */
            payment_terms: string | null;
            /** @description whether 1 USDC counts as 1 USD */
            usd_parity: boolean;
        };
        MerchantDetails: {
            /**
             * Format: email
             * @description an e-mail address; as in the path: an answer can be sent back
             */
            email?: string | null;
            /** @description text of 1 to 200 characters */
            name?: string | null;
            /** @description text of 1 to 500 characters; free text */
            address?: string | null;
            /** @description an object with an address, tax ids and the like; in parts; invoices that say nothing of them take these */
            details?: components["schemas"]["PartyDetails"] | null;
            /** @description text of at most 500 characters; in words; invoices that say nothing of them take these */
            payment_terms?: string | null;
            /** @description true or false; true: in USD, 1 USDC counts as 1 USD, and invoices and links say so; false when left out */
            usd_parity?: boolean | null;
        };
        /** @enum {string} */
        ToldEventType: "invoice.partially_paid" | "invoice.paid" | "invoice.overpaid" | "invoice.payment_reversed" | "invoice.unexpected_payment" | "invoice.voided" | "invoice.marked_paid" | "invoice.marked_unpaid" | "invoice.corrected" | "invoice.credited" | "invoice.refund_requested" | "invoice.refund_approved" | "invoice.refund_sent" | "invoice.refunded" | "invoice.refund_failed" | "invoice.refund_cancelled" | "link.partially_paid" | "link.paid" | "link.overpaid" | "link.payment_reversed" | "link.unexpected_payment" | "link.voided" | "link.marked_paid" | "link.marked_unpaid" | "link.expired" | "link.refund_requested" | "link.refund_approved" | "link.refund_sent" | "link.refunded" | "link.refund_failed" | "link.refund_cancelled";
        /** @enum {string} */
        EndpointFormat: "till" | "ntfy" | "telegram" | "slack" | "discord";
        WebhookEndpointRequest: {
            /** @description an http or https URL; receives a signed POST for each event, or the address of a chat */
            url: string;
            /** @description a list of different types of events; only these; when left out every type, also new ones, and for a chat those about money */
            types?: components["schemas"]["ToldEventType"][] | null;
            /** @description text of 1 to 200 characters; for you alone */
            description?: string | null;
            /**
             * Format: email
             * @description an e-mail address; only events of this merchant; of all when left out
             */
            merchant_email?: string | null;
            /** @description "till", "ntfy", "telegram", "slack", "discord"; signed events (till, the default), or messages to a chat; never changes */
            format?: components["schemas"]["EndpointFormat"] | null;
        };
        CreatedWebhookEndpoint: {
            /** @description the id of the endpoint */
            id: string;
            /** @description signed events (till), or messages to a chat */
            format: components["schemas"]["EndpointFormat"];
            /** @description where that goes; of a chat only its beginning */
            url: string;
            /** @description only events of these types are sent; null: of every type */
            types: components["schemas"]["ToldEventType"][] | null;
            /** @description for you alone */
            description: string | null;
            /** @description only events of this merchant are sent; null: of all */
            merchant_email: string | null;
            /**
             * @description whether events are sent
             * @enum {string}
             */
            status: "active" | "paused";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            paused_at: string | null;
            /**
             * @description what paused it: you, five days of failures, or that it answered 410 Gone
             * @enum {string|null}
             */
            pause_cause: "merchant" | "failing" | "gone" | null;
            /** @description the first failure since a delivery last succeeded, ISO 8601 */
            failing_since: string | null;
            /** @description the last such failure, ISO 8601 */
            failed_at: string | null;
            /** @description why that one failed */
            failure: string | null;
            /** @description signs what is sent to it; shown only here; null for a chat */
            secret: string | null;
        };
        WebhookEndpoint: {
            /** @description the id of the endpoint */
            id: string;
            /** @description signed events (till), or messages to a chat */
            format: components["schemas"]["EndpointFormat"];
            /** @description where that goes; of a chat only its beginning */
            url: string;
            /** @description only events of these types are sent; null: of every type */
            types: components["schemas"]["ToldEventType"][] | null;
            /** @description for you alone */
            description: string | null;
            /** @description only events of this merchant are sent; null: of all */
            merchant_email: string | null;
            /**
             * @description whether events are sent
             * @enum {string}
             */
            status: "active" | "paused";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            paused_at: string | null;
            /**
             * @description what paused it: you, five days of failures, or that it answered 410 Gone
             * @enum {string|null}
             */
            pause_cause: "merchant" | "failing" | "gone" | null;
            /** @description the first failure since a delivery last succeeded, ISO 8601 */
            failing_since: string | null;
            /** @description the last such failure, ISO 8601 */
            failed_at: string | null;
            /** @description why that one failed */
            failure: string | null;
        };
        EveryWebhookEndpoint: {
            /** @description a list */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpointChange: {
            /** @description an http or https URL; receives a signed POST for each event, or the address of a chat */
            url?: string | null;
            /** @description a list of different types of events; only these; when left out every type, also new ones, and for a chat those about money */
            types?: components["schemas"]["ToldEventType"][] | null;
            /** @description text of 1 to 200 characters; for you alone */
            description?: string | null;
            /**
             * Format: email
             * @description an e-mail address; only events of this merchant; of all when left out
             */
            merchant_email?: string | null;
            /**
             * @description "active" or "paused"; paused: it is sent nothing
             * @enum {string|null}
             */
            status?: "active" | "paused" | null;
        };
        DeletedWebhookEndpoint: {
            /** @description true: it is deleted */
            ok: boolean;
        };
        TestedWebhookEndpoint: {
            /** @description whether the receiver took it: it answered 2xx */
            ok: boolean;
            /** @description what it answered */
            http_status: number | null;
            /** @description why it was not taken */
            reason: string | null;
            /** @description to the status of the answer */
            duration_ms: number;
        };
        EventList: {
            /** @description a list */
            data: components["schemas"]["Event"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        Done: {
            /** @description true: it is on its way */
            ok: boolean;
        };
        LinkRequest: {
            /** @description text of 1 to 200 characters; at the top of the checkout */
            business_name: string;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; of one piece if reusable; required without amount, or amount_min and amount_max */
            expected_amount?: string | null;
            /** @description three capital letters of ISO 4217; of all amounts of the request: USD or EUR, any other with a rate; USDC when left out */
            currency?: string | null;
            /** @description a decimal as a string, such as "0.8607"; what 1 USDC costs in the currency; asked for when left out */
            rate?: string | null;
            /** @description an amount as a string with up to two decimals, such as "20.00"; in the currency, in the place of expected_amount */
            amount?: string | null;
            /**
             * Format: email
             * @description an e-mail address; who bills; a managed wallet belongs to it
             */
            merchant_email: string;
            /**
             * @description "managed" or "byo"; a wallet that Till creates for the merchant, or wallet_address
             * @enum {string}
             */
            wallet_type: "managed" | "byo";
            /** @description an address as text, 0x and 40 hex digits; in checksum form; required with "byo", omitted with "managed" */
            wallet_address?: string | null;
            /** @description text of at most 500 characters */
            product_description?: string | null;
            /** @description text of 1 to 100 characters; your order number or the like; the payer sees it */
            reference?: string | null;
            /**
             * @description one of en, de, es, fr, pt, ja, zh, ar; of its mails, PDF and page, unless the reader chooses another; as for the customer, or as Till is set up, when left out
             * @enum {string|null}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar" | null;
            /** @description an object of at most 50 texts of at most 500 characters, each with a name of 1 to 40; your own; webhooks and answers to you have it, payers never see it */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uri
             * @description an http or https URL; receives a signed POST when a payment arrives
             */
            webhook_url?: string | null;
            /**
             * @description "contract" or "standard"; contract when left out: one body for money; standard: one for each event, with its type and the whole record
             * @enum {string|null}
             */
            webhook_events?: "contract" | "standard" | null;
            /**
             * Format: uri
             * @description an http or https URL; a button on the paid page leads there
             */
            success_url?: string | null;
            /**
             * Format: date-time
             * @description a time with its time zone, such as 2026-12-31T18:00:00+01:00; from then on the checkout asks for no money; what is paid all the same counts
             */
            expires_at?: string | null;
            /** @description a list of 1 to 20 origins; the only sites that may frame the checkout; any site when left out */
            embed_origins?: string[] | null;
            /** @description true or false; whether it can be paid many times; false when left out */
            reusable?: boolean | null;
            /** @description a list of 1 to 30 line items; what is sold, as on an invoice, in the place of an amount; not with reusable */
            line_items?: components["schemas"]["LineItemRequest"][] | null;
            /** @description true or false; whether prices have the tax in them already: true when left out; false adds it */
            prices_include_tax?: boolean | null;
            /** @description a percentage as a string with up to four decimals, such as "19.00"; in percent, of the price; not with line_items */
            tax_rate?: string | null;
            /** @description one of "standard", "zero", "exempt", "reverse_charge", "export", "intra_community", "outside_scope"; standard with a tax_rate above 0, zero with 0, unless told */
            tax_category?: components["schemas"]["TaxCategory"] | null;
            /** @description text of 1 to 200 characters; why no tax is charged; required with exempt and outside_scope */
            tax_reason?: string | null;
            /** @description a list of what to ask for, such as ["name", "address"], each once; what a payer can fill in to have the receipt in their name */
            collect?: ("name" | "address" | "tax_id" | "phone")[] | null;
            /** @description a list of 1 to 3 questions of 1 to 100 characters; your own questions to the payer, who need not answer */
            questions?: string[] | null;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; the payer chooses from this; with reusable, in the place of expected_amount */
            amount_min?: string | null;
            /** @description an amount of USDC as a string with up to two decimals, such as "1500.00"; the payer chooses up to this */
            amount_max?: string | null;
            /** @description a whole number from 1 to 1000; the most pieces in one payment, with reusable and one price; 1 when left out */
            quantity_max?: number | null;
        };
        /** @enum {string} */
        LinkState: "pending" | "confirmed" | "partial" | "excess" | "error" | "void";
        CreatedLink: {
            /** @description the end of the address of its page */
            slug: string;
            /**
             * Format: uri
             * @description a URL
             */
            payment_link: string;
            /** @description an HTML iframe tag */
            iframe_snippet: string;
            /** @description an HTML script tag */
            js_widget_snippet: string;
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /** @description USDC with two decimals, "1500.00" */
            expected_amount: string;
            /** @description the payment's status */
            status: components["schemas"]["LinkState"];
            /** @description of amount; only when it is not USDC, as the three that follow */
            currency?: string;
            /** @description the price in the currency */
            amount?: string;
            /** @description how the amount came about */
            exchange_rate?: components["schemas"]["ExchangeRate"];
            /** @description until when expected_amount holds unless money comes before, ISO 8601; not with a rate for good */
            rate_expires_at?: string;
            /** @description what is sold; only with lines or tax */
            line_items?: components["schemas"]["LineItem"][];
            /** @description the sum of the lines; only with tax, as the three that follow */
            subtotal_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description whether the prices have the tax in them */
            prices_include_tax?: boolean;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /** @description the secret of the webhook, shown only here; only with webhook_url */
            webhook_secret?: string;
            /**
             * Format: uri
             * @description where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks
             */
            x402_url?: string;
        };
        CreatedReusableLink: {
            /** @description the end of the address of its page */
            slug: string;
            /**
             * Format: uri
             * @description a URL
             */
            payment_link: string;
            /** @description an HTML iframe tag */
            iframe_snippet: string;
            /** @description an HTML script tag */
            js_widget_snippet: string;
            /**
             * @description true: it can be paid many times
             * @constant
             */
            reusable: true;
            /** @description of the amounts; only when it is not USDC */
            currency?: string;
            /** @description what 1 USDC costs in the currency; only when given */
            rate?: string;
            /** @description USDC for one piece, "25.00"; not with amount_min or currency */
            expected_amount?: string;
            /** @description for one piece, in the currency; only with currency */
            amount?: string;
            /** @description the most pieces in one payment; not with amount_min */
            quantity_max?: number;
            /** @description the least that the payer can choose */
            amount_min?: string;
            /** @description the most that the payer can choose */
            amount_max?: string;
            /** @description of the tax in each price; only with tax, as the two that follow */
            tax_rate?: string;
            /** @description why tax is charged, or not */
            tax_category?: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
            /** @description the secret of the webhook, shown only here; only with webhook_url */
            webhook_secret?: string;
        };
        PayerAnswer: {
            question: string;
            answer: string;
        };
        Link: {
            /** @description the end of the address of its page */
            slug: string;
            /** @description as it was given */
            business_name: string;
            /** @description USDC with two decimals, "1500.00" */
            expected_amount: string;
            /** @description the payment's status */
            status: components["schemas"]["LinkState"];
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /** @description as it was given */
            product_description: string | null;
            /** @description of amount; only when it is not USDC, as the three that follow */
            currency?: string;
            /** @description the price in the currency */
            amount?: string;
            /** @description how the amount came about */
            exchange_rate?: components["schemas"]["ExchangeRate"];
            /** @description until when expected_amount holds unless money comes before, ISO 8601; not with a rate for good */
            rate_expires_at?: string;
            /** @description what is sold; only with lines or tax */
            line_items?: components["schemas"]["LineItem"][];
            /** @description the sum of the lines; only with tax, as the three that follow */
            subtotal_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description whether the prices have the tax in them */
            prices_include_tax?: boolean;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /**
             * Format: date-time
             * @description when its page stops asking for money, ISO 8601; only when given
             */
            expires_at?: string;
            /**
             * Format: uri
             * @description a URL
             */
            payment_link: string;
            /** @description USDC with two decimals, "1500.00" */
            received_amount: string;
            /** @description what refunds gave back; only with one */
            refunded_amount?: string;
            /**
             * Format: email
             * @description who bills
             */
            merchant_email: string;
            /**
             * @description whose wallet the money goes to
             * @enum {string}
             */
            wallet_type: "managed" | "byo";
            /** @description an EVM address in checksum form */
            wallet_address: string;
            deposit_proof: components["schemas"]["DepositProof"];
            /**
             * Format: uri
             * @description a URL
             */
            success_url: string | null;
            /** @description the only sites that may frame it; any if empty */
            embed_origins: string[];
            /**
             * Format: uri
             * @description a URL
             */
            webhook_url: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /** @description what the payer is asked for */
            collect?: ("name" | "address" | "tax_id" | "phone")[];
            /** @description the merchant's own questions to the payer */
            questions?: string[];
            /** @description of its receipt; only with tax, once it is paid */
            receipt_number?: string;
            /** @description what the payer said of themselves; only when anything */
            payer_details?: {
                name?: string;
                address?: string;
                tax_id?: string;
                phone?: string;
                answers?: components["schemas"]["PayerAnswer"][];
            };
            /**
             * Format: email
             * @description where the payer wants a receipt; only when given
             */
            payer_email?: string;
            /** @description the slug of the reusable link that it is a payment of; only then */
            reusable_slug?: string;
            /** @description how many pieces; only with reusable_slug */
            quantity?: number;
            /** @description the merchant's, such as an order number; only when given */
            reference?: string;
            /** @description the merchant's own, never shown to payers; only when given */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description of its mails, PDF and page; only when given
             * @enum {string}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar";
            /**
             * @description the form of its webhooks; only when it is not the contract's
             * @constant
             */
            webhook_events?: "standard";
            /**
             * Format: date-time
             * @description when it was voided, ISO 8601; only when it was
             */
            voided_at?: string;
            /** @description why it was voided */
            void_reason?: string | null;
            /**
             * Format: date-time
             * @description since when it counts as paid in another way, ISO 8601
             */
            marked_paid_at?: string;
            /**
             * Format: uri
             * @description where a program pays it by x402 or MPP; not with TILL_RELAY=off, and not in webhooks
             */
            x402_url?: string;
        };
        LinkList: {
            /** @description a list */
            data: components["schemas"]["Link"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        PublicLink: {
            /** @description the end of the address of its page */
            slug: string;
            /** @description as it was given */
            business_name: string;
            /** @description USDC with two decimals, "1500.00" */
            expected_amount: string;
            /** @description the payment's status */
            status: components["schemas"]["LinkState"];
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /** @description as it was given */
            product_description: string | null;
            /** @description of amount; only when it is not USDC, as the three that follow */
            currency?: string;
            /** @description the price in the currency */
            amount?: string;
            /** @description how the amount came about */
            exchange_rate?: components["schemas"]["ExchangeRate"];
            /** @description until when expected_amount holds unless money comes before, ISO 8601; not with a rate for good */
            rate_expires_at?: string;
            /** @description what is sold; only with lines or tax */
            line_items?: components["schemas"]["LineItem"][];
            /** @description the sum of the lines; only with tax, as the three that follow */
            subtotal_amount?: string;
            /** @description what all taxes come to */
            tax_amount?: string;
            /** @description whether the prices have the tax in them */
            prices_include_tax?: boolean;
            /** @description a row for each category and rate; empty without tax */
            tax_breakdown?: components["schemas"]["TaxRow"][];
            /**
             * Format: date-time
             * @description when its page stops asking for money, ISO 8601; only when given
             */
            expires_at?: string;
        };
        PublicReusableLink: {
            /** @description the end of the address of its page */
            slug: string;
            /** @description as it was given */
            business_name: string;
            /** @description as it was given */
            product_description: string | null;
            /**
             * @description whether payments can be begun
             * @enum {string}
             */
            status: "open" | "closed";
            /**
             * @description true: it can be paid many times
             * @constant
             */
            reusable: true;
            /** @description of the amounts; only when it is not USDC */
            currency?: string;
            /** @description what 1 USDC costs in the currency; only when given */
            rate?: string;
            /** @description USDC for one piece, "25.00"; not with amount_min or currency */
            expected_amount?: string;
            /** @description for one piece, in the currency; only with currency */
            amount?: string;
            /** @description the most pieces in one payment; not with amount_min */
            quantity_max?: number;
            /** @description the least that the payer can choose */
            amount_min?: string;
            /** @description the most that the payer can choose */
            amount_max?: string;
            /** @description of the tax in each price; only with tax, as the two that follow */
            tax_rate?: string;
            /** @description why tax is charged, or not */
            tax_category?: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
            /**
             * Format: date-time
             * @description when its page stops asking for money, ISO 8601; only when given
             */
            expires_at?: string;
        };
        ReusableLink: {
            /** @description the end of the address of its page */
            slug: string;
            /** @description as it was given */
            business_name: string;
            /** @description as it was given */
            product_description: string | null;
            /**
             * @description whether payments can be begun
             * @enum {string}
             */
            status: "open" | "closed";
            /**
             * @description true: it can be paid many times
             * @constant
             */
            reusable: true;
            /** @description of the amounts; only when it is not USDC */
            currency?: string;
            /** @description what 1 USDC costs in the currency; only when given */
            rate?: string;
            /** @description USDC for one piece, "25.00"; not with amount_min or currency */
            expected_amount?: string;
            /** @description for one piece, in the currency; only with currency */
            amount?: string;
            /** @description the most pieces in one payment; not with amount_min */
            quantity_max?: number;
            /** @description the least that the payer can choose */
            amount_min?: string;
            /** @description the most that the payer can choose */
            amount_max?: string;
            /** @description of the tax in each price; only with tax, as the two that follow */
            tax_rate?: string;
            /** @description why tax is charged, or not */
            tax_category?: components["schemas"]["TaxCategory"];
            /** @description why no tax is charged; only when given */
            tax_reason?: string;
            /**
             * Format: date-time
             * @description when its page stops asking for money, ISO 8601; only when given
             */
            expires_at?: string;
            /**
             * Format: uri
             * @description a URL
             */
            payment_link: string;
            /** @description how many payments were begun */
            payments_begun: number;
            /** @description how many of them are paid */
            payments_paid: number;
            /** @description USDC with two decimals, "1500.00" */
            received_amount: string;
            /**
             * Format: email
             * @description who bills
             */
            merchant_email: string;
            /**
             * @description whose wallet the money goes to
             * @enum {string}
             */
            wallet_type: "managed" | "byo";
            /** @description an EVM address in checksum form */
            wallet_address: string | null;
            /**
             * Format: uri
             * @description a URL
             */
            success_url: string | null;
            /** @description the only sites that may frame it; any if empty */
            embed_origins: string[];
            /**
             * Format: uri
             * @description a URL
             */
            webhook_url: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /** @description what the payer is asked for */
            collect?: ("name" | "address" | "tax_id" | "phone")[];
            /** @description the merchant's own questions to the payer */
            questions?: string[];
            /** @description the merchant's, such as an order number; only when given */
            reference?: string;
            /** @description the merchant's own, never shown to payers; only when given */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description of its mails, PDF and page; only when given
             * @enum {string}
             */
            language?: "en" | "de" | "es" | "fr" | "pt" | "ja" | "zh" | "ar";
            /**
             * @description the form of its webhooks; only when it is not the contract's
             * @constant
             */
            webhook_events?: "standard";
            /**
             * Format: date-time
             * @description when it was voided, ISO 8601; only when it was
             */
            voided_at?: string;
            /** @description why it was voided */
            void_reason?: string | null;
            /**
             * Format: date-time
             * @description since when it counts as paid in another way, ISO 8601
             */
            marked_paid_at?: string;
        };
        ReusableLinkList: {
            /** @description a list */
            data: components["schemas"]["ReusableLink"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        PaymentStatus: {
            /** @description the payment's status */
            status: components["schemas"]["LinkState"];
            /** @description USDC with two decimals, "1500.00" */
            received_amount: string;
            /** @description USDC with two decimals, "1500.00" */
            expected_amount: string;
        };
        RefundRequest: {
            /** @description the id or number of an invoice; or link */
            invoice?: string | null;
            /** @description the slug of a payment link */
            link?: string | null;
            /** @description an amount of USDC as a string with two or six decimals, such as "25.00"; all that is to be returned when left out */
            amount?: string | null;
            /** @description an address with its checksum; where it goes, if the customer has said so; else they can be asked */
            address?: string | null;
            /** @description a mail address; whom to ask for the address and tell of the refund: the customer when left out */
            email?: string | null;
            /** @description true or false; whether they are mailed a link to a page where they name the address */
            ask?: boolean | null;
            /** @description true or false; that it was given back already, outside of Till */
            elsewhere?: boolean | null;
            /** @description a text of 1 to 500 characters; for the customer */
            reason?: string | null;
            /** @description a text of 1 to 500 characters; for you alone */
            note?: string | null;
        };
        /** @enum {string} */
        RefundState: "requested" | "approved" | "sent" | "confirmed" | "cancelled";
        Refund: {
            /** @description the id of the refund */
            id: string;
            /** @description how far it is: approved ones are sent by Till, or by the merchant */
            status: components["schemas"]["RefundState"];
            /** @description USDC, with six decimals if it has a fraction of a cent */
            amount: string;
            /** @description always USDC */
            currency: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string | null;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string | null;
            /** @description of the payment link */
            link_slug: string | null;
            /** @description of the invoice or link */
            reference: string | null;
            /**
             * Format: uri
             * @description a URL
             */
            url: string;
            /**
             * @description from Till's wallet, by a transfer from the merchant's own, or outside of Till
             * @enum {string}
             */
            way: "till" | "wallet" | "elsewhere";
            /** @description of the merchant */
            merchant_email: string;
            /** @description who is asked for the address and told of the refund */
            customer_email: string | null;
            /** @description for the customer */
            reason: string | null;
            /** @description for the merchant alone */
            note: string | null;
            /** @description where it goes */
            address: string | null;
            /**
             * @description who named it: the customer, by mail or a link, or the merchant
             * @enum {string|null}
             */
            address_by: "mail" | "link" | "person" | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            sends_at: string | null;
            /**
             * @description why it did not arrive
             * @enum {string|null}
             */
            failure: "expired" | "cancelled" | "replaced" | null;
            /** @description of the transfer */
            tx_hash: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            changed_at: string;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            ended_at: string | null;
        };
        RefundList: {
            /** @description a list */
            data: components["schemas"]["Refund"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        Owed: {
            /** @description the id of the invoice, or the slug of the link */
            id: string;
            /** @description what is to be returned, and in no refund yet */
            amount: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string | null;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string | null;
            /** @description of the payment link */
            link_slug: string | null;
            /** @description of the merchant */
            merchant_email: string;
            /** @description of the customer */
            customer_email: string | null;
        };
        OwedList: {
            /** @description a list */
            data: components["schemas"]["Owed"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        Balance: {
            /** @description how many deposit addresses hold confirmed USDC */
            deposits: number;
            /** @description what they hold, in USDC */
            deposits_amount: string;
            /** @description how many wallets Till has for its merchants */
            wallets: number;
            /** @description what they held when that was last read, if it is known */
            wallets_amount: string | null;
            /**
             * Format: date-time
             * @description when that was, ISO 8601
             */
            wallets_read_at: string | null;
            /** @description both together, if that is known and no money is on its way */
            total_amount: string | null;
        };
        /** @enum {string} */
        SettlementState: "pending" | "settled" | "empty" | "failed" | "elsewhere";
        Settlement: {
            /** @description of the settlement */
            id: string;
            /** @description pending, settled or failed; empty: nothing was left to move; elsewhere: not by a transaction of Till's */
            state: components["schemas"]["SettlementState"];
            /**
             * Format: uuid
             * @description the invoice that was paid there, or else there is slug
             */
            invoice_id?: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number?: string;
            /** @description the slug of the payment link that was paid there */
            slug?: string;
            /** @description an EVM address in checksum form */
            deposit_address: string;
            /** @description where it was moved to */
            payout_wallet: string;
            /** @description what was moved, in USDC; 0.00 unless settled or elsewhere */
            amount: string;
            /** @description the transaction, as far as it is known */
            tx_hash: string | null;
            /** @description its block */
            block_number: number | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /**
             * Format: date-time
             * @description when Till tries again what failed, ISO 8601
             */
            retry_at: string | null;
        };
        SettlementList: {
            /** @description a list */
            data: components["schemas"]["Settlement"][];
            /** @description whether there are older ones */
            has_more: boolean;
        };
        PaymentRequirements: {
            /** @constant */
            scheme: "exact";
            /** @description base, base-sepolia, or eip155: and the number of the chain */
            network: string;
            /** @description what is due, in micro-USDC */
            maxAmountRequired: string;
            /** @description an EVM address in checksum form */
            asset: string;
            /** @description an EVM address in checksum form */
            payTo: string;
            /** @description for how long the authorisation is to last */
            maxTimeoutSeconds: number;
            extra: {
                /** @description of the token's EIP-712 domain */
                name: string;
                /** @description the same */
                version: string;
            };
            /**
             * Format: uri
             * @description a URL
             */
            resource: string;
            /** @description what is paid */
            description: string;
            /** @description of the answer to a payment */
            mimeType: string;
        };
        PaymentRequired: {
            /** @constant */
            x402Version: 1;
            /** @description why it is asked for */
            error: string;
            accepts: components["schemas"]["PaymentRequirements"][];
        };
        X402Payment: {
            /**
             * @description confirming: all of it is in a block; confirmed: it counts, or was paid in another way
             * @enum {string}
             */
            status: "confirming" | "confirmed";
            /** @description the hash of what paid it last, unless it was paid in another way */
            transaction: string | null;
            /**
             * Format: uri
             * @description a URL
             */
            page_url: string;
            /**
             * Format: uri
             * @description the URL of the proof of its receipt, which is there once it is confirmed
             */
            receipt_url: string;
        };
        SignedPayments: {
            /** @description whether payers can pay by a signature just now */
            offered: boolean;
            /** @description why not: off, node, reserve, fees or budget */
            obstacle: string | null;
            /** @description how many are on their way */
            on_the_way: number;
            /** @description how many paid, of those begun in 24 hours */
            paid_24h: number;
            /** @description how many failed after they were sent */
            failed_24h: number;
            /** @description what their fees took in 24 hours */
            fees_24h_eth: string;
            /** @description the most that they take in 24 hours */
            budget_eth: string;
            /** @description what the gas account keeps for settlements */
            reserve_eth: string;
            /** @description the least that is paid so */
            minimum_usdc: string;
            /** @description the highest base fee */
            base_fee_max_gwei: string;
            /** @description the most gas for the signature of a smart wallet */
            gas_max: number;
            /** @description failures in an hour after which a payer waits */
            failures_max: number;
        };
        Health: {
            /** @description ok, or not ready */
            status: string;
            /** @description why Till is not ready; only with 503 */
            reasons?: string[];
            /** @description what needs a person's attention all the same */
            warnings?: string[];
            signed_payments?: components["schemas"]["SignedPayments"];
        };
        ApiKeyRequest: {
            /** @description up to 100 letters, digits, spaces, dots, hyphens and underscores; what the key is for, to tell it from others */
            name: string;
            /**
             * @description "read", "shop", "full" or "metrics"; read changes nothing, shop issues and closes, full makes keys too, metrics reads /metrics alone
             * @enum {string}
             */
            scope: "read" | "shop" | "full" | "metrics";
            /**
             * Format: email
             * @description an e-mail address; the only merchant whose invoices and links it sees; with read or shop
             */
            merchant_email?: string | null;
            /** @description a day, YYYY-MM-DD, or a time with its time zone; from then on, or from the end of the day, it is refused; as the key that makes it when left out */
            expires_at?: string | null;
        };
        CreatedApiKey: {
            /** @description its number, to revoke it by */
            id: number;
            /** @description what it is for */
            name: string;
            /**
             * @description what it may do
             * @enum {string}
             */
            scope: "read" | "shop" | "full" | "metrics";
            /** @description the only merchant whose things it sees; null for all */
            merchant_email: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /** @description when it was used last, to the minute; null for never */
            last_used_at: string | null;
            /** @description from then on it is refused; null for never */
            expires_at: string | null;
            /** @description since when it is revoked; null while it is not */
            revoked_at: string | null;
            /** @description the key itself, till_… */
            key: string;
        };
        ApiKey: {
            /** @description its number, to revoke it by */
            id: number;
            /** @description what it is for */
            name: string;
            /**
             * @description what it may do
             * @enum {string}
             */
            scope: "read" | "shop" | "full" | "metrics";
            /** @description the only merchant whose things it sees; null for all */
            merchant_email: string | null;
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            created_at: string;
            /** @description when it was used last, to the minute; null for never */
            last_used_at: string | null;
            /** @description from then on it is refused; null for never */
            expires_at: string | null;
            /** @description since when it is revoked; null while it is not */
            revoked_at: string | null;
        };
        EveryApiKey: {
            /** @description a list */
            data: components["schemas"]["ApiKey"][];
        };
        RevokedApiKey: {
            /** @description true: it is refused from now on */
            ok: boolean;
        };
        InvoiceEvent: {
            /**
             * @description the same for each of the three statuses
             * @constant
             */
            event: "invoice.paid";
            /**
             * Format: uuid
             * @description a UUID
             */
            invoice_id: string;
            /** @description such as INV-0001: see TILL_INVOICE_NUMBER */
            invoice_number: string;
            /** @description USDC with two decimals, "1500.00" */
            total_amount: string;
            /**
             * @description what the invoice has become
             * @enum {string}
             */
            status: "paid" | "partial" | "excess";
            /** @description the merchant's, such as an order number; only when given */
            reference?: string;
            /** @description the merchant's own, never shown to payers; only when given */
            metadata?: {
                [key: string]: string;
            };
        };
        LinkEvent: {
            /**
             * @description the same for each of the three statuses
             * @constant
             */
            event: "link.paid";
            /** @description the end of the address of its page */
            slug: string;
            /** @description USDC with two decimals, "1500.00" */
            expected_amount: string;
            /** @description USDC with two decimals, "1500.00" */
            received_amount: string;
            /**
             * @description what the payment has become
             * @enum {string}
             */
            status: "confirmed" | "partial" | "excess";
            /** @description the merchant's, such as an order number; only when given */
            reference?: string;
            /** @description the merchant's own, never shown to payers; only when given */
            metadata?: {
                [key: string]: string;
            };
        };
        StandardInvoiceEvent: {
            /**
             * @description what happened
             * @enum {string}
             */
            type: "invoice.partially_paid" | "invoice.paid" | "invoice.overpaid" | "invoice.payment_reversed" | "invoice.unexpected_payment" | "invoice.voided" | "invoice.marked_paid" | "invoice.marked_unpaid" | "invoice.corrected" | "invoice.credited" | "invoice.refund_requested" | "invoice.refund_approved" | "invoice.refund_sent" | "invoice.refunded" | "invoice.refund_failed" | "invoice.refund_cancelled";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            timestamp: string;
            /** @description the whole record as it is after the event, and what there is to say of the event */
            data: {
                invoice: components["schemas"]["Invoice"];
                /** @description what the money has made of it, of an event of money */
                status?: string;
                /** @description all that has come, with six decimals if it has a fraction of a cent */
                received_amount?: string;
            };
        };
        StandardLinkEvent: {
            /**
             * @description what happened
             * @enum {string}
             */
            type: "link.partially_paid" | "link.paid" | "link.overpaid" | "link.payment_reversed" | "link.unexpected_payment" | "link.voided" | "link.marked_paid" | "link.marked_unpaid" | "link.expired" | "link.refund_requested" | "link.refund_approved" | "link.refund_sent" | "link.refunded" | "link.refund_failed" | "link.refund_cancelled";
            /**
             * Format: date-time
             * @description a time, ISO 8601
             */
            timestamp: string;
            /** @description the whole record as it is after the event, and what there is to say of the event */
            data: {
                link: components["schemas"]["Link"];
                /** @description what the money has made of it, of an event of money */
                status?: string;
                /** @description all that has come, with six decimals if it has a fraction of a cent */
                received_amount?: string;
            };
        };
    };
    responses: never;
    parameters: {
        /** @example order-1042 */
        IdempotencyKey: string;
        /** @example eyJ4NDAyVmVyc2lvbiI6MSwicGF5bG9hZCI6eyJzaWduYXR1cmUiOiIweOKApg== */
        XPayment: string;
        /** @example eyJ4NDAyVmVyc2lvbiI6MiwicGF5bG9hZCI6eyJzaWduYXR1cmUiOiIweOKApg== */
        PaymentSignature: string;
        /** @example 20 */
        Limit: number;
        /** @example 0x468b37D2C5418d07c4c201AA3C81acBCD9245C53 */
        DepositAddress: string;
        /**
         * @description the id of the invoice, or its number
         * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
         */
        Id: string;
        /**
         * @description the id of the invoice, or its number, for which a public Till asks for a key
         * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
         */
        Id2: string;
        /** @example factur-x */
        Format: "cii" | "ubl" | "factur-x";
        /**
         * @description the id of the series
         * @example recurring_4r7w2m9qd3xv5tb8hk6npscgea
         */
        Id3: string;
        /** @example INV-0042 */
        Invoice: string;
        /**
         * @description the id of the credit note, or its number
         * @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962
         */
        Id4: string;
        /**
         * @description the mail address, in any spelling
         * @example accounts@globex.example
         */
        Email: string;
        /**
         * @description the mail address, in any spelling
         * @example billing@acme.example
         */
        Email2: string;
        /**
         * @description the id of the endpoint
         * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
         */
        Id5: string;
        /** @example p4x9c2rm6wd8kv3z */
        Link: string;
        /**
         * @description the slug of the payment link
         * @example p4x9c2rm6wd8kv3z
         */
        Slug: string;
        /**
         * @description the id of the refund
         * @example rfd_7k2m9qd3xv5tb8hk6npscgea4w
         */
        Id6: string;
        /**
         * @description the slug of the payment link or of the invoice
         * @example p4x9c2rm6wd8kv3z
         */
        Slug2: string;
        /**
         * @description the id of the invoice
         * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
         */
        Id7: string;
        /** @example sha256=8518c7cf6c02a747084fef3fe760a64a092f2def70a93c82fc8a5370277069cf */
        XServiceSignature: string;
        /** @example evt_bdv9vz48fgu4a2uh6kfimxxdyd */
        WebhookId: string;
        /** @example 1793887952 */
        WebhookTimestamp: string;
        /** @example v1,edRgaQlG69GNQk5nm2JoODhmVbEvA9qs6HkMbUVVdtw= */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ProblemCode = components['schemas']['ProblemCode'];
export type Fault = components['schemas']['Fault'];
export type Problem = components['schemas']['Problem'];
export type TaxCategory = components['schemas']['TaxCategory'];
export type LineItemRequest = components['schemas']['LineItemRequest'];
export type PartyDetails = components['schemas']['PartyDetails'];
export type InvoiceRequest = components['schemas']['InvoiceRequest'];
export type ExchangeRate = components['schemas']['ExchangeRate'];
export type Warning = components['schemas']['Warning'];
export type CreatedInvoice = components['schemas']['CreatedInvoice'];
export type InvoiceState = components['schemas']['InvoiceState'];
export type TaxRow = components['schemas']['TaxRow'];
export type TaxInCurrency = components['schemas']['TaxInCurrency'];
export type LineItem = components['schemas']['LineItem'];
export type DepositProof = components['schemas']['DepositProof'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceList = components['schemas']['InvoiceList'];
export type InvoiceStatus = components['schemas']['InvoiceStatus'];
export type IssuedReceipt = components['schemas']['IssuedReceipt'];
export type ReceiptProof = components['schemas']['ReceiptProof'];
export type Receipt = components['schemas']['Receipt'];
export type Sent = components['schemas']['Sent'];
export type VoidRequest = components['schemas']['VoidRequest'];
export type MarkRequest = components['schemas']['MarkRequest'];
export type InvoiceCorrection = components['schemas']['InvoiceCorrection'];
export type QuoteRequest = components['schemas']['QuoteRequest'];
export type Transfer = components['schemas']['Transfer'];
export type EveryTransfer = components['schemas']['EveryTransfer'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type EveryWebhookEvent = components['schemas']['EveryWebhookEvent'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type EveryTimelineEntry = components['schemas']['EveryTimelineEntry'];
export type CommentRequest = components['schemas']['CommentRequest'];
export type EventType = components['schemas']['EventType'];
export type Event = components['schemas']['Event'];
export type RecurringInvoiceBody = components['schemas']['RecurringInvoiceBody'];
export type RecurringEvery = components['schemas']['RecurringEvery'];
export type RecurringRequest = components['schemas']['RecurringRequest'];
export type RecurringMade = components['schemas']['RecurringMade'];
export type RecurringInterval = components['schemas']['RecurringInterval'];
export type Recurring = components['schemas']['Recurring'];
export type RecurringList = components['schemas']['RecurringList'];
export type RecurringChange = components['schemas']['RecurringChange'];
export type CreditRequest = components['schemas']['CreditRequest'];
export type CreditedLine = components['schemas']['CreditedLine'];
export type CreditNote = components['schemas']['CreditNote'];
export type EveryCreditNote = components['schemas']['EveryCreditNote'];
export type CreditNoteList = components['schemas']['CreditNoteList'];
export type Customer = components['schemas']['Customer'];
export type CustomerList = components['schemas']['CustomerList'];
export type SavedCustomer = components['schemas']['SavedCustomer'];
export type CustomerDetails = components['schemas']['CustomerDetails'];
export type SavedMerchant = components['schemas']['SavedMerchant'];
export type MerchantDetails = components['schemas']['MerchantDetails'];
export type ToldEventType = components['schemas']['ToldEventType'];
export type EndpointFormat = components['schemas']['EndpointFormat'];
export type WebhookEndpointRequest = components['schemas']['WebhookEndpointRequest'];
export type CreatedWebhookEndpoint = components['schemas']['CreatedWebhookEndpoint'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type EveryWebhookEndpoint = components['schemas']['EveryWebhookEndpoint'];
export type WebhookEndpointChange = components['schemas']['WebhookEndpointChange'];
export type DeletedWebhookEndpoint = components['schemas']['DeletedWebhookEndpoint'];
export type TestedWebhookEndpoint = components['schemas']['TestedWebhookEndpoint'];
export type EventList = components['schemas']['EventList'];
export type Done = components['schemas']['Done'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type LinkState = components['schemas']['LinkState'];
export type CreatedLink = components['schemas']['CreatedLink'];
export type CreatedReusableLink = components['schemas']['CreatedReusableLink'];
export type PayerAnswer = components['schemas']['PayerAnswer'];
export type Link = components['schemas']['Link'];
export type LinkList = components['schemas']['LinkList'];
export type PublicLink = components['schemas']['PublicLink'];
export type PublicReusableLink = components['schemas']['PublicReusableLink'];
export type ReusableLink = components['schemas']['ReusableLink'];
export type ReusableLinkList = components['schemas']['ReusableLinkList'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type RefundRequest = components['schemas']['RefundRequest'];
export type RefundState = components['schemas']['RefundState'];
export type Refund = components['schemas']['Refund'];
export type RefundList = components['schemas']['RefundList'];
export type Owed = components['schemas']['Owed'];
export type OwedList = components['schemas']['OwedList'];
export type Balance = components['schemas']['Balance'];
export type SettlementState = components['schemas']['SettlementState'];
export type Settlement = components['schemas']['Settlement'];
export type SettlementList = components['schemas']['SettlementList'];
export type PaymentRequirements = components['schemas']['PaymentRequirements'];
export type PaymentRequired = components['schemas']['PaymentRequired'];
export type X402Payment = components['schemas']['X402Payment'];
export type SignedPayments = components['schemas']['SignedPayments'];
export type Health = components['schemas']['Health'];
export type ApiKeyRequest = components['schemas']['ApiKeyRequest'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type ApiKey = components['schemas']['ApiKey'];
export type EveryApiKey = components['schemas']['EveryApiKey'];
export type RevokedApiKey = components['schemas']['RevokedApiKey'];
export type InvoiceEvent = components['schemas']['InvoiceEvent'];
export type LinkEvent = components['schemas']['LinkEvent'];
export type StandardInvoiceEvent = components['schemas']['StandardInvoiceEvent'];
export type StandardLinkEvent = components['schemas']['StandardLinkEvent'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterXPayment = components['parameters']['XPayment'];
export type ParameterPaymentSignature = components['parameters']['PaymentSignature'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterDepositAddress = components['parameters']['DepositAddress'];
export type ParameterId = components['parameters']['Id'];
export type ParameterId2 = components['parameters']['Id2'];
export type ParameterFormat = components['parameters']['Format'];
export type ParameterId3 = components['parameters']['Id3'];
export type ParameterInvoice = components['parameters']['Invoice'];
export type ParameterId4 = components['parameters']['Id4'];
export type ParameterEmail = components['parameters']['Email'];
export type ParameterEmail2 = components['parameters']['Email2'];
export type ParameterId5 = components['parameters']['Id5'];
export type ParameterLink = components['parameters']['Link'];
export type ParameterSlug = components['parameters']['Slug'];
export type ParameterId6 = components['parameters']['Id6'];
export type ParameterSlug2 = components['parameters']['Slug2'];
export type ParameterId7 = components['parameters']['Id7'];
export type ParameterXServiceSignature = components['parameters']['XServiceSignature'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type $defs = Record<string, never>;
export interface operations {
    listInvoices: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41 */
                starting_after?: string;
                /** @example partial */
                status?: components["schemas"]["InvoiceState"];
                /** @example false */
                overdue?: boolean;
                /** @example k7w2m9qd3xv5tb8h */
                slug?: string;
                /** @example INV-0042 */
                invoice_number?: string;
                /** @example PO-4711 */
                reference?: string;
                /** @example 0x468b37D2C5418d07c4c201AA3C81acBCD9245C53 */
                deposit_address?: components["parameters"]["DepositAddress"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceList"];
                };
            };
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvoice"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    changeInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceCorrection"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    getInvoiceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number, for which a public Till asks for a key
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceStatus"];
                };
            };
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number, for which a public Till asks for a key
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoiceReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number, for which a public Till asks for a key
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getInvoiceReceiptJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number, for which a public Till asks for a key
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    getInvoiceEInvoice: {
        parameters: {
            query: {
                /** @example factur-x */
                format: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/xml": string;
                };
            };
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sent"];
                };
            };
        };
    };
    remindInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sent"];
                };
            };
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    markInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    quoteInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
        };
    };
    listInvoicePayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryTransfer"];
                };
            };
        };
    };
    listInvoiceEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryWebhookEvent"];
                };
            };
        };
    };
    listInvoiceTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryTimelineEntry"];
                };
            };
        };
    };
    createInvoiceComment: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    listRecurring: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example recurring_4r7w2m9qd3xv5tb8hk6npscgea */
                starting_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringList"];
                };
            };
        };
    };
    createRecurring: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecurringRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recurring"];
                };
            };
        };
    };
    getRecurring: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the series
                 * @example recurring_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id3"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recurring"];
                };
            };
        };
    };
    deleteRecurring: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the series
                 * @example recurring_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id3"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recurring"];
                };
            };
        };
    };
    changeRecurring: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the series
                 * @example recurring_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id3"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecurringChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recurring"];
                };
            };
        };
    };
    listInvoiceCreditNotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryCreditNote"];
                };
            };
        };
    };
    createInvoiceCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the invoice, or its number
                 * @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
        };
    };
    listCreditNotes: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962 */
                starting_after?: string;
                /** @example INV-0042 */
                invoice?: components["parameters"]["Invoice"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNoteList"];
                };
            };
        };
    };
    getCreditNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the credit note, or its number
                 * @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962
                 */
                id: components["parameters"]["Id4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditNote"];
                };
            };
        };
    };
    getCreditNotePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the credit note, or its number, for which a public Till asks for a key
                 * @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getCreditNoteEInvoice: {
        parameters: {
            query: {
                /** @example factur-x */
                format: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /**
                 * @description the id of the credit note, or its number
                 * @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962
                 */
                id: components["parameters"]["Id4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/xml": string;
                };
            };
        };
    };
    sendCreditNote: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the credit note, or its number
                 * @example 9d2c7e15-40b8-4f6e-8a31-5c0be7d4f962
                 */
                id: components["parameters"]["Id4"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sent"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example accounts@globex.example */
                starting_after?: string;
                /** @example accounts@globex.example */
                email?: string;
                /** @example globex */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the mail address, in any spelling
                 * @example accounts@globex.example
                 */
                email: components["parameters"]["Email"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCustomer"];
                };
            };
        };
    };
    saveCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the mail address, in any spelling
                 * @example accounts@globex.example
                 */
                email: components["parameters"]["Email"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerDetails"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCustomer"];
                };
            };
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the mail address, in any spelling
                 * @example billing@acme.example
                 */
                email: components["parameters"]["Email2"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMerchant"];
                };
            };
        };
    };
    saveMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the mail address, in any spelling
                 * @example billing@acme.example
                 */
                email: components["parameters"]["Email2"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MerchantDetails"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMerchant"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryWebhookEndpoint"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the endpoint
                 * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the endpoint
                 * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the endpoint
                 * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id5"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the endpoint
                 * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the endpoint
                 * @example endpoint_4r7w2m9qd3xv5tb8hk6npscgea
                 */
                id: components["parameters"]["Id5"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedWebhookEndpoint"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example evt_vs59eg4ub6srxtbwzj956vd7z3 */
                starting_after?: string;
                /** @example invoice.partially_paid */
                type?: components["schemas"]["EventType"];
                /** @example INV-0042 */
                invoice?: components["parameters"]["Invoice"];
                /** @example p4x9c2rm6wd8kv3z */
                link?: components["parameters"]["Link"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the event
                 * @example evt_vs59eg4ub6srxtbwzj956vd7z3
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the event
                 * @example evt_bdv9vz48fgu4a2uh6kfimxxdyd
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example p4x9c2rm6wd8kv3z */
                starting_after?: string;
                /** @example confirmed */
                status?: components["schemas"]["LinkState"];
                /** @example p4x9c2rm6wd8kv3z */
                slug?: string;
                /** @example 4712 */
                reference?: string;
                /** @example h8t3w6mz4qk9bx2d */
                reusable_slug?: string;
                /** @example 0x4f3FA91f5C098B85e665f4F1a22ea1aa9F9356eD */
                deposit_address?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedLink"] | components["schemas"]["CreatedReusableLink"];
                };
            };
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicLink"] | components["schemas"]["PublicReusableLink"] | components["schemas"]["Link"] | components["schemas"]["ReusableLink"];
                };
            };
        };
    };
    getLinkReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getLinkReceiptJson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    voidLink: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"] | components["schemas"]["ReusableLink"];
                };
            };
        };
    };
    markLink: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
        };
    };
    listLinkPayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryTransfer"];
                };
            };
        };
    };
    listLinkEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryWebhookEvent"];
                };
            };
        };
    };
    listLinkTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryTimelineEntry"];
                };
            };
        };
    };
    createLinkComment: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    listReusableLinks: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example h8t3w6mz4qk9bx2d */
                starting_after?: string;
                /** @example h8t3w6mz4qk9bx2d */
                slug?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReusableLinkList"];
                };
            };
        };
    };
    getPaymentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the slug of the payment link
                 * @example p4x9c2rm6wd8kv3z
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStatus"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example rfd_7k2m9qd3xv5tb8hk6npscgea4w */
                starting_after?: string;
                /** @example confirmed */
                status?: components["schemas"]["RefundState"];
                /** @example INV-0042 */
                invoice?: components["parameters"]["Invoice"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundList"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    listOwed: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example 3f2b8a4e-6c1d-4f7a-9b52-8e0d7c6a5f41 */
                starting_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwedList"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the refund
                 * @example rfd_7k2m9qd3xv5tb8hk6npscgea4w
                 */
                id: components["parameters"]["Id6"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    getRefundPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the id of the refund
                 * @example rfd_7k2m9qd3xv5tb8hk6npscgea4w
                 */
                id: components["parameters"]["Id6"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @example order-1042 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description the id of the refund
                 * @example rfd_7k2m9qd3xv5tb8hk6npscgea4w
                 */
                id: components["parameters"]["Id6"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
        };
    };
    getOriginal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the SHA-256 of the document, in hex
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/xml": string;
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @example 20 */
                limit?: components["parameters"]["Limit"];
                /** @example 41 */
                starting_after?: string;
                /** @example settled */
                state?: components["schemas"]["SettlementState"];
                /** @example INV-0042 */
                invoice?: components["parameters"]["Invoice"];
                /** @example p4x9c2rm6wd8kv3z */
                link?: components["parameters"]["Link"];
                /** @example 0x468b37D2C5418d07c4c201AA3C81acBCD9245C53 */
                deposit_address?: components["parameters"]["DepositAddress"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementList"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: {
                /** @example 2026-11-01 */
                from?: string;
                /** @example 2026-11-30 */
                to?: string;
            };
            header?: never;
            path: {
                /**
                 * @description one of invoices, items, credit-notes, refunds, receipts, taxes, tax-sums, links, payments, settlements, withdrawals, fees, annual, quickbooks-statement, xero-statement, xero, datev
                 * @example payments
                 */
                table: "invoices" | "items" | "credit-notes" | "refunds" | "receipts" | "taxes" | "tax-sums" | "links" | "payments" | "settlements" | "withdrawals" | "fees" | "annual" | "quickbooks-statement" | "xero-statement" | "xero" | "datev";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EveryApiKey"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description Made */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    deleteKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description the number of the API key
                 * @example 2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedApiKey"];
                };
            };
        };
    };
}
