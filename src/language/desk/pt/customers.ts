import type { customers as english } from "../en/customers.ts";
import type { TextsOf } from "../texts.ts";

/** Customers. */
export const customers: TextsOf<typeof english> = {
  customersLine: "Todos para quem você já emitiu faturas.",
  customersCaption: "Clientes, com os faturados mais recentemente primeiro",
  searchCustomers: "Buscar clientes",
  searchCustomersPlaceholder: "Nome ou e-mail…",
  kindEverybody: "Todos",
  kindOwing: "Em aberto",
  columnLastInvoice: "Última fatura",
  columnOwes: "Em aberto",
  columnPaidUsdc: "Pago (USDC)",
  openAmount: "Em aberto: {amount}",
  noCustomers: "Seus clientes aparecem sozinhos",
  noCustomersText:
    "Quem recebe uma fatura sua aparece aqui, com o que pagou e o que ainda deve. Você não precisa manter nada.",
  noCustomerFound: "Nenhum resultado para “{query}”",
  noCustomerFoundText: "Você pode buscar pelo começo do nome ou do e-mail.",
  nobodyOwes: "Ninguém deve nada a você",
  nobodyOwesText: "Todas as faturas estão pagas ou canceladas.",
  showEverybody: "Mostrar todos",
  customerOpen: "Em aberto",
  customerPaid: "Pago até agora",
  customerInvoices: "Faturas",
  invoiceForThem: "Nova fatura",
  writeTo: "Escrever um e-mail",
};
