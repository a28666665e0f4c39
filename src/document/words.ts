import { fill, type Values } from "../lib/fill.ts";
import { type Dates, datesIn, type LanguageCode, languages, type Speech } from "../lib/language.ts";

/** Every text of the PDF. `{name}` is filled in. */
const en = {
  invoice: "Invoice",
  billedTo: "Billed to",
  number: "Invoice number",
  issueDate: "Issue date",
  dueDate: "Due date",
  amountDue: "Amount due",
  description: "Description",
  quantity: "Quantity",
  unitPrice: "Unit price",
  amountInUsdc: "Amount (USDC)",
  total: "Total",
  pay: "Pay {amount} USDC",
  scanOrSend: "Scan the code with a wallet, or send to the deposit address.",
  depositAddress: "Deposit address",
  network: "Network",
  onlyNetwork: "USDC on {network} only",
  payOnline: "Pay and follow the payment online",
  paid: "Paid in full",
  receivedOf: "{received} of {total} USDC received",
  seeOnline: "See the payment online",
  notes: "Notes",
  invoiceNumber: "Invoice {number}",
  page: "Page {page} of {count}",
  hostedBy: "Hosted by {brand}",
} as const;

type Key = keyof typeof en;
type Messages = Readonly<Record<Key, string>>;

const de: Messages = {
  invoice: "Rechnung",
  billedTo: "Rechnung an",
  number: "Rechnungsnummer",
  issueDate: "Rechnungsdatum",
  dueDate: "Fällig am",
  amountDue: "Zu zahlen",
  description: "Beschreibung",
  quantity: "Menge",
  unitPrice: "Einzelpreis",
  amountInUsdc: "Betrag (USDC)",
  total: "Summe",
  pay: "{amount} USDC bezahlen",
  scanOrSend: "Scannen Sie den Code mit einer Wallet oder senden Sie an die Einzahlungsadresse.",
  depositAddress: "Einzahlungsadresse",
  network: "Netzwerk",
  onlyNetwork: "Nur USDC auf {network}",
  payOnline: "Online bezahlen und die Zahlung verfolgen",
  paid: "Vollständig bezahlt",
  receivedOf: "{received} von {total} USDC eingegangen",
  seeOnline: "Die Zahlung online ansehen",
  notes: "Anmerkungen",
  invoiceNumber: "Rechnung {number}",
  page: "Seite {page} von {count}",
  hostedBy: "Betrieben von {brand}",
};

const es: Messages = {
  invoice: "Factura",
  billedTo: "Facturado a",
  number: "Número de factura",
  issueDate: "Fecha de emisión",
  dueDate: "Vencimiento",
  amountDue: "Importe a pagar",
  description: "Descripción",
  quantity: "Cantidad",
  unitPrice: "Precio unitario",
  amountInUsdc: "Importe (USDC)",
  total: "Total",
  pay: "Pagar {amount} USDC",
  scanOrSend: "Escanee el código con un monedero o envíe a la dirección de depósito.",
  depositAddress: "Dirección de depósito",
  network: "Red",
  onlyNetwork: "Solo USDC en {network}",
  payOnline: "Pague y siga el pago en línea",
  paid: "Pagado por completo",
  receivedOf: "{received} de {total} USDC recibidos",
  seeOnline: "Vea el pago en línea",
  notes: "Notas",
  invoiceNumber: "Factura {number}",
  page: "Página {page} de {count}",
  hostedBy: "Servicio de {brand}",
};

const fr: Messages = {
  invoice: "Facture",
  billedTo: "Facturé à",
  number: "Numéro de facture",
  issueDate: "Date d’émission",
  dueDate: "Échéance",
  amountDue: "Montant à payer",
  description: "Description",
  quantity: "Quantité",
  unitPrice: "Prix unitaire",
  amountInUsdc: "Montant (USDC)",
  total: "Total",
  pay: "Payer {amount} USDC",
  scanOrSend: "Scannez le code avec un portefeuille ou envoyez à l’adresse de dépôt.",
  depositAddress: "Adresse de dépôt",
  network: "Réseau",
  onlyNetwork: "Uniquement des USDC sur {network}",
  payOnline: "Payer et suivre le paiement en ligne",
  paid: "Payé en totalité",
  receivedOf: "{received} USDC reçus sur {total}",
  seeOnline: "Voir le paiement en ligne",
  notes: "Remarques",
  invoiceNumber: "Facture {number}",
  page: "Page {page} sur {count}",
  hostedBy: "Hébergé par {brand}",
};

