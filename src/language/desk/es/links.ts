import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

/** Payment links. */
export const links: TextsOf<typeof english> = {
  linkOpen: "Abierto",
  linkSeen: "En camino",
  linkPartly: "Pago parcial",
  linkPaid: "Pagado",
  linkOverpaid: "Pago en exceso",
  linkMarked: "Pagado por otro medio",
  linkProblem: "Problema con el pago",
  linkVoid: "Anulado",
  linkEnded: "Cerrado",

  linksShow: "Mostrar",
  linksAll: "Todos",
  linksOpen: "Abiertos",
  linksPaid: "Pagados",
  linksEnded: "Cerrados",
  linksCounter: "Caja",
  linksMany: "{count}+",
  linksCaption: "Enlaces de pago, primero los más recientes",
  linksSearch: "Buscar enlaces",
  linksSearchHint: "Descripción, referencia, dirección, transacción",
  linksLink: "Enlace",
  linksState: "Estado",
  linksMade: "Creado",
  linksPrice: "Precio",
  linksReceived: "Recibido (USDC)",
  linksNothingYet: "todavía nada",
  linksNone: "Cobre con un enlace",
  linksNoneText:
    "Envíelo en un mensaje, imprímalo como código QR o insértelo en la página de su tienda. Quien lo abre paga en USDC, una o varias veces, y usted lo ve aquí.",
  linksNothingHere: "Ningún enlace así",
  linksNothingHereText: "Hay enlaces, pero ninguno de este tipo.",
  linksNothingFound: "Ningún resultado",
  linksNothingFoundText:
    "La búsqueda encuentra palabras de la descripción o la referencia, una dirección completa, el principio de una transacción y el final de un enlace.",
  linksShowAll: "Mostrar todos los enlaces",

  linkOnce: "Una vez",
  linkAgain: "Varias veces",
  linkOncePart: "Un pago de un enlace",
  linkUntil: "{kind}, fin: {day}",
  linkPaidTimes: "{kind} · Pagados: {count}",
  linkFrom: "De {min} a {max}",
};
