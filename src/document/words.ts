import { fill, type Values } from "../lib/fill.ts";
import { type LanguageCode, languages, type Speech } from "../lib/language.ts";
import { type Notation, notationOf } from "../lib/notation.ts";

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
  scanOrSend: "Scan the code with a wallet app, or send USDC to the deposit address.",
  depositAddress: "Deposit address",
  network: "Network",
  onlyUsdc: "Only USDC on the {network} network",
  testNetwork: "Test network. Pay with test USDC only. Do not send real money.",
  testNetworkName: "{network}, test network",
  payOnline: "Pay online and track your payment",
  paidInFull: "Paid in full",
  receivedOf: "{received} of {total} USDC received",
  seeOnline: "View the payment online",
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
  amountDue: "Offener Betrag",
  description: "Beschreibung",
  quantity: "Menge",
  unitPrice: "Einzelpreis",
  amountInUsdc: "Betrag (USDC)",
  total: "Gesamtbetrag",
  pay: "{amount} USDC bezahlen",
  scanOrSend: "Scannen Sie den Code mit einer Wallet oder senden Sie USDC an die Einzahlungsadresse.",
  depositAddress: "Einzahlungsadresse",
  network: "Netzwerk",
  onlyUsdc: "Nur USDC im Netzwerk {network}",
  testNetwork: "Testnetzwerk. Zahlen Sie nur mit Test-USDC. Senden Sie kein echtes Geld.",
  testNetworkName: "{network}, Testnetzwerk",
  payOnline: "Online bezahlen und die Zahlung verfolgen",
  paidInFull: "Vollständig bezahlt",
  receivedOf: "{received} von {total} USDC eingegangen",
  seeOnline: "Die Zahlung online ansehen",
  notes: "Anmerkungen",
  invoiceNumber: "Rechnung {number}",
  page: "Seite {page} von {count}",
  hostedBy: "Betrieben von {brand}",
};

const es: Messages = {
  invoice: "Factura",
  billedTo: "Cliente",
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
  scanOrSend: "Escanee el código con una billetera o envíe los USDC a la dirección de depósito.",
  depositAddress: "Dirección de depósito",
  network: "Red",
  onlyUsdc: "Solo USDC en la red {network}",
  testNetwork: "Red de pruebas. Pague solo con USDC de prueba. No envíe dinero real.",
  testNetworkName: "{network}, red de pruebas",
  payOnline: "Pagar en línea y seguir el pago",
  paidInFull: "Pagado por completo",
  receivedOf: "Recibido: {received} de {total} USDC",
  seeOnline: "Ver el pago en línea",
  notes: "Notas",
  invoiceNumber: "Factura {number}",
  page: "Página {page} de {count}",
  hostedBy: "Alojado por {brand}",
};

const fr: Messages = {
  invoice: "Facture",
  billedTo: "Client",
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
  scanOrSend: "Scannez le code avec un portefeuille, ou envoyez les USDC à l’adresse de dépôt.",
  depositAddress: "Adresse de dépôt",
  network: "Réseau",
  onlyUsdc: "Uniquement des USDC sur le réseau {network}",
  testNetwork: "Réseau de test. Payez uniquement en USDC de test. N’envoyez pas d’argent réel.",
  testNetworkName: "{network}, réseau de test",
  payOnline: "Payer et suivre le paiement en ligne",
  paidInFull: "Réglée en totalité",
  receivedOf: "Reçu\u00a0: {received} USDC sur {total}",
  seeOnline: "Voir le paiement en ligne",
  notes: "Remarques",
  invoiceNumber: "Facture {number}",
  page: "Page {page} sur {count}",
  hostedBy: "Hébergé par {brand}",
};