const pt: Messages = {
  invoice: "Fatura",
  billedTo: "Faturado a",
  number: "Número da fatura",
  issueDate: "Data de emissão",
  dueDate: "Vencimento",
  amountDue: "Valor a pagar",
  description: "Descrição",
  quantity: "Quantidade",
  unitPrice: "Preço unitário",
  amountInUsdc: "Valor (USDC)",
  total: "Total",
  pay: "Pagar {amount} USDC",
  scanOrSend: "Leia o código com uma carteira ou envie para o endereço de depósito.",
  depositAddress: "Endereço de depósito",
  network: "Rede",
  onlyNetwork: "Apenas USDC na {network}",
  payOnline: "Pagar e acompanhar o pagamento online",
  paid: "Pago na totalidade",
  receivedOf: "{received} de {total} USDC recebidos",
  seeOnline: "Ver o pagamento online",
  notes: "Notas",
  invoiceNumber: "Fatura {number}",
  page: "Página {page} de {count}",
  hostedBy: "Serviço de {brand}",
};

const ja: Messages = {
  invoice: "請求書",
  billedTo: "請求先",
  number: "請求書番号",
  issueDate: "発行日",
  dueDate: "支払期限",
  amountDue: "お支払い金額",
  description: "内容",
  quantity: "数量",
  unitPrice: "単価",
  amountInUsdc: "金額 (USDC)",
  total: "合計",
  pay: "{amount} USDC のお支払い",
  scanOrSend: "ウォレットでコードを読み取るか、入金アドレスに送金してください。",
  depositAddress: "入金アドレス",
  network: "ネットワーク",
  onlyNetwork: "{network} の USDC のみ",
  payOnline: "オンラインで支払い、入金を確認する",
  paid: "全額支払い済み",
  receivedOf: "{total} USDC のうち {received} USDC を受取済み",
  seeOnline: "入金をオンラインで確認する",
  notes: "備考",
  invoiceNumber: "請求書 {number}",
  page: "{page} / {count} ページ",
  hostedBy: "運営：{brand}",
};

const zh: Messages = {
  invoice: "账单",
  billedTo: "付款方",
  number: "账单编号",
  issueDate: "账单日期",
  dueDate: "付款截止日",
  amountDue: "应付金额",
  description: "说明",
  quantity: "数量",
  unitPrice: "单价",
  amountInUsdc: "金额 (USDC)",
  total: "合计",
  pay: "支付 {amount} USDC",
  scanOrSend: "用钱包扫描二维码，或转账到收款地址。",
  depositAddress: "收款地址",
  network: "网络",
  onlyNetwork: "仅限 {network} 上的 USDC",
  payOnline: "在线付款并查看付款状态",
  paid: "已全额付款",
  receivedOf: "已收到 {received} / {total} USDC",
  seeOnline: "在线查看付款状态",
  notes: "备注",
  invoiceNumber: "账单 {number}",
  page: "第 {page} 页，共 {count} 页",
  hostedBy: "由 {brand} 提供服务",
};

const ar: Messages = {
  invoice: "فاتورة",
  billedTo: "إلى",
  number: "رقم الفاتورة",
  issueDate: "تاريخ الإصدار",
  dueDate: "تاريخ الاستحقاق",
  amountDue: "المبلغ المستحق",
  description: "الوصف",
  quantity: "الكمية",
  unitPrice: "سعر الوحدة",
  amountInUsdc: "المبلغ (USDC)",
  total: "الإجمالي",
  pay: "ادفع {amount} USDC",
  scanOrSend: "امسح الرمز بمحفظة، أو أرسل إلى عنوان الإيداع.",
  depositAddress: "عنوان الإيداع",
  network: "الشبكة",
  onlyNetwork: "عملة USDC على شبكة {network} فقط",
  payOnline: "ادفع وتابع الدفع عبر الإنترنت",
  paid: "دُفعت بالكامل",
  receivedOf: "تم استلام {received} من أصل {total} USDC",
  seeOnline: "شاهد الدفع عبر الإنترنت",
  notes: "ملاحظات",
  invoiceNumber: "فاتورة {number}",
  page: "صفحة {page} من {count}",
  hostedBy: "الخدمة مقدمة من {brand}",
};

/** Each language's texts. */
export const documentMessages: Readonly<Record<LanguageCode, Messages>> = { en, de, es, fr, pt, ja, zh, ar };

/** What a document is written with. */
export type Words = Dates & {
  readonly speech: Speech;
  say(key: Key, values?: Values): string;
};

/** Made once for each language: what writes its dates takes half a millisecond to be made. */
const made = new Map<LanguageCode, Words>();

export function wordsIn(code: LanguageCode): Words {
  const known = made.get(code);
  if (known) return known;
  const words: Words = {
    ...datesIn(code),
    speech: languages[code],
    say: (key, values = {}) => fill(documentMessages[code][key], values),
  };
  made.set(code, words);
  return words;
}
