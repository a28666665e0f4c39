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

  partyDetails: "Dados fiscais e endereço",
  partyDetailsText:
    "O que a lei exige em uma fatura para uma empresa. As faturas novas usam estes dados; as que já existem mantêm os seus.",
  partyDetailsCustomer:
    "As faturas novas para este cliente usam estes dados; as que já existem mantêm os seus.",
  partyInstead:
    "Se você informar aqui uma rua ou uma cidade, a fatura mostra este endereço no lugar do outro.",
  partyStreet: "Rua e número",
  partyAddition: "Complemento",
  partyPostalCode: "CEP",
  partyCity: "Cidade",
  partyRegion: "Estado ou província",
  partyCountry: "País",
  partyNoCountry: "Não informado",
  partyElectronic: "Endereço para faturas eletrônicas",
  partyElectronicHint: "Esquema e identificador, como {example}",
  partyParity: "1 USDC conta como 1 USD",
  partyParityText: "Nas faturas em USD, que informam isso.",
  partyForBusiness: "Para uma empresa",
  partyForBusinessText: "Endereço em partes, dados fiscais, entrega, pedido",
  partyDeliveryFrom: "Entregue em, ou a partir de",
  partyDeliveryTo: "Até, no caso de um período",
  didSaveCustomer: "Salvo. As faturas novas para este cliente usarão estes dados.",
  deedCustomerSave: "Dados de um cliente alterados",
  faultVatId: "Digite o nº de IVA com o país na frente, como {example}, e confira dígito por dígito.",
  faultTaxId: "Este número não tem o formato desse país. Confira dígito por dígito.",
  faultPhone: "Digite um número de telefone, como {example}.",
  faultElectronic: "Digite o esquema, dois-pontos e o identificador, como {example}.",
  faultTerms: "Há espaço para 500 caracteres.",
  faultDelivery: "Informe um dia, ou o primeiro e o último dia de um período.",
  partyEmailFirst: "Digite também o seu e-mail: estes dados são guardados com ele.",
};