const pt: Messages = {
  invoice: "Fatura",
  billedTo: "Cliente",
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
  scanOrSend: "Leia o código com uma carteira ou envie os USDC para o endereço de depósito.",
  depositAddress: "Endereço de depósito",
  network: "Rede",
  onlyUsdc: "Apenas USDC na rede {network}",
  testNetwork: "Rede de testes. Pague apenas com USDC de teste. Não envie dinheiro real.",
  testNetworkName: "{network}, rede de testes",
  payOnline: "Pagar e acompanhar o pagamento online",
  paidInFull: "Pago integralmente",
  receivedOf: "Recebido: {received} de {total} USDC",
  seeOnline: "Ver o pagamento online",
  notes: "Observações",
  invoiceNumber: "Fatura {number}",
  page: "Página {page} de {count}",
  hostedBy: "Hospedado por {brand}",
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
  amountInUsdc: "金額（USDC）",
  total: "合計",
  pay: "{amount} USDC のお支払い",
  scanOrSend: "ウォレットでコードを読み取るか、入金アドレスに送金してください。",
  depositAddress: "入金アドレス",
  network: "ネットワーク",
  onlyUsdc: "{network} ネットワークの USDC のみ",
  testNetwork:
    "テストネットワークです。テスト用の USDC のみでお支払いください。実際のお金を送らないでください。",
  testNetworkName: "{network}、テストネットワーク",
  payOnline: "オンラインで支払い、入金を確認する",
  paidInFull: "全額支払い済み",
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
  dueDate: "到期日",
  amountDue: "应付金额",
  description: "说明",
  quantity: "数量",
  unitPrice: "单价",
  amountInUsdc: "金额（USDC）",
  total: "合计",
  pay: "支付 {amount} USDC",
  scanOrSend: "用钱包扫描二维码，或转账到收款地址。",
  depositAddress: "收款地址",
  network: "网络",
  onlyUsdc: "仅限 {network} 网络上的 USDC",
  testNetwork: "测试网络。请只用测试 USDC 付款，不要发送真实资金。",
  testNetworkName: "{network}，测试网络",
  payOnline: "在线付款并查看付款状态",
  paidInFull: "已全额付款",
  receivedOf: "应付 {total} USDC，已收到 {received} USDC",
  seeOnline: "在线查看付款状态",
  notes: "备注",
  invoiceNumber: "账单 {number}",
  page: "第 {page} 页，共 {count} 页",
  hostedBy: "由 {brand} 提供服务",
};

const ar: Messages = {
  invoice: "فاتورة",
  billedTo: "العميل",
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
  scanOrSend: "امسح الرمز بمحفظة، أو أرسل USDC إلى عنوان الإيداع.",
  depositAddress: "عنوان الإيداع",
  network: "الشبكة",
  onlyUsdc: "عملة USDC على شبكة {network} فقط",
  testNetwork: "شبكة اختبار. ادفع بعملة USDC التجريبية فقط. لا ترسل أموالًا حقيقية.",
  testNetworkName: "شبكة الاختبار {network}",
  payOnline: "ادفع عبر الإنترنت وتابع حالة الدفعة",
  paidInFull: "دُفعت بالكامل",
  receivedOf: "تم استلام {received} من أصل {total} USDC",
  seeOnline: "عرض الدفعة عبر الإنترنت",
  notes: "ملاحظات",
  invoiceNumber: "فاتورة {number}",
  page: "صفحة {page} من {count}",
  hostedBy: "الخدمة مقدمة من {brand}",
};

/** Each language's texts. */
export const documentMessages: Readonly<Record<LanguageCode, Messages>> = { en, de, es, fr, pt, ja, zh, ar };

/** What a document is written with. */
export type Words = Notation & {
  readonly speech: Speech;
  say(key: Key, values?: Values): string;
};

/** Made once for each language: what writes its dates takes half a millisecond to be made. */
const made = new Map<LanguageCode, Words>();

export function wordsIn(code: LanguageCode): Words {
  const known = made.get(code);
  if (known) return known;
  const words: Words = {
    ...notationOf(code),
    speech: languages[code],
    say: (key, values = {}) => fill(documentMessages[code][key], values),
  };
  made.set(code, words);
  return words;
}
